"""Lengths and moment arms: against plain arithmetic and finite differences, for every kind of joint."""

from itertools import pairwise

import numpy as np
import pytest
from muscle_arms import BALL, shoulder_elbow

import limbik as lk
from limbik.muscle.lengths import admissible, lengths_of, moment_arms
from limbik.muscle.postures import posture_from_lengths
from limbik.muscle.solving import solve_lengths

SEED = 11


@pytest.fixture(params=["maximum_one", "human_upper_limb", "ball", "random"])
def arm(request, tmp_path):
    if request.param == "ball":
        path = tmp_path / "ball.toml"
        path.write_text(BALL)
        return lk.load(path)
    return (
        shoulder_elbow(np.random.default_rng(SEED), mixed=True) if request.param == "random" else lk.load(request.param)
    )


def by_hand(arm, q):
    """Lengths from the poses of the links and the values of the joints."""
    frames = dict(zip(arm.frames, arm.model.forward_all(q), strict=True))
    values = dict(zip(arm.joint_names, q, strict=True))
    for joint in arm.model.mechanism.joints:
        if joint.mimic is not None:
            values[joint.name] = joint.mimic.multiplier * values[joint.mimic.joint] + joint.mimic.offset
    out = []
    for muscle in arm.muscles:
        places = [frames[p.link][:3, :3] @ np.array(p.xyz) + frames[p.link][:3, 3] for p in muscle.path]
        straight = sum(np.linalg.norm(b - a) for a, b in pairwise(places))
        out.append(muscle.rest + straight + sum(p.radius * values[p.joint] for p in muscle.pulleys))
    return np.array(out)


def test_lengths_are_those_of_points_and_pulleys(arm):
    q = arm.sample(np.random.default_rng(SEED), 50)
    assert np.allclose(arm.muscles.lengths(q), [by_hand(arm, x) for x in q], atol=1e-14)


def test_moment_arms_are_the_derivatives(arm):
    q = arm.sample(np.random.default_rng(SEED), 40)
    step = 1e-6
    for j, e in enumerate(np.eye(arm.n)):
        ahead, behind = (
            arm.muscles.lengths(np.array([arm.model.integrate(x, s * e) for x in q])) for s in (step, -step)
        )
        assert np.allclose(arm.muscles.moment_arms(q)[..., j], (ahead - behind) / (2 * step), atol=1e-9)


def test_a_row_of_a_batch_is_the_same_to_the_bit(arm):
    q = arm.sample(np.random.default_rng(SEED), (3, 7))
    L, G = arm.muscles.lengths(q), arm.muscles.moment_arms(q, threads=2)
    assert L.shape == (3, 7, len(arm.muscles)) and G.shape == (3, 7, len(arm.muscles), arm.n)
    for i in np.ndindex(3, 7):
        assert np.array_equal(L[i], arm.muscles.lengths(q[i])) and np.array_equal(G[i], arm.muscles.moment_arms(q[i]))
    assert arm.muscles.lengths(np.empty((0, arm.n))).shape == (0, len(arm.muscles))


def test_bad_postures_and_arms_without_muscles_are_refused(arm):
    for call in (arm.muscles.lengths, arm.muscles.moment_arms, arm.muscles.admissible):
        with pytest.raises(lk.ShapeError):
            call(np.zeros(arm.n + 1))
        with pytest.raises(lk.NotFinite):
            call(np.full(arm.n, np.nan))
        with pytest.raises(lk.errors.NotNumeric):
            call("home")
    bare = arm.with_muscles(())
    with pytest.raises(lk.BadOption, match=f"'{bare.name}' has no muscles; add some: arm.with_muscles"):
        _ = bare.muscles
    for call in (lengths_of, moment_arms, admissible, solve_lengths, posture_from_lengths):
        with pytest.raises(lk.BadOption, match="no muscles"):
            call(bare.model, np.zeros(arm.n) if call != solve_lengths else [0.1, 0.1, 0.1])


def test_admissible_is_limits_and_ranges(arm):
    rng = np.random.default_rng(SEED)
    q = arm.sample(rng, 500)
    low, high = arm.muscles.ranges
    L = arm.muscles.lengths(q)
    assert np.array_equal(arm.muscles.admissible(q), ((low <= L) & (high >= L)).all(axis=1))
    kept = arm.muscles.sample_admissible(rng, 20)
    assert kept.shape == (20, arm.n) and arm.muscles.admissible(kept).all()
    with pytest.raises(lk.BadOption):
        arm.muscles.sample_admissible(rng, -1)


def test_a_segment_without_length_has_no_moment_arm():
    arm = lk.load("maximum_one")
    on_the_joint = lk.muscle.Muscle("m", [("upper_arm", (0, 0, -0.35)), ("forearm", (0, 0, 0))])
    held = arm.with_muscles([on_the_joint])
    assert (
        held.muscles.lengths(arm.home)[0] == pytest.approx(0, abs=1e-15)
        and np.isfinite(held.muscles.moment_arms(arm.home)).all()
    )
