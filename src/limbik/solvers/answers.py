"""All postures: collected from attempts where there is no closed form, multiplied by whole turns, and in batches."""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import Answers, PoseSolver, Status
from limbik.errors import BadOption
from limbik.geometry.angles import TURN, wrap
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.truth import JudgedRows

# Postures nearer than this, modulo whole turns, are one [rad, or parts of the reach].
SAME_POSTURE = 1e-6
# Postures of a redundant chain without closed form: how many are listed, and from how many they are chosen.
SAMPLED, SAMPLED_FROM = 16, 64
# More copies by whole turns than this are not listed.
MOST_COPIES = 100_000


def collect(solver: PoseSolver, T: Any, seed: Any, turns: npt.NDArray[np.bool_], scale: float) -> Answers:
    """Return the distinct postures that all attempts find: every one there is, as far as many starts can tell.

    turns: (n,) which joints turn. Not proven complete: the status is never OUT_OF_REACH by this, only NOT_FOUND.
    """
    answer = solver.solve(T, seed, 0, math.inf, False)
    found: list[Any] = []
    first = answer
    while answer.ok:
        if not any(_same(answer.q, other.q, turns, scale) for other in found):
            found.append(answer)
        answer = solver.solve(T, seed, answer.attempt + 1, math.inf, False)
    k = len(found)
    status = Status.SOLVED if found else Status(first.code)
    return Answers(np.array([a.q for a in found]).reshape(k, len(first.q)), np.full(k, -1), np.zeros(k), np.zeros(k),
                   [a.position_error for a in found], [a.rotation_error for a in found], None, int(status), first.target,
                   "lm", 0, "")  # fmt: skip


def spread_sample(solver: PoseSolver, T: Any, seed: Any, turns: npt.NDArray[np.bool_], scale: float) -> Answers:
    """Return postures of a redundant chain that lie far apart: the nearest to the seed, then the farthest from those chosen.

    turns: (n,) which joints are revolute. Verified; a sample of an endless set.
    """
    answer = first = solver.solve(T, seed, 0, math.inf, False)
    found: list[Any] = []
    while answer.ok and len(found) < SAMPLED_FROM:
        found.append(answer)
        answer = solver.solve(T, seed, answer.attempt + 1, math.inf, False)
    if not found:
        return collect(solver, T, seed, turns, scale)
    q = np.array([a.q for a in found])
    chosen = [0]
    apart = np.full(len(q), np.inf)
    while len(chosen) < SAMPLED:
        apart = np.minimum(apart, _gaps(q, q[chosen[-1]], turns, scale))
        if apart.max() <= SAME_POSTURE:
            break
        chosen.append(int(apart.argmax()))
    k = len(chosen)
    return Answers(q[chosen], np.full(k, -1), np.ones(k), np.zeros(k), [found[i].position_error for i in chosen],
                   [found[i].rotation_error for i in chosen], None, int(Status.SOLVED), first.target, "lm", 0,
                   f"a sample of {k} postures by lm; the arm is redundant and has endlessly many: solve(T, seed=q) gives the "
                   f"one near q, with_frozen({{joint: value}}) holds a joint")  # fmt: skip


def _gaps(q: Array, to: Array, turns: npt.NDArray[np.bool_], scale: float) -> Array:
    """Return the largest difference of any joint from a posture, modulo whole turns: (k, n) -> (k,)."""
    gap = np.where(turns, np.abs(wrap(q - to)), np.abs(q - to) / scale)
    return np.asarray(gap.max(axis=1, initial=0.0))


def _same(a: Array, b: Array, turns: npt.NDArray[np.bool_], scale: float) -> bool:
    return bool(_gaps(a[None], b, turns, scale)[0] <= SAME_POSTURE)


def with_all_turns(answers: Answers, lower: Array, upper: Array, turns: npt.NDArray[np.bool_]) -> Answers:
    """Return the answers with every copy that differs by whole turns and lies inside the limits. Raises BadOption."""
    if any(turns & ~(np.isfinite(lower) & np.isfinite(upper))):
        raise BadOption("turns='all' would be endless: a joint turns without limits; give it some by with_limits")
    rows: list[Array] = []
    source: list[int] = []
    for k, q in enumerate(answers.q):
        choices = []
        for j, x in enumerate(q):
            if turns[j]:
                first = math.ceil((lower[j] - x) / TURN - 1e-12)
                last = math.floor((upper[j] - x) / TURN + 1e-12)
                choices.append([min(max(x + TURN * m, lower[j]), upper[j]) for m in range(first, last + 1)] or [x])
            else:
                choices.append([x])
        if len(rows) + math.prod(map(len, choices)) > MOST_COPIES:
            raise BadOption(f"turns='all' gives more than {MOST_COPIES} postures; narrow the limits by with_limits")
        for copy in itertools.product(*choices):
            rows.append(np.array(copy))
            source.append(k)
    swivels = answers.swivels
    return Answers(np.array(rows).reshape(len(rows), answers.q.shape[1]), answers.branches[source], answers.families[source],
                   answers.doubled[source], answers.position_error[source], answers.rotation_error[source],
                   None if swivels is None else swivels[source], int(answers.status), answers.target, answers.method,
                   answers.outside, answers.why)  # fmt: skip


def joined(parts: list[Answers]) -> Answers:
    """Return several answers to one target as one; solved where one of them is."""
    first = parts[0]
    best = min(parts, key=lambda p: p.status != Status.SOLVED)

    def together(name: str) -> Any:
        return np.concatenate([getattr(p, name) for p in parts])

    swivels = None if first.swivels is None else together("swivels")
    return Answers(together("q"), together("branches"), together("families"), together("doubled"),
                   together("position_error"), together("rotation_error"), swivels, int(best.status), first.target,
                   first.method, sum(p.outside for p in parts), "" if best.ok else best.why)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class BatchAnswers(JudgedRows, Record):
    """All postures of N targets. Its arrays are read-only.

    q: (N, most, n), NaN past `count`. count: (N,) postures inside the limits; outside: (N,) further ones that break them.
    branches: (N, most), -1 past `count`. families: (N, most). open: (N,) whether a family was met whose members were not all
    looked at, so that where none is inside the limits, that is not proven.
    """

    q: Array
    count: npt.NDArray[np.int32]
    outside: npt.NDArray[np.int32]
    branches: npt.NDArray[np.int32]
    families: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]

    @property
    def status(self) -> npt.NDArray[np.uint8]:
        """(N,) SOLVED, LIMITS where every posture breaks a limit, OUT_OF_REACH where there is none, NOT_FOUND unproven."""
        none = np.where(self.outside > 0, int(Status.LIMITS), int(Status.OUT_OF_REACH))
        none = np.where(self.open, int(Status.NOT_FOUND), none)
        return np.where(self.count > 0, int(Status.SOLVED), none).astype(np.uint8)

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """(N,) which targets have a posture inside the limits."""
        return np.asarray(self.count > 0)

    def __len__(self) -> int:
        return len(self.count)

    def __repr__(self) -> str:
        total = int(self.count.sum())
        return f"BatchAnswers({len(self)} targets: {total} postures, {int((self.count == 0).sum())} targets without)"
