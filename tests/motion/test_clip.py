"""Clips: interpolation between frames, what edits keep, and the values of measures."""

import math
import pickle

import numpy as np
import pytest
from conftest import random_chain
from scipy.spatial.transform import Rotation, Slerp

import limbik as lk
from limbik.motion.sides import checked_pairs

KINDS = [
    lk.model.Kind.BALL,
    lk.model.Kind.REVOLUTE,
    lk.model.Kind.CONTINUOUS,
    lk.model.Kind.PRISMATIC,
    lk.model.Kind.BALL,
]
SEEDS = range(8)


def some_clip(seed: int, frames: int = 7, **options: object) -> lk.Clip:
    """A clip of a random chain with every kind of joint, its frames unevenly spaced."""
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, KINDS)
    times = np.cumsum(rng.uniform(0.05, 0.5, frames)) - 1.0
    return lk.Clip(chain, chain.sample(rng, frames), times, **options)


def two_sided(rng: np.random.Generator, symmetric: bool = True) -> lk.Skeleton:
    """A floating trunk with a hinged neck, on each side a ball, a revolute and a prismatic joint; random rest frames."""
    M = np.diag([-1.0, 1.0, 1.0])
    links = [lk.model.Link(name) for name in ("world", "trunk", "neck")]
    joints = [
        lk.model.Joint("float", lk.model.Kind.FLOATING, "world", "trunk"),
        lk.model.Joint("nod", lk.model.Kind.REVOLUTE, "trunk", "neck", axis=np.array([1.0, 0, 0]), lower=-1, upper=1),
    ]
    turn = {"left": np.eye(3), "right": np.eye(3)}  # of the parent's frame, relative to the mirrored one
    parent = {"left": "trunk", "right": "trunk"}
    for k, kind in enumerate((lk.model.Kind.BALL, lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC)):
        R, p = Rotation.random(random_state=rng).as_matrix(), rng.normal(size=3)
        if k == 0:
            p[0] += 6.0
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        other_child = Rotation.random(random_state=rng).as_matrix()  # an arbitrary rotation of the right link's frame
        for side in ("left", "right"):
            T, a = np.eye(4), axis
            T[:3, :3], T[:3, 3] = R, p
            if side == "right":
                C = turn["right"]
                T[:3, :3] = C.T @ M @ R @ M @ other_child
                T[:3, 3] = C.T @ M @ p
                a = other_child.T @ M @ axis * (1 if symmetric else 0.3)
                if not symmetric:
                    a = a + rng.normal(size=3)
                turn["right"] = other_child
            name = f"{side}_{k}"
            links.append(lk.model.Link(name))
            joints.append(lk.model.Joint(name, kind, parent[side], name, T, a, -2, 2) if kind is not lk.model.Kind.BALL
                          else lk.model.Joint(name, kind, parent[side], name, T))  # fmt: skip
            parent[side] = name
    return lk.Skeleton(lk.model.Mechanism("two_sided", links, joints, up="y"))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["step", "linear", "cubic"])
def test_frames_are_passed_exactly(seed: int, kind: str) -> None:
    clip = some_clip(seed, interpolation=kind)
    assert np.array_equal(clip.at(clip.times), clip.q)
    assert np.array_equal(clip.at(clip.times[0] - 5), clip.q[0])
    assert np.array_equal(clip.at(clip.times[-1] + 5), clip.q[-1])
    assert clip.at(np.zeros((2, 3))).shape == (2, 3, clip.robot.n)


@pytest.mark.parametrize("seed", SEEDS)
def test_linear_is_slerp_and_lerp(seed: int) -> None:
    clip = some_clip(seed)
    t = np.linspace(clip.times[0], clip.times[-1], 101)
    q = clip.at(t)
    turned = Slerp(clip.times, Rotation.from_rotvec(np.array(clip.q[:, :3])))(t)
    assert (turned.inv() * Rotation.from_rotvec(q[:, :3])).magnitude().max() < 1e-12
    assert np.allclose(q[:, 3], np.interp(t, clip.times, clip.q[:, 3]), atol=1e-13)


