"""Postures with several joints at their limits: the feasible swivels shrink to one, which rounding must not lose."""

import numpy as np
import pytest

import limbik as lk


@pytest.mark.parametrize("name", ["iiwa7", "iiwa14", "human_arm_7", "human_leg_7"])
@pytest.mark.parametrize("count", [2, 3])
def test_a_corner_of_limits_is_reached(name: str, count: int) -> None:
    arm = lk.load(name)
    rng = np.random.default_rng(11)
    others = [k for k in range(arm.n) if k != 3 and np.isfinite(arm.lower[k]) and np.isfinite(arm.upper[k])]
    for trial in range(100):
        q = arm.sample(rng)
        for k in rng.choice(others, count, replace=False):
            q[k] = arm.upper[k] if rng.random() < 0.5 else arm.lower[k]
        T = arm.forward(q)
        answer = arm.solve(T)
        assert answer.status not in (lk.Status.LIMITS, lk.Status.OUT_OF_REACH), (trial, q.tolist(), answer.why)
        assert answer.ok, (trial, q.tolist(), answer.why)
        assert arm.within_limits(answer.q)
        assert np.abs(arm.forward(answer.q) - T).max() < 1e-7
