"""Muscles at the edges: files with slides, surplus lengths, threads, folds, and misuse that must be told in a sentence."""

from dataclasses import replace

import numpy as np
import pytest

import limbik as lk
from limbik import McKibben, Muscle, Status

SLIDER = """
name = "slider"
unit = "cm"
[[joint]]
name = "j1"
kind = "prismatic"
parent = "base"
child = "a"
axis = [1, 0, 0]
lower = 0
upper = 50
[[muscle]]
name = "b"
pulley = [{ joint = "j1", radius = 1 }]
rest = 10
"""


@pytest.fixture(scope="module")
def arm():
    return lk.load("maximum_one")


def antagonists(**settings):
    joint = lk.Chain.from_dh([(0.3, 0, 0, 0, "revolute", -1, 1)], name="elbow")
    pair = [Muscle(n, (), [("joint1", r)], 0.2, 0.15, 0.25) for n, r in (("f", -0.03), ("e", 0.03))]
    return joint.with_muscles(pair).with_mckibben(**settings)


def test_a_pulley_on_a_slide_is_a_ratio_in_every_file(tmp_path):
    path = tmp_path / "slider.toml"
    path.write_text(SLIDER)
    loaded = lk.load(path)
    again = loaded.with_muscles(path)
    assert loaded.muscle_lengths([0.2]) == pytest.approx([0.3])
    assert again.muscle_lengths([0.2]) == pytest.approx([0.3])


def test_a_descent_returns_the_lengths_of_its_posture(arm):
    names = ("pectoralis", "dorsal", "subscapularis", "triceps")
    run = arm.descend_lengths([-0.1, 0.2, 0.15], moved=names, sweeps=20)
    own = dict(zip(arm.muscle_names, arm.muscle_lengths(run.q), strict=True))
    assert run.lengths == pytest.approx([own[n] for n in names], abs=1e-15)
    for bad in (list(arm.muscle_names), ["biceps", "biceps"], [], 3, "biceps", ["bicep"], [["biceps"]]):
        with pytest.raises(lk.BadOption):
            arm.descend_lengths([-0.1, 0.2, 0.15], moved=bad)


def test_a_descent_that_cannot_start_says_why(arm):
    with pytest.raises(lk.BadOption, match="'pectoralis' is 1 m"):
        arm.descend_lengths([-0.1, 0.2, 0.15], lengths=[1.0] * 4)
    with pytest.raises(lk.BadOption, match="limit"):
        arm.descend_lengths([-0.1, 0.2, 0.15], seed=[9.0] * 4)
    answer = arm.solve_lengths([-0.1, 0.2, 0.15], seed=[9.0] * 4, method="fast_gradient")
    assert np.isfinite(answer.position_error) and "inf" not in answer.why


def test_a_muscle_is_no_longer_than_its_thread():
    short = antagonists(thread=0.1)
    held = short.pressures_at([0.4], 2.0)
    assert held.status is Status.LIMITS and "thread" in held.why
    assert not short.posture_from_pressures(held.pressures).ok
    assert antagonists().pressures_at([0.4], 2.0).ok


def test_a_stiffness_beyond_all_is_the_stiffest():
    joint = antagonists()
    stiff, stiffest = joint.pressures_at([0.2], 1e9), joint.pressures_at([0.2], 1e300)
    assert stiffest.ok and stiffest.pressures == pytest.approx(stiff.pressures, rel=1e-6)
    assert stiffest.pressures.max() == pytest.approx(4e5)


def test_what_a_mckibben_muscle_cannot_be(arm):
    for bad in ({"turns": 1e200}, {"turns": 1e-200}, {"thread": 1e200}, {"highest": 1e300}):
        with pytest.raises(lk.LimbikError):
            arm.with_mckibben(**bad)
    with pytest.raises(lk.LimbikError):
        McKibben.for_range("a", 1)
    muscle = McKibben(0.2, 3.0, hysteresis=0.1)
    assert muscle.length_uncertainty(0.0) == 0 and muscle.force(-1.0, 1e5) == 0
    for bad in (1e300, np.inf, np.nan):
        with pytest.raises(lk.LimbikError):
            muscle.force(bad, 1e5)


def test_misuse_is_told_in_a_sentence(arm):
    home, point = arm.home, [-0.1, 0.2, 0.15]
    rng = np.random.default_rng(0)
    for misuse in (
        lambda: arm.muscle_lengths(None),
        lambda: arm.moment_arms(None),
        lambda: arm.muscle_lengths(home, threads=None),
        lambda: arm.moment_arms(home, threads=None),
        lambda: antagonists().posture_from_pressures([1e5, 1e5], seed=[[0.0]]),
        lambda: lk.muscle_map(arm, plane=[]),
        lambda: lk.muscle_map(arm, points=10**6),
        lambda: arm.sample_admissible(rng, 10**12),
        lambda: lk.follow_distance(lambda L: 10**400, [0.2], [0.1], [0.3]),
        lambda: arm.track_lengths(home, point, centring=np.nan),
        lambda: arm.track_lengths(home, point, centring=-1.0),
        lambda: arm.descend_lengths(point, side=True),
        lambda: arm.solve_lengths(point, swivel=True),
        lambda: arm.solve_lengths(point, position_tolerance=np.inf),
    ):
        with pytest.raises(lk.LimbikError):
            misuse()
    assert arm.descend_lengths(point, side=np.int64(1), sweeps=2).sweeps <= 2


def test_pressures_of_an_arm_that_does_not_move(arm):
    fixed = arm.with_frozen(dict.fromkeys(arm.joint_names, 0.3))
    for load in (None, "gravity"):
        held = fixed.pressures_at([], 1.0) if load is None else None
        assert held is None or held.q.shape == (0,)
    assert fixed.posture_from_pressures([1e5] * 7).q.shape == (0,)