def test_step_holds() -> None:
    clip = some_clip(1, interpolation="step")
    between = (clip.times[1:] + clip.times[:-1]) / 2
    assert np.array_equal(clip.at(between), clip.q[:-1])


@pytest.mark.parametrize("seed", SEEDS)
def test_cubic_has_one_velocity_from_both_sides(seed: int) -> None:
    clip = some_clip(seed, interpolation="cubic")
    h = 1e-6
    inner = clip.times[1:-1]
    before = clip.robot.model.difference(clip.at(inner - h), clip.at(inner)) / h
    after = clip.robot.model.difference(clip.at(inner), clip.at(inner + h)) / h
    scale = 1 + np.abs(clip.velocities).max()
    assert np.abs(before - after).max() < 2e-3 * scale
    assert np.abs(after - clip.velocities[1:-1]).max() < 2e-3 * scale


def test_cubic_is_exact_for_parabolas_without_an_extremum() -> None:
    arm = lk.load("planar3_cruse")
    times = np.array([0, 0.3, 0.4, 1.0, 1.1])
    trajectory = lambda t: np.stack([0.3 * t**2 + 0.1 * t, 0.2 * t, 0.1 - 0.2 * t**2], -1)  # noqa: E731
    clip = lk.Clip(arm, trajectory(times), times, interpolation="cubic")
    t = np.linspace(0, 1.1, 50)
    assert np.abs(clip.at(t) - trajectory(t)).max() < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_edits(seed: int) -> None:
    clip = some_clip(seed)
    assert clip.reversed().reversed().q.tolist() == clip.q.tolist()
    assert np.allclose(clip.reversed().times, np.sort(clip.times[0] + clip.times[-1] - clip.times))
    low, high = clip.times[0] + 0.1 * clip.duration, clip.times[0] + 0.7 * clip.duration
    part = clip.trimmed(low, high)
    assert (part.times[0], part.times[-1]) == (low, high)
    t = np.linspace(low, high, 40)
    assert np.abs(clip.robot.model.difference(part.at(t), clip.at(t))).max() < 1e-9
    assert math.isclose(clip.stretched(2).duration, 2 * clip.duration)
    both = clip.joined(clip, gap=0.5)
    assert len(both) == 2 * len(clip)
    assert math.isclose(both.duration, 2 * clip.duration + 0.5)
    dense = clip.with_interpolation("cubic").baked(200)
    assert dense.interpolation == "linear"
    assert np.allclose(np.diff(dense.times), 1 / 200)
    assert dense.times[-1] <= clip.times[-1] + 1e-9
    assert clip.times[-1] - dense.times[-1] < 1 / 200
    assert pickle.loads(pickle.dumps(clip)) == clip


def test_resampling_at_its_own_rate_keeps_the_frames() -> None:
    arm = lk.load("panda")
    for rate in (24, 29.97, 30, 60, 120):
        clip = lk.Clip(arm, arm.sample(np.random.default_rng(0), 100), rate=rate)
        again = clip.resampled(rate)
        assert len(again) == 100
        assert np.abs(again.q - clip.q).max() < 1e-9
        held = clip.with_interpolation("step").resampled(rate)
        assert np.abs(held.q - clip.q).max() == 0


