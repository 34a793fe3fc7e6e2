"""Random problems: how often "we never found the network not to converge" fails, and why.

Goal postures and starts are random: every joint angle from 0.8 to 2.9, so that all joints bend in the direction of the principal
value of an arc cosine. Some of these postures cross themselves. A second sample lets joints bend in both directions. A run whose
error is not below 0.01 at the end is a failure. Its reason is the first of these that holds:
  not convex     the goal posture has a corner that is bent in the other direction, or crosses itself: a principal arc cosine
                 cannot be negative, so such a posture is not a fixed point
  short side     a diagonal is shorter than the guard, so that a sum replaces a law of cosines
  restless       the network continues to change
  elsewhere      the network is at a fixed point that is not a posture, or at another posture
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, exactly
from limbik.papers.cruse_steinkuehler.arm import DIRECT, INVERSE, KINDS, clamped, cycles_to_reach, errors, network
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.relaxation.angle_network import LOST, AngleNetwork

FULL, QUICK = 10_000, 400
CYCLES, IN_TIME = 400, 60
ONE_WAY, BOTH_WAYS = (0.8, 2.9), (0.8, 2 * math.pi - 0.8)
REASONS = ("not convex", "short side", "restless", "elsewhere")
PERCENT = 100.0
# A network that changes by more than this in its last cycle is not at a fixed point.
RESTLESS = 1e-6


@dataclass(frozen=True)
class Sample:
    """The outcome of random problems of one kind.

    cycles: to the target, infinite if never. reasons: of the failures. broken: the number of runs with values that are not
    finite.
    """

    cycles: Array
    reasons: Counter[str]
    broken: int

    def percent(self, within: float) -> float:
        """Return the share of problems that converged within a number of cycles [%]."""
        return PERCENT * float(np.mean(self.cycles <= within))

    @property
    def fails(self) -> float:
        """The share of problems that did not converge [%]."""
        return PERCENT * float(np.mean(np.isinf(self.cycles)))


def drawn(rng: np.random.Generator, bends: tuple[float, float]) -> Array:
    """Return a random posture (alpha, beta, gamma)."""
    return np.array([rng.uniform(*ONE_WAY), *rng.uniform(*bends, 2)])


def is_convex(net: AngleNetwork, state: Array) -> bool:
    """Return whether all corners of a state are bent in one direction."""
    names = net.triangles.angles
    return all(0.0 < state[k] < math.pi for k, name in enumerate(net.variables) if name in names)


def sampled(
    problem: str, count: int, rng: np.random.Generator, bends: tuple[float, float] = ONE_WAY, **settings: object
) -> Sample:
    """Run random problems of one kind. bends: the range of the joint angles."""
    net = network(**settings)
    cycles, reasons, broken = [], Counter[str](), 0
    for goal, start in _pairs(rng, count, bends):
        solution = net.state(goal)
        begin = net.begin(start)
        known = dict(zip(net.variables, solution.tolist(), strict=True))
        place = known["R"] * np.array([math.cos(known["rho"]), math.sin(known["rho"])])
        run = net.run(begin, clamped(net, problem, known), cycles=CYCLES, tolerance=RESTLESS / 100)
        broken += not np.isfinite(run.states).all()
        error = errors(net, run.states, problem, place)
        needed = math.inf if run.end == LOST else cycles_to_reach(error)
        cycles.append(needed)
        if math.isinf(needed):
            reasons[_reason(net, problem, solution, begin, run.change)] += 1
    return Sample(np.array(cycles), reasons, broken)


def _pairs(rng: np.random.Generator, count: int, bends: tuple[float, float]) -> Iterator[tuple[Array, Array]]:
    for _ in range(count):
        yield drawn(rng, bends), drawn(rng, bends)


def _reason(net: AngleNetwork, problem: str, solution: Array, begin: Array, change: Array) -> str:
    # the inverse problem may end at another posture, which can be convex
    if problem != INVERSE and not is_convex(net, solution):
        return "not convex"
    sides = [net.variables.index(name) for name in ("D1", "D2", "R")]
    if min(solution[sides].min(), begin[sides].min()) < net.least_side:
        return "short side"
    return "restless" if not len(change) or change[-1] > RESTLESS else "elsewhere"


UPDATES = ("sequential", "parallel")


def measure(setting: Setting) -> Findings:
    """Run the samples."""
    values: dict[str, float] = {}
    size = setting.size(FULL, QUICK)
    for update in UPDATES:
        for problem in KINDS:
            sample = sampled(problem, size, setting.rng(), update=update)
            values |= _values(f"{update}, {problem}", sample)
    bent = sampled(DIRECT, size, setting.rng(), BOTH_WAYS)
    near = sampled(DIRECT, size, setting.rng(), BOTH_WAYS, branch="nearest")
    values["problems"] = float(size)
    values["bent both ways, principal"] = bent.fails
    values["bent both ways, nearest"] = near.fails
    values["broken"] += bent.broken + near.broken
    return Findings(values)


def _values(kind: str, sample: Sample) -> dict[str, float]:
    finite = sample.cycles[np.isfinite(sample.cycles)]
    found = {
        f"{kind}: in time": sample.percent(IN_TIME),
        f"{kind}: fails": sample.fails,
        f"{kind}: mean": float(finite.mean()) if len(finite) else math.nan,
        f"{kind}: p95": float(np.percentile(finite, 95)) if len(finite) else math.nan,
        "broken": float(sample.broken),
    }
    return found | {f"{kind}: {reason}": PERCENT * sample.reasons[reason] / len(sample.cycles) for reason in REASONS}


def _claims() -> tuple[Claim, ...]:
    claims = []
    given = (
        ("in time", f"converged in {IN_TIME}", "%"),
        ("fails", "failures", "%"),
        ("mean", "mean", "cycles"),
        ("p95", "95th percentile", "cycles"),
    )
    for update in UPDATES:
        for problem in KINDS:
            kind = f"{update}, {problem}"
            for key, column, unit in given:
                claims.append(
                    Claim(f"{kind}: {key}", f"random problems, {kind}: {column} {unit}", unit,
                          cell=Cell("random problems [%, cycles of those that converge]", kind, column))
                )  # fmt: skip
            for reason in REASONS:
                claims.append(
                    Claim(f"{kind}: {reason}", f"random problems, {kind}: failures, {reason}", "%",
                          cell=Cell("reasons of the failures [% of all problems]", kind, reason))
                )  # fmt: skip
    claims += [
        Claim(
            "bent both ways, principal", "direct problem, joints bend both ways, principal arc cosine: failures", "%"
        ),
        Claim("bent both ways, nearest", "direct problem, joints bend both ways, nearest arc cosine: failures", "%"),
        Claim("problems", "random problems of each kind", "problems"),
        Claim("broken", "random problems: runs with numbers that are not finite", "runs", None, exactly(0)),
    ]
    return tuple(claims)


EXPERIMENT = Experiment(
    name="random problems",
    claims=_claims(),
    measure=measure,
    notes=("the paper tried nine points and a second set of angles, and prints no values here",),
)
