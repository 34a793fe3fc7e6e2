"""Swivel ranges where rounding decides: joints at their limits, straight elbows and wrists, limits that leave next to nothing.

A posture inside the limits is in a range of its target, every range has a posture in `solve_all`, and members of ranges verify.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.solver_set import solver_set

ARMS = ["iiwa7", "iiwa14", "human_upper_limb", "human_arm_7", "human_leg_7"]
TRIALS, SEED = 120, 20
# Below this angle the two signs of a joint give one posture, up to the tolerances [rad].
STRAIGHT = 1e-4

Made = tuple[Any, np.ndarray]


def _at_an_end(arm: Any, rng: np.random.Generator, k: int) -> float:
    return float(arm.upper[k] if rng.random() < 0.5 else arm.lower[k])


def elbow_at_its_limit(arm: Any, rng: np.random.Generator) -> Made:
    q = arm.sample(rng)
    q[3] = _at_an_end(arm, rng, 3)
    return arm, q


def corners(arm: Any, rng: np.random.Generator) -> Made:
    q = arm.sample(rng)
    for k in rng.choice(7, rng.integers(1, 4), replace=False):
        q[k] = _at_an_end(arm, rng, k)
    return arm, q


def straight_elbow(arm: Any, rng: np.random.Generator) -> Made:
    q = arm.sample(rng)
    for k in rng.choice(7, rng.integers(0, 3), replace=False):
        q[k] = _at_an_end(arm, rng, k)
    q[3] = 0.0
    return arm, q


def straight_wrist(arm: Any, rng: np.random.Generator) -> Made:
    q = arm.sample(rng)
    q[5] = 0.0
    return arm, q


def straight_elbow_and_wrist(arm: Any, rng: np.random.Generator) -> Made:
    q = arm.sample(rng)
    q[3] = q[5] = 0.0
    return arm, q


def narrow_limits(arm: Any, rng: np.random.Generator) -> Made:
    q = arm.sample(rng)
    wide, part = 10.0 ** rng.uniform(-15, -3), rng.random(7)
    return arm.with_limits(lower=q - wide * part, upper=q + wide * (1 - part)), q


def outside(ranges: list[tuple[float, float]], swivel: float) -> float:
    """Return how far a swivel lies from the nearest range [rad]."""
    gaps = [abs(np.remainder(swivel - 0.5 * (a + b) + np.pi, 2 * np.pi) - np.pi) - 0.5 * (b - a) for a, b in ranges]
    return max(min(gaps, default=np.inf), 0.0)


def is_same(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.abs(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi).max() < 1e-5)


def assert_laws(arm: Any, q: np.ndarray, rng: np.random.Generator, what: Any) -> None:
    T = arm.forward(q)
    ranges = arm.swivel_ranges(T)
    every = [(branch, low, high) for branch, found in ranges.items() for low, high in found]
    for _, low, high in every:
        assert low <= high <= low + 2 * np.pi + 1e-12, what
    swivel, free = arm.swivel(q), solver_set(arm.model, False).postures
    own = [branch for branch in range(8) for p in free.at_swivels(T, q, [branch], [swivel]) if is_same(p.q, q)]
    assert own, what
    assert min(outside(ranges[branch], swivel) for branch in own) < 1e-6, (what, own, every)
    assert arm.solve(T).ok, what
    answers = arm.solve_all(T)
    assert len(answers), what
    for answer in answers:
        assert arm.within_limits(answer.q), what
        assert np.abs(arm.forward(answer.q) - T).max() < 1e-7, what
    # where both signs give one posture, two branches may share a posture
    listed = [answer.branch for answer in answers]
    one = any(np.abs(answer.q[[1, 3, 5]]).min() < STRAIGHT for answer in answers)
    for branch, found in ranges.items():
        assert listed.count(branch) >= len(found) or one, (what, branch, found, listed)
    for branch, low, high in every:
        if high - low > 1e-5:
            for part in (0.5, rng.uniform(0.02, 0.98)):
                member = solver_set(arm.model).postures.at_swivels(T, None, [branch], [low + part * (high - low)])
                assert len(member) == 1, (what, branch, low, high, part)
                assert arm.within_limits(member[0].q), what
                assert np.abs(arm.forward(member[0].q) - T).max() < 1e-7, what


@pytest.mark.parametrize(
    "make",
    [elbow_at_its_limit, corners, straight_elbow, straight_wrist, straight_elbow_and_wrist, narrow_limits],
    ids=lambda make: make.__name__,
)
@pytest.mark.parametrize("name", ARMS)
def test_postures_inside_the_limits_are_in_a_range(name: str, make: Callable[[Any, np.random.Generator], Made]) -> None:
    stock, rng = lk.load(name), np.random.default_rng(SEED)
    for trial in range(TRIALS):
        arm, q = make(stock, rng)
        assert_laws(arm, q, rng, (SEED, trial, q.tolist()))


@pytest.mark.parametrize("make", [elbow_at_its_limit, corners, straight_elbow], ids=lambda make: make.__name__)
@pytest.mark.parametrize("name", ["iiwa7", "human_upper_limb"])
def test_ranges_agree_with_a_scan(name: str, make: Callable[[Any, np.random.Generator], Made]) -> None:
    stock, rng = lk.load(name), np.random.default_rng(SEED + 1)
    places = np.linspace(-np.pi, np.pi, 181) + 1e-3
    for trial in range(30):
        arm, q = make(stock, rng)
        T = arm.forward(q)
        there = np.isfinite(solver_set(arm.model).postures.swing(T, None, places)[:, :, 0])
        for branch, found in arm.swivel_ranges(T).items():
            for place, is_there in zip(places, there[:, branch], strict=True):
                ends = [abs(np.remainder(place - end + np.pi, 2 * np.pi) - np.pi) for arc in found for end in arc]
                if min(ends, default=1.0) > 1e-6 and np.abs(q[[1, 5]]).min() > STRAIGHT:
                    said = outside(found, place) == 0.0
                    assert said == is_there, (SEED + 1, trial, q.tolist(), branch, place, found)


# ---- single findings ---------------------------------------------------------------------------------------------------


def test_no_branch_is_lost_to_an_elbow_at_its_limit() -> None:
    arm = lk.load("iiwa7")
    q = [2.10539090059945, -0.981198544544043, 2.9670597283903604, 2.0943951023931953, 0.7195428315677161]
    T = arm.forward([*q, 2.0913044481829366, -1.6724149718325783])
    answers = arm.solve_all(T)
    assert answers.complete
    assert {answer.branch for answer in answers} == set(range(8))
    assert all(arm.swivel_ranges(T)[branch] for branch in range(8))


def test_a_straight_wrist_has_a_range_of_one_point() -> None:
    arm = lk.load("human_arm_7")
    q = [1.59730566357381, 1.3700404665855324, 2.9997173930581202, 0.513213732348711, -0.5146559432058267, 0.0]
    q = [*q, -0.9495171914316352]
    ranges = [arc for found in arm.swivel_ranges(arm.forward(q)).values() for arc in found]
    assert outside(ranges, arm.swivel(q)) < 1e-6


def test_a_straight_arm_keeps_its_range() -> None:
    arm = lk.load("human_upper_limb")
    q = [2.0475229581209673, 0.19458634186549528, 1.2217304763960306, 0.0, -1.3259702967330473, -0.16453138499945696]
    ranges = arm.swivel_ranges(arm.forward([*q, 1.3962634015954636]))
    widths = [high - low for found in ranges.values() for low, high in found]
    assert max(widths) == pytest.approx(0.4167 * 2 * np.pi, abs=1e-3)


def test_a_hardly_bent_arm_in_a_corner_is_solved() -> None:
    arm = lk.load("human_arm_7")
    q = [
        2.7635367653387955e-06,
        3.263765701229396,
        -0.5235987755982988,
        2.352730428339208e-07,
        0.0,
        -1.0297442586766545,
    ]
    T = arm.forward([*q, 0.0])
    assert arm.solve(T).ok
    assert len(arm.solve_all(T)) > 0
