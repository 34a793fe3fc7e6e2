"""Measure every published figure at full size: `make figures`. Tables on the screen, JSON into --out.

Each figure has a bar; the run ends with how many were met. Times are for the machine it runs on: compare ratios.
"""

import argparse
import json
import math
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
from benchmarks import agreement, closed_form, closed_form_peers, cones, endurance, nearest
from benchmarks.random_arms import STRUCTURES
from limbik.cli import bench_all
from limbik.cli.bench import measure
from limbik.cli.contest import numpy_forward
from limbik.papers.claim import Row
from limbik.papers.paper import Setting
from limbik.papers.registry import PAPERS, paper
from limbik.solvers.closed_form.postures import make_postures
from limbik.solvers.iterative.seeds import TABLES

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


def at_least(what: str, measured: float, bar: float, unit: str, note: str = "") -> Figure:
    """A figure that must reach its bar."""
    return Figure(what, float(measured), float(bar), unit, bool(measured >= bar), note)


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
                f"{oracle}: disagree, or refused without a contradiction in the file",
                sum(not r.ok for r in tables[oracle]),
                0,
                "models",
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


SOLVED_ARMS = ("puma560", "ur5", "iiwa7", "panda", "jaco2", "kr6", "scara", "gantry")
TARGETS = 100_000


