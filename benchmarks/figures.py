"""Measure every published figure at full size: `make figures`. Tables on the screen, JSON into --out.

Each figure has a bar; the run ends with how many were met. Times are for the machine it runs on: compare ratios.
"""

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import limbik as lk
from benchmarks import agreement
from limbik.cli.bench import measure

HERE = Path(__file__).parent
SEED = 1


@dataclass(frozen=True)
class Figure:
    """One figure: what it says, what was measured, the bar it must meet."""

    what: str
    measured: float
    bar: float
    unit: str
    ok: bool
    note: str = ""


def at_most(what: str, measured: float, bar: float, unit: str, note: str = "") -> Figure:
    """A figure that must not exceed its bar."""
    return Figure(what, float(measured), float(bar), unit, bool(measured <= bar), note)


def oracles(out: Path) -> list[Figure]:
    """Agreement with Pinocchio and MuJoCo on every shipped model, 20 postures each."""
    tables = agreement.agreement(SEED, postures=20)
    (out / "agreement.json").write_text(json.dumps({k: [asdict(r) for r in v] for k, v in tables.items()}, indent=1))
    figures = []
    for oracle, bound in (("pinocchio", agreement.PINOCCHIO_TOLERANCE), ("mujoco", agreement.MUJOCO_TOLERANCE)):
        compared = [row for row in tables[oracle] if not row.skipped]
        note = f"{len(compared)} models, {len(tables[oracle]) - len(compared)} skipped (agreement.json says why)"
        figures.append(
            at_most(f"{oracle}: largest pose difference", max(r.pose for r in compared), bound, "relative", note)
        )
        figures.append(
            at_most(f"{oracle}: largest Jacobian difference", max(r.jacobian for r in compared), bound, "relative")
        )
        figures.append(
            at_most(
                f"{oracle}: models that disagree or fail to load", sum(not r.ok for r in tables[oracle]), 0, "models"
            )
        )
    return figures


def laws(_: Path) -> list[Figure]:
    """Finite differences, batch = single and the instruction levels, on many random mechanisms."""
    from conftest import MOVING, random_chain, random_tree
    from test_kinematics import finite_differences
    from test_levels import LEVELS, SCRIPT, run

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
        file = Path(_) / f"levels_{level}.npy"
        done = run(level, "-c", SCRIPT, str(file), str(HERE.parent / "tests"))
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


def speed(out: Path) -> list[Figure]:
    """The speed contract's rows for forward kinematics, beside Pinocchio and roboticstoolbox in the same run."""
    rows = {name: measure(lk.load(name)) for name in ("panda", "puma560", "ur5", "iiwa7")}  # type: ignore[arg-type]
    (out / "bench_fk.json").write_text(json.dumps(rows, indent=1))

    def time_of(robot: str, work: str, who: str = "limbik") -> float:
        return next((r["us"] for r in rows[robot] if r["work"].startswith(work) and r["who"] == who), float("nan"))

    figures = []
    for robot in rows:
        both, batch = time_of(robot, "FK + Jacobian, one call"), time_of(robot, "FK, batch")
        pinocchio, toolbox = (
            time_of(robot, "FK + Jacobian, one call", "pinocchio"),
            time_of(robot, "FK, batch", "roboticstoolbox"),
        )
        figures.append(
            at_most(
                f"{robot}: FK + Jacobian, one call",
                both,
                1.2,
                "us",
                f"pinocchio {pinocchio:.2f} us, {pinocchio / both:.1f} x",
            )
        )
        figures.append(
            at_most(
                f"{robot}: FK, batch, a pose, one thread",
                batch,
                0.04,
                "us",
                f"roboticstoolbox {toolbox:.2f} us, {toolbox / batch:.0f} x",
            )
        )
    return figures


def robustness(_: Path) -> list[Figure]:
    """A minute of random broken input."""
    done = subprocess.run(
        [sys.executable, str(HERE / "fuzz.py"), "--seconds", "60", "--seed", str(SEED)],
        capture_output=True,
        text=True,
        check=False,
    )
    summary = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-200:]
    return [at_most("fuzzer, 60 s: findings", done.returncode, 0, "exit code", summary)]


SECTIONS: dict[str, Callable[[Path], list[Figure]]] = {
    "oracles": oracles,
    "laws": laws,
    "speed": speed,
    "robustness": robustness,
}


def main() -> int:
    """Run the sections, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("figures"))
    parser.add_argument("--only", choices=list(SECTIONS), action="append")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    console = Console(width=160)
    report: dict[str, Any] = {
        "machine": platform.processor() or platform.machine(),
        "core": lk.build_info(),
        "seed": SEED,
        "sections": {},
    }
    missed = 0
    for name in options.only or SECTIONS:
        start = perf_counter()
        figures = SECTIONS[name](options.out)
        report["sections"][name] = [asdict(f) for f in figures]
        table = Table(
            "",
            "figure",
            "measured",
            "bar",
            "unit",
            "note",
            box=None,
            header_style="bold",
            title=f"{name} ({perf_counter() - start:.0f} s)",
        )
        for f in figures:
            table.add_row("ok" if f.ok else "MISSED", f.what, f"{f.measured:.3g}", f"{f.bar:.3g}", f.unit, f.note)
        console.print(table)
        missed += sum(not f.ok for f in figures)
    (options.out / "figures.json").write_text(json.dumps(report, indent=1))
    console.print(f"{missed} figure(s) missed" if missed else "every figure met its bar")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
