"""The contract, computed from the registries: every method x every goal it declares x every mechanism of the catalogue."""

from functools import cache

import numpy as np
import pytest
from goal_examples import example, fits, missing

import limbik as lk
from limbik.solvers.registry import Method

CATALOGUE = {name: lk.load(name) for name in lk.CATALOGUE}


def declared(method: Method) -> tuple[str, ...]:
    return tuple(lk.GOALS) if "*" in method.goals else method.goals


def has_table(name: str) -> bool:
    """Chains of up to seven joints that turn or slide, and more than a table has nothing to do for."""
    body = CATALOGUE[name]
    return isinstance(body, lk.Chain) and body.model.kernel.is_scalar_chain and 3 <= body.n <= 7


@cache
def with_small_table(name: str) -> lk.Chain:
    """Return a chain with a table that was shown few postures: what it does not know is left to attempts."""
    body = CATALOGUE[name]
    assert isinstance(body, lk.Chain)
    return body.with_table(lk.build_table(body, samples=2000))


@cache
def with_small_network(name: str) -> lk.Chain:
    """Return a chain with a network that has learned next to nothing: where it leads nowhere, attempts follow."""
    body = CATALOGUE[name]
    assert isinstance(body, lk.Chain)
    return body.with_network(lk.train(body, steps=4, check=4))


CASES = [(method, kind) for method in lk.METHODS for kind in declared(lk.METHODS[method])]


@pytest.mark.parametrize("name", lk.CATALOGUE)
@pytest.mark.parametrize(("method", "kind"), CASES)
def test_every_method_meets_every_goal_it_declares(name: str, method: str, kind: str) -> None:
    """On every mechanism of the catalogue: a goal that a posture inside the limits meets is met, inside the limits."""
    body = CATALOGUE[name]
    if not fits(kind, body):
        pytest.skip(f"{name} has not what {kind} needs")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        q = body.sample(rng)
        tip = body.tip if isinstance(body, lk.Chain) else body.tips[seed % len(body.tips)]
        goal = example(kind, body, q, rng, frame=tip)
        if lk.METHODS[method].module:
            if not isinstance(body, lk.Chain) or any(v.joint.kind.size != 1 for v in body.model.compiled.variables):
                pytest.skip(f"{name} has joints with several axes")
            assert isinstance(goal, lk.Pose | lk.Position)
            near = body.clamp(q + rng.normal(scale=0.05, size=body.n))
            target = goal.T if isinstance(goal, lk.Pose) else lk.Position(None, body.forward(q)[:3, 3])
            seconds = None if lk.METHODS[method].exact else 0.05  # others would try every start there is
            answer = body.solve(target, seed=near, method=method, seconds=seconds)
            assert answer.method == method
            if answer.ok or lk.METHODS[method].exact:
                goal = target if isinstance(target, lk.Goal) else goal
            else:
                continue  # it says that it is not there, which is what is promised
        elif method == "table":
            if not isinstance(body, lk.Chain) or not has_table(name):
                pytest.skip(f"{name} takes no table")
            assert isinstance(goal, lk.Pose)
            answer = with_small_table(name).solve(goal.T, method=method)
            assert answer.method == method
        elif method == "neural":
            if not isinstance(body, lk.Chain):
                pytest.skip(f"{name} is no chain")
            assert isinstance(goal, lk.Pose)
            answer = with_small_network(name).solve(goal.T, method=method)
            assert answer.method == method
        elif method == "closed_form":
            if not isinstance(body, lk.Chain) or not body.branch_names:
                pytest.skip(f"{name} has no closed form")
            assert isinstance(goal, lk.Pose)
            answer = body.solve(goal.T, seed=q, method=method)
        elif isinstance(body, lk.Chain):
            answer = body.solve(goal, method=method)
        else:
            answer = body.solve(goal)
        assert answer.ok, f"{name} {kind} seed {seed}: {answer.why}"
        assert body.within_limits(answer.q)
        if goal.required:
            assert np.abs(missing(body, (goal,), answer.q)).max() <= max(1e-7, goal.spec(body.model).spare)
        elif kind == "Posture":
            assert np.abs(body.difference(answer.q, q)).max() < 1e-5
        else:
            before, after = (np.linalg.norm(missing(body, (goal,), x)) for x in (body.home, answer.q))
            assert after <= before + 1e-9