def solving(_: Path) -> list[Figure]:
    """Reachable targets in volume, random chains of every kind, targets that cannot be reached."""
    from conftest import MOVING, random_chain

    figures = []
    for name in SOLVED_ARMS:
        arm = lk.load(name)
        rng = np.random.default_rng(SEED)
        T = numpy_forward(arm, arm.sample(rng, TARGETS))
        batch = arm.solve_batch(T, method="lm")
        position, rotation = independent_errors(numpy_forward(arm, batch.q), T)
        wrong = (position > 1.01 * max(1e-8, 1e-9 * arm.reach)) | (rotation > 1.01e-8) | ~arm.within_limits(batch.q)
        note = f"{TARGETS} targets; most attempts {batch.attempt.max()}; wrong or outside limits: {int((wrong & batch.ok).sum())}"
        figures.append(
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
    figures.append(
        at_most("300 random chains of 4-9 joints, slides and balls mixed in: wrong successes", wrong_ones, 0, "targets")
    )
    figures.append(at_most("the same: not solved", 1 - solved / total, 1e-3, "share", f"{solved} of {total} targets"))
    figures += edges_of_cones()
    for name in ("puma560", "ur5", "panda"):
        figures += unreachable(lk.load(name), name)
    return figures


# Random limbs whose balls are brought to the edge of their ranges, and targets for each combination of edges.
LIMBS, EACH = 100, 5


def edges_of_cones() -> list[Figure]:
    """Balls at the very edge of their swing and twist."""
    rng = np.random.default_rng(SEED)
    solved = total = outside = 0
    for _ in range(LIMBS):
        arm = cones.limb(rng)
        batch = arm.solve_batch(cones.edge_targets(arm, rng, EACH))
        solved, total = solved + int(batch.ok.sum()), total + len(batch.ok)
        outside += int((~arm.within_limits(batch.q)).sum())
    note = f"{solved} of {total} targets on {LIMBS} limbs; outside the limits: {outside}"
    what = "two balls inside or at the edge of their cones: not solved, or outside"
    return [at_most(what, (total - solved + outside) / total, 1e-3, "share", note)]


def independent_errors(actual: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return position [m] and rotation [rad] errors with SciPy's rotations."""
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_matrix(T[:, :3, :3] @ np.swapaxes(actual[:, :3, :3], 1, 2)).magnitude()
    return np.linalg.norm(actual[:, :3, 3] - T[:, :3, 3], axis=1), turn


# Targets per kind that cannot be reached, random starts that the nearest posture is held against, and its bars.
UNREACHABLE, STARTS = 10_000, 1000
AS_NEAR, AS_FAST = 1.001, 20
# The reference itself is held against SciPy on these arms: so many targets of each kind, so many starts.
SPOT_ARMS = ("puma560", "ur5", "panda", "iiwa7", "kr6", "human_arm_6", "human_leg_7")
SPOT_TARGETS, SPOT_STARTS = 5, 24


def unreachable(arm: lk.Chain, name: str) -> list[Figure]:
    """Time and quality of the nearest posture, for targets beyond reach, in the hollow, and blocked by limits.

    By attempts, which is what the cold median is of: a closed form proves most of these targets unreachable at once.
    """
    T, kinds = nearest.kinds(arm, np.random.default_rng(SEED), UNREACHABLE)
    solve = nearest.by_attempts(arm)
    solve(T[0])
    cold = np.median([timed(solve, t) for t in T])
    figures = []
    for kind in kinds:
        solve = nearest.by_attempts(kind.arm)
        solve(kind.targets[0])
        median = np.median([timed(solve, t) for t in kind.targets])
        batch = kind.arm.solve_batch(kind.targets, method="lm")
        ratios = nearest.ratios(kind.arm, batch, kind.targets, STARTS)
        proven = int((batch.status == lk.Status.OUT_OF_REACH).sum())
        note = (
            f"{len(ratios)} of {len(batch.ok)} not reached, {proven} proven so, {int((ratios > AS_NEAR).sum())} farther"
        )
        what = f"{name}, {kind.name}: position error against the best of {STARTS} starts"
        figures.append(at_most(what, max(ratios, default=1.0), AS_NEAR, "x", note))
        what = f"{name}, {kind.name}: median time against cold"
        figures.append(at_most(what, median / cold, AS_FAST, "x", f"{median * 1e6:.0f} us"))
    return figures


def reference(_: Path) -> list[Figure]:
    """The reference for the nearest posture against SciPy: no farther than its best."""
    worst, compared = 1.0, 0
    for name in SPOT_ARMS:
        arm, rng = lk.load(name), np.random.default_rng(SEED)
        assert isinstance(arm, lk.Chain)
        for kind in nearest.kinds(arm, rng, SPOT_TARGETS)[1]:
            ours = nearest.least_positions(kind.arm, kind.targets, STARTS)
            for target, found in zip(kind.targets, ours, strict=True):
                theirs = nearest.least_by_scipy(kind.arm, target, rng, SPOT_STARTS)
                worst = max(worst, (found + 1e-8) / (theirs + 1e-8))
                compared += 1
    what = f"best of {STARTS} starts against SciPy's best of {SPOT_STARTS}: position error"
    return [at_most(what, worst, 1.0 + 1e-6, "x", f"{compared} targets on {len(SPOT_ARMS)} arms")]


def timed(call: Callable[..., Any], *arguments: Any) -> float:
    """Return the seconds of one call."""
    start = perf_counter()
    call(*arguments)
    return perf_counter() - start


def solving_speed(out: Path) -> list[Figure]:
    """The speed contract's rows for solving, beside the peers in the same run."""
    from limbik.cli.bench_solve import measure as measure_solving

    figures, report = [], {}
    for name in ("puma560", "ur5", "iiwa7", "panda"):
        arm = lk.load(name)
        T = arm.forward(arm.sample(np.random.default_rng(SEED), 200_000))
        TABLES.clear()  # or the copy would find the first arm's
        fresh = lk.Chain(arm.mechanism, arm.base, arm.tip)
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
            figures.append(at_most(f"{name}: {start} solve, median", ours["median"], bar, "us", note))
            if start == "cold":
                figures.append(at_most(f"{name}: cold solve, p99", ours["p99"], tail, "us"))
        figures.append(at_most(f"{name}: first solve that needs the seed table", first * 1e3, 50, "ms"))
        rate = max(len(T) / timed(arm.solve_batch, T) for _ in range(3))
        figures.append(at_least(f"{name}: batch, all cores", rate, 600_000, "targets/s"))
    (out / "bench_solve.json").write_text(json.dumps(report, indent=1))
    return figures


# What the speed contract asks of each work of `limbik bench all`: the median [us], or the rate [targets/s].
CLOSED_FORM_BARS = {bench_all.ONE: 1.5, bench_all.SWIVEL: 2.0, bench_all.RANGES: 20.0}
CLOSED_FORM_RATE = 4_000_000
# The worst error of a posture that is returned as solved [m, rad].
CLOSED_FORM_ERROR = 1e-10


# Random targets of each arm, arms of each structure, targets of each of those; singular postures; a swivel's targets, places
# and the margin below which a sample is a matter of rounding [rad].
ALL_TARGETS, ALL_ARMS = 100_000, 50
SINGULAR_ARMS, SINGULAR_POSTURES = 5, 40
SWIVEL_TARGETS, SWIVELS, SWIVEL_MARGIN = 10_000, 2_000, 1e-9
DERIVED, DERIVED_BAR = 200, 1.0


def closed_forms(_: Path) -> list[Figure]:
    """Every posture: is the generating one among them, are all distinct and exact, is it derived in time?"""
    figures = []
    for name in ("puma560", "ur5", "kr6", "human_arm_6"):
        arm, rng = lk.load(name), np.random.default_rng(SEED)
        assert isinstance(arm, lk.Chain)
        found = closed_form.recall(arm, rng, ALL_TARGETS, limits=False)
        figures += _recalled(name, found, f"{found.postures} postures")
    for name, make in STRUCTURES.items():
        rng, total = np.random.default_rng(SEED), closed_form.Recall()
        for _k in range(ALL_ARMS):
            arm = make(rng)
            if arm.branch_names == ():
                total.missed += ALL_TARGETS // ALL_ARMS
                continue
            total.add(closed_form.recall(arm, rng, ALL_TARGETS // ALL_ARMS))
        figures += _recalled(f"{ALL_ARMS} arms: {name}", total, f"{total.targets} targets, {total.postures} postures")
    times = []
    rng = np.random.default_rng(SEED)
    for make in STRUCTURES.values():
        arm = make(rng)
        parts = arm._compiled, arm._ranges, arm._reach
        times.append(
            min(timed(lambda p=parts: make_postures(*p, limits=True, position=1e-8, rotation=1e-8)) for _ in range(5))
        )
    what = f"derivation of the closed form, longest of {len(times)} structures"
    figures.append(at_most(what, max(times) * 1e3, DERIVED_BAR, "ms"))
    return figures


def _recalled(name: str, found: closed_form.Recall, note: str) -> list[Figure]:
    return [
        at_most(
            f"{name}: generating posture missing, or a posture twice", found.missed + found.repeated, 0, "targets", note
        ),
        at_most(
            f"{name}: largest |FK - T|", found.worst_error, closed_form.EXACT, "m, 1", f"joints {found.worst_joint:.1e}"
        ),
    ]


def singularities(_: Path) -> list[Figure]:
    """Targets on singularities and 1e-3 ... 1e-12 rad from them."""
    figures = []
    arms = {name: [lk.load(name)] for name in ("puma560", "ur5", "kr6", "human_arm_6")}
    rng = np.random.default_rng(SEED)
    for name, make in STRUCTURES.items():
        made = [make(rng) for _ in range(SINGULAR_ARMS)]
        if made[0].n == 6:
            arms[name] = made
    for name, group in arms.items():
        total = closed_form.Singular()
        for arm in group:
            total.add(closed_form.near_singularities(arm, rng, SINGULAR_POSTURES // len(group)))
        wrong = total.empty + total.not_exact + total.missed + total.wrongly_flagged + total.not_flagged
        note = f"{total.targets} targets: {total}"
        figures.append(at_most(f"{name}: none found, not exact, missing, flags wrong", wrong, 0, "targets", note))
    return figures


def swivels(_: Path) -> list[Figure]:
    """Exact swivel ranges against samples."""
    figures = []
    for name in ("iiwa7", "human_arm_7", "human_leg_7"):
        arm, rng = lk.load(name), np.random.default_rng(SEED)
        assert isinstance(arm, lk.Chain)
        seen = closed_form.swivel_samples(arm, rng, SWIVEL_TARGETS, SWIVELS, SWIVEL_MARGIN)
        what = f"{name}: samples misjudged by the exact ranges, {SWIVEL_TARGETS} targets x {SWIVELS} swivels"
        figures.append(at_most(what, seen.misjudged, 0, "samples", f"{seen.samples} judged, {seen.inside} inside"))
    return figures


def closed_form_speed(out: Path) -> list[Figure]:
    """The speed contract's rows for all postures at once, beside the peers in the same run, and that none is missing."""
    figures, report = [], {}
    for name in bench_all.ROBOTS:
        rows = report[name] = bench_all.measure(lk.load(name), 4000)  # type: ignore[arg-type]
        for row in (r for r in rows if r["who"] == "limbik"):
            peers = [
                r for r in rows if r["work"] == row["work"] and r["who"] != row["who"] and "limbik" not in r["who"]
            ]
            note = "; ".join(f"{r['who']} {r['ratio']:.1f} x" for r in peers)
            what = f"{name}: all postures, {row['work']}"
            if row["work"] == bench_all.BATCH:
                figures.append(at_least(what, row["rate"], CLOSED_FORM_RATE, "targets/s", note))
            else:
                figures.append(at_most(f"{what}, median", row["median"], CLOSED_FORM_BARS[row["work"]], "us", note))
            figures.append(at_most(f"{what}: generating posture missing", 100 - row["recall"], 0, "%"))
            if row["fk_error"] is not None:
                figures.append(at_most(f"{what}: worst error", row["fk_error"], CLOSED_FORM_ERROR, "m, rad"))
    (out / "bench_all.json").write_text(json.dumps(report, indent=1))
    return figures


# Targets on each catalogue arm; random arms of each structure and targets on each.
PEER_TARGETS, PEER_ARMS, PEER_EACH = 100_000, 50, 500


def closed_form_counts(out: Path) -> list[Figure]:
    """Every posture that EAIK has, limbik has: limits off, postures compared one by one, differences explained."""
    tallies = closed_form_peers.closed_form_peers(SEED, PEER_TARGETS, PEER_ARMS, PEER_EACH)
    (out / "closed_form_peers.txt").write_text(
        "\n".join(
            f"{name}: {tally}\n" + "".join(f"  {d}\n" for d in tally.differences) for name, tally in tallies.items()
        )
    )
    figures = []
    for name, tally in tallies.items():
        bad = len(tally.of("EAIK only")) + len(tally.of("limbik wrong"))
        figures.append(at_most(f"{name}: postures missing beside EAIK, or wrong", bad, 0, "postures", str(tally)))
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


def lasting(out: Path) -> list[Figure]:
    """Ten million solves in one process, the same answers from threads and processes, Ctrl-C."""
    file = out / "endurance.json"
    run = [sys.executable, str(HERE / "endurance.py"), "--out", str(file)]
    subprocess.run(run, check=False, stdout=subprocess.DEVNULL)  # by itself, so that the memory is its own
    found = json.loads(file.read_text())
    note = f"{found['seconds']:.0f} s; batches and single calls, errors among them"
    figures = [
        at_most(
            f"{found['solves']:,} solves: growth of memory",
            found["growth_bytes"] / 2**20,
            endurance.NO_LEAK / 2**20,
            "MB",
            note,
        )
    ]
    for who, count in found["disagreeing"].items():
        figures.append(at_most(f"{endurance.WORKERS} {who}: other answers, in any bit", count, 0, "workers"))
    for what, seconds in found["interrupt_seconds"].items():
        figures.append(at_most(f"{what}: a long batch, from Ctrl-C to its end", seconds, endurance.PROMPT, "s"))
    return figures


def papers(out: Path) -> list[Figure]:
    """Every claim of the papers that has a bar, as `limbik reproduce all` measures it; pictures beside."""
    figures = []
    for name in PAPERS:
        (out / name).mkdir(parents=True, exist_ok=True)
        for section in paper(name).sections:
            for experiment in section.experiments:
                rows, pictures = experiment.run(Setting())
                for picture in pictures:
                    picture.draw(out / name / f"{picture.name}.png")
                figures += [_figure_of(name, row) for row in rows if row.bar is not None]
    return figures


def _figure_of(name: str, row: Row) -> Figure:
    note = str(row.bar) if row.paper is None else f"{row.bar}; the paper prints {row.paper:.7g}"
    ours = math.nan if row.ours is None else row.ours
    bar = row.bar.high if math.isfinite(row.bar.high) else row.bar.low
    return Figure(f"{name}: {row.what}", ours, bar, row.unit, bool(row.ok), note)


SECTIONS: dict[str, Callable[[Path], list[Figure]]] = {
    "oracles": oracles,
    "laws": laws,
    "speed": speed,
    "solving": solving,
    "reference": reference,
    "solving_speed": solving_speed,
    "closed_form": closed_forms,
    "singularities": singularities,
    "swivels": swivels,
    "closed_form_speed": closed_form_speed,
    "closed_form_peers": closed_form_counts,
    "robustness": robustness,
    "endurance": lasting,
    "papers": papers,
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
