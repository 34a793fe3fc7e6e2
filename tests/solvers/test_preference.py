"""`valid` and `prefer`: a row of a batch calls them as a single solve does, and gets the same configuration."""

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.method import Solver
from limbik.solvers.preference import Preference
from limbik.solvers.query import Query
from limbik.solvers.solve import COMPARED, choose

ARM = lk.load("puma560")
RULES = {
    "valid": {"valid": lambda q: q[0] > -0.5},
    "never": {"valid": lambda q: False},
    "always": {"valid": lambda q: True},
    "limits": {"prefer": "limits"},
    "manipulable": {"prefer": "manipulable"},
    "function": {"prefer": lambda q: -abs(q[3])},
    "both": {"valid": lambda q: q[2] < 1.0, "prefer": "limits"},
    "both, no limits": {"valid": lambda q: q[2] < 1.0, "prefer": lambda q: q[1], "limits": False},
}


@pytest.mark.parametrize("rule", RULES)
def test_a_batch_row_is_the_single_solve_bit_for_bit(rule):
    rng = np.random.default_rng(6)
    T = np.array(ARM.forward(ARM.sample(rng, 24)))
    T[::6, :3, 3] *= 1.4  # some cannot be reached
    seeds = ARM.sample(rng, 24)
    for given in (None, seeds[0], seeds):
        batch = ARM.solve_batch(T, given, threads=2, **RULES[rule])
        for k, answer in enumerate(batch):
            assert answer == ARM.solve(T[k], given if given is None or given.ndim == 1 else given[k], **RULES[rule])
    assert batch.ok.any() != (rule == "never")


def test_solved_postures_are_valid_and_refused_ones_are_blocked():
    rng = np.random.default_rng(7)
    T = ARM.forward(ARM.sample(rng, 200))
    right = ARM.solve_batch(T, valid=lambda q: q[0] > 0)
    assert (right.q[right.ok][:, 0] > 0).all() and right.ok.mean() > 0.5
    assert set(right.status) == {lk.Status.SOLVED, lk.Status.BLOCKED}
    blocked = right[right.status == lk.Status.BLOCKED]
    assert (blocked.attempt == -1).all() and (blocked.position_error < 1e-8).all() and "refused" in blocked[0].why
    everywhere = ARM.solve_batch(T)
    assert (everywhere.q[everywhere.ok][:, 0] <= 0).any()  # so the rule did choose


def test_the_preferred_posture_is_at_least_as_good_as_the_first():
    T = ARM.forward(ARM.sample(np.random.default_rng(9), 60))
    first = ARM.solve_batch(T)
    for prefer, score in {
        "limits": lambda q: np.minimum(q - ARM.lower, ARM.upper - q).min(
            axis=-1, where=np.isfinite(ARM.upper), initial=9
        ),
        "manipulable": lambda q: np.linalg.svd(ARM.jacobian(q), compute_uv=False).min(axis=-1),
        lambda q: q[4]: lambda q: q[..., 4],
    }.items():
        best = ARM.solve_batch(T, prefer=prefer)
        assert best.ok.all() and ARM.within_limits(best.q).all()
        if prefer != "limits":  # that score is relative to each joint's range
            assert (score(best.q) >= score(first.q)).all()
        assert (score(best.q) > score(first.q)).any()


def test_refusals_reach_the_caller_of_a_batch():
    T = np.stack([ARM.forward(ARM.home)] * 2)
    for options, words in [
        ({"valid": 3}, "function"),
        ({"valid": lambda q: q > 0}, "True or False"),
        ({"prefer": "best"}, "prefer"),
        ({"prefer": lambda q: None}, "number"),
        ({"prefer": lambda q: np.nan}, "number"),
        ({"branch": 8}, "from 0 to 7"),
        ({"branch": 1, "method": "lm"}, "closed form"),
        ({"method": "magic"}, "no method"),
    ]:
        with pytest.raises(lk.BadOption, match=words):
            ARM.solve_batch(T, **options)
        with pytest.raises(lk.BadOption, match=words):
            ARM.solve(T[0], **options)

    def broken(q):
        raise ZeroDivisionError("theirs")

    with pytest.raises(ZeroDivisionError, match="theirs"):
        ARM.solve_batch(T, valid=broken)


def test_functions_are_not_called_for_marked_rows():
    T = np.stack([ARM.forward(ARM.home), np.full((4, 4), np.nan)])
    asked = []
    batch = ARM.solve_batch(T, invalid="mark", valid=lambda q: bool(asked.append(q)) or True)
    assert batch.status.tolist() == [lk.Status.SOLVED, lk.Status.INVALID] and len(asked) == 1


def solution(attempt):
    return lk.Answer(np.array([float(attempt)]), 0, attempt, attempt + 1, 0.0, 0.0, np.eye(4), "lm", "")


def nothing(attempt):
    return lk.Answer(np.zeros(1), int(lk.Status.NOT_FOUND), -1, 256, 0.0, 0.0, np.eye(4), "lm", "")


class Listed(Solver):
    """A solver that yields what it is given."""

    name = "lm"
    trusted = True

    def __init__(self, answers):
        self.answers = answers

    def candidates(self, query):
        """Yield the answers."""
        return iter(self.answers)


def picked(preference, answers):
    return choose(ARM.model, Listed(answers), Query(np.eye(4), preference=preference))


def test_valid_is_called_for_a_late_first_solution_too():
    late = COMPARED + 10
    blocked = picked(Preference(lambda q: False, lambda q: 0.0), [solution(late), nothing(late + 1)])
    assert blocked.status == lk.Status.BLOCKED and blocked.tried == 256
    assert picked(Preference(lambda q: True, lambda q: 0.0), [solution(late), nothing(late + 1)]) == solution(late)


def test_valid_is_called_once_per_posture():
    asked = []

    def valid(q):
        asked.append(q[0])
        return q[0] >= COMPARED + 2

    chosen = picked(Preference(valid, lambda q: q[0]), map(solution, range(256)))
    assert chosen == solution(COMPARED + 2) and len(asked) == len(set(asked)) == COMPARED + 3
