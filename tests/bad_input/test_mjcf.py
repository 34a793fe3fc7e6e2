"""MJCF that is broken, includes forbidden files, or expands without bound."""

import os

import pytest
from hostile import load_apart, mjcf, refused

import limbik
from limbik import BadFile, BadModel, NotFinite

BROKEN_MJCF = {
    "junk": "junk",
    "not closed": "<mujoco><worldbody>",
    "missing include": mjcf("", '<include file="nowhere.xml"/>'),
    "include of itself": mjcf("", '<include file="robot.xml"/>'),
    "include in a circle": mjcf("", '<include file="other.xml"/>'),
    "entity": '<!DOCTYPE m [<!ENTITY e "x">]>' + mjcf(""),
    "billion laughs": '<!DOCTYPE m [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>' + mjcf('<body name="&b;"/>'),
    "unknown element": mjcf("<elbow/>"),
    "unknown attribute": mjcf('<body colour="red"/>'),
    "number": mjcf('<body pos="a b c"/>'),
    "too few": mjcf('<body pos="1 2"/>'),
    "NaN": mjcf('<body pos="nan 0 0"/>'),
    "zero axis": mjcf('<body><joint axis="0 0 0"/><geom size=".1"/></body>'),
    "zero quaternion": mjcf('<body quat="0 0 0 0"/>'),
    "double name": mjcf('<body name="b"/>'),
    "crossed range": mjcf('<body><joint limited="true" range="1 -1"/><geom size=".1"/></body>'),
    "deep": "<mujoco><worldbody>" + "<body>" * 100_000 + "</body>" * 100_000 + "</worldbody></mujoco>",
    "unknown class": mjcf('<body childclass="nowhere"/>'),
    "memory": mjcf("", '<size memory="100000G"/>'),
    "other document": "<html/>",
}


@pytest.mark.parametrize("broken", BROKEN_MJCF)
def test_broken_mjcf_is_refused(broken, tmp_path):
    pytest.importorskip("mujoco")
    path = tmp_path / "robot.xml"
    path.write_text(BROKEN_MJCF[broken])
    (tmp_path / "other.xml").write_text('<mujoco><include file="robot.xml"/></mujoco>')
    with refused((BadFile, BadModel, NotFinite)):
        limbik.load(path)


def test_mjcf_may_speak_of_robots_in_a_comment(tmp_path):
    pytest.importorskip("mujoco")
    path = tmp_path / "robot.xml"
    path.write_text(mjcf("", '<!-- made from <robot name="x"> -->'))
    assert limbik.load(path).joint_names == ("j",)


def test_mjcf_that_includes_a_pipe_does_not_hang(tmp_path):
    pytest.importorskip("mujoco")
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "robot.xml").write_text(mjcf("", '<include file="pipe.xml"/>'))
    assert load_apart(tmp_path / "robot.xml") == "BadFile"


def test_mjcf_that_expands_without_bound_does_not_hang(tmp_path):
    pytest.importorskip("mujoco")
    depth = 6
    (tmp_path / "robot.xml").write_text(mjcf('<replicate count="100">' * depth + "<body/>" + "</replicate>" * depth))
    assert load_apart(tmp_path / "robot.xml") in ("BadFile", "BadModel")


def test_mjcf_in_several_files_is_read_and_each_is_checked(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "robot.xml").write_text(mjcf("", '<include file="parts/more.xml"/>'))
    (tmp_path / "parts").mkdir()
    more = tmp_path / "parts" / "more.xml"
    arm = '<body name="c"><joint name="k"/><geom size=".1"/></body>'
    more.write_text(f"<mujoco><worldbody>{arm}</worldbody></mujoco>")
    assert set(limbik.load(tmp_path / "robot.xml").joint_names) == {"j", "k"}
    more.write_text('<!DOCTYPE m [<!ENTITY e "x">]><mujoco/>')
    with refused(BadFile, "more.xml", "entity"):
        limbik.load(tmp_path / "robot.xml")
    copies = '<replicate count="1000"><include file="inner.xml"/></replicate>'
    more.write_text(f"<mujoco><worldbody>{copies}</worldbody></mujoco>")
    (tmp_path / "inner.xml").write_text('<mujocoinclude><replicate count="1000"><body/></replicate></mujocoinclude>')
    with refused(BadFile, "inner.xml", "count="):
        limbik.load(tmp_path / "robot.xml")
