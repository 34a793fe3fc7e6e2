"""Misused retargeting raises one sentence of a LimbikError, and its results are finite."""

import numpy as np
import pytest
from examples.walk import generated_walk

import limbik as lk


@pytest.fixture(scope="module")
def walk():
    return generated_walk(1.0, 30.0)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"rest": "middle"}, lk.BadOption),
        ({"rest": np.zeros(3)}, lk.ShapeError),
        ({"rest": np.full(42, np.nan)}, lk.NotFinite),
        ({"figure_rest": "first"}, lk.BadOption),
        ({"tolerance": 0}, lk.BadOption),
        ({"tolerance": "much"}, lk.LimbikError),
        ({"ground": np.inf}, lk.BadOption),
        ({"hands": "yes"}, lk.BadOption),
        ({"height": -1}, lk.BadOption),
        ({"speed": np.nan}, lk.BadOption),
        ({"names": {"leftHand": "claw"}}, lk.errors.UnknownFrame),
        ({"names": {"tail": "spine"}}, lk.errors.UnknownFrame),
        ({"source_names": ["leftHand"]}, lk.BadOption),
    ],
)
def test_bad_options_are_named(walk, options, kind):
    with pytest.raises(kind):
        lk.retarget(walk, lk.load("human"), **options)


def test_only_a_clip_and_a_figure_will_do(walk):
    for clip, figure in (("walk.bvh", lk.load("human")), (walk, "human"), (walk, lk.load("panda")), (walk, None)):
        with pytest.raises(lk.BadOption):
            lk.retarget(clip, figure)
    arm = lk.load("panda")
    with pytest.raises(lk.BadOption, match="no recognised limb in common"):
        lk.retarget(lk.Clip(arm, [arm.home, arm.home]), lk.load("human"))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_very_short_clips_work(walk, count):
    short = lk.Clip(walk.robot, walk.q[:count], walk.times[:count])
    result = lk.retarget(short, lk.load("human"))
    assert result.q.shape == (count, 42) and lk.load("human").within_limits(result.q).all()


def test_wild_motion_stays_in_range():
    """Random postures with jumps at every frame: nothing is smooth, everything is finite and in range."""
    seed = 5
    figure = lk.load("human")
    q = figure.sample(np.random.default_rng(seed), 60)
    q[:, :3] = np.random.default_rng(seed).uniform(-3, 3, (60, 3))
    for target in (figure, figure.with_proportions({"leftUpperLeg": 3.0, "rightLowerArm": 0.2})):
        result = lk.retarget(lk.Clip(figure, q, rate=30), target)
        assert np.isfinite(result.q).all() and target.within_limits(result.q).all(), f"seed {seed}"
        missed = {(m.frame, m.bone) for m in result.reported}
        for bone, error in result.hand_error.items():
            assert {(k, bone) for k in np.flatnonzero(error > 0.01)} <= missed
        assert all(m.reason for m in result.reported)


def test_a_still_figure_stands_still():
    figure = lk.load("human")
    clip = lk.Clip(figure, np.repeat(figure.clamp(np.zeros((1, figure.n))), 40, axis=0), rate=30)
    result = lk.retarget(clip, figure.scaled(1.5))
    assert result.foot_slide < 1e-6 and result.clip.largest_step < 1e-6
    assert [(c.start, c.end) for c in result.contacts["leftFoot"]] == [(0, 39)]


def test_coinciding_joints_are_no_limb(walk):
    """A figure whose forearms have no length has no arms to solve; the other bones are transferred."""
    human = lk.load("human").model.mechanism
    joints = [j.moved_to(origin=np.eye(4)) if j.name.endswith("Hand_x") else j for j in human.joints]
    result = lk.retarget(walk, lk.Skeleton(human.replaced(joints)))
    assert not result.hand_error and np.isfinite(result.q).all() and result.foot_slide < 0.002


def test_a_hand_that_cannot_get_there_is_reported(walk):
    figure = lk.load("human").model.mechanism.with_limits({f"{s}LowerArm_x": (0.0, 0.1) for s in ("left", "right")})
    result = lk.retarget(walk, lk.Skeleton(figure))
    assert result.reported and not result.ok and "more than 10" in result.why
    first = result.reported[0]
    assert "leftLowerArm_x" in first.reason or "rightLowerArm_x" in first.reason or "at their limits" in first.reason
    assert str(first).startswith(f"frame {first.frame}: ")
