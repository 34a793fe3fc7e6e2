"""Beyond three joints: the later vector form, the equivalent point form, n segments in space, and cones.

"The system ... can be adapted to manipulators of higher dimensions" (section 1). Targets in space are the tips of random
postures, and starts are random too. A target is reached within 0.01 n / 3 segments, which is 0.01 for three segments. FABRIK is
shown beside it: it makes the same corrections sequentially.
"""

import math

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, at_most
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
    """Return the cycles to the worst of the nine targets by the vector form with a weight, from the comfortable start."""
    net, form = network(), VectorForm(LENGTHS, weight)
    points = net.points(net.directions(COMFORTABLE))
    worst = 0.0
    for target in targets():
        desired = net.points(net.directions(target.posture))
        given = (
            {(0, 3): target.place}
            if problem == INVERSE
            else {(k, k + 1): desired[k + 1] - desired[k] for k in range(3)}
        )
        run = form.run(points, given, HELD)
        tips = run.tips() if problem == INVERSE else run.vectors[:, 0, 3]
        worst = max(worst, cycles_to_reach(np.linalg.norm(tips - target.place, axis=1)))
        segments = run.segments()[-1]
        points = np.concatenate([np.zeros((1, 2)), np.cumsum(segments, axis=0)])
    return worst


def largest_difference(rng: np.random.Generator) -> float:
    """Return the largest difference between point form and vector form, over some cycles of planar and spatial arms."""
    worst = 0.0
    for n in range(2, 9):
        for dimension in (2, 3):
            lengths = rng.uniform(0.5, 1.5, n).tolist()
            points = PointForm.chain(lengths, dimension=dimension)
            start, tip = points.posture(rng.normal(size=(n, dimension))), rng.normal(size=dimension)
            run = np.array(VectorForm(lengths).run(start, {(0, n): tip}, SAME_CYCLES).vectors)
            run[0, 0, n], run[0, n, 0] = tip, -tip  # the input counts from the first cycle on
            mean = (run.sum(axis=2)[:, :, None] + run.sum(axis=1)[:, None]) / (
                n + 1
            )  # the vectors of the points after the next cycle
            trajectory = points.relax(
                tip, start, omega=1.0, tolerance=1e-300, cycles=SAME_CYCLES, attempts=1, finish=False, record=True
            ).course
            both = min(len(trajectory) - 1, len(mean))
            moved = trajectory[1 : both + 1]
            gap = mean[:both] - (moved[:, None, :] - moved[:, :, None])
            worst = max(worst, float(np.abs(gap).max()))
    return worst


def fabrik_rounds(points: Array, target: Array, near: float) -> float:
    """Return the number of FABRIK's rounds, each backward and forward, to a target; infinite if never."""
    p = np.array(points)
    lengths = np.linalg.norm(np.diff(p, axis=0), axis=1)

    def placed(a: Array, b: Array, length: float) -> Array:
        offset = a - b
        return np.asarray(b + offset * (length / max(float(np.linalg.norm(offset)), 1e-300)))

    for k in range(MOST):
        if float(np.linalg.norm(p[-1] - target)) < near:
            return float(k)
        p[-1] = target
        for i in range(len(p) - 2, -1, -1):
            p[i] = placed(p[i], p[i + 1], lengths[i])
        p[0] = points[0]
        for i in range(1, len(p)):
            p[i] = placed(p[i], p[i - 1], lengths[i - 1])
    return math.inf


def in_space(
    n: int, rng: np.random.Generator, cone: float = math.pi, omega: float | None = None
) -> tuple[Array, Array]:
    """Return the cycles of the network and the rounds of FABRIK to random targets; infinite if never."""
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
    """Run both forms on the nine targets, and the point form and FABRIK on random targets."""
    values: dict[str, float] = {}
    for weight in WEIGHTS:
        for problem in (DIRECT, INVERSE):
            values[f"vectors {weight:g} {problem}"] = nine_by_vectors(weight, problem)
    values["same"] = largest_difference(setting.rng())
    for n in LIMBS:
        variants = {"step": in_space(n, setting.rng()), "cones": in_space(n, setting.rng(), CONE)}
        variants["plain"] = in_space(n, setting.rng(), omega=1.0)
        for variant, (cycles, rounds) in variants.items():
            _summarise(values, f"{n} {variant}", cycles)
            if len(rounds):
                _summarise(values, f"{n} fabrik", rounds)
    return Findings(values)


def _summarise(values: dict[str, float], key: str, cycles: Array) -> None:
    finite = cycles[np.isfinite(cycles)]
    values[f"{key}: reached"] = float(len(finite))
    values[f"{key}: mean"] = float(finite.mean()) if len(finite) else math.nan
    values[f"{key}: p95"] = float(np.percentile(finite, 95)) if len(finite) else math.nan


def _claims() -> tuple[Claim, ...]:
    claims = [
        Claim(f"vectors {weight:g} {problem}",
              f"vector form, d = {weight:g}, {problem}: cycles to the worst of nine targets, comfortable start",
"cycles")
        for weight in WEIGHTS
        for problem in (DIRECT, INVERSE)
    ]  # fmt: skip
    claims.append(
        Claim("same", "point form beside vector form, d = n + 1: largest difference", "segments", None, at_most(1e-12))
    )
    variants = {"step": "own step of each point", "plain": "omega = 1", "cones": "cones of 1 rad", "fabrik": "FABRIK"}
    for n in LIMBS:
        for variant, line in variants.items():
            for key, column, unit in (
                ("reached", "reached", f"of {PROBLEMS}"),
                ("mean", "mean", "cycles"),
                ("p95", "95th percentile", "cycles"),
            ):
                claims.append(
                    Claim(f"{n} {variant}: {key}", f"{n} segments in space, {line}: {column}", unit, None, None,
                          Cell("n segments in space, random problems [cycles or rounds]", f"{n} segments, {line}", column))
                )  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="vectors and points",
    claims=_claims(),
    measure=measure,
    notes=(
        "the vector form is from later papers, whose texts were not available; its equations are restated from general knowledge",
    ),
)
