"""Angles and 2-pi copies: the reported values are those checked, joints keep their limits, and no missed input is solved."""

import math

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.turns import inside

ARM = lk.load("planar3_cruse")
MMC = lk.relaxation.Mmc(ARM)
HELD = lk.relaxation.Mmc(ARM.with_limits([-3.0] * 3, [3.0] * 3))
TURN = 2 * math.pi
NEAR = 1e-7


def holds(mmc: lk.relaxation.Mmc, wanted: dict, found: lk.relaxation.Completion) -> bool:
    """Return whether the reported values meet every input, and those of the posture do so modulo 2 pi."""
    true = mmc.state(found.q)
    for name, value in wanted.items():
        low, high = (value.low, value.high) if isinstance(value, Range) else (value, value)
        x = found.q[mmc.arm.joint_names.index(name)] if name in mmc.arm.joint_names else found[name]
        if not low - NEAR <= x <= high + NEAR:
            return False
        if name in true and abs(math.remainder(x - true[name], TURN)) > NEAR and mmc._measures.is_angle(name):
            return False
    return True


@pytest.mark.parametrize(
    "wanted", [{"alpha": TURN + 1.0}, {"beta": -1.2}, {"alpha": 4.0}, {"x": 1.0, "y": 1.0, "beta": -1.2}]
)
def test_a_joint_with_limits_takes_the_copy_inside_them(wanted):
    found = HELD.complete(wanted)
    assert found.ok and HELD.arm.within_limits(found.q) and found.errors.max() <= 1e-8
    assert holds(HELD, wanted, found)


def test_every_copy_of_an_input_gives_the_same_result(rng):
    for _ in range(30):
        q = rng.uniform(-2.9, 2.9, 3)
        state = HELD.state(q)
        wanted = {name: state[name] + TURN * int(rng.integers(-3, 4)) for name in ("alpha", "beta", "gamma")}
        found = HELD.complete(wanted)
        assert found.ok, (q, found.why)
        np.testing.assert_allclose(found.q, q, atol=1e-8)


def test_arms_with_offsets_are_completed_inside_their_limits(rng):
    arm = lk.Chain.from_dh([(1.0, 0, 0, 1.0), (0.8, 0, 0, -2.0), (0.6, 0, 0, 2.5)])
    mmc = lk.relaxation.Mmc(arm.with_limits([-2.5] * 3, [2.5] * 3))
    for _ in range(40):
        q = rng.uniform(-2.5, 2.5, 3)
        state = mmc.state(q)
        found = mmc.complete({name: state[name] for name in ("alpha", "beta", "gamma")})
        assert found.ok and mmc.arm.within_limits(found.q), (q, found.why)
        np.testing.assert_allclose(found.q, q, atol=1e-8)


@pytest.mark.parametrize("mmc", [MMC, HELD], ids=["free", "limits"])
def test_solved_completions_report_values_that_meet_the_inputs(mmc, rng):
    names = [n for n in mmc.variables if n not in ("x1", "y1", "x2", "y2", "L1", "L2", "L3")]  # L: another arm
    solved = 0
    for _ in range(120):
        wanted = {}
        for name in rng.choice(names, int(rng.integers(1, 4)), replace=False):
            name = str(name)
            value = float(rng.uniform(-8, 8) if mmc._measures.is_angle(name) else rng.uniform(-1, 3))
            kind = rng.integers(4)
            wanted[name] = (
                value,
                lk.relaxation.AtMost(value),
                lk.relaxation.AtLeast(value),
                Range(value, value + rng.uniform(0, 7)),
            )[kind]
        try:
            found = mmc.complete(wanted, rng.uniform(-7, 7, 3))
        except lk.BadOption as error:  # an end outside the reported interval, or a joint given twice
            assert "give an end inside" in str(error) or "given twice" in str(error)
            continue
        assert mmc.arm.within_limits(found.q) or mmc is MMC
        if found.ok:
            solved += 1
            own = {k: v for k, v in wanted.items() if k not in mmc.arm.joint_names or mmc is MMC}
            assert holds(mmc, own, found), (wanted, found.state, found.q)
            assert (found.errors <= 1e-8).all()
    assert solved > 20


def test_an_input_with_one_end_refers_to_the_reported_interval():
    assert MMC.complete({"R": 1.5, "rho": 3.0, "eps": lk.relaxation.AtLeast(1.0)}).ok
    assert not MMC.complete({"eps": lk.relaxation.AtLeast(3.0), "R": 2.0}).ok
    assert not MMC.complete({"R": 2.9, "gamma": lk.relaxation.AtMost(1.0)}, [0.5, 0.1, -TURN]).ok
    for wanted in (
        {"eps": lk.relaxation.AtLeast(4.0)},
        {"beta": lk.relaxation.AtMost(-1.0)},
        {"joint1": lk.relaxation.AtLeast(4.0)},
    ):
        with pytest.raises(lk.BadOption, match="give an end inside"):
            MMC.complete(wanted)
    with pytest.raises(lk.NotFinite, match="without whole turns"):
        MMC.complete({"alpha": 1e15})


