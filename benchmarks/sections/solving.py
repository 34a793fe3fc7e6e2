"""Solving by attempts: many reachable targets, and the speed contract."""

import json
from pathlib import Path

import numpy as np
from cases import cones

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most, timed
from benchmarks.sections.unreachable import unreachable
from limbik.cli.contest import numpy_forward
from limbik.solvers.seed_tables import TABLES

SOLVED_ARMS = ("puma560", "ur5", "iiwa7", "panda", "jaco2", "kr6", "scara", "gantry")
TARGETS = 100_000


def solving(_: Path) -> list[Measurement]:
    """Measure many reachable targets, random chains of every kind, and unreachable targets."""
    from conftest import MOVING, random_chain

    measured = []
    for name in SOLVED_ARMS:
        arm = lk.load(name)
        rng = np.random.default_rng(SEED)
        T = numpy_forward(arm, arm.sample(rng, TARGETS))
        batch = arm.solve_batch(T, method="lm")
        position, rotation = independent_errors(numpy_forward(arm, batch.q), T)
        wrong = (position > 1.01 * max(1e-8, 1e-9 * arm.reach)) | (rotation > 1.01e-8) | ~arm.within_limits(batch.q)
        note = f"{TARGETS} targets; most attempts {batch.attempt.max()}; wrong or outside limits: {int((wrong & batch.ok).sum())}"
        measured.append(
            at_most(
                f"{name}: not solved, or solved wrongly",
                int((~batch.ok).sum() + (wrong & batch.ok).sum()),
                0,
                "targets",
                note,
            )
        )
    rng = np.random.default_rng(SEED)
    solved = wrong_ones = total = 0
    for _k in range(300):
        arm = random_chain(rng, [MOVING[rng.integers(len(MOVING) - 1)] for _ in range(rng.integers(4, 10))])
        for q in arm.sample(rng, 10):
            T1 = arm.forward(q)
            answer = arm.solve(T1, method="lm")
            total += 1
            solved += answer.ok
            position1, rotation1 = independent_errors(arm.forward(answer.q)[None], T1[None])
            honest = (
                position1[0] <= 1.01 * max(1e-8, 1e-9 * arm.reach)
                and rotation1[0] <= 1.01e-8
                and arm.within_limits(answer.q)
            )
            wrong_ones += answer.ok and not honest
    measured.append(
        at_most(
            "300 random chains of 4-9 joints, with prismatic and ball joints: wrong successes", wrong_ones, 0, "targets"
        )
    )
    measured.append(at_most("the same: not solved", 1 - solved / total, 1e-3, "share", f"{solved} of {total} targets"))
    measured += edges_of_cones()
    for name in ("puma560", "ur5", "panda"):
        measured += unreachable(lk.load(name), name)
    return measured


# Random limbs whose ball joints are at the bounds of their ranges, and targets for each combination of bounds.
LIMBS, EACH = 100, 5


def edges_of_cones() -> list[Measurement]:
    """Measure ball joints at the bounds of swing and twist."""
    rng = np.random.default_rng(SEED)
    solved = total = outside = 0
    for _ in range(LIMBS):
        arm = cones.limb(rng)
        batch = arm.solve_batch(cones.edge_targets(arm, rng, EACH))
        solved, total = solved + int(batch.ok.sum()), total + len(batch.ok)
        outside += int((~arm.within_limits(batch.q)).sum())
    note = f"{solved} of {total} targets on {LIMBS} limbs; outside the limits: {outside}"
    what = "two ball joints inside or at the edge of their cones: not solved, or outside"
    return [at_most(what, (total - solved + outside) / total, 1e-3, "share", note)]


def independent_errors(actual: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return position [m] and rotation [rad] errors, computed with SciPy's rotations."""
    from scipy.spatial.transform import Rotation

    angle = Rotation.from_matrix(T[:, :3, :3] @ np.swapaxes(actual[:, :3, :3], 1, 2)).magnitude()
    return np.linalg.norm(actual[:, :3, 3] - T[:, :3, 3], axis=1), angle


def solving_speed(out: Path) -> list[Measurement]:
    """Measure the speed contract's rows for solving, beside the peers in the same run."""
    from limbik.cli.bench_solve import measure as measure_solving

    measured, report = [], {}
    for name in ("puma560", "ur5", "iiwa7", "panda"):
        arm = lk.load(name)
        T = arm.forward(arm.sample(np.random.default_rng(SEED), 200_000))
        TABLES.clear()  # otherwise the copy would use the table of the first arm
        fresh = lk.Chain(arm.model.mechanism, arm.base, arm.tip)
        hard = next(t for t in T if arm.solve(t, method="lm").attempt > 0)
        first = timed(fresh.solve, hard, None, "lm")
        rows = report[name] = measure_solving(arm, 2000)  # type: ignore[arg-type]
        peers = {(r["start"], r["who"]): r for r in rows}
        for start, bar, tail in (("cold", 8.0, 40.0), ("warm", 4.0, 40.0)):
            ours, theirs = peers[start, "limbik"], peers.get((start, "roboticstoolbox LM"))
            note = (
                ""
                if theirs is None
                else f"roboticstoolbox {theirs['median']:.0f} us, {theirs['ratio']:.1f} x; solved {ours['solved']:.2f} %"
            )
            measured.append(at_most(f"{name}: {start} solve, median", ours["median"], bar, "us", note))
            if start == "cold":
                measured.append(at_most(f"{name}: cold solve, p99", ours["p99"], tail, "us"))
        measured.append(at_most(f"{name}: first solve that needs the seed table", first * 1e3, 50, "ms"))
        rate = max(len(T) / timed(arm.solve_batch, T) for _ in range(3))
        measured.append(at_least(f"{name}: batch, all cores", rate, 600_000, "targets/s"))
    (out / "bench_solve.json").write_text(json.dumps(report, indent=1))
    return measured
