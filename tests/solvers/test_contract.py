"""The contract, computed from the registries: every method x every goal it declares x every mechanism of the catalogue."""

from functools import cache

import numpy as np
import pytest
from goal_examples import example, fits, missing

import limbik as lk
from limbik.solvers.query import make_query
from limbik.solvers.registry import Method, traceable

CATALOGUE = {name: lk.load(name) for name in lk.CATALOGUE}


def declared(method: Method) -> tuple[str, ...]:
    return tuple(lk.GOALS) if "*" in method.goals else method.goals


def has_table(name: str) -> bool:
    """Return whether a table is built for a mechanism: for chains of three to seven revolute or prismatic joints."""
    body = CATALOGUE[name]
    return isinstance(body, lk.Chain) and body.model.kernel.is_scalar_chain and 3 <= body.n <= 7


@cache
def equipped(name: str) -> lk.Chain | lk.Skeleton:
    """Return a mechanism with the attachments that methods may need: a table of few postures and a hardly trained network.

    Targets for which these have no good candidate are solved by attempts.
    """
    body = CATALOGUE[name]
    if not isinstance(body, lk.Chain):
        return body
    if has_table(name):
        body = body.with_table(lk.build_table(body, samples=2000))
    return body.with_network(lk.train(body, steps=4, check=4))


CASES = [(method, kind) for method in lk.METHODS for kind in declared(lk.METHODS[method])]


@pytest.mark.parametrize("name", lk.CATALOGUE)
@pytest.mark.parametrize(("method", "kind"), CASES)
def test_every_method_meets_every_goal_it_declares(name: str, method: str, kind: str) -> None:
    """On every mechanism of the catalogue, a goal that some posture inside the limits meets is met inside the limits."""
    body = equipped(name)
    if not fits(kind, body):
        pytest.skip(f"{name} has not what {kind} needs")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        q = body.sample(rng)
        tip = body.tip if isinstance(body, lk.Chain) else body.tips[seed % len(body.tips)]
        goal = example(kind, body, q, rng, frame=tip)
        row = lk.METHODS[method]
        target = goal
        if isinstance(body, lk.Chain) and isinstance(goal, lk.Pose | lk.Position):
            target = goal.T if isinstance(goal, lk.Pose) else lk.Position(None, body.forward(q)[:3, 3])
        near = body.clamp(q + rng.normal(scale=0.05, size=body.n)) if method in traceable() else None
        try:
            query = make_query(body.model, target, near)
            unfit = row.prepare(body.model, query.options).unfit(query)
        except lk.BadOption as error:
            unfit = str(error)
        if unfit:
            pytest.skip(unfit)
        seconds = None if row.exact else 0.05  # other methods would try every start
        answer = body.solve(target, seed=near, method=method, seconds=seconds)
        assert answer.method in (method, "lm")
        if not answer.ok and not row.exact:
            continue  # inexact methods may fail
        goal = target if isinstance(target, lk.Goal) else goal
        assert answer.ok, f"{name} {kind} seed {seed}: {answer.why}"
        assert body.within_limits(answer.q)
        if goal.required:
            assert np.abs(missing(body, (goal,), answer.q)).max() <= max(1e-7, goal.spec(body.model).spare)
        elif kind == "Posture":
            assert np.abs(body.model.difference(answer.q, q)).max() < 1e-5
        else:
            before, after = (np.linalg.norm(missing(body, (goal,), x)) for x in (body.home, answer.q))
            assert after <= before + 1e-9
