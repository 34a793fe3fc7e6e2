"""The rows of `limbik solve --all`: postures inside the limits, then postures outside, with the violated limits."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik._core import Answers
from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.solvers.answers import SAME_POSTURE


@dataclass(frozen=True)
class Breach:
    """A violated joint limit: the joint (from 0), "lower" or "upper", and the excess [rad, m]."""

    joint: int
    limit: str
    by: float


@dataclass(frozen=True, eq=False)
class Posture:
    """One row of the table. farthest: the joint (from 0) farthest from the seed; distance: its difference [rad, m]."""

    q: Array
    branch: int | None
    name: str
    swivel: float | None
    farthest: int
    distance: float
    family: bool
    double: bool
    breaches: tuple[Breach, ...]
    position_error: float
    rotation_error: float


@dataclass(frozen=True)
class Wanted:
    """The query for every target: the options of `Chain.solve_all`."""

    arm: Chain
    seed: Any
    limits: bool
    swivel: Any
    turns: str

    @property
    def start(self) -> Array:
        """The seed for distances."""
        return np.asarray(self.arm.home if self.seed is None else self.seed)

    def answers(self, T: Any) -> Answers:
        """Return the result of `Chain.solve_all`."""
        return self.arm.solve_all(T, self.seed, limits=self.limits, turns=self.turns, swivel=self.swivel)

    def outside(self, answers: Answers) -> list[Posture]:
        """Return the postures that violate a limit and are therefore not among the answers.

        For an arm with a swivel, one posture represents each branch that is outside the limits at every swivel, or at the
        given one.
        """
        if not self.limits:
            return []
        arm = self.arm
        chosen = has_swivel(arm) and (self.swivel is None or isinstance(self.swivel, str))
        free = arm.solve_all(answers.target, self.seed, limits=False, swivel=None if chosen else self.swivel)
        found = []
        for k, posture in enumerate(described(self, free)):
            same_branch = answers.branches == free.branches[k]
            if chosen:
                known = bool(same_branch.any())
            else:
                gap = answers.q - posture.q
                gap = np.abs(np.where(arm.model.revolute, np.remainder(gap + np.pi, TURN) - np.pi, gap))
                known = bool(((gap <= SAME_POSTURE).all(axis=1) | (same_branch & answers.families)).any())
            if not known and posture.breaches:
                found.append(posture)
        return found


def described(wanted: Wanted, answers: Answers) -> Iterator[Posture]:
    """Yield each answer as a row."""
    names, start = wanted.arm.branch_names, wanted.start
    for k, q in enumerate(answers.q):
        breaches: tuple[Breach, ...] = ()
        if not wanted.arm.within_limits(q):
            q = nearest_turns(wanted.arm, q, start)
            breaches = tuple(_breaches(wanted.arm, q))
        branch = int(answers.branches[k])
        gap = np.abs(q - start)
        yield Posture(
            q=q,
            branch=branch if branch >= 0 else None,
            name=names[branch] if 0 <= branch < len(names) else "",
            swivel=None if answers.swivels is None else float(answers.swivels[k]),
            farthest=int(gap.argmax()),
            distance=float(gap.max()),
            family=bool(answers.families[k]),
            double=bool(answers.doubled[k]),
            breaches=breaches,
            position_error=float(answers.position_error[k]),
            rotation_error=float(answers.rotation_error[k]),
        )


def nearest_turns(arm: Chain, q: Array, seed: Array) -> Array:
    """Return q with each revolute joint shifted by 2 pi multiples: inside the limits nearest the seed, else least outside."""
    moved = np.array(q)
    for j in np.flatnonzero(arm.model.revolute):
        first, last = np.ceil((arm.lower[j] - q[j]) / TURN), np.floor((arm.upper[j] - q[j]) / TURN)
        if first <= last:
            moved[j] += TURN * np.clip(np.round((seed[j] - q[j]) / TURN), first, last)
            continue
        above, below = q[j] + TURN * first, q[j] + TURN * last
        moved[j] = above if above - arm.upper[j] < arm.lower[j] - below else below
    return moved


def _breaches(arm: Chain, q: Array) -> Iterator[Breach]:
    for j, (x, low, high) in enumerate(zip(q, arm.lower, arm.upper, strict=True)):
        if x < low:
            yield Breach(j, "lower", float(low - x))
        elif x > high:
            yield Breach(j, "upper", float(x - high))


def has_swivel(arm: Chain) -> bool:
    """Return whether the arm has a swivel: an elbow that moves while the tip is fixed."""
    return arm.redundancy is not None and arm.redundancy.kind == "swivel"
