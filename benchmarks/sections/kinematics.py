"""Forward kinematics and Jacobians: agreement with other libraries, laws, speed."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

import limbik as lk
from benchmarks import agreement
from benchmarks.measurement import SEED, Measurement, at_most
from limbik.cli.bench import measure

TESTS = Path(__file__).parents[2] / "tests"


def oracles(out: Path) -> list[Measurement]:
    """Compare with Pinocchio and MuJoCo on every shipped model, 20 postures each."""
    tables = agreement.agreement(SEED, postures=20)
    (out / "agreement.json").write_text(json.dumps({k: [asdict(r) for r in v] for k, v in tables.items()}, indent=1))
    measured = []
    for oracle, bound in (("pinocchio", agreement.PINOCCHIO_TOLERANCE), ("mujoco", agreement.MUJOCO_TOLERANCE)):
        compared = [row for row in tables[oracle] if not row.skipped]
        note = f"{len(compared)} models, {len(tables[oracle]) - len(compared)} skipped (agreement.json says why)"
        measured.append(
            at_most(f"{oracle}: largest pose difference", max(r.pose for r in compared), bound, "relative", note)
        )
        measured.append(
            at_most(f"{oracle}: largest Jacobian difference", max(r.jacobian for r in compared), bound, "relative")
        )
        measured.append(
            at_most(
                f"{oracle}: disagree, or refused without a contradiction in the file",
                sum(not r.ok for r in tables[oracle]),
                0,
                "models",
            )
        )
    return measured


def laws(out: Path) -> list[Measurement]:
    """Measure finite differences, batch against single calls, and instruction levels, on many random mechanisms."""
    from conftest import MOVING, random_chain, random_tree
    from core.test_levels import LEVELS, SCRIPT, run
    from robot.test_kinematics import finite_differences

    rng = np.random.default_rng(SEED)
    difference, mismatches = 0.0, 0
    for k in range(300):
        body = (
            random_tree(rng, 12)
            if k % 5 == 0
            else random_chain(rng, [MOVING[rng.integers(len(MOVING))] for _ in range(1 + k % 9)])
        )
        frame, Q = body.frames[-1], body.sample(rng, 19)
        T, J = body.forward_jacobian(Q, frame)
        for row in range(0, len(Q), 6):
            t, j = body.forward_jacobian(Q[row], frame)
            mismatches += not (np.array_equal(t, T[row]) and np.array_equal(j, J[row]))
            error = np.abs(J[row] - finite_differences(body, Q[row], frame)).max(initial=0) / max(
                1, np.abs(J[row]).max(initial=0)
            )
            difference = max(difference, float(error))
    spread = 0.0
    results = {}
    for level in LEVELS:
        file = out / f"levels_{level}.npy"
        done = run(level, "-c", SCRIPT, str(file), str(TESTS))
        if done.returncode:
            raise RuntimeError(done.stderr)
        results[level] = np.load(file)
        file.unlink()
        spread = max(
            spread, float(np.abs(results[level] - results[LEVELS[0]]).max() / np.abs(results[LEVELS[0]]).max())
        )
    return [
        at_most("Jacobian against finite differences, 300 random mechanisms", difference, 1e-7, "relative"),
        at_most("batch rows that differ from the single call in any bit", mismatches, 0, "rows"),
        at_most(f"spread between the instruction levels {', '.join(LEVELS)}", spread, 1e-13, "relative"),
    ]


def speed(out: Path) -> list[Measurement]:
    """Measure the speed contract's rows for forward kinematics, beside Pinocchio and roboticstoolbox in the same run."""
    rows = {name: measure(lk.load(name)) for name in ("panda", "puma560", "ur5", "iiwa7")}  # type: ignore[arg-type]
    (out / "bench_fk.json").write_text(json.dumps(rows, indent=1))

    def time_of(robot: str, work: str, who: str = "limbik") -> float:
        return next((r["us"] for r in rows[robot] if r["work"].startswith(work) and r["who"] == who), float("nan"))

    measured = []
    for robot in rows:
        both, batch = time_of(robot, "FK + Jacobian, one call"), time_of(robot, "FK, batch")
        pinocchio, toolbox = (
            time_of(robot, "FK + Jacobian, one call", "pinocchio"),
            time_of(robot, "FK, batch", "roboticstoolbox"),
        )
        measured.append(
            at_most(
                f"{robot}: FK + Jacobian, one call",
                both,
                1.2,
                "us",
                f"pinocchio {pinocchio:.2f} us, {pinocchio / both:.1f} x",
            )
        )
        measured.append(
            at_most(
                f"{robot}: FK, batch, a pose, one thread",
                batch,
                0.04,
                "us",
                f"roboticstoolbox {toolbox:.2f} us, {toolbox / batch:.0f} x",
            )
        )
    return measured
