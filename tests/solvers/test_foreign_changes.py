"""What a method from outside changes is not what is verified, and its proofs do not outweigh the core's."""

import contextlib

import numpy as np
import pytest
from test_foreign_methods import ARM, Foreign, T

import limbik as lk
from limbik.methods import Candidate, Proof


class Pose4:
    """A target with a matrix of its own, as other libraries have."""

    def __init__(self, T):
        self.T = np.array(T)

    def as_matrix(self):
        return self.T


@pytest.mark.parametrize("kind", [Pose4, lambda T: tuple(list(map(float, row)) for row in T)])
def test_what_a_method_changes_in_the_query_is_not_verified(kind):
    given = kind(T)
    before = repr(np.asarray(given.T if isinstance(given, Pose4) else given).tolist())

    def lying(query):
        wrong = ARM.forward(ARM.home)
        with contextlib.suppress(TypeError, ValueError):
            query.target[:] = wrong
        if hasattr(query.target, "T"):
            object.__setattr__(query, "target", wrong)
        yield Candidate(ARM.home)

    answer = ARM.solve(given, method=Foreign(lying))
    assert not answer.ok or np.abs(ARM.forward(answer.q) - T).max() < 1e-6
    assert repr(np.asarray(given.T if isinstance(given, Pose4) else given).tolist()) == before


def test_goals_and_filters_that_a_method_changes_are_not_those_that_are_checked():
    point, away = T[:3, 3], ARM.forward(ARM.home)[:3, 3]
    goal = lk.Position(None, point)

    def moves_the_goal(query):
        object.__setattr__(query.goals[0], "point", away)
        yield Candidate(ARM.home)

    answer = ARM.solve(goal, method=Foreign(moves_the_goal))
    assert not answer.ok and np.array_equal(goal.point, point)


def test_the_evidence_of_the_core_outweighs_a_foreign_proof():
    arm = lk.load("puma560")
    outside = arm.forward(arm.upper + 0.2)
    assert arm.solve(outside).status is lk.Status.LIMITS
    never = lambda query: iter(())  # noqa: E731
    for status in (lk.Status.OUT_OF_REACH, lk.Status.LIMITS):
        lying = Foreign(never, proof=Proof(status, "trust me"))
        assert arm.solve(outside, method=lying).status is lk.Status.LIMITS
        far = np.array(outside)
        far[:3, 3] = 9.0
        assert arm.solve(far, method=lying).status is lk.Status.OUT_OF_REACH
