"""Caches keyed by numbers of the caller are bounded."""

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import limbik as lk
from limbik.model.recent import Recent
from limbik.solvers.solver_set import MOST_TOLERANCES, SolverSet


def test_the_values_made_last_are_kept() -> None:
    kept: Recent[int, str] = Recent(3)
    made = []

    def value(key: int) -> str:
        return kept.get(key, lambda: made.append(key) or str(key))  # type: ignore[func-returns-value]

    for key in (1, 2, 3, 1, 4, 3, 2, 1):  # 4 replaces 1, the oldest value
        assert value(key) == str(key)
    assert made == [1, 2, 3, 4, 1]
    assert len(kept) == 3


def test_concurrent_threads_get_the_right_values() -> None:
    kept: Recent[int, int] = Recent(5)
    keys = np.random.default_rng(3).integers(0, 12, 20000).tolist()
    with ThreadPoolExecutor(8) as pool:
        values = list(pool.map(lambda key: kept.get(key, lambda: 10 * key), keys, chunksize=50))
    assert values == [10 * key for key in keys]
    assert len(kept) <= 5


@pytest.mark.parametrize("name", ["planar3_chin", "ur5"])
def test_ten_thousand_tolerances_keep_few_solvers(name: str) -> None:
    arm = lk.load(name)
    T = arm.forward(arm.home + 0.1)
    before = solver_sets()
    for k in range(10000):
        assert arm.solve(T, limits=bool(k % 2), position_tolerance=1e-7 * (1 + k), rotation_tolerance=1e-4).ok
    assert solver_sets() - before <= MOST_TOLERANCES


def test_many_settings_of_a_method_keep_no_calls() -> None:
    arm = lk.load("planar3_chin")
    T = arm.forward(arm.home + 0.1)
    arm.solve(T, method="dls")
    kept = len(vars(arm)["_bound"])
    for k in range(50):
        assert arm.solve(T, arm.home, f"dls:damping={0.01 + 1e-4 * k}").ok
    assert len(vars(arm)["_bound"]) == kept


def solver_sets() -> int:
    """Return the number of solver sets in this process."""
    gc.collect()
    return sum(isinstance(thing, SolverSet) for thing in gc.get_objects())
