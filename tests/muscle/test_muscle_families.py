"""Lengths that leave a joint free: an upper arm along the first axis of its shoulder rotates without changing them."""

import numpy as np
import pytest

import limbik as lk
from limbik import Status

POLE = np.array([0.7, np.pi / 2, 0.3, 1.0])
INDEPENDENT = [0, 1, 3, 5]


@pytest.fixture(scope="module")
def arm():
    return lk.load("maximum_one")


@pytest.mark.parametrize("limits", (True, False))
@pytest.mark.parametrize("which", (slice(None), INDEPENDENT))
@pytest.mark.parametrize("gap", (0.0, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5))
def test_the_seed_selects_a_member_of_a_family(arm, gap, which, limits):
    for side in (1, -1):
        for q in (POLE - [0, gap, 0, 0], POLE - [1.9, gap, 0.8, -0.4]):
            q = q * [1, side, 1, 1]
            L = arm.muscles.lengths(q)[which]
            for seed in (q, q + [1.1, -0.2, 0.1, 0.1], q - [0.6, 0, 0, 0]):
                found = arm.muscles.posture_from_lengths(L, seed, limits)
                assert found.ok and len(found.family) == len(found) and all(found.family)
                assert "'shoulder_y' free" in found.why and "family" in found.why
                assert found.off.max() <= 1e-6 and (found.q[:, 0] == seed[0]).all()
                assert np.abs(found.q - [seed[0], *q[1:]]).max(axis=1).min() <= 1e-5
            truth = arm.muscles.posture_from_lengths(L, q, limits)
            away = np.linalg.norm(arm.forward(truth.q)[:, :3, 3] - arm.forward(q)[:3, 3], axis=1)
            assert away.min() <= 1e-5


def test_without_a_seed_exact_lengths_determine_the_joint_up_to_rounding(arm):
    for gap in (1e-8, 1e-7, 1e-6, 1e-5):
        q = POLE - [0, gap, 0, 0]
        found = arm.muscles.posture_from_lengths(arm.muscles.lengths(q))
        assert found.family == (True,) and found.q[0] == pytest.approx(q, abs=1e-6)
    found = arm.muscles.posture_from_lengths(arm.muscles.lengths(POLE))
    assert found.family == (True,) and found.q[0, 0] == arm.home[0]


@pytest.mark.parametrize("gap", (1e-4, 1e-3, 1e-2, 0.5))
def test_lengths_that_determine_the_joint_give_no_family(arm, gap):
    q = POLE - [0, gap, 0, 0]
    found = arm.muscles.posture_from_lengths(arm.muscles.lengths(q), q + [1.0, 0, 0, 0])
    assert found.family == (False,) and "family" not in found.why
    assert found.q[0] == pytest.approx(q, abs=1e-9)
    rough = arm.muscles.posture_from_lengths(arm.muscles.lengths(q), q + [1.0, 0, 0, 0], tolerance=0.05 * gap)
    assert rough.family == (False,) and rough.q[0] == pytest.approx(q, abs=1e-9)


def test_a_seed_outside_the_limits_gives_the_member_at_the_limit(arm):
    close = arm.with_limits([0.0, *arm.lower[1:]], [0.5, *arm.upper[1:]])
    for value, kept in ((0.9, 0.5), (-2.0, 0.0), (0.2, 0.2)):
        found = close.muscles.posture_from_lengths(arm.muscles.lengths(POLE), [value, *POLE[1:]])
        assert found.ok and found.family == (True,) and found.q[0, 0] == kept


@pytest.mark.parametrize("digits", (6, 7, 9))
def test_lengths_with_few_digits_leave_the_choice_to_the_seed(arm, digits):
    rng = np.random.default_rng(5)
    for gap in 10.0 ** rng.uniform(-12, -5, 60):
        q = np.array([rng.uniform(-3, 3), np.pi / 2 - gap, rng.uniform(-1.4, 1.4), rng.uniform(0.1, 2.4)])
        found = arm.muscles.posture_from_lengths(np.round(arm.muscles.lengths(q), digits), q, False, tolerance=3e-6)
        assert found.ok and all(found.family), (gap, found.why)
        assert np.linalg.norm(arm.forward(found.q)[:, :3, 3] - arm.forward(q)[:3, 3], axis=1).min() <= 5e-4


def test_a_contradiction_at_the_pole_is_still_one(arm):
    L = arm.muscles.lengths(POLE)
    L[4] += 0.004
    assert arm.muscles.posture_from_lengths(L, POLE, limits=False).status is Status.OUT_OF_REACH


def test_a_search_detects_families_too(monkeypatch, arm):
    # the same muscles without their closed form
    monkeypatch.setattr("limbik.muscle.postures._closed", lambda query: None)
    for q in (POLE, POLE - [0, 1e-7, 0, 0]):
        found = arm.muscles.posture_from_lengths(arm.muscles.lengths(q), q)
        assert found.ok and found.method == "least_squares" and found.family == (True,) and "family" in found.why
        assert found.q[0] == pytest.approx(q, abs=1e-5)
    q = POLE - [0, 0.5, 0, 0]
    found = arm.muscles.posture_from_lengths(arm.muscles.lengths(q), q)
    assert not any(found.family) and found.q[0] == pytest.approx(q, abs=1e-6)
    few = arm.muscles.posture_from_lengths({"biceps": float(arm.muscles.lengths(q)[5])}, q)
    assert few.family == (True,)


def test_a_fold_is_no_family():
    arm = lk.load("human_upper_limb")
    for q in arm.muscles.sample_admissible(np.random.default_rng(1), 10):
        assert not any(arm.muscles.posture_from_lengths(arm.muscles.lengths(q), q).family)