def test_the_human_in_a_mirror() -> None:
    figure = lk.load("human")
    clip = lk.Clip(figure, figure.sample(np.random.default_rng(3), 20))
    other = clip.mirrored()
    M = np.diag([-1.0, 1.0, 1.0])
    for name, counterpart in (("leftHand", "rightHand"), ("rightFoot", "leftFoot"), ("head", "head")):
        T, image = clip.forward(name), other.forward(counterpart)
        assert np.abs(image[:, :3, 3] - T[:, :3, 3] @ M).max() < 1e-12
        assert np.abs(image[:, :3, :3] - M @ T[:, :3, :3] @ M).max() < 1e-12
    assert figure.within_limits(other.q[:, :]).all() or not figure.within_limits(clip.q).all()
    assert np.abs(other.mirrored().q - clip.q).max() < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_any_two_sided_mechanism_in_a_mirror(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body = two_sided(rng)
    clip = lk.Clip(body, body.sample(rng, 10))
    other = clip.mirrored()
    M = np.diag([-1.0, 1.0, 1.0])
    for k in range(3):
        image = other.forward(f"right_{k}")[:, :3, 3]
        assert np.abs(image - clip.forward(f"left_{k}")[:, :3, 3] @ M).max() < 1e-9, f"seed {seed}"
    again = other.mirrored()
    assert np.abs(again.forward("left_2") - clip.forward("left_2")).max() < 1e-9, f"seed {seed}"


def test_what_is_no_mirror_image_is_refused() -> None:
    body = two_sided(np.random.default_rng(0), symmetric=False)
    clip = lk.Clip(body, np.zeros((2, body.n)))
    with pytest.raises(lk.BadModel, match="not mirror images"):
        clip.mirrored()
    arm = lk.load("panda")
    with pytest.raises(lk.BadOption, match="pairs="):
        lk.Clip(arm, [arm.home]).mirrored()


@pytest.mark.parametrize(
    "pairs", [{"a": "a", "b": "a"}, {"b": "a", "a": "a"}, {"a": "b", "c": "b"}, {"a": "b", "b": "c"}]
)
def test_a_joint_with_two_counterparts_is_refused_in_every_order(pairs) -> None:
    with pytest.raises(lk.BadOption, match="two counterparts"):
        checked_pairs(pairs, "abcd")


def test_joints_outside_pairs_are_their_own_counterparts() -> None:
    assert checked_pairs({"a": "b", "c": "c"}, "abcd") == {"a": "b", "b": "a", "c": "c", "d": "d"}
    assert checked_pairs({"a": "b", "b": "a"}, "ab") == {"a": "b", "b": "a"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("LeftArm", "RightArm"), ("leftHand_x", "rightHand_x"), ("mixamorig:LeftFoot", "mixamorig:RightFoot"),
     ("lhumerus", "rhumerus"), ("L_Hip", "R_Hip"), ("arm.L", "arm.R"), ("LHipJoint", "RHipJoint"),
     ("bip01 l calf", "bip01 r calf")],
)  # fmt: skip
def test_sides_are_read_from_names(one: str, other: str) -> None:
    from limbik.motion.sides import counterparts

    found = counterparts([one, other, "spine", "neck_lower", "root"])
    assert found == {one: other, other: one, "spine": "spine", "neck_lower": "neck_lower", "root": "root"}


def noisy(seed: int) -> tuple[lk.Clip, lk.Clip]:
    rng = np.random.default_rng(seed)
    figure = lk.load("human")
    t = np.arange(600) / 120
    slow = figure.home + 0.2 * np.sin(2 * np.pi * 0.7 * t[:, None] + rng.uniform(0, 6, figure.n))
    slow = figure.clamp(slow)
    return lk.Clip(figure, slow, t), lk.Clip(figure, figure.clamp(slow + 0.02 * rng.normal(size=slow.shape)), t)


@pytest.mark.parametrize("verb", ["low_passed", "blurred", "despiked"])
def test_filters_take_noise_off(verb: str) -> None:
    clean, rough = noisy(0)
    option = {"low_passed": 6.0, "blurred": 0.03, "despiked": 7}[verb]
    smooth = getattr(rough, verb)(option)
    assert np.abs(smooth.q - clean.q).mean() < 0.6 * np.abs(rough.q - clean.q).mean()
    assert smooth.jerk() < 0.5 * rough.jerk()
    assert clean.robot.within_limits(smooth.q).all()
    assert np.array_equal(smooth.times, rough.times)
    still = lk.Clip(clean.robot, np.repeat(clean.q[:1], 50, axis=0), rate=120)
    assert np.abs(getattr(still, verb)(option).q - still.q).max() < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_filtering_does_not_depend_on_how_rotations_are_written(seed: int) -> None:
    """A ball that rotates by more than pi, and every ball's motion in a rotated frame."""
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, [lk.model.Kind.BALL])
    t = np.arange(240) / 60
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    motion = Rotation.from_rotvec(axis * (3 * t)[:, None]) * Rotation.from_rotvec(0.02 * rng.normal(size=(240, 3)))
    fixed = Rotation.random(random_state=rng)
    plain = lk.Clip(chain, motion.as_rotvec(), t).low_passed(8)
    turned = lk.Clip(chain, (fixed * motion).as_rotvec(), t).low_passed(8)
    apart = (fixed * Rotation.from_rotvec(np.array(plain.q))).inv() * Rotation.from_rotvec(np.array(turned.q))
    assert apart.magnitude().max() < 1e-9, f"seed {seed}"
    assert plain.jerk() < 0.3 * lk.Clip(chain, motion.as_rotvec(), t).jerk(), f"seed {seed}"