def test_every_copy_of_a_range_is_intersected_with_the_limits(rng):
    for _ in range(200):
        low, high = np.sort(rng.uniform(-9, 9, 2))
        limit = Range(*np.sort(rng.uniform(-4, 4, 2)).tolist())
        parts = inside(Range(float(low), float(high)), limit, 0.0)
        for x in rng.uniform(limit.low, limit.high, 20):
            wanted = any(low <= x + TURN * k <= high for k in range(-4, 5))
            assert wanted == any(r.low <= x <= r.high for r in parts)


def test_lengths_are_met_to_the_tolerance():
    assert MMC.complete({"R": 3.0, "rho": 1.0}).ok
    assert not MMC.complete({"R": 3.0 + 2e-8, "rho": 1.0}).ok


def test_the_least_cost_is_the_least_of_a_sweep(rng):
    for mmc in (MMC, HELD):
        for _ in range(3):
            best, weight, q = rng.uniform(-2.8, 2.8, 3), rng.uniform(0.2, 2, 3), rng.uniform(-2.8, 2.8, 3)
            x, y = ARM.forward(q)[:2, 3]
            costs = {f"joint{k + 1}": (best[k], weight[k]) for k in range(3)}
            found = mmc.complete({"x": float(x), "y": float(y)}, costs=costs)
            bar = 3.0 if mmc is HELD else math.pi
            least = sweep(float(x), float(y), best, weight, bar)
            assert found.ok and mmc.arm.within_limits(found.q) and found.cost <= least * (1 + 1e-6) + 1e-9


def sweep(x: float, y: float, best: np.ndarray, weight: np.ndarray, bar: float) -> float:
    """Return the least cost of three segments of length 1 over a fine sweep of the first joint."""
    first = np.linspace(-bar, bar, 20001)
    ex, ey = x - np.cos(first), y - np.sin(first)
    cosine = (ex**2 + ey**2 - 2.0) / 2.0
    least = math.inf
    for sign in (1, -1):
        third = sign * np.arccos(np.clip(cosine, -1, 1))
        bend = np.arctan2(np.sin(third), 1.0 + np.cos(third))
        second = (np.arctan2(ey, ex) - bend - first + math.pi) % TURN - math.pi
        fits = (np.abs(cosine) <= 1) & (np.abs(second) <= bar) & (np.abs(third) <= bar)
        off = (np.stack([first, second, third], 1) - best + math.pi) % TURN - math.pi
        least = min(least, float(np.where(fits, (weight * off**2).sum(1), np.inf).min()))
    return least


def test_steps_keep_limits_and_refuse_foreign_variables():
    with pytest.raises(lk.BadOption, match="complete"):
        MMC.steps({"x2": 0.5, "y2": 1.0})
    with pytest.raises(lk.BadOption, match="limits"):
        HELD.steps({"alpha": 3.1})
    narrow = lk.relaxation.Mmc(ARM.with_limits([-1.0] * 3, [1.0] * 3))
    for given in ({"alpha": TURN + 0.5}, {"beta": (0.0, 3.0)}, {"R": 1.0, "rho": 2.0}, {"x": 1.0}):
        for state in narrow.steps(given, cycles=40):
            assert narrow.arm.within_limits(narrow.arm.clamp(state.q)) and np.abs(state.q).max() <= 1.0 + 1e-9
    with pytest.raises(lk.NotFinite):
        MMC.steps({"alpha": 1e9})


def test_noise_differs_between_cycles_and_equals_that_of_complete():
    noisy = lk.relaxation.Mmc(ARM, noisy=range(83), noise=0.05)
    course = noisy.complete({"R": 1.7, "rho": 1.0}, cycles=30).course
    states = np.array([s.values for s in noisy.steps({"R": 1.7, "rho": 1.0}, cycles=30)])
    np.testing.assert_allclose(states, course, atol=1e-12)
    assert np.abs(np.diff(states, axis=0)).max(1)[-5:].min() > 1e-3


def test_unknown_names_are_reported():
    for state in (next(MMC.steps({"R": 1.0})), MMC.complete({"R": 1.0})):
        with pytest.raises(lk.BadOption, match="no variable 'foo'"):
            state["foo"]
