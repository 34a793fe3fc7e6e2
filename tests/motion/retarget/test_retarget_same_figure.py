"""A transfer to the same figure keeps the motion; sliding feet are reported."""

import numpy as np
import pytest
from examples.walk import generated_walk

import limbik as lk


def puppet(name: str = "puppet", long: float = 1.0) -> lk.Skeleton:
    """A figure of ball joints with a T-pose at rest, as in files of motion capture."""
    links, joints = ["world", "Hips"], [lk.model.Joint("Hips", "floating", "world", "Hips")]

    def add(child, parent, offset):
        T = np.eye(4)
        T[:3, 3] = offset
        links.append(child)
        joints.append(lk.model.Joint(child, "ball", parent, child, origin=T))
        return child

    chest = add("Spine", add("LowerBack", "Hips", (0, 0.05, 0)), (0, 0.3, 0))
    add("Head", add("Neck", chest, (0, 0.2, 0)), (0, 0.12, 0))
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        fore = add(f"{side}ForeArm", add(f"{side}Arm", chest, (sign * 0.2, 0.1, 0)), (sign * 0.3 * long, 0, 0))
        add(f"{side}Hand", fore, (sign * 0.25, 0, 0))
        shank = add(f"{side}Leg", add(f"{side}UpLeg", "Hips", (sign * 0.1, -0.05, 0)), (0, -0.42, 0))
        add(f"{side}ToeBase", add(f"{side}Foot", shank, (0, -0.4, 0)), (0, -0.05, 0.13))
    return lk.Skeleton(lk.model.Mechanism(name, [lk.model.Link(n) for n in links], joints))


@pytest.fixture(scope="module")
def twisted() -> lk.Clip:
    """A walk of the puppet whose elbows bend about unusual axes, above the ground."""
    figure = puppet()
    clip = lk.retarget(generated_walk(2.0, 60.0), figure).clip
    q = np.array(clip.q)
    q[:, figure.joint_names.index("Hips.py")] += 0.07
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        q[:, figure.joint_names.index(f"{side}Arm.rx")] += 0.4 * sign
        q[:, figure.joint_names.index(f"{side}ForeArm.rz")] += 0.5
    return lk.Clip(figure, q, clip.times)


def changes(clip: lk.Clip, result: lk.motion.Retargeted) -> np.ndarray:
    figure = clip.robot
    moved = np.abs(figure.model.kernel.difference(clip.q, result.q))
    return np.delete(moved, [figure.joint_names.index(f"{result.bones['hips']}.p{c}") for c in "xyz"], axis=1)


def test_a_transfer_to_the_same_figure_keeps_the_motion(twisted):
    result = lk.retarget(twisted, twisted.robot)
    assert result.scale == 1.0 and result.ok
    assert any("own figure" in note for note in result.notes)
    names = list(twisted.robot.joint_names)
    assert changes(twisted, result).max() < 0.05
    above = [k for k, name in enumerate(names) if name.split(".")[0].endswith(("Arm", "Hand", "Spine", "Head", "Back"))]
    assert np.abs(twisted.robot.model.kernel.difference(twisted.q, result.q))[:, above].max() < 1e-3
    height = result.q[:, names.index("Hips.py")] - twisted.q[:, names.index("Hips.py")]
    assert np.ptp(height) < 0.01


def test_a_figure_with_the_same_structure_takes_the_same_orientations(twisted):
    other = puppet("long", long=1.2)
    result = lk.retarget(twisted, other, hands=False)
    above = [k for k, n in enumerate(other.joint_names) if n.split(".")[0].endswith(("Arm", "Spine", "Head", "Back"))]
    assert np.abs(other.model.kernel.difference(twisted.q, result.q))[:, above].max() < 1e-6


def test_human_onto_human_changes_nothing_twice():
    figure = lk.load("human")
    clip = lk.retarget(generated_walk(2.0, 60.0), figure).clip
    result = lk.retarget(clip, figure)
    apart = figure.model.forward_all(result.q)[..., :3, 3] - figure.model.forward_all(clip.q)[..., :3, 3]
    assert np.linalg.norm(apart, axis=-1).max() < 0.01
    assert np.abs(figure.model.kernel.difference(clip.q, result.q)).max() < 0.05


def test_a_foot_that_slides_is_no_success():
    result = lk.retarget(generated_walk(2.0, 60.0), lk.human(feet=5), tolerance=1e-3)
    slid = [missed for missed in result.reported if missed.slides]
    assert result.foot_slide > result.tolerance
    assert not result.ok and slid
    assert all(m.error > result.tolerance and m.reason and "leaves its position" in str(m) for m in slid)
    assert "stance" in result.why
    wide = lk.retarget(generated_walk(2.0, 60.0), lk.human(feet=5), tolerance=2.0)
    assert wide.ok


def test_a_quadruped_and_a_human_have_too_little_in_common():
    dog, walk = lk.load("quadruped"), generated_walk(0.2, 30.0)
    standing = lk.Clip(dog, [dog.home, dog.home])
    for clip, figure in ((walk, dog), (standing, lk.load("human"))):
        with pytest.raises(lk.BadOption, match="no recognised limb in common"):
            lk.retarget(clip, figure)
    assert lk.retarget(standing, dog).scale == 1.0