def test_despiking_removes_a_wild_frame() -> None:
    clean, _ = noisy(0)
    q = np.array(clean.q)
    q[100] = clean.robot.sample(np.random.default_rng(0))
    assert np.abs(lk.Clip(clean.robot, q, clean.times).despiked(5).q - clean.q).max() < 0.02


def walker(step: float = 0.0) -> lk.Clip:
    """A foot (a floating body) that stands, swings 0.5 m along z in 0.4 s, stands; while it stands it slides by `step`."""
    links, joints = (
        [lk.model.Link("world"), lk.model.Link("foot")],
        [lk.model.Joint("float", lk.model.Kind.FLOATING, "world", "foot")],
    )
    foot = lk.Skeleton(lk.model.Mechanism("walker", links, joints, up="y"))
    t = np.arange(241) / 120
    swing = np.clip((t - 0.8) / 0.4, 0, 1)
    q = np.zeros((len(t), 6))
    q[:, 2] = 0.5 * (swing - np.sin(2 * np.pi * swing) / (2 * np.pi)) + step * np.clip(t / 0.8, 0, 1)
    q[:, 1] = 0.15 * np.sin(np.pi * swing) ** 2
    return lk.Clip(foot, q, t)


def test_contacts_and_slide() -> None:
    for step in (0.0, 0.03):
        clip = walker(step)
        found = clip.contacts("foot")
        assert len(found) == 2
        assert found[0].start == 0
        assert found[1].end == len(clip) - 1
        assert abs(clip.times[found[0].end] - 0.8) < 0.1
        assert abs(clip.times[found[1].start] - 1.2) < 0.1
        assert abs(found[0].slide - step) < 0.005
        assert clip.foot_slide("foot") == max(c.slide for c in found)
    assert walker(0.03).foot_slide("foot", walker().contacts("foot")) > 0.025
    assert walker().contacts("foot", ground=-1.0) == ()


def test_jerk_and_travel_of_a_known_motion() -> None:
    arm = lk.load("planar2_guez")
    t = np.linspace(0, 1, 101)
    clip = lk.Clip(arm, np.stack([t**3 / 6, 0 * t], -1), t)
    assert math.isclose(clip.jerk(), 1.0, rel_tol=1e-6)
    assert math.isclose(clip.joint_travel, 1 / 6, rel_tol=1e-9)
    assert math.isclose(clip.largest_step, 1 / 6 - 0.99**3 / 6, rel_tol=1e-9)
    assert clip.jerk("tool" if "tool" in arm.frames else arm.tip) > 0


def test_a_ball_that_rotates_past_pi_moves_smoothly() -> None:
    chain = random_chain(np.random.default_rng(0), [lk.model.Kind.BALL])
    angles = np.linspace(3.0, 3.4, 41)
    clip = lk.Clip(chain, Rotation.from_rotvec(angles[:, None] * [0, 0, 1]).as_rotvec(), rate=100)
    assert math.isclose(clip.largest_step, 0.01, rel_tol=1e-9)
    assert clip.jerk() < 1e-6
    assert np.abs(clip.velocities - [0, 0, 1]).max() < 1e-9
