"""After `warm_up`, a difficult target builds no further tables."""

import gc
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import limbik as lk
from limbik._core import SeedTable
from limbik.solvers.seed_tables import TABLES
from limbik.solvers.solver_set import solver_set


def table_of(arm):
    """Return the shared table of starts of an arm, or None."""
    return TABLES.get(
        SeedTable(arm.model.kernel, *(x.tolist() for x in arm.model.ranges.drawing(arm.model.reach.span))).key
    )


@pytest.mark.parametrize("name", ["panda", "jaco2", "ur5", "iiwa14", "scara", "planar3_chin"])
def test_after_warm_up_nothing_is_built_by_a_solve(name, rng):
    arm = lk.load(name).scaled(1.03125)  # no other test has its table
    assert solver_set(arm.model).pose.warm is False
    assert arm.warm_up() is arm
    assert table_of(arm).made and solver_set(arm.model).pose.warm
    before = {key: table.made for key, table in TABLES.items()}
    T = arm.forward(arm.sample(rng, 40))
    kept = set(vars(arm)), set(vars(arm.model)), set(vars(arm.model)["_derived"])
    far = T[0].copy()
    far[:3, 3] *= 50
    for target in (*T, far):
        arm.solve(target)
        if arm.n <= 6 or arm.redundancy is not None:
            arm.solve_all(target)
    assert {key: table.made for key, table in TABLES.items()} == before
    assert (set(vars(arm)), set(vars(arm.model)), set(vars(arm.model)["_derived"])) == kept


def test_warm_up_is_idempotent_and_changes_no_answer(rng):
    cold, warm = (lk.load("jaco2").scaled(1.046875) for _ in range(2))
    T = cold.forward(cold.sample(rng, 30))
    expected = [cold.solve(t) for t in T]
    del cold
    gc.collect()
    assert warm.warm_up().warm_up() is warm
    assert [warm.solve(t) for t in T] == expected
    assert pickle.loads(pickle.dumps(warm)) == warm


def test_many_threads_warm_one_arm(rng):
    arm = lk.load("jaco2").scaled(1.078125)
    T = arm.forward(arm.sample(rng, 16))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda t: arm.warm_up().solve(t), T))
    assert answers == [arm.solve(t) for t in T] and table_of(arm).made


def test_chains_without_a_table_are_warm_too():
    balls = lk.load("human_balls").chain("leftHand")
    assert balls.warm_up() is balls and solver_set(balls.model).pose.warm
    nothing = lk.load("ur5").with_frozen(dict.fromkeys(lk.load("ur5").joint_names, 0.0))
    assert nothing.warm_up() is nothing
    assert np.isfinite(nothing.solve(nothing.forward([])).position_error)
