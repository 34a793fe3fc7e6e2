"""Methods from outside that are wrong, by mistake or on purpose, cannot produce wrong answers."""

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
from limbik.solvers.registry import ROWS

ARM = lk.load("ur5")
Q = ARM.home + 0.3
T = ARM.forward(Q)
FAR = T.copy()
FAR[:3, 3] *= 100


@dataclass(frozen=True, eq=False)
class Foreign(methods.Method):
    """A method whose candidates and proof are given."""

    name = "foreign"
    title = "a method from outside"
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


def test_a_foreign_proof_is_discarded_for_a_branch_and_after_the_deadline():
    proof = Proof(lk.Status.OUT_OF_REACH, "because")
    for answer in ARM.solve_all(T):
        found = ARM.solve(T, branch=answer.branch, method=Foreign(proof=proof))
        assert found.status == lk.Status.NOT_FOUND and "because" not in found.why
    panda, rng = lk.load("panda"), np.random.default_rng(3)
    for target in panda.forward(panda.sample(rng, 50)):
        found = panda.solve(target, method=Foreign(proof=proof), seconds=1e-7)
        assert found.status == lk.Status.NOT_FOUND, found.why


def test_a_reused_buffer_does_not_change_an_answer():
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
    """An iterative method that moves the target to its own tip."""

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


def test_endless_candidates_end_at_the_deadline():
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


def test_invalid_names_and_candidates():
    for name in (5, None, "", "a:b", "a,b", " "):
        kind = type("Odd", (Foreign,), {"name": name})
        with pytest.raises(lk.BadOption, match="the name of a method is a word"):
            methods.register(kind())
    with pytest.raises(lk.BadOption, match=r"yields a Candidate\(q\)"):
        ARM.solve(T, method=Foreign(lambda query: iter([Q])))
    for seeds in (np.zeros((2, 6)), np.zeros((5, 6)), np.zeros(5)):
        with pytest.raises(lk.ShapeError):
            ARM.solve_batch([T, T, T], seeds, method="dls")


def test_a_branch_is_that_of_the_configuration():
    every = ARM.solve_all(T)
    assert len(every) > 2
    lists_all = Foreign(lambda query: (Candidate(a.q) for a in every))
    for wanted in every:
        found = ARM.solve(T, branch=wanted.branch, method=lists_all)
        assert found.ok and found.branch == wanted.branch
        assert np.abs(ARM.forward(found.q) - T).max() < 1e-8
        assert (wanted.branch, True) in [(a.branch, bool(np.abs(a.q - found.q).max() < 1e-6)) for a in every]
        others = [a.q for a in every if a.branch != wanted.branch]
        assert not ARM.solve(T, branch=wanted.branch, method=Foreign(lambda query, qs=others: map(Candidate, qs))).ok


@pytest.mark.parametrize("name", ["iiwa7", "panda"])
def test_a_branch_of_a_redundant_arm_is_that_of_the_configuration(name):
    arm, rng = lk.load(name), np.random.default_rng(5)
    for q in arm.sample(rng, 20):
        target = arm.forward(q)
        own = [b for b in range(len(arm.branch_names))
               if arm.solve(target, branch=b, method=Foreign(lambda query, q=q: iter([Candidate(q)]))).ok]  # fmt: skip
        assert len(own) == 1, (name, q, own)


@pytest.mark.parametrize("branch", [-1, 8, True, 1.0, "0", None, [0]])
def test_an_invalid_branch_is_refused(branch):
    if branch is None:
        with pytest.raises(lk.BadOption, match="needs a closed form"):
            lk.load("jaco2").solve(lk.load("jaco2").forward(np.ones(6)), branch=0, method=Foreign())
        return
    with pytest.raises(lk.BadOption, match="branch="):
        ARM.solve(T, branch=branch, method=Foreign())


def test_options_that_contradict_goals_are_refused_for_every_method():
    goal = lk.Position(None, T[:3, 3])
    for method in (None, "lm", "dls", "mmc", Foreign()):
        for options in ({"position_tolerance": 1e-3}, {"rotation_tolerance": 1e-3}, {"weights": (1, 1)}, {"branch": 0}):
            with pytest.raises(lk.BadOption):
                ARM.solve(goal, method=method, **options)


