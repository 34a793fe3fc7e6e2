"""Methods added from outside: a file with one class and `register`; everything else is the dispatcher's."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from toys.analytic import ToyPlanar
from toys.iterative import ToyNewton

import limbik as lk
from limbik import methods

PLANAR = lk.load("planar2_guez")


def test_both_configurations_are_found_and_branches_choose():
    rng = np.random.default_rng(1)
    for _ in range(50):
        q = PLANAR.sample(rng)
        T = PLANAR.forward(q)
        answer = PLANAR.solve(T, seed=q, method="toy_planar")
        assert answer.ok and answer.method == "toy_planar" and np.abs(PLANAR.forward(answer.q) - T).max() < 1e-8
        for branch in (0, 1):
            one = PLANAR.solve(T, seed=q, method="toy_planar", branch=branch)
            assert not one.ok or one.branch == branch
        exact = [PLANAR.solve(T, method="toy_planar", branch=k).ok for k in (0, 1)]
        assert any(exact)


def test_the_proof_is_the_answer_and_the_closest_configuration_comes_with_it():
    T = PLANAR.forward(PLANAR.home)
    T[:3, 3] *= 10 * PLANAR.reach / np.linalg.norm(T[:3, 3])
    answer = PLANAR.solve(T, method="toy_planar")
    assert answer.status == lk.Status.OUT_OF_REACH and "from the first axis" in answer.why
    closest = PLANAR.solve(T)
    assert np.isclose(answer.position_error, closest.position_error)


def test_valid_and_prefer_filter_what_a_toy_yields():
    T = PLANAR.forward(np.array([0.4, 0.9]))
    refused = PLANAR.solve(T, method="toy_planar", valid=lambda q: False)
    assert refused.status == lk.Status.BLOCKED
    first = PLANAR.solve(T, method="toy_planar")
    other = PLANAR.solve(T, method="toy_planar", limits=False, valid=lambda q: np.abs(q - first.q).max() > 1e-3)
    assert other.status in (lk.Status.SOLVED, lk.Status.BLOCKED)
    best = PLANAR.solve(T, method="toy_planar", limits=False, prefer=lambda q: -abs(q[1] - 0.9))
    assert np.isclose(best.q[1], 0.9)


@dataclass(frozen=True)
class Liar(methods.Method):
    """A method that yields what is no solution, and proves what is not so."""

    name = "liar"
    title = "a liar"
    family = "toy"

    def prepare(self, model, options):
        """Return the solver."""
        return LiarSolver()


class LiarSolver(methods.Solver):
    """Anything but a solution."""

    name = "liar"

    def candidates(self, query: methods.Query) -> Iterator[methods.Candidate]:
        """Yield numbers."""
        yield methods.Candidate(np.zeros(6))
        yield methods.Candidate(np.full(6, np.nan))
        yield methods.Candidate(np.full(6, 1e9))

    def proof(self, query: methods.Query) -> methods.Proof:
        """Return a false proof."""
        return methods.Proof(lk.Status.OUT_OF_REACH, "because")


def test_no_candidate_is_believed_and_a_proof_that_a_solution_contradicts_is_not():
    arm = lk.load("ur5")
    T = arm.forward(arm.home + 0.3)
    answer = arm.solve(T, method=Liar())
    assert answer.status == lk.Status.NOT_FOUND and not answer.ok and "there is one" in answer.why


def test_settings_are_fields_and_texts():
    arm = lk.load("ur5")
    T, seed = arm.forward(arm.home + 0.3), arm.home
    by_object = arm.trace(T, seed, ToyNewton(largest=0.05))
    by_text = arm.trace(T, seed, "toy_newton:largest=0.05")
    assert np.array_equal(by_object.q, by_text.q) and len(by_object) > len(arm.trace(T, seed, "toy_newton"))
    assert arm.solve(T, seed, "dls:damping=0.05").ok and arm.solve(T, seed, methods.Dls(damping=0.05)).ok
    for text, word in (
        ("dls:dampin=1", "damping"),
        ("dls:damping", "damping"),
        ("dls:damping=x", "number"),
        ("dls:steps=1e9", "number"),
    ):
        with pytest.raises(lk.BadOption, match=word):
            arm.solve(T, seed, text)
    with pytest.raises(lk.BadOption, match="is not iterative"):
        arm.trace(T, seed, "lm")


def test_a_name_is_taken_once():
    with pytest.raises(lk.BadOption, match="already"):
        methods.register(ToyPlanar())
    with pytest.raises(lk.BadOption, match="no Method"):
        methods.register("bfgs")
