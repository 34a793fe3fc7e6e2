"""Beyond three joints: the later vector form, the points that it collapses to, n segments in space, cones.

"The system ... can be adapted to manipulators of higher dimensions" (section 1). Targets in space are those of random
postures, starts are random too; an arm is there within 0.01 n / 3 of a segment, as three segments are within 0.01. FABRIK's
rounds are beside it: the same corrections, made one after the other.
"""

import math

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, at_most, exactly
from limbik.papers.cruse_steinkuehler.arm import (
    COMFORTABLE,
    DIRECT,
    INVERSE,
    LENGTHS,
    REACHED,
    cycles_to_reach,
    network,
    targets,
)
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.relaxation.point_form import PointForm
from limbik.solvers.relaxation.sockets import Ball
from limbik.solvers.relaxation.vector_form import VectorForm

LIMBS, PROBLEMS = (3, 7, 10, 20), 100
CONE = 1.0
MOST, HELD = 5000, 200
WEIGHTS = (2.0, 5.0)
SAME_CYCLES = 50


def nine_by_vectors(weight: float, problem: str) -> float:
    """Return the cycles to the worst of the nine targets, the vector form with this weight, from the comfortable start."""
    net, form = network(), VectorForm(LENGTHS, weight)
    points = net.points(net.directions(COMFORTABLE))
    worst = 0.0
    for target in targets():
        wanted = net.points(net.directions(target.posture))
        given = (
            {(0, 3): target.place} if problem == INVERSE else {(k, k + 1): wanted[k + 1] - wanted[k] for k in range(3)}
        )
        run = form.run(points, given, HELD)
        tips = run.tips() if problem == INVERSE else run.vectors[:, 0, 3]
        worst = max(worst, cycles_to_reach(np.linalg.norm(tips - target.place, axis=1)))
        segments = run.segments()[-1]
        points = np.concatenate([np.zeros((1, 2)), np.cumsum(segments, axis=0)])
    return worst


def largest_difference(rng: np.random.Generator) -> float:
    """Return by how much points and vectors differ at most, over some cycles of arms of all sizes, flat and in space."""
    worst = 0.0
    for n in range(2, 9):
        for dimension in (2, 3):
            lengths = rng.uniform(0.5, 1.5, n).tolist()
            points = PointForm.chain(lengths, dimension=dimension)
            start, tip = points.posture(rng.normal(size=(n, dimension))), rng.normal(size=dimension)
            run = VectorForm(lengths).run(start, {(0, n): tip}, SAME_CYCLES).vectors
            mean = (run.sum(axis=2)[:, :, None] + run.sum(axis=1)[:, None]) / (n + 1)  # what the next cycle begins with
            course = points.relax(
                tip, start, omega=1.0, tolerance=1e-300, cycles=SAME_CYCLES, attempts=1, finish=False, record=True
            ).course
            both = min(len(course), len(mean))
            gap = mean[:both] - (course[:both, None, :] - course[:both, :, None])
            worst = max(worst, float(np.abs(gap).max()))
    return worst


def fabrik_rounds(points: Array, target: Array, near: float) -> float:
    """Return the rounds, backward and forward, that reaching takes; infinite for never."""
    p = np.array(points)
    lengths = np.linalg.norm(np.diff(p, axis=0), axis=1)

    def drawn(a: Array, b: Array, length: float) -> Array:
        way = a - b
        return np.asarray(b + way * (length / max(float(np.linalg.norm(way)), 1e-300)))

    for k in range(MOST):
        if float(np.linalg.norm(p[-1] - target)) < near:
            return float(k)
        p[-1] = target
        for i in range(len(p) - 2, -1, -1):
            p[i] = drawn(p[i], p[i + 1], lengths[i])
        p[0] = points[0]
        for i in range(1, len(p)):
            p[i] = drawn(p[i], p[i - 1], lengths[i - 1])
    return math.inf


def in_space(
    n: int, rng: np.random.Generator, cone: float = math.pi, omega: float | None = None
) -> tuple[Array, Array]:
    """Return the cycles of the network and the rounds of FABRIK to random targets, infinite for never."""
    form = PointForm.chain([1.0] * n, sockets=Ball(cone))
    near = REACHED * n / 3
    cycles, rounds = [], []
    for _ in range(PROBLEMS):
        target, start = form.sample(rng)[-1], form.sample(rng)
        done = form.relax(target, start, tolerance=near, cycles=MOST, omega=omega, attempts=1, finish=False)
        cycles.append(float(done.cycles) if done.ok else math.inf)
        if cone == math.pi and omega is None:
            rounds.append(fabrik_rounds(start, target, near))
    return np.array(cycles), np.array(rounds)


def measure(setting: Setting) -> Findings:
    """Run both forms."""
    values: dict[str, float] = {}
    for weight in WEIGHTS:
        for problem in (DIRECT, INVERSE):
            values[f"vectors {weight:g} {problem}"] = nine_by_vectors(weight, problem)
    values["same"] = largest_difference(setting.rng())
    for n in LIMBS:
        ways = {"step": in_space(n, setting.rng()), "cones": in_space(n, setting.rng(), CONE)}
        ways["plain"] = in_space(n, setting.rng(), omega=1.0)
        for way, (cycles, rounds) in ways.items():
            _tell(values, f"{n} {way}", cycles)
            if len(rounds):
                _tell(values, f"{n} fabrik", rounds)
    return Findings(values)


def _tell(values: dict[str, float], key: str, cycles: Array) -> None:
    there = cycles[np.isfinite(cycles)]
    values[f"{key}: reached"] = float(len(there))
    values[f"{key}: mean"] = float(there.mean()) if len(there) else math.nan
    values[f"{key}: p95"] = float(np.percentile(there, 95)) if len(there) else math.nan


def _claims() -> tuple[Claim, ...]:
    claims = [
        Claim(f"vectors {weight:g} {problem}", f"vector form, d = {weight:g}, {problem}: worst of nine, comfortable start",
              "cycles", None, {(2.0, DIRECT): at_most(20), (2.0, INVERSE): at_most(45)}.get((weight, problem)))
        for weight in WEIGHTS
        for problem in (DIRECT, INVERSE)
    ]  # fmt: skip
    claims.append(
        Claim("same", "point form beside vector form, d = n + 1: largest difference", "segments", None, at_most(1e-12))
    )
    said = {"step": "own step of each point", "plain": "omega = 1", "cones": "cones of 1 rad", "fabrik": "FABRIK"}
    for n in LIMBS:
        for way, line in said.items():
            for key, column, unit in (
                ("reached", "reached", f"of {PROBLEMS}"),
                ("mean", "mean", "cycles"),
                ("p95", "95 %", "cycles"),
            ):
                gated = n == 7 and way in ("step", "cones")
                bar = (
                    exactly(PROBLEMS)
                    if gated and key == "reached"
                    else at_most(100)
                    if gated and (way, key) == ("step", "p95")
                    else None
                )
                claims.append(
                    Claim(f"{n} {way}: {key}", f"{n} segments in space, {line}: {column}", unit, None, bar,
                          Cell("n segments in space, random problems [cycles or rounds]", f"{n} segments, {line}", column))
                )  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="vectors and points",
    claims=_claims(),
    measure=measure,
    notes=(
        "the vector form is of later papers, whose texts were not at hand: its equations are restated from what is known of them",
    ),
)
