"""All postures (configurations) of a target: collected from attempts, extended by 2-pi copies, and in batches."""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import limbik.solvers.answer  # noqa: F401  the sentences of the core
from limbik._core import Answers, PoseSolver, Status
from limbik.errors import BadOption
from limbik.geometry.angles import TURN, wrap
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import ManyAnswers

# Postures closer than this, modulo 2 pi, are the same [rad, or fractions of the reach].
SAME_POSTURE = 1e-6
# Redundant chains without closed form: number of listed postures, and of candidates they are chosen from.
SAMPLED, SAMPLED_FROM = 16, 64
# Largest number of 2-pi copies that is listed.
MOST_COPIES = 100_000


def collect(solver: PoseSolver, T: Any, seed: Any, revolute: npt.NDArray[np.bool_], scale: float) -> Answers:
    """Return the distinct postures that all attempts find. Starts are many, but completeness is not proven.

    revolute: (n,) which joints are revolute. scale: the unit of prismatic joints [m]. Without a solution the status is NOT_FOUND,
    never OUT_OF_REACH.
    """
    answer = solver.solve(T, seed, 0, math.inf, False)
    found: list[Any] = []
    first = answer
    while answer.ok:
        if not any(_same(answer.q, other.q, revolute, scale) for other in found):
            found.append(answer)
        answer = solver.solve(T, seed, answer.attempt + 1, math.inf, False)
    k = len(found)
    status = Status.SOLVED if found else Status(first.code)
    return Answers(np.array([a.q for a in found]).reshape(k, len(first.q)), np.full(k, -1), np.zeros(k), np.zeros(k),
                   [a.position_error for a in found], [a.rotation_error for a in found], None, int(status), first.target,
                   "lm", 0, "")  # fmt: skip


def spread_sample(solver: PoseSolver, T: Any, seed: Any, revolute: npt.NDArray[np.bool_], scale: float) -> Answers:
    """Return well-separated postures of a redundant chain: the closest to the seed, then each farthest from those chosen.

    revolute: (n,) which joints are revolute. scale: the unit of prismatic joints [m]. All are verified. They are a sample of an
    infinite set.
    """
    answer = first = solver.solve(T, seed, 0, math.inf, False)
    found: list[Any] = []
    while answer.ok and len(found) < SAMPLED_FROM:
        found.append(answer)
        answer = solver.solve(T, seed, answer.attempt + 1, math.inf, False)
    if not found:
        return collect(solver, T, seed, revolute, scale)
    q = np.array([a.q for a in found])
    chosen = [0]
    distance = np.full(len(q), np.inf)  # from the closest chosen posture
    while len(chosen) < SAMPLED:
        distance = np.minimum(distance, _gaps(q, q[chosen[-1]], revolute, scale))
        if distance.max() <= SAME_POSTURE:
            break
        chosen.append(int(distance.argmax()))
    k = len(chosen)
    return Answers(q[chosen], np.full(k, -1), np.ones(k), np.zeros(k), [found[i].position_error for i in chosen],
                   [found[i].rotation_error for i in chosen], None, int(Status.SOLVED), first.target, "lm", 0,
                   f"a sample of {k} postures by lm; the arm is redundant and has infinitely many: solve(T, seed=q) gives the "
                   f"closest one to q, with_frozen({{joint: value}}) fixes a joint")  # fmt: skip


def _gaps(q: Array, to: Array, revolute: npt.NDArray[np.bool_], scale: float) -> Array:
    """Return the largest joint difference from a posture, modulo 2 pi: (k, n) -> (k,)."""
    gap = np.where(revolute, np.abs(wrap(q - to)), np.abs(q - to) / scale)
    return np.asarray(gap.max(axis=1, initial=0.0))


def _same(a: Array, b: Array, revolute: npt.NDArray[np.bool_], scale: float) -> bool:
    return bool(_gaps(a[None], b, revolute, scale)[0] <= SAME_POSTURE)


def with_all_turns(answers: Answers, lower: Array, upper: Array, revolute: npt.NDArray[np.bool_]) -> Answers:
    """Return the answers with all 2-pi copies inside the limits. Raises BadOption."""
    if any(revolute & ~(np.isfinite(lower) & np.isfinite(upper))):
        raise BadOption(
            "turns='all' would give infinitely many postures: a revolute joint has no limits; give it some by with_limits"
        )
    rows: list[Array] = []
    source: list[int] = []
    for k, q in enumerate(answers.q):
        choices = []
        for j, x in enumerate(q):
            if revolute[j]:
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
    """Return several answers to one target as one, solved if any of them is."""
    first = parts[0]
    best = min(parts, key=lambda p: p.status != Status.SOLVED)

    def concatenated(name: str) -> Any:
        return np.concatenate([getattr(p, name) for p in parts])

    swivels = None if first.swivels is None else concatenated("swivels")
    return Answers(concatenated("q"), concatenated("branches"), concatenated("families"), concatenated("doubled"),
                   concatenated("position_error"), concatenated("rotation_error"), swivels, int(best.status), first.target,
                   first.method, sum(p.outside for p in parts), "" if best.ok else best.why)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class BatchAnswers(ManyAnswers, Record):
    """All postures of N targets. Its arrays are read-only.

    q: (N, most, n), NaN past `count`. count: (N,) postures inside the limits; outside: (N,) further ones outside.
    branches: (N, most), -1 past `count`. families: (N, most). open: (N,) whether a self-motion manifold was found and not
    searched completely: if none of its members is inside the limits, that is not proven.
    """

    q: Array
    count: npt.NDArray[np.int32]
    outside: npt.NDArray[np.int32]
    branches: npt.NDArray[np.int32]
    families: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]

    @property
    def status(self) -> npt.NDArray[np.uint8]:
        """(N,) SOLVED; LIMITS if every posture violates a limit; OUT_OF_REACH if there is none; NOT_FOUND if unproven."""
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
