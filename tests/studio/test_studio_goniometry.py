"""Goniometry: angles from orientations by the ISB's definitions, and normal ranges that have a source."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik as lk
from limbik.studio import goniometry
from limbik.studio.isb import UNDEFINED_DEG, joint_angles, relative, shoulder_angles
from limbik.studio.session import Session

HUMAN = lk.load("human")
SIDES = ("left", "right")


def posed(**degrees: float) -> Session:
    """Return a session of the human at joint values [degrees], beyond the limits where asked."""
    session = Session(HUMAN)
    session.set_limits(False)
    for name, value in degrees.items():
        session.set_joint(name, np.radians(value))
    return session


@pytest.mark.parametrize("side", SIDES)
def test_horizontal_extension_is_no_lateral_rotation(side: str) -> None:
    """An arm abducted to 90 and swung back by 45 is not rotated about its own axis."""
    session = posed(**{f"{side}UpperArm_z": 90, f"{side}UpperArm_y": 45})
    read = {word: goniometry.measure(session, f"{side} shoulder {word}") for word in
            ("elevation", "plane of elevation", "axial rotation inwards", "axial rotation outwards")}  # fmt: skip
    assert read["elevation"].angle_deg == pytest.approx(90)
    assert read["plane of elevation"].angle_deg == pytest.approx(-45)
    assert read["axial rotation inwards"].angle_deg == pytest.approx(0, abs=1e-9)
    assert all(reading.range is None and "no normal range" in reading.text for reading in read.values())


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("joint", "value", "elevation", "plane", "of"),
    [("z", 100, 100, 0, "abduction"), ("x", 70, 70, 90, "flexion"), ("x", -40, 40, -90, "extension")],
)
def test_pure_elevations_are_in_their_planes(
    side: str, joint: str, value: float, elevation: float, plane: float, of: str
) -> None:
    session = posed(**{f"{side}UpperArm_{joint}": value})
    reading = goniometry.measure(session, f"{side} shoulder elevation")
    assert reading.angle_deg == pytest.approx(elevation)
    assert goniometry.measure(session, f"{side} shoulder plane of elevation").angle_deg == pytest.approx(plane)
    assert reading.range is not None and reading.range.of == f"shoulder {of}" and "Table 5.2" in reading.text


def test_axial_rotation_at_the_abducted_arm_is_the_rotation_about_the_humerus() -> None:
    """The upper arm is rotated about its own axis after an abduction of 90, on both sides by the same words."""
    for side, outwards in (("left", 1.0), ("right", -1.0)):
        R = relative(HUMAN, posed(**{f"{side}UpperArm_z": 90}).q, "spine", f"{side}UpperArm", left=side == "left")
        turned = R @ Rotation.from_euler("y", -30, degrees=True).as_matrix()
        assert shoulder_angles(turned).axial == pytest.approx(-30)
        # the same rotation in the figure's own frame: about its long axis, outwards
        frame = HUMAN.forward(posed(**{f"{side}UpperArm_z": 90}).q, f"{side}UpperArm")[:3, :3]
        own = frame @ Rotation.from_euler("y", 30 * outwards, degrees=True).as_matrix()
        session = _with_arm(side, own)
        reading = goniometry.measure(session, f"{side} shoulder axial rotation outwards")
        assert reading.angle_deg == pytest.approx(30)
        assert reading.range is not None and reading.range.end_deg == 90 and "shoulder lateral rotation" in reading.text


def _with_arm(side: str, R: np.ndarray) -> Session:
    """Return a session whose upper arm has an orientation in the world, by its three joint angles."""
    at = posed()
    x, y, z = (HUMAN.model.mechanism.joint_of[f"{side}UpperArm_{k}"].axis for k in "xyz")
    signs = [axis.sum() for axis in (x, y, z)]
    angles = Rotation.from_matrix(R).as_euler("XYZ", degrees=True)
    for k, sign, angle in zip("xyz", signs, angles, strict=True):
        at.set_joint(f"{side}UpperArm_{k}", np.radians(sign * angle))
    assert np.allclose(HUMAN.forward(at.q, f"{side}UpperArm")[:3, :3], R)
    return at


def test_the_decompositions_invert_the_products_that_define_them(rng) -> None:
    for _ in range(200):
        plane, elevation, axial = rng.uniform((-180, UNDEFINED_DEG, -180), (180, 180 - UNDEFINED_DEG, 180))
        R = Rotation.from_euler("YXY", (plane, -elevation, axial), degrees=True).as_matrix()
        found = shoulder_angles(R)
        assert np.allclose((found.plane, found.elevation, found.axial), (plane, elevation, axial))
        flexion, tilt, rotation = rng.uniform((-180, -79, -180), (180, 79, 180))
        other = joint_angles(Rotation.from_euler("ZXY", (flexion, tilt, rotation), degrees=True).as_matrix())
        assert np.allclose((other.flexion, other.tilt, other.rotation), (flexion, tilt, rotation))


@pytest.mark.parametrize("elevation", [0.0, 1e-6, 9.9, 170.1, 180.0])
def test_near_the_poles_the_plane_is_undefined_and_the_sum_is_given(elevation: float) -> None:
    R = Rotation.from_euler("YXY", (50, -elevation, -20), degrees=True).as_matrix()
    found = shoulder_angles(R)
    assert math.isnan(found.plane) and math.isnan(found.axial)
    assert found.summed == pytest.approx(30 if elevation < 90 else -70, abs=0.5)
    assert "undefined" in goniometry.shoulder_note(found)
    assert not math.isnan(shoulder_angles(Rotation.from_euler("YXY", (50, -11, -20), degrees=True).as_matrix()).plane)


def test_the_hanging_arm_has_no_plane() -> None:
    session = posed(leftUpperArm_y=30)
    assert "plane of elevation: undefined" in goniometry.measure(session, "left shoulder plane of elevation").text
    assert "plane and axial rotation together -30" in goniometry.measure(session, "left shoulder elevation").text


def test_every_normal_range_has_a_source_and_invented_ones_are_not_offered() -> None:
    known = goniometry.motions(HUMAN)
    for motion in known.values():
        assert motion.range is None or motion.range.source in (goniometry.NORKIN, goniometry.AAOS)
    without = {
        name.removeprefix("left ").removeprefix("right ") for name, motion in known.items() if motion.range is None
    }
    assert all(name.startswith("shoulder ") for name in without)
    assert not [name for name in known if "turn out" in name or "toes" in name or "wrist rotation" in name]


def test_the_ranges_of_the_arm_are_those_of_table_5_2() -> None:
    from limbik.papers.chin.arm import TABLE_5_2

    ends = {of: goniometry.normal_range(of).end_deg for of in ("shoulder abduction", "shoulder extension", "shoulder flexion",
            "elbow flexion", "forearm supination", "wrist extension", "wrist flexion", "wrist radial deviation",
            "wrist ulnar deviation")}  # fmt: skip
    (_, abduction), (extension, flexion), (_, elbow), (_, forearm), (back, wrist), (radial, ulnar) = TABLE_5_2
    assert list(ends.values()) == [abduction, -extension, flexion, elbow, forearm, -back, wrist, -radial, ulnar]


@pytest.mark.parametrize("side", SIDES)
def test_single_motions_of_other_joints_keep_their_names_and_signs(side: str) -> None:
    pairs = {
        "UpperLeg_x": "hip flexion", "UpperLeg_y": "hip lateral rotation", "UpperLeg_z": "hip abduction",
        "Hand_x": "wrist flexion", "Hand_z": "wrist ulnar deviation", "Foot_x": "ankle dorsiflexion", "Foot_z": "ankle inversion",
        "LowerArm_x": "elbow flexion", "LowerArm_y": "forearm supination", "LowerLeg_x": "knee flexion",
    }  # fmt: skip
    for joint, name in pairs.items():
        reading = goniometry.measure(posed(**{f"{side}{joint}": 12}), f"{side} {name}")
        assert reading.angle_deg == pytest.approx(12), name
        assert "within the normal range" in reading.text


def test_the_trunk_and_the_neck_are_read() -> None:
    session = posed(spine_x=-20, spine_z=10, head_y=15)
    assert goniometry.measure(posed(spine_x=-20), "waist extension").angle_deg == pytest.approx(20)
    assert goniometry.measure(posed(spine_x=-20), "waist flexion").angle_deg == pytest.approx(-20)
    assert goniometry.measure(session, "neck turn to the left").angle_deg == pytest.approx(15)
    assert goniometry.measure(posed(spine_z=10), "waist lean to the right").angle_deg == pytest.approx(10)


def test_the_text_says_where_an_angle_is_in_its_range() -> None:
    for value, text in ((90, "within the normal range"), (150, "at the end"), (170, "beyond")):
        reading = goniometry.measure(posed(leftLowerArm_x=value), "left elbow flexion")
        assert reading.angle_deg == pytest.approx(value) and text in reading.text


def test_ball_joints_are_read_as_well_as_single_ones() -> None:
    """The angles come from orientations, so the figure with ball joints has the same motions."""
    balls = lk.load("human_balls")
    assert set(goniometry.motions(balls)) == set(goniometry.motions(HUMAN))
    session = Session(balls)
    session.set_limits(False)
    session.set_q(np.zeros(balls.n))
    session.set_joint("leftUpperArm.rz", np.radians(60))
    turned = (
        balls.forward(session.q, "leftUpperArm")[:3, :3] @ balls.forward(np.zeros(balls.n), "leftUpperArm")[:3, :3].T
    )
    assert np.degrees(Rotation.from_matrix(turned).magnitude()) == pytest.approx(60)
    reading = goniometry.measure(session, "left shoulder elevation")
    assert reading.angle_deg == pytest.approx(np.degrees(np.arccos(turned[1, 1])))


def test_a_robot_without_anatomical_names_has_no_motions() -> None:
    assert goniometry.motions(lk.load("panda")) == {}
    with pytest.raises(lk.BadOption, match="no motion"):
        goniometry.measure(posed(), "left tail wag")


def test_the_panel_draws_a_bar_only_beside_a_normal_range() -> None:
    from limbik.studio.page.goniometry_panel import dial_html

    elevated = posed(leftUpperArm_z=90, leftUpperArm_y=45)
    assert "width:" not in dial_html(goniometry.measure(elevated, "left shoulder elevation"), None)
    assert "width:" in dial_html(goniometry.measure(elevated, "left elbow flexion"), None)
