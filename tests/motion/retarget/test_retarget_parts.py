"""The parts of the retargeting pipeline."""

import math

import numpy as np
import pytest

import limbik as lk
from limbik.geometry.so3 import matrix_from_vector
from limbik.model.compiled import compile_mechanism
from limbik.model.ranges import Ranges
from limbik.motion.retarget.anatomical_frames import anatomical_frames
from limbik.motion.retarget.anatomy import Anatomy
from limbik.motion.retarget.chain_angles import SerialJoints, fit
from limbik.motion.retarget.jump_parts import parts_between_jumps
from limbik.motion.retarget.planting import blended, lowering
from limbik.motion.retarget.smoothing import gaussian_smoothed, upper_envelope
from limbik.motion.retarget.stances import Detection, stances, union


def row_of(kinds, rng, width):
    """A serial chain of joints with random axes and ranges of a given width, and the ranges."""
    joints = []
    for k, kind in enumerate(kinds):
        T = np.eye(4)
        T[:3, :3] = matrix_from_vector(rng.normal(size=3))
        low = rng.uniform(-2, 0.5)
        limits = {"lower": low, "upper": low + width} if kind == "revolute" and math.isfinite(width) else {}
        joints.append(lk.model.Joint(f"j{k}", kind, f"l{k}", f"l{k + 1}", origin=T, axis=rng.normal(size=3), **limits))
    mechanism = lk.model.Mechanism("row", [lk.model.Link(f"l{k}") for k in range(len(kinds) + 1)], joints)
    compiled = compile_mechanism(mechanism, "l0", f"l{len(kinds)}", whole_tree=False)
    end = compiled.frames[f"l{len(kinds)}"][1][:3, :3]
    return SerialJoints(compiled, tuple(range(len(kinds))), end), Ranges(compiled)


@pytest.mark.parametrize("width", [math.inf, 6.0, 1.5])
@pytest.mark.parametrize("seed", range(6))
def test_three_revolute_joints_reach_feasible_orientations(seed, width):
    rng = np.random.default_rng(seed)
    row, ranges = row_of(("revolute",) * 3, rng, width)
    # orientations of a smooth motion inside the ranges are feasible
    ends = ranges.sample(rng, 2)
    s = np.linspace(0, 1, 40)[:, None]
    posture = ends[0] + (ends[1] - ends[0]) * s
    wanted = row.forward(posture) @ row.end
    q = np.zeros((40, 3))
    fit(row, wanted, q, ranges, shared=False)
    assert ranges.within(q).all()
    off = np.arccos(np.clip((np.einsum("fij,fij->f", row.forward(q) @ row.end, wanted) - 1) / 2, -1, 1))
    # one of two solutions is used for the whole motion; in parts of it, limits may prevent the orientation
    assert np.median(off) < 1e-5, f"seed {seed}"


@pytest.mark.parametrize(
    "kinds", [("revolute",), ("revolute",) * 2, ("revolute",) * 4, ("ball",), ("ball", "ball"), ("ball", "revolute")]
)
def test_a_fit_does_not_increase_the_error_and_stays_inside_the_limits(kinds):
    seed = 11
    rng = np.random.default_rng(seed)
    row, ranges = row_of(kinds, rng, 2.0)
    wanted = matrix_from_vector(rng.normal(size=(30, 3)))
    q = ranges.sample(rng, 30)
    before = np.einsum("fij,fij->f", row.forward(q) @ row.end, wanted)
    fit(row, wanted, q, ranges, shared=True)
    after = np.einsum("fij,fij->f", row.forward(q) @ row.end, wanted)
    assert ranges.within(q).all() and (after >= before - 1e-9).all(), f"seed {seed}"
    if "revolute" not in kinds:
        np.testing.assert_allclose(after, 3.0, atol=1e-9)


def test_an_upper_envelope_is_smooth_and_not_below():
    seed = 3
    rng = np.random.default_rng(seed)
    needed = np.maximum(rng.normal(size=300), 0) * (rng.uniform(size=300) > 0.9)
    times = np.arange(300) / 60
    out = upper_envelope(needed, times, 0.3)
    assert (out >= needed).all() and np.abs(np.diff(out)).max() < 0.25 * needed.max(), f"seed {seed}"
    assert upper_envelope(np.zeros(5), times[:5], 0.3).max() == 0.0


def test_gaussian_smoothing_keeps_constants_and_the_sum():
    times = np.arange(200) / 50
    np.testing.assert_allclose(gaussian_smoothed(np.full((200, 2), 3.0), times, 0.1), 3.0)
    pulse = np.zeros((200, 1))
    pulse[100] = 1.0
    out = gaussian_smoothed(pulse, times, 0.1)
    assert out.sum() == pytest.approx(1.0) and out.max() < 0.2 and int(out.argmax()) == 100


def test_corrections_are_kept_in_stances_and_blended_between_them():
    values = np.arange(40.0)[:, None] % 7
    out = blended(values, [(5, 10), (25, 30)])
    np.testing.assert_array_equal(out[5:11], values[5:11])
    np.testing.assert_array_equal(out[25:31], values[25:31])
    assert (out[:5] == values[5]).all() and (out[31:] == values[30]).all()
    between = out[10:26, 0]
    assert (np.diff(between) >= 0).all() or (np.diff(between) <= 0).all()
    assert not blended(values, []).any()


