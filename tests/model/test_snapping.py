"""Rounded angles of vendors: kept as written by default, made exact on request."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.agreement import urdf_files
from conftest import random_tree
from typer.testing import CliRunner

import limbik as lk
from limbik.cli.main import app
from limbik.model.snapping import LARGEST_TURN, snapped


def urdf(rows, name="arm"):
    """A URDF of revolute joints about z, from (xyz, rpy) as texts."""
    links = "".join(f'<link name="l{k}"/>' for k in range(len(rows) + 1))
    joints = "".join(
        f'<joint name="j{k + 1}" type="revolute"><parent link="l{k}"/><child link="l{k + 1}"/><origin xyz="{xyz}" rpy="{rpy}"/>'
        f'<axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>'
        for k, (xyz, rpy) in enumerate(rows)
    )
    return f'<robot name="{name}">{links}{joints}</robot>'


# The lengths of real arms, with angles as their vendors write them.
VENDORS = {
    "three decimals": [
        ("0 0 0.1525", "0 0 0"), ("0 0.0345 0", "0 -1.571 -1.571"), ("0.62 0 0", "0 0 1.571"), ("0 -0.559 0", "1.571 0 0"),
        ("0 0 0", "-1.571 0 0"), ("0 -0.121 0", "1.571 0 0"),
    ],
    "four decimals": [
        ("0 0 0.2433", "0 0 0"), ("0 0 0", "1.5708 -1.5708 3.1416"), ("0.2 0 0", "-3.1416 0 1.5708"),
        ("0.087 -0.2276 0", "1.5708 0 0"), ("0 0 0", "1.5708 0 0"), ("0 0.0615 0", "-1.5708 0 0"),
    ],
    "half right angles": [
        ("0 0 0.1", "0 0 0.785"), ("0 0.1 0", "1.571 0 0.785"), ("0.4 0 0", "3.1416 0 0.785"), ("0.4 0 0", "-3.142 0 0"),
        ("0 0 0.1", "1.571 0 0"), ("0 0 0.1", "-1.571 0 0"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("rows", VENDORS.values(), ids=VENDORS)
def test_rounded_arms_get_their_closed_form_and_a_note(rows, rng):
    text = urdf(rows)
    written, exact = lk.load(text), lk.load(text, snap=True)
    assert not written.branch_names and "snap=True" in str(written.structure) and not written.notes
    assert "closed form, up to" in str(exact.structure) and "snap" not in str(exact.structure)
    for T in exact.forward(exact.sample(rng, 20)):
        answers = exact.solve_all(T)
        assert answers.method == "closed_form" and len(answers)
    (note,) = exact.notes
    assert all(f"'j{k + 1}'" in note for k, (_, rpy) in enumerate(rows) if rpy != "0 0 0")


@pytest.mark.parametrize("rows", VENDORS.values(), ids=VENDORS)
def test_the_note_bounds_how_far_the_tip_moves(rows, rng):
    text = urdf(rows)
    written, exact = lk.load(text), lk.load(text, snap=True)
    bounds = snapped(written.model.mechanism)
    q = written.sample(rng, 2000)
    errors = np.array([lk.pose_error(a, b) for a, b in zip(written.forward(q), exact.forward(q), strict=True)])
    moved, turned = (np.linalg.norm(part, axis=1).max() for part in (errors[:, :3], errors[:, 3:]))
    assert 0 < moved <= bounds.shift and 0 < turned <= bounds.turn
    assert bounds.shift < 50 * moved  # the bound is not too loose
    assert f"{bounds.shift:.2g} m" in exact.notes[0] and f"{bounds.turn:.2g} rad" in exact.notes[0]


def test_files_are_not_changed_by_default(rng):
    """Forward kinematics is that of the file, to the last digit of a double."""
    text = urdf(VENDORS["three decimals"])
    arm = lk.load(text)
    q = arm.sample(rng, 5)
    for x in q:
        T = np.eye(4)
        for (xyz, rpy), angle in zip(VENDORS["three decimals"], x, strict=True):
            T = (
                T
                @ lk.pose([float(v) for v in xyz.split()], rpy=[float(v) for v in rpy.split()])
                @ lk.pose(rpy=(0, 0, angle))
            )
        assert np.abs(arm.forward(x) - T).max() < 1e-14
    assert lk.load(text, snap=False) == arm and lk.load(text, snap=True) != arm


def test_exact_and_real_angles_stay(rng):
    for name in lk.CATALOGUE:
        robot = lk.load(name, snap=True)
        difference = max(
            np.abs(a.origin - b.origin).max()
            for a, b in zip(robot.model.mechanism.joints, lk.load(name).model.mechanism.joints, strict=True)
        )
        assert difference <= LARGEST_TURN
    angles = rng.uniform(-math.pi, math.pi, 3)
    rows = [("0 0 0.3", "0 0 0"), ("0.1 0 0", " ".join(f"{x:.15g}" for x in angles))]
    assert lk.load(urdf(rows), snap=True) == lk.load(urdf(rows))
    exact = [("0 0 0.3", f"{math.pi / 2} 0 {math.pi / 4}"), ("0.1 0 0", f"0 {-math.pi / 2} {math.pi}")]
    assert lk.load(urdf(exact), snap=True) == lk.load(urdf(exact)) and not lk.load(urdf(exact), snap=True).notes


def test_a_real_angle_beside_a_rounded_one_stays():
    arm = lk.load(urdf([("0 0 0.3", "0 0 0"), ("0.1 0 0", "1.5708 0 0.3")]), snap=True)
    R = arm.model.mechanism.joints[1].origin[:3, :3]
    assert np.abs(R - lk.pose(rpy=(math.pi / 2, 0, 0.3))[:3, :3]).max() < 1e-15 and R[2, 2] == 0.0


@pytest.mark.parametrize("off, snaps", [(0.99e-3, True), (1.01e-3, False), (-0.99e-3, True), (1e-13, False)])
def test_angles_are_snapped_up_to_the_documented_bound(off, snaps):
    arm = lk.load(urdf([("0 0 0.3", "0 0 0"), ("0.1 0 0", f"{math.pi / 2 + off:.17g} 0 0")]), snap=True)
    assert bool(arm.notes) == snaps
    assert (arm.model.mechanism.joints[1].origin[2, 2] == 0.0) or not snaps


def test_axes_are_snapped_too_and_prismatic_joints_count_in_the_bound(rng):
    text = """<robot name="s"><link name="a"/><link name="b"/><link name="c"/>
    <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0.0004 0 1"/>
    <limit lower="0" upper="2"/></joint>
    <joint name="turn" type="revolute"><parent link="b"/><child link="c"/><origin xyz="0 0 1"/><axis xyz="0.7075 0.7067 0"/>
    <limit lower="-3" upper="3"/></joint></robot>"""
    written, exact = lk.load(text), lk.load(text, snap=True)
    assert (
        np.array_equal(exact.model.mechanism.joints[0].axis, (0, 0, 1)) and exact.model.mechanism.joints[1].axis[2] == 0
    )
    q = written.sample(rng, 1000)
    moved = np.linalg.norm((written.forward(q) - exact.forward(q))[:, :3, 3], axis=1).max()
    assert 0 < moved <= snapped(written.model.mechanism).shift < 2e-3
    unlimited = lk.load(text.replace("prismatic", "continuous", 1).replace("revolute", "prismatic"), snap=True)
    assert unlimited.notes


def test_every_loading_function_takes_snap(tmp_path):
    text = urdf(VENDORS["four decimals"])
    path = tmp_path / "arm.urdf"
    path.write_text(text)
    exact = lk.load(text, snap=True)
    doors = [lk.load(path, snap=True), lk.Chain.load(path, snap=True), lk.load(path, tip="l6", snap=True),
             lk.load(lk.load(path).model.mechanism, snap=True), lk.Skeleton.load(path, snap=True).chain("l6"),
             lk.load(text, snap=np.True_)]  # fmt: skip
    assert all(door == exact for door in doors)
    assert lk.load(exact.model.mechanism, snap=True).notes == exact.notes  # nothing is left to snap
    for wrong in (1, "yes", None, 0.001):
        with pytest.raises(lk.BadOption, match="snap="):
            lk.load(path, snap=wrong)
    in_mm = lk.load(text.replace("0.2433", "243.3"), unit="mm", snap=True)
    assert "m and turns" in in_mm.notes[0]


def test_the_bound_holds_on_trees_of_all_kinds_of_joints(rng):
    for _ in range(20):
        tree = random_tree(rng, 9)
        joints = []
        for joint in tree.model.mechanism.joints:
            angles = np.pi / 4 * rng.integers(-4, 5, 3) + rng.uniform(-4e-4, 4e-4, 3)
            joints.append(replace(joint, origin=lk.pose(joint.origin[:3, 3], rpy=angles)))
        rough = tree.model.mechanism.replaced(joints)
        exact = snapped(rough)
        assert set(exact.turns) == {joint.name for joint in joints} and max(exact.turns.values()) <= 2 * LARGEST_TURN
        before, after = lk.Skeleton(rough), lk.Skeleton(exact.mechanism)
        q = before.sample(rng, 200)
        ends = [before.frames.index(leaf) for leaf in rough.leaves if leaf in before.frames]
        gap = (before.model.forward_all(q) - after.model.forward_all(q))[:, ends, :3, 3]
        assert np.linalg.norm(gap, axis=-1).max(initial=0.0) <= exact.shift


def test_a_real_file_of_the_xarm7(rng):
    path = next((p for _, p in urdf_files() if p.name == "xarm7.urdf"), None)
    if path is None:
        pytest.skip("example-robot-data is not installed: the xArm7 was NOT tried")
    written, exact = lk.Chain.load(path), lk.Chain.load(path, snap=True)
    assert written.redundancy is None and "snap=True" in str(written.structure)
    assert exact.redundancy is not None and exact.structure.spherical_shoulder
    q = written.sample(rng, 500)
    moved = np.linalg.norm((written.forward(q) - exact.forward(q))[:, :3, 3], axis=1).max()
    assert moved <= snapped(written.model.mechanism).shift < 1e-4  # less than the repeatability of such arms


def test_the_shell_snaps_on_request(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(urdf(VENDORS["four decimals"]))
    shell = CliRunner()
    plain, exact = (shell.invoke(app, ["show", str(path), "--json", *more]) for more in ([], ["--snap"]))
    assert "snap=True" in json.loads(plain.stdout)["structure"] and json.loads(plain.stdout)["notes"] == []
    assert "closed form, up to" in json.loads(exact.stdout)["structure"] and json.loads(exact.stdout)["notes"]
    T = lk.load(path, snap=True).forward([0.3, -0.4, 0.9, 0.2, 0.5, 0.1])
    pose = ",".join(f"{x:.17g}" for x in T.ravel())
    every = shell.invoke(app, ["solve", str(path), "--pose", pose, "--all", "--snap", "--json"])
    assert every.exit_code == 0 and "closed form" in every.stdout
    assert shell.invoke(app, ["solve", str(path), "--pose", pose, "--snap", "--json"]).exit_code == 0
