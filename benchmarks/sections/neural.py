"""Trained networks: how often their seeds suffice, how many steps they save, and the preference that redundant arms learn."""

from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most
from benchmarks.neural import by_chance, by_network, targets_of
from limbik.solvers.neural.choosing import manipulability
from limbik.solvers.neural.train import plan_for

ARMS = ("panda", "ur5", "iiwa7")
TARGETS, REDUNDANT = 100_000, 2000
MINUTE = 60.0


def neural(out: Path) -> list[Measurement]:
    """Measure networks of three arms, trained here; then of two redundant arms that prefer manipulability."""
    return [
        *(figure for name in ARMS for figure in _arm(name, out)),
        *_manipulable("planar3_guez", True),
        *_manipulable("iiwa7", False),
    ]


def _arm(name: str, out: Path) -> list[Measurement]:
    arm = lk.load(name)
    start = perf_counter()
    network = lk.train(arm, out / f"{name}.network", fresh=True)
    made = perf_counter() - start
    T = targets_of(arm, TARGETS)
    able = arm.with_network(network)
    found = able.solve_batch(T, method="neural")
    error = lk.pose_error(arm.forward(found.q), T)
    wrong = (np.linalg.norm(error[:, :3], axis=1) > 1e-7) | (np.linalg.norm(error[:, 3:], axis=1) > 1e-7)
    inside = ((found.q >= arm.lower) & (found.q <= arm.upper)).all(1)
    learned, chance = by_network(arm, network, T, made), by_chance(arm, T)
    first = found.ok & (found.attempt < 0) & (found.tried == 1)
    bad = int((found.ok & (wrong | ~inside)).sum() + (~found.ok).sum())
    times = f"{learned.batch * TARGETS / 1e6:.2f} s, {chance.batch * TARGETS / 1e6:.2f} s from random seeds, one thread"
    steps = f"{chance.steps:.2f} and {learned.steps:.2f} a target"
    size = f"{network.statistics['steps']} steps, {network.bytes / 1e3:.0f} KB"
    alone = f"the first start suffices for {100 * first.mean():.2f} %"
    return [
        at_most(f"{name}: training on this machine", made / MINUTE, 20, "min", size),
        at_least(f"{name}: solved from the network alone, {TARGETS} targets", 100 * learned.solved, 99.0, "%", alone),
        at_most(f"{name}: wrong answers, and targets not solved with fallback", bad, 0, "targets"),
        at_least(f"{name}: steps from random seeds / from the network", chance.steps / learned.steps, 3.0, "x", steps),
        at_most(f"{name}: steps from the network", learned.steps, chance.steps / 3, "steps", f"total time {times}"),
    ]


def _manipulable(name: str, places: bool) -> list[Measurement]:
    """Measure the gain of manipulability over the posture that `solve` gives, as a share of the possible gain."""
    arm = lk.load(name)
    able = arm.with_network(lk.train(arm, prefer="manipulable", places=places))
    best: Any = plan_for(arm, prefer="manipulable", places=places, examples=REDUNDANT, seed=SEED + 100).examples

    def found(method: str) -> np.ndarray:
        goals = [lk.Position(None, T[:3, 3]) for T in best.T] if places else best.T
        answers = [able.solve(goal, method=method) for goal in goals]
        assert all(answer.ok for answer in answers)
        return np.mean([manipulability(arm.model, answer.q[None], places=places)[0] for answer in answers])

    most, plain, learned = manipulability(arm.model, best.q, places=places).mean(), found("lm"), found("neural")
    what = "places" if places else "poses"
    return [
        at_least(f"{name}, {what}: gain of manipulability over lm, of the gain by a search",
                 100 * (learned - plain) / (most - plain), 50.0, "%",
                 f"mean {plain:.4f} by lm, {learned:.4f} by the network, {most:.4f} at the best found")
    ]  # fmt: skip
