"""Tendons of MJCF: those through sites become muscles with MuJoCo's lengths; what is not read is named in the notes."""

import math

import numpy as np
import pytest

import limbik as lk

mujoco = pytest.importorskip("mujoco")

ARM = """<mujoco><compiler angle="radian"/><worldbody>
  <site name="o" pos=".02 .1 .2"/><geom name="ball" type="sphere" size=".02" pos="0 0 .1"/>
  <body name="upper" pos="0 0 .3" quat=".8 .1 .2 .3">
    <joint name="a" axis="0 1 0" range="-2 2"/><joint name="b" axis="1 0 0" pos="0 0 .05" range="-2 2"/>
    <geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/><site name="v" pos=".03 0 .1"/>
    <body name="fore" pos="0 0 .3"><joint name="c" axis="0 1 0" range="0 2.5" ref=".3"/>
      <geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/><site name="i" pos=".02 .01 .06"/>
    </body></body></worldbody>
  <tendon>{tendons}</tendon>{more}</mujoco>"""
STRAIGHT = (
    '<spatial name="flexor" limited="true" range=".1 .9"><site site="o"/><site site="v"/><site site="i"/></spatial>'
)
UNNAMED = '<spatial><site site="v"/><site site="i"/></spatial>'
WRAPPED = '<spatial name="round"><site site="o"/><geom geom="ball"/><site site="i"/></spatial>'
DIVIDED = '<spatial name="split"><site site="o"/><site site="v"/><pulley divisor="2"/><site site="v"/><site site="i"/></spatial>'
FIXED = '<fixed name="sum"><joint joint="a" coef=".1"/><joint joint="c" coef="-.2"/></fixed>'


def loaded(tmp_path, tendons, more=""):
    path = tmp_path / "arm.xml"
    path.write_text(ARM.format(tendons=tendons, more=more))
    return lk.load(path, tip="fore"), mujoco.MjModel.from_xml_path(str(path))


def test_a_tendon_through_sites_is_a_muscle_of_its_length(tmp_path):
    """A tendon that is dropped, or read in a wrong frame, breaks this."""
    arm, model = loaded(tmp_path, STRAIGHT + UNNAMED)
    assert arm.muscles.names == ("flexor", "tendon1")
    assert [r.tolist() for r in arm.muscles.ranges] == [[0.1, 0.0], [0.9, math.inf]]
    data = mujoco.MjData(model)
    for q in arm.sample(np.random.default_rng(3), 20):
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        assert np.abs(arm.muscles.lengths(q) - data.ten_length).max() <= 1e-12


def test_tendons_that_are_not_read_are_named(tmp_path):
    arm, _ = loaded(tmp_path, STRAIGHT + WRAPPED + DIVIDED + FIXED)
    assert arm.muscles.names == ("flexor",)
    for name, why in (
        ("round", "wraps around geoms"),
        ("split", "divides at a pulley"),
        ("sum", "sum of joint values"),
    ):
        assert any(f"'{name}'" in note and why in note and "left out" in note for note in arm.notes), name


def test_long_lists_of_names_are_cut(tmp_path):
    many = "".join(FIXED.replace("sum", f"sum{k}") for k in range(9))
    arm, _ = loaded(tmp_path, many)
    (note,) = (note for note in arm.notes if "tendon" in note)
    assert "9 tendon(s)" in note and "and 4 more" in note and "'sum8'" not in note


def test_muscle_actuators_are_noted(tmp_path):
    drive = '<actuator><muscle name="pull" tendon="flexor" lengthrange=".1 .9"/><motor name="m" joint="a"/></actuator>'
    arm, _ = loaded(tmp_path, STRAIGHT, drive)
    (note,) = (note for note in arm.notes if "actuator" in note)
    assert "'pull'" in note and "not read" in note and "'m'" not in note


def test_a_file_without_tendons_has_no_such_notes(tmp_path):
    arm, _ = loaded(tmp_path, "")
    assert not any("tendon" in note or "muscle" in note for note in arm.notes)
