"""Methods added from outside: one file with a class and `register`; the dispatcher does the rest."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from toys.analytic import ToyPlanar
from toys.iterative import ToyNewton

import limbik as lk
from limbik import methods

PLANAR = lk.load("planar2_guez")


def test_the_configuration_of_the_target_is_found():
    rng = np.random.default_rng(1)
    for _ in range(50):
        q = PLANAR.sample(rng)
        T = PLANAR.forward(q)
        answer = PLANAR.solve(T, seed=q, method="toy_planar")
        assert answer.ok and answer.method == "toy_planar" and np.abs(PLANAR.forward(answer.q) - T).max() < 1e-8
        assert PLANAR.solve(T, seed=q, method="toy_planar", branch=0).branch == 0


def test_the_proof_and_the_closest_configuration_are_the_answer():
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
    """A method that yields wrong candidates and a false proof."""

    name = "liar"
    title = "a liar"
    family = "toy"

    def prepare(self, model, options):
        """Return the solver."""
        return LiarSolver()


class LiarSolver(methods.Solver):
    """Yields no solution."""

    name = "liar"

    def candidates(self, query: methods.Query) -> Iterator[methods.Candidate]:
        """Yield numbers."""
        yield methods.Candidate(np.zeros(6))
        yield methods.Candidate(np.full(6, np.nan))
        yield methods.Candidate(np.full(6, 1e9))

    def proof(self, query: methods.Query) -> methods.Proof:
        """Return a false proof."""
        return methods.Proof(lk.Status.OUT_OF_REACH, "because")


def test_wrong_candidates_and_contradicted_proofs_are_discarded():
    arm = lk.load("ur5")
    T = arm.forward(arm.home + 0.3)
    answer = arm.solve(T, method=Liar())
    assert answer.status == lk.Status.NOT_FOUND and not answer.ok and "one exists" in answer.why


@dataclass(frozen=True)
class Boaster(methods.Method):
    """A method that yields given answers: for another target, without limits, or with a false status."""

    name = "boaster"
    title = "a boaster"
    family = "toy"
    goals = ("*",)

    answers: tuple = ()

    def prepare(self, model, options):
        """Return the solver."""
        return BoasterSolver(self.answers)


@dataclass(frozen=True, eq=False)
class BoasterSolver(methods.Solver):
    """Answers as they were given."""

    answers: tuple
    name: str = "boaster"

    def candidates(self, query: methods.Query) -> Iterator[object]:
        """Yield them."""
        yield from self.answers


def test_an_answer_of_a_foreign_method_is_a_candidate_like_any_other():
    arm = lk.load("ur5")
    T, elsewhere = arm.forward(arm.home + 0.3), arm.forward(arm.home - 0.5)
    far = np.array(T)
    far[:3, 3] *= 100
    wrong, refused = arm.solve(elsewhere), arm.solve(far)
    assert wrong.ok and refused.status == lk.Status.OUT_OF_REACH
    for lies in ((wrong,), (refused,), (refused, wrong)):
        answer = arm.solve(T, method=Boaster(lies))
        assert answer.status == lk.Status.NOT_FOUND and "one exists" in answer.why, lies
    right = arm.solve(T)
    answer = arm.solve(T, method=Boaster((refused, wrong, right)))
    assert answer.ok and np.array_equal(answer.q, right.q) and answer.method == "boaster"


def test_a_foreign_answer_outside_the_limits_is_none():
    arm = lk.load("ur5").with_limits(upper=0.1)
    T = arm.forward(arm.lower + 0.3)
    outside = [a for a in arm.solve_all(T, limits=False) if not arm.within_limits(a.q)]
    assert outside and all(a.ok for a in outside)
    assert arm.solve(T, method=Boaster(tuple(outside))).status == lk.Status.NOT_FOUND
    assert arm.solve(T, method=Boaster(tuple(outside)), limits=False).ok


def test_all_goals_are_checked_and_frozen_joints_stay():
    arm = lk.load("panda")
    start = arm.home
    q = arm.clamp(start + 0.2)
    point = lk.Position(None, arm.forward(q)[:3, 3])
    gaze = lk.LookAt(None, arm.forward(q)[:3] @ [0, 0, 1, 1])
    both = methods.Candidate(q)
    one = methods.Candidate(arm.solve(point, seed=start).q)
    assert arm.solve([point, gaze], seed=start, method=Boaster((both,))).ok
    assert not arm.solve([point, gaze], seed=start, method=Boaster((one,))).ok
    assert arm.solve([point, gaze], seed=start, method=Boaster((one, both))).q.tolist() == q.tolist()
    moved = arm.solve(arm.forward(q), seed=start, method=Boaster((both,)), frozen={arm.joint_names[0]: start[0]})
    assert not moved.ok
    kept = arm.solve(arm.forward(q), seed=q, method=Boaster((both,)), frozen=[arm.joint_names[0]])
    assert kept.ok and kept.method == "boaster"


@pytest.mark.parametrize("kind", [lk.model.Kind.BALL, lk.model.Kind.FLOATING])
def test_numbers_of_balls_and_floating_joints_have_no_copies(kind):
    links = [lk.model.Link(name) for name in "abc"]
    there = lk.pose((0.4, 0.0, 0.0))
    joints = [
        lk.model.Joint("j", kind, "a", "b"),
        lk.model.Joint("k", lk.model.Kind.REVOLUTE, "b", "c", there, (0, 0, 1), -1, 1),
    ]
    arm = lk.Chain(lk.model.Mechanism("one", links, joints))
    q = np.full(arm.n, 0.3)
    q[:-1] += np.linspace(0.0, 0.2, arm.n - 1)
    far = np.full(arm.n, 5.0)
    answer = arm.solve(arm.forward(q), seed=far, method=Boaster((methods.Candidate(q),)))
    assert answer.ok and np.abs(answer.q - q).max() < 1e-12, answer.why


def test_settings_are_fields_and_texts():
    arm = lk.load("ur5")
    T, seed = arm.forward(arm.home + 0.3), arm.home
    by_object = lk.methods.trace(arm, T, seed, ToyNewton(largest=0.05))
    by_text = lk.methods.trace(arm, T, seed, "toy_newton:largest=0.05")
    assert np.array_equal(by_object.q, by_text.q) and len(by_object) > len(lk.methods.trace(arm, T, seed, "toy_newton"))
    assert arm.solve(T, seed, "dls:damping=0.05").ok and arm.solve(T, seed, methods.Dls(damping=0.05)).ok
    for text, word in (
        ("dls:dampin=1", "damping"),
        ("dls:damping", "damping"),
        ("dls:damping=x", "a value like"),
        ("dls:steps=1e9", "a value like"),
        ("dls:damping=nan", "a value like"),
        ("dls:", "damping"),
        ("dls:damping=0.1,", "damping"),
        ("dls:damping=0.1,damping=0.1", "twice"),
    ):
        with pytest.raises(lk.BadOption, match=word):
            arm.solve(T, seed, text)
    with pytest.raises(lk.BadOption, match="is not iterative"):
        lk.methods.trace(arm, T, seed, "lm")


def test_a_name_is_taken_once():
    with pytest.raises(lk.BadOption, match="already"):
        methods.register(ToyPlanar())
    with pytest.raises(lk.BadOption, match="no Method"):
        methods.register("bfgs")
