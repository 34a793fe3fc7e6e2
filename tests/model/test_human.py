"""The human figure: its joints, ranges, proportions and the signs of its angles."""

import math
import re

import numpy as np
import pytest
from turns import SEED, postures

import limbik

VRM = ("hips", "spine", "head", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")
CENTRAL = VRM[:3]
# Table 5.1: the axes of each segment; the pelvis row is the waist.
TABLE_5_1 = {"spine": "xyz", "head": "xyz", "UpperArm": "xyz", "LowerArm": "xy", "Hand": "xyz", "UpperLeg": "xyz",
             "LowerLeg": "x", "Foot": "xyz"}  # fmt: skip

# Ranges in degrees: of the arms, and of the rest of the body.
TABLE_5_2 = {"UpperArm_x": (-60, 180), "UpperArm_y": (-70, 90), "UpperArm_z": (0, 180), "LowerArm_x": (0, 150),
             "LowerArm_y": (-80, 80), "Hand_x": (-70, 80), "Hand_z": (-20, 30)}  # fmt: skip
AAOS = {"spine_x": (-25, 80), "spine_y": (-45, 45), "spine_z": (-35, 35), "head_x": (-45, 45), "head_y": (-60, 60),
        "head_z": (-45, 45), "UpperLeg_x": (-30, 120), "UpperLeg_y": (-45, 45), "UpperLeg_z": (-30, 45),
        "LowerLeg_x": (0, 135), "Foot_x": (-50, 20), "Foot_z": (-15, 35)}  # fmt: skip


@pytest.fixture(scope="module")
def figure():
    return limbik.load("human")


def sides(part):
    return (part,) if part.split("_")[0] in CENTRAL else (f"left{part}", f"right{part}")


def set_joints(figure, **degrees):
    """q with the given joint angles, by joint name; the others are zero."""
    q = np.zeros(figure.n)
    for name, value in degrees.items():
        q[figure.joint_names.index(name)] = math.radians(value)
    return q


def test_human_has_the_joints_of_table_5_1(figure):
    expected = {f"{side}_{axis}" for part, axes in TABLE_5_1.items() for side in sides(part) for axis in axes}
    assert len(expected) == 36
    assert set(figure.joint_names) == expected | {f"root.{part}" for part in ("px", "py", "pz", "rx", "ry", "rz")}
    assert set(figure.frames) >= {side for part in VRM for side in sides(part)}
    assert set(figure.tips) == {"head", "leftHand", "rightHand", "leftFoot", "rightFoot"}


def test_human_joints_rotate_about_the_axes_in_their_names(figure):
    for name in figure.joint_names[6:]:
        axis = np.abs(figure.model.mechanism.joint_of[name].axis)
        assert axis["xyz".index(name[-1])] == 1, name


def test_human_links_have_the_right_parents(figure):
    parents = {part: figure.model.mechanism.ancestry(part) for part in figure.frames}
    assert all("spine_z" in [j.name for j in parents[link]] for link in ("head", "leftHand", "rightHand"))
    assert all("spine_z" not in [j.name for j in parents[link]] for link in ("leftFoot", "rightFoot"))


def test_human_ranges_contain_the_zero_posture(figure):
    assert (figure.lower <= 0).all() and (figure.upper >= 0).all()
    low = dict(zip(figure.joint_names, np.degrees(figure.lower), strict=True))
    high = dict(zip(figure.joint_names, np.degrees(figure.upper), strict=True))
    for joint, ends in (TABLE_5_2 | AAOS).items():
        for name in sides(joint):
            assert np.allclose([low[name], high[name]], ends), name


def test_human_stands_on_the_floor_and_is_1_75_tall(figure):
    at = {link: figure.forward(np.zeros(42), link) for link in figure.frames}
    assert all(np.allclose(T[:3, :3], np.eye(3)) for T in at.values())
    height = 1.75
    for link, fraction in {"leftFoot": 0.039, "leftLowerLeg": 0.285, "hips": 0.530, "leftUpperArm": 0.818}.items():
        assert math.isclose(at[link][1, 3], fraction * height, abs_tol=1e-9), link
    assert at["leftUpperArm"][0, 3] > 0 > at["rightUpperArm"][0, 3]


def test_human_left_and_right_are_mirror_images(figure):
    """Equal angles left and right, with waist, neck and root mirrored: the figure in the mirror x = 0."""
    mirror = np.diag([-1.0, 1, 1, 1])
    names = list(figure.joint_names)
    q = figure.sample(np.random.default_rng(SEED), 20)
    swapped = {"left": "right", "right": "left"}
    reflected = np.empty_like(q)
    # A reflection in x reverses the position's x and the rotation's y and z.
    odd = {"root.px", "root.ry", "root.rz", "spine_y", "spine_z", "head_y", "head_z"}
    for k, name in enumerate(names):
        twin = re.sub("^(left|right)", lambda m: swapped[m[0]], name)
        reflected[:, names.index(twin)] = -q[:, k] if name in odd else q[:, k]
    for link in figure.frames:
        twin = re.sub("^(left|right)", lambda m: swapped[m[0]], link)
        assert np.allclose(figure.forward(reflected, twin), mirror @ figure.forward(q, link) @ mirror, atol=1e-12), link


# The effect of a positive angle: a point of a link (in its frame) moves in this direction of the world (left limbs).
FRONT, BACK, UP, OUT, IN = (0, 0, 1), (0, 0, -1), (0, 1, 0), (1, 0, 0), (-1, 0, 0)
ANATOMY: dict[str, tuple[str, tuple[float, float, float], tuple[int, int, int]]] = {
    "UpperArm_x": ("UpperArm", (0, -1, 0), FRONT),  # flexion
    "UpperArm_y": ("UpperArm", (0, 0, 1), OUT),  # lateral rotation
    "UpperArm_z": ("UpperArm", (0, -1, 0), OUT),  # abduction
    "LowerArm_x": ("LowerArm", (0, -1, 0), FRONT),  # flexion
    "LowerArm_y": ("LowerArm", (0, 0, 1), OUT),  # supination
    "Hand_x": ("Hand", (0, -1, 0), FRONT),  # flexion, palms forward
    "Hand_z": ("Hand", (0, -1, 0), IN),  # ulnar deviation, palms forward
    "UpperLeg_x": ("UpperLeg", (0, -1, 0), FRONT),  # flexion
    "UpperLeg_y": ("UpperLeg", (0, 0, 1), OUT),  # lateral rotation
    "UpperLeg_z": ("UpperLeg", (0, -1, 0), OUT),  # abduction
    "LowerLeg_x": ("LowerLeg", (0, -1, 0), BACK),  # flexion
    "Foot_x": ("Foot", (0, 0, 1), UP),  # dorsiflexion
    "Foot_y": ("Foot", (0, 0, 1), OUT),  # toes out
    "Foot_z": ("Foot", (0, -1, 0), IN),  # inversion: the sole turns in
}


@pytest.mark.parametrize("joint", ANATOMY)
def test_human_angles_are_anatomical(figure, joint):
    link, point, way = ANATOMY[joint]
    for side, sign in (("left", 1), ("right", -1)):
        q = set_joints(figure, **{side + joint: 10})
        T0, T1 = figure.forward(np.zeros(42), side + link), figure.forward(q, side + link)
        moved = (T1 - T0)[:3, :3] @ point
        assert np.dot(moved, np.array(way) * [sign, 1, 1]) > 0.17


def test_human_leg_7_is_the_left_leg_of_the_figure(figure):
    leg, limb = limbik.load("human_leg_7"), figure.chain("leftFoot", base="hips")
    hip = figure.forward(np.zeros(42), "leftUpperLeg") - figure.forward(np.zeros(42), "hips")
    expected = np.array(limb.forward(postures(7)))
    expected[:, :3, 3] -= hip[:3, 3]
    assert np.allclose(leg.forward(postures(7)), expected, atol=1e-12)
    assert np.allclose(leg.lower, limb.lower) and np.allclose(leg.upper, limb.upper)


def test_human_weighs_75_kg_and_balances_where_people_do(figure):
    """The centre of mass of a standing man lies at 0.55 to 0.57 of his height; left and right weigh the same."""
    weights = {link.name: link for link in figure.model.mechanism.links if link.mass}
    assert set(weights) == {side for part in VRM for side in sides(part)}
    assert math.isclose(sum(link.mass for link in weights.values()), 75)
    moments = [
        link.mass * (figure.forward(np.zeros(42), name) @ [*link.centre_of_mass, 1]) for name, link in weights.items()
    ]
    centre = np.sum(moments, axis=0)[:3] / 75
    assert 0.55 < centre[1] / 1.75 < 0.57 and abs(centre[0]) < 1e-12 and abs(centre[2]) < 0.02


def test_human_shapes_are_mirror_images(figure):
    mirror = np.diag([-1.0, 1, 1])
    for side, other in (("left", "right"), ("right", "left")):
        found = [(name.removeprefix(side), shape) for name, shape in figure.model.shapes if name.startswith(side)]
        twins = [(name.removeprefix(other), shape) for name, shape in figure.model.shapes if name.startswith(other)]
        for (name, shape), (twin, same) in zip(found, twins, strict=True):
            assert name == twin and shape.radius == same.radius
            assert np.allclose(mirror @ shape.start, same.start) and np.allclose(mirror @ shape.end, same.end)