def test_hips_are_lowered_until_a_leg_reaches():
    times = np.arange(60) / 30
    hips = np.tile([0.0, 1.0, 0.0], (60, 1))
    ankles = np.stack([np.zeros(60), np.zeros(60), np.linspace(-0.5, 0.5, 60)], -1)
    down = lowering([hips], [ankles], [1.0], np.array([0.0, 1.0, 0.0]), times)
    reach = np.linalg.norm(hips - down[:, None] * [0, 1, 0] - ankles, axis=1)
    assert reach.max() <= 1.0 and down.max() < 0.2 and np.abs(np.diff(down, 2)).max() < 0.02


def test_stances_are_found_merged_and_cut():
    times = np.arange(300) / 60
    x = np.clip(times - 1.0, 0, 1) * 1.0 + np.clip(times - 3.0, 0, 1)
    points = np.stack([x, 0.05 + 0.0 * x, 0.0 * x], -1)
    up, whole = np.array([0.0, 1.0, 0.0]), [slice(0, 300)]
    found = stances(points, times, up, 1.0, Detection(), whole)
    assert [(round(times[a], 1), round(times[b], 1)) for a, b in found] == [(0.0, 1.0), (2.0, 3.0), (4.0, 5.0)]
    # two parts of a motion have no stance in common
    halves = stances(points, times, up, 1.0, Detection(), [slice(0, 30), slice(30, 300)])
    assert (0, 29) in halves and any(a == 30 for a, _ in halves)
    # the stance of a creeping foot is cut into intervals, none of which drifts too far
    creeping = np.stack([0.2 * times, 0.05 + 0 * times, 0 * times], -1)
    pieces = stances(creeping, times, up, 1.0, Detection(), whole)
    assert len(pieces) > 5 and all(creeping[b, 0] - creeping[a, 0] <= 0.1 for a, b in pieces)
    assert union([(0, 5), (10, 12)], [(4, 11)], whole) == [(0, 12)]


def test_jumps_divide_a_clip_and_fast_motion_does_not():
    steps = np.full((50, 3), 0.02)
    assert parts_between_jumps(steps, 51) == [slice(0, 51)]
    steps[10, 1] = 1.0
    assert parts_between_jumps(steps, 51) == [slice(0, 11), slice(11, 51)]
    assert parts_between_jumps(np.full((50, 3), 0.9), 51) == [slice(0, 51)]
    assert parts_between_jumps(np.zeros((0, 3)), 1) == [slice(0, 1)]


@pytest.mark.parametrize("up", ["forward", "upright", "left"])
def test_a_foot_has_a_frame_for_any_upward_direction(up):
    """If the spine of a four-legged figure is horizontal, its forward axis is vertical, and its feet may be too."""
    human = lk.load("human")
    body = Anatomy(human.model.mechanism, human.model.compiled, lk.humanoid(human), human.home)
    flat = {f"{side}Foot": body.local(f"{side}Foot", getattr(body, up)) for side in ("left", "right")}
    for frame in anatomical_frames(body, flat=flat).values():
        assert np.abs(frame.T @ frame - np.eye(3)).max() < 1e-12


@pytest.mark.parametrize("low", [False, True])
def test_a_dog_with_longer_legs_moves_as_the_dog_does(low):
    """Four legs by names: hind legs as legs, front legs as arms. low: the hind legs alone, with the neck bent down."""
    dog = lk.load("quadruped")
    tall = dog.with_proportions({frame: 1.3 for frame in dog.frames if "Leg" in frame})
    parts_of = {"UpperLeg": "HindUpperLeg", "LowerLeg": "HindLowerLeg", "Foot": "HindFoot"}
    parts_of |= {"UpperArm": "FrontUpperLeg", "LowerArm": "FrontLowerLeg", "Hand": "FrontFoot"}
    names = {side + bone: side + frame for side in ("left", "right") for bone, frame in parts_of.items()}
    names = {bone: frame for bone, frame in names.items() if not low or "Hind" in frame}
    times, rng = np.arange(90) / 60, np.random.default_rng(4)
    wave = np.sin(2 * np.pi * times[:, None] * rng.uniform(0.3, 1, dog.n) + rng.uniform(0, 6, dog.n))
    q = dog.clamp(dog.home + 0.15 * wave)
    rest = np.array(dog.home)
    if low:
        rest[dog.joint_names.index("neck_x")] = dog.lower[dog.joint_names.index("neck_x")]
    result = lk.retarget(
        lk.Clip(dog, q, times), tall, names=names, source_names=names, rest=rest, figure_rest=tall.clamp(rest)
    )
    assert np.isfinite(result.q).all() and result.clip.largest_step < 0.1
    for frame in ("leftHindLowerLeg", "rightHindLowerLeg"):
        turned = [f.forward(q_, frame)[:, :3, :3] for f, q_ in ((dog, q), (tall, result.q))]
        assert np.trace(turned[0].transpose(0, 2, 1) @ turned[1], axis1=1, axis2=2).min() > 1 + 2 * np.cos(0.3)
