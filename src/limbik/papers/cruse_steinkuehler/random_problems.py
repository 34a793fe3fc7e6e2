"""Random problems: how often "we never found the network not to converge" fails, and why.

Postures to be completed and postures to start from are drawn at random: every joint angle from 0.8 to 2.9, bent one way, as
the principal value of an arc cosine wants it; some of them cross themselves. A second sample lets joints bend both ways.
Every run that is not within 0.01 at the end and since then is a failure, and is put under the first of these that holds:
  not convex     the posture to be completed has a corner that is bent the other way, or crosses itself: a principal arc cosine
                 cannot be negative, so such a posture is no fixed point
  short side     a diagonal is shorter than the guard, so that a law of cosines is replaced by a sum
  restless       the network goes on changing
  elsewhere      it rests at a state that is no posture, or at another posture
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, at_least, exactly
from limbik.papers.cruse_steinkuehler.arm import DIRECT, INVERSE, PROBLEMS, clamped, cycles_to_reach, errors, network
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.relaxation.angle_network import LOST, AngleNetwork

FULL, QUICK = 10_000, 250
CYCLES, IN_TIME = 400, 60
ONE_WAY, BOTH_WAYS = (0.8, 2.9), (0.8, 2 * math.pi - 0.8)
REASONS = ("not convex", "short side", "restless", "elsewhere")
PERCENT = 100.0
# A network that changes by more than this in its last cycle has not come to rest.
RESTLESS = 1e-6


@dataclass(frozen=True)
class Sample:
    """What became of random problems of one kind: cycles (infinite for never), why the failures, numbers that are not finite."""

    cycles: Array
    reasons: Counter[str]
    broken: int

    def percent(self, within: float) -> float:
        """Return how many were there within so many cycles."""
        return PERCENT * float(np.mean(self.cycles <= within))

    @property
    def fails(self) -> float:
        """How many never were there."""
        return PERCENT * float(np.mean(np.isinf(self.cycles)))


def drawn(rng: np.random.Generator, bends: tuple[float, float]) -> Array:
    """Return a random posture (alpha, beta, gamma)."""
    return np.array([rng.uniform(*ONE_WAY), *rng.uniform(*bends, 2)])


def is_convex(net: AngleNetwork, state: Array) -> bool:
    """Tell whether every corner of a state is bent one way."""
    names = net.triangles.angles
    return all(0.0 < state[k] < math.pi for k, name in enumerate(net.variables) if name in names)


def sampled(
    problem: str, count: int, rng: np.random.Generator, bends: tuple[float, float] = ONE_WAY, **settings: object
) -> Sample:
    """Run random problems of one kind."""
    net = network(**settings)
    cycles, reasons, broken = [], Counter[str](), 0
    for goal, start in _pairs(rng, count, bends):
        wanted = net.state(goal)
        begin = net.begin(start)
        known = dict(zip(net.variables, wanted.tolist(), strict=True))
        place = known["R"] * np.array([math.cos(known["rho"]), math.sin(known["rho"])])
        run = net.run(begin, clamped(net, PROBLEMS[problem], known), cycles=CYCLES, tolerance=RESTLESS / 100)
        broken += not np.isfinite(run.states).all()
        error = errors(net, run.states, problem, place)
        taken = math.inf if run.end == LOST else cycles_to_reach(error)
        cycles.append(taken)
        if math.isinf(taken):
            reasons[_reason(net, problem, wanted, begin, run.change)] += 1
    return Sample(np.array(cycles), reasons, broken)


def _pairs(rng: np.random.Generator, count: int, bends: tuple[float, float]) -> Iterator[tuple[Array, Array]]:
    for _ in range(count):
        yield drawn(rng, bends), drawn(rng, bends)


def _reason(net: AngleNetwork, problem: str, wanted: Array, begin: Array, change: Array) -> str:
    # the inverse problem may end at another posture, which can be convex
    if problem != INVERSE and not is_convex(net, wanted):
        return "not convex"
    sides = [net.variables.index(name) for name in ("D1", "D2", "R")]
    if min(wanted[sides].min(), begin[sides].min()) < net.least_side:
        return "short side"
    return "restless" if not len(change) or change[-1] > RESTLESS else "elsewhere"


KINDS = tuple(PROBLEMS)
UPDATES = ("sequential", "parallel")


def measure(setting: Setting) -> Findings:
    """Run the samples."""
    values: dict[str, float] = {}
    size = setting.size(FULL, QUICK)
    for update in UPDATES:
        for problem in KINDS:
            sample = sampled(problem, size, setting.rng(), update=update)
            values |= _figures(f"{update}, {problem}", sample)
    bent = sampled(DIRECT, size, setting.rng(), BOTH_WAYS)
    near = sampled(DIRECT, size, setting.rng(), BOTH_WAYS, branch="nearest")
    values["bent both ways, principal"] = bent.fails
    values["bent both ways, nearest"] = near.fails
    values["broken"] += bent.broken + near.broken
    return Findings(values)


def _figures(kind: str, sample: Sample) -> dict[str, float]:
    there = sample.cycles[np.isfinite(sample.cycles)]
    found = {
        f"{kind}: in time": sample.percent(IN_TIME),
        f"{kind}: fails": sample.fails,
        f"{kind}: mean": float(there.mean()) if len(there) else math.nan,
        f"{kind}: p95": float(np.percentile(there, 95)) if len(there) else math.nan,
        "broken": float(sample.broken),
    }
    return found | {f"{kind}: {reason}": PERCENT * sample.reasons[reason] / len(sample.cycles) for reason in REASONS}


def _claims() -> tuple[Claim, ...]:
    claims = []
    given = (
        ("in time", f"settled in {IN_TIME}", "%"),
        ("fails", "fails", "%"),
        ("mean", "mean", "cycles"),
        ("p95", "95 %", "cycles"),
    )
    for update in UPDATES:
        for problem in KINDS:
            kind = f"{update}, {problem}"
            for key, column, unit in given:
                gated = update == "sequential" and problem == INVERSE and key == "in time"
                claims.append(
                    Claim(f"{kind}: {key}", f"random problems, {kind}: {column} {unit}", unit,
                          0.0 if key == "fails" else None, at_least(99) if gated else None,
                          Cell("random problems [%, cycles of those that settle] (paper: no failure)", kind, column))
                )  # fmt: skip
            for reason in REASONS:
                claims.append(
                    Claim(f"{kind}: {reason}", f"random problems, {kind}: failures, {reason}", "%",
                          cell=Cell("why they fail [% of all problems]", kind, reason))
                )  # fmt: skip
    claims += [
        Claim(
            "bent both ways, principal", "direct problem, joints bent both ways, principal arc cosine: failures", "%"
        ),
        Claim("bent both ways, nearest", "direct problem, joints bent both ways, nearest arc cosine: failures", "%"),
        Claim("broken", "random problems: runs with a number that is not finite", "runs", None, exactly(0)),
    ]
    return tuple(claims)


EXPERIMENT = Experiment(
    name="random problems",
    claims=_claims(),
    measure=measure,
    notes=(
        "the paper tried nine points and a second set of angles; at random a few in a hundred of its problems do not settle, "
        "nearly all of them postures that cross themselves, and more than half of all where joints may bend both ways",
    ),
)