@pytest.mark.parametrize("method", ["dls", "bfgs", "mmc", "lm", "fabrik"])
def test_a_goal_gives_the_answer_of_a_goal_by_every_method(method):
    near, far = (lk.Position(None, point) for point in (T[:3, 3], FAR[:3, 3]))
    found, lost = ARM.solve(near, method=method), ARM.solve(far, method=method)
    assert isinstance(found, lk.GoalAnswer) and found.ok and found.method == method and found.position_error < 1e-8
    assert isinstance(lost, lk.GoalAnswer) and lost.status == lk.Status.OUT_OF_REACH and lost.position_error > 1
    if method != "lm" and method != "mmc":
        with pytest.raises(lk.BadOption, match="required"):
            ARM.solve(lk.Position(None, T[:3, 3], weight=0), method=method)


@pytest.mark.parametrize("name", [name for name in ROWS if name not in ("table", "neural", "praxis")])
def test_a_row_of_a_batch_is_the_single_answer(name):
    Ts = np.array([*ARM.forward(ARM.sample(np.random.default_rng(8), 3)), FAR])
    rows = ARM.solve_batch(Ts, method=name)
    for k, target in enumerate(Ts):
        one = ARM.solve(target, method=name)
        assert rows[k] == one and rows[k].why == one.why, (one, rows[k])
    assert rows[[3, 0]][1].why == rows[0].why and rows[-2:][0].why == rows[2].why
    noted = Foreign(lambda query: iter([Candidate(Q, tried=3, note="by hand")]))
    assert (
        ARM.solve_batch([T], method=noted)[0].why
        == ARM.solve(T, method=noted).why
        == "solved by foreign from the seed: by hand"
    )


def test_a_method_that_never_stops_is_stopped():
    def endless(query):
        while True:
            yield Candidate(Q)

    assert ARM.solve(T, method=Foreign(endless), prefer=lambda q: 0.0).ok
    assert ARM.solve(T, method=Foreign(endless), valid=lambda q: False).status == lk.Status.BLOCKED


@pytest.mark.parametrize(
    "yields, words",
    [
        (lambda query: None, "yields candidates"),
        (lambda query: 5, "yields candidates"),
        (lambda query: iter([Candidate(None)]), "must be numbers"),
        (lambda query: iter([Candidate("abc")]), "must be numbers"),
        (lambda query: iter([Candidate([[1], [2, 3]])]), "must be numbers"),
        (lambda query: iter([Candidate(np.zeros(3))]), "shape"),
        (lambda query: iter([Candidate(Q, attempt="x")]), "attempt"),
        (lambda query: iter([Candidate(Q, tried=-1)]), "tried"),
        (lambda query: iter([Candidate(Q, steps=2**40)]), "steps"),
        (lambda query: iter([Candidate(Q, note=None)]), "note"),
    ],
)
def test_invalid_candidates_are_named(yields, words):
    with pytest.raises(lk.LimbikError, match=words):
        ARM.solve(T, method=Foreign(yields))


def test_invalid_proofs_and_solvers_are_named():
    for proof in ("because", (lk.Status.LIMITS,), Proof(lk.Status.LIMITS, 5)):
        with pytest.raises(lk.BadOption, match="Proof"):
            ARM.solve(T, method=Foreign(proof=proof))

    class Empty(Foreign):
        def prepare(self, model, options):
            return None

    with pytest.raises(lk.BadOption, match="returns a Solver"):
        ARM.solve(T, method=Empty())


@dataclass(frozen=True)
class Adjustable(Foreign):
    """A method with settings of several types."""

    mode: str = "fast"
    start: Any = None
    often: bool = False


def test_settings_of_other_types():
    given = Adjustable.from_text("mode=slow,often=True")
    assert given.mode == "slow" and given.often is True
    for text, words in (
        ("start=3", "cannot be given as text"),
        ("often=yes", "a value like"),
        ("yields=3", "cannot be"),
    ):
        with pytest.raises(lk.BadOption, match=words):
            Adjustable.from_text(text)


def test_a_chain_without_joints_has_answers():
    links = [lk.model.Link("a"), lk.model.Link("b")]
    still = lk.Chain(lk.model.Mechanism("still", links, [lk.model.Joint("j", lk.model.Kind.FIXED, "a", "b")]))
    for name in ("dls", "bfgs", "ccd", "sqp", "mmc", "lm"):
        assert still.solve(np.eye(4), method=name).ok, name
        assert not still.solve(lk.pose((0, 0, 1)), method=name).ok, name


def test_goals_are_not_rows_of_a_batch():
    for given in ([lk.Position(None, T[:3, 3])], {"tool0": T}, iter([T])):
        with pytest.raises(lk.BadOption, match="an array of poses"):
            ARM.solve_batch(given)
