"""What a method from outside can do wrong, by mistake or on purpose: nothing of it becomes a wrong answer."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import limbik as lk
from limbik import methods
from limbik.methods import Candidate, Proof
from limbik.solvers.compiled import AttemptSolver

ARM = lk.load("ur5")
Q = ARM.home + 0.3
T = ARM.forward(Q)
FAR = T.copy()
FAR[:3, 3] *= 100


@dataclass(frozen=True, eq=False)
class Foreign(methods.Method):
    """A method whose candidates and proof are given."""

    name = "foreign"
    title = "a method of somebody else"
    family = "toy"
    goals = ("*",)

    yields: Callable[[Any], Any] = lambda query: iter(())
    proof: Proof | None = None

    def prepare(self, model, options):
        """Return the solver."""
        return ForeignSolver(self)


@dataclass(frozen=True, eq=False)
class ForeignSolver(methods.Solver):
    """Its solver."""

    method: Foreign
    name: str = "foreign"

    def candidates(self, query):
        """Yield what was given."""
        return self.method.yields(query)

    def proof(self, query):
        """Return what was given."""
        return self.method.proof


@pytest.mark.parametrize("status", list(lk.Status))
def test_a_proof_has_a_status_of_absence(status):
    proof = Proof(status, "because")
    for target in (FAR, [lk.Position(None, FAR[:3, 3])]):
        answer = ARM.solve(target, method=Foreign(proof=proof))
        assert not answer.ok and answer.status in (lk.Status.OUT_OF_REACH, lk.Status.LIMITS, lk.Status.NOT_FOUND)
    assert not ARM.solve_batch([FAR], method=Foreign(proof=proof)).ok.any()
    assert ARM.solve(T, method=Foreign(proof=proof)).status == lk.Status.NOT_FOUND


def test_a_foreign_proof_says_nothing_of_a_branch_nor_when_the_time_is_over():
    proof = Proof(lk.Status.OUT_OF_REACH, "because")
    for answer in ARM.solve_all(T):
        found = ARM.solve(T, branch=answer.branch, method=Foreign(proof=proof))
        assert found.status == lk.Status.NOT_FOUND and "because" not in found.why
    panda, rng = lk.load("panda"), np.random.default_rng(3)
    for target in panda.forward(panda.sample(rng, 50)):
        found = panda.solve(target, method=Foreign(proof=proof), seconds=1e-7)
        assert found.status == lk.Status.NOT_FOUND, found.why


def test_a_buffer_that_is_used_again_does_not_change_an_answer():
    buffer = np.empty((1, 6))

    def yields(query):
        for q in (Q, np.ones(6)):
            buffer[0] = q
            yield Candidate(buffer[0])

    goals = [lk.Position(None, T[:3, 3]), lk.Posture(ARM.home)]
    for target in (T, goals):
        answer = ARM.solve(target, method=Foreign(yields), prefer=lambda q: 0.0)
        buffer[0] = 7.0
        assert answer.ok and np.abs(ARM.forward(answer.q) - T)[:3, 3].max() < 1e-8
        assert buffer.flags.writeable


def test_a_method_does_not_move_its_target_or_its_seed():
    def moves_target(query):
        try:
            query.target[:3, 3] -= [0, 0, 0.1]
        except ValueError:
            return
        yield Candidate(ARM.solve(query.target).q)

    given = T.copy()
    assert not ARM.solve(given, method=Foreign(moves_target)).ok and np.array_equal(given, T)
    both = np.array([T, T])
    assert not ARM.solve_batch(both, method=Foreign(moves_target)).ok.any() and np.array_equal(both[0], T)

    seed, wanted = ARM.home + 0.1, ARM.home + 0.1
    wanted[0] += 0.4

    def moves_seed(query):
        with contextlib.suppress(ValueError):
            query.seed[0] += 0.4
        yield Candidate(wanted)

    held = [ARM.joint_names[0]]
    answer = ARM.solve(ARM.forward(wanted), seed=seed, method=Foreign(moves_seed), frozen=held)
    assert not answer.ok and seed[0] == ARM.home[0] + 0.1


@dataclass(frozen=True)
class Cheat(methods.Iterative):
    """An iterative method that moves the target to where it is."""

    name = "cheat"
    title = "a cheat"

    def iterate(self, problem, x):
        """Yield x."""
        problem.target[:] = problem.forward(problem.q(x))
        with pytest.raises(ValueError, match="read-only"):
            problem.unit[:] = 7
        yield x


def test_an_iterative_method_does_not_move_what_it_is_verified_against():
    assert not methods.trace(ARM, T, ARM.home, Cheat()).ok
    answer = ARM.solve(T, seed=ARM.home, method=Cheat())
    assert not answer.ok and np.abs(answer.target - T).max() < 1e-12


def test_endless_candidates_end_with_the_time():
    def endless(query):
        while True:
            yield Candidate(np.zeros(6))

    answer = ARM.solve(T, method=Foreign(endless), seconds=0.05)
    assert not answer.ok
    assert not ARM.solve_batch([T, T], method=Foreign(endless), seconds=0.05).ok.any()


def test_trust_is_not_inherited():
    class Derived(AttemptSolver):
        def candidates(self, query):
            yield ARM.solve(ARM.forward(ARM.home - 0.5))

        def bound(self):
            return lambda T, seed: ARM.solve(ARM.forward(ARM.home - 0.5))

        def rows(self, query, Ts, seeds, threads, *, mark):
            return ARM.solve_batch([ARM.forward(ARM.home - 0.5)] * len(Ts))

    @dataclass(frozen=True)
    class Method(methods.Method):
        name = "derived"
        title = "derived"
        family = "toy"

        def prepare(self, model, options):
            return Derived(model, options)

    assert not ARM.solve(T, method=Method()).ok and not ARM.solve(T, method=Method(), valid=lambda q: True).ok
    assert not ARM.solve_batch([T], method=Method()).ok.any()


def test_names_and_yields_that_are_none():
    for name in (5, None, "", "a:b", "a,b", " "):
        kind = type("Odd", (Foreign,), {"name": name})
        with pytest.raises(lk.BadOption, match="the name of a method is a word"):
            methods.register(kind())
    with pytest.raises(lk.BadOption, match=r"yields a Candidate\(q\)"):
        ARM.solve(T, method=Foreign(lambda query: iter([Q])))
    for seeds in (np.zeros((2, 6)), np.zeros((5, 6)), np.zeros(5)):
        with pytest.raises(lk.ShapeError):
            ARM.solve_batch([T, T, T], seeds, method="dls")
