"""Laws of every file of the catalogue: it loads, gives its source, has ordered ranges and the known structure."""

import math

import numpy as np
import pytest

import limbik
from limbik.model.catalog import CATALOGUE, FOLDER

# The number of joint values.
SIZES = {
    "gantry": 6, "human": 42, "human_arm_6": 6, "human_arm_7": 7, "human_arm_8": 8, "human_balls": 42,
    "human_leg_7": 7, "human_upper_limb": 7, "iiwa14": 7, "iiwa7": 7, "jaco2": 6, "k1207": 7, "kr6": 6,
    "maximum_one": 4, "panda": 7, "planar2_guez": 2, "planar3_chin": 3, "planar3_cruse": 3, "planar3_guez": 3,
    "puma560": 6, "quadruped": 39, "scara": 4, "ur10": 6, "ur10e": 6, "ur3": 6, "ur5": 6, "xarm7": 7,
}  # fmt: skip


def test_the_catalogue_has_the_documented_names():
    assert set(SIZES) == set(CATALOGUE)


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_file_loads_and_gives_its_source(name):
    robot = limbik.load(name)
    mechanism = robot.model.mechanism
    assert robot.name == mechanism.name == name
    assert all(len(text) > 8 for text in (mechanism.title, mechanism.source, mechanism.licence))
    assert robot.notes and all(note.endswith(".") for note in robot.notes)
    written = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert "://" not in written and "/tmp" not in written and "/home" not in written


@pytest.mark.parametrize("name", CATALOGUE)
def test_ranges_are_ordered_and_contain_the_home_posture(name):
    robot = limbik.load(name)
    assert robot.n == SIZES[name] == len(robot.joint_names)
    assert (robot.lower < robot.upper).all()
    assert robot.within_limits(robot.home)
    assert (robot.velocity > 0).all()


@pytest.mark.parametrize("name", CATALOGUE)
def test_forward_kinematics_is_finite_and_rigid(name):
    robot = limbik.load(name)
    for q in (np.zeros(robot.n), robot.home):
        T = robot.model.forward_all(q)
        assert np.isfinite(T).all()
        assert np.allclose(T[:, :3, :3] @ T[:, :3, :3].transpose(0, 2, 1), np.eye(3), atol=1e-12)
    assert 0 < robot.reach < math.inf


# What the geometry of each arm has (True) and has not.
SPHERICAL = {
    "puma560": (False, True), "kr6": (False, True), "gantry": (False, True), "human_arm_6": (False, True),
    "iiwa7": (True, True), "iiwa14": (True, True), "human_arm_7": (True, True), "human_leg_7": (True, True),
    "human_upper_limb": (True, True), "maximum_one": (True, False),
    "panda": (True, False), "xarm7": (True, False), "jaco2": (False, False), "k1207": (False, False),
    "ur3": (False, False), "ur5": (False, False), "ur10": (False, False), "ur10e": (False, False),
}  # fmt: skip


@pytest.mark.parametrize("name", SPHERICAL)
def test_structure(name):
    text = str(limbik.load(name).structure)
    assert ("spherical shoulder" in text, "spherical wrist" in text) == SPHERICAL[name]


def test_structure_of_parallel_axes():
    for name in ("ur3", "ur5", "ur10", "ur10e"):
        assert "axes 2, 3, 4 parallel" in str(limbik.load(name).structure)
    assert "axes 2, 3 parallel" in str(limbik.load("puma560").structure)
    assert "parallel" not in str(limbik.load("panda").structure)
