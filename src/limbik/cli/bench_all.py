"""`limbik bench all`: all solutions of targets, by limbik and its peers in one run; each is verified independently.

Targets are poses of random postures inside the limits. Forward kinematics in NumPy, which shares no code with the core,
verifies every posture that a contestant reports as a solution. The table gives the worst error and the number of distinct
verified solutions. Recall: the share of targets whose generating posture is among them, modulo 2 pi.
"""

import json
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from limbik._core import build_info
from limbik.cli.closed_form_peers import BatchContestant, Contestant, absent, batch_peers, closed_form_peers
from limbik.cli.console import plain_console, print_whole, watched
from limbik.cli.contest import apart, distinct, inside_limits, numpy_forward, pose_errors, timed_in_turns
from limbik.cli.options import AsJson
from limbik.cli.postures import has_swivel
from limbik.cli.swivel_peers import RangeContestant, range_peers, swivel_peers
from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.load import load

ROBOTS = ("puma560", "ur5", "kr6", "human_arm_6", "iiwa7")
# The largest error of a verified solution [m, rad], and the largest difference of two postures that count as one [rad].
LARGEST_ERROR, SAME = 1e-6, 1e-6
# The largest difference between a solution and the generating posture that counts as a recall [rad].
RECALLED = 1e-7
# Threads and calls of a batch; the fastest call counts. A batch has this many times the targets of the single calls.
THREADS, ROUNDS, BATCH_FACTOR = 2, 9, 25

ONE, BATCH, SWIVEL, RANGES = "one call", f"batch, {THREADS} threads", "at a swivel", "swivel ranges"


def all_postures(
    robots: Annotated[list[str] | None, typer.Argument(help="Robots of the catalogue, or files.")] = None,
    targets: Annotated[int, typer.Option(help="Targets per robot.")] = 2000,
    peers: Annotated[bool, typer.Option(help="Also run the installed peers.")] = True,
    as_json: AsJson = False,
) -> None:
    """Compare all solutions in closed form: limbik, EAIK, ik-geo, ssik, py-opw-kinematics.

    Example: limbik bench all puma560 ur5 --targets 1000
    """
    if targets < 10:
        raise BadOption("at least 10 targets are needed")
    rows: list[dict[str, Any]] = []
    for name in robots or ROBOTS:
        arm = load(name)
        if not isinstance(arm, Chain):
            raise BadOption(f"'{name}' has several tips; bench all takes a chain")
        rows += measure(arm, targets, peers)
    missing = absent() if peers else []
    if as_json:
        print(json.dumps({"core": build_info(), "targets": targets, "absent": missing, "rows": rows}))
        return
    _print(rows, missing)


def measure(arm: Chain, count: int, with_peers: bool = True) -> list[dict[str, Any]]:
    """Return one row per task and contestant. Raises BadOption for an arm without a closed form."""
    if not arm.branch_names or (arm.redundancy is not None and not has_swivel(arm)):
        raise BadOption(f"'{arm.name}' has no closed form that gives all postures: {arm.structure}")
    rng = np.random.default_rng(0)
    truth = arm.sample(rng, count)
    if has_swivel(arm):
        rows = _one_by_one(arm, SWIVEL, [_limbik_at_swivel(arm), *(swivel_peers(arm) if with_peers else [])], truth)
        rows += _ranges(arm, [_limbik_ranges(arm), *(range_peers(arm) if with_peers else [])], truth)
    else:
        rows = _one_by_one(arm, ONE, [*_limbik(arm), *(closed_form_peers(arm) if with_peers else [])], truth)
        more = arm.sample(rng, BATCH_FACTOR * count)
        rows += _batch(arm, [_limbik_batch(arm), *(batch_peers(arm, THREADS) if with_peers else [])], more)
    ours = {row["work"]: row["median"] for row in reversed(rows) if row["who"] == "limbik"}
    return [row | {"ratio": None if row["who"] == "limbik" else row["median"] / ours[row["work"]]} for row in rows]


# ---- limbik ----------------------------------------------------------------------------------------------------------


def _limbik(arm: Chain) -> list[Contestant]:
    return [
        Contestant("limbik", "solve_all(T).q", True, lambda T: arm.solve_all(T).q, np.asarray),
        Contestant("limbik, limits off", "solve_all(T, limits=False).q", False,
                   lambda T: arm.solve_all(T, limits=False).q, np.asarray),
    ]  # fmt: skip


def _limbik_batch(arm: Chain) -> BatchContestant:
    def read(found: Any) -> list[Array]:
        return [q[:k] for q, k in zip(found.q, found.count, strict=True)]

    how = f"solve_all_batch, {THREADS} threads"
    return BatchContestant("limbik", how, True, lambda T: arm.solve_all_batch(T, threads=THREADS), read)


def _limbik_at_swivel(arm: Chain) -> Contestant:
    return Contestant("limbik", "solve_all(T, swivel=s).q", True, lambda T, s: arm.solve_all(T, swivel=s).q, np.asarray,
                      lambda T, q: (T, arm.swivel(q)))  # fmt: skip


def _limbik_ranges(arm: Chain) -> RangeContestant:
    def read(found: Any) -> list[tuple[float, float]]:
        return [arc for arcs in found.values() for arc in arcs]

    return RangeContestant("limbik", "swivel_ranges(T), exact", arm.swivel_ranges, read, lambda T, q: arm.swivel(q))


# ---- measuring -------------------------------------------------------------------------------------------------------


def _one_by_one(arm: Chain, work: str, contestants: list[Contestant], truth: Array) -> list[dict[str, Any]]:
    """Return the rows of contestants that take one target per call."""
    T = numpy_forward(arm, truth)
    contests = [(c.work, [c.prepare(t.copy(), q) for t, q in zip(T, truth, strict=True)]) for c in contestants]
    rows = []
    for c, (results, times) in zip(contestants, timed_in_turns(contests, f"{arm.name} {work}"), strict=True):
        row = {"robot": arm.name, "work": work, "who": c.who, "how": c.how, "limits": c.limits}
        rows.append(row | _times(times) | _verified(arm, [c.read(result) for result in results], T, truth))
    return rows


def _times(seconds: Array) -> dict[str, Any]:
    return {
        "n": len(seconds),
        "median": float(np.median(seconds) * 1e6),
        "p99": float(np.percentile(seconds, 99) * 1e6),
    }


def _batch(arm: Chain, contestants: list[BatchContestant], truth: Array) -> list[dict[str, Any]]:
    """Return the rows of contestants that take all targets in one call. Calls alternate; the fastest of each counts."""
    T = numpy_forward(arm, truth)
    given = [c.prepare(T) for c in contestants]
    found: list[Any] = [None] * len(contestants)
    least = [float("inf")] * len(contestants)
    for _ in watched(range(ROUNDS), f"{arm.name} {BATCH}"):
        for k, c in enumerate(contestants):
            start = perf_counter()
            found[k] = c.work(*given[k])
            least[k] = min(least[k], perf_counter() - start)
    some = len(truth) // BATCH_FACTOR  # verifying all solutions would take longer than solving
    rows = []
    for c, result, seconds in zip(contestants, found, least, strict=True):
        row = {"robot": arm.name, "work": BATCH, "who": c.who, "how": c.how, "limits": c.limits, "n": len(truth)}
        row |= {"median": seconds / len(truth) * 1e6, "p99": None, "rate": len(truth) / seconds}
        rows.append(row | _verified(arm, c.read(result)[:some], T, truth))
    return rows


def _verified(arm: Chain, found: list[Array], T: Array, truth: Array) -> dict[str, Any]:
    """Return the recall [%], the solutions per target, and the worst error of any reported solution."""
    worst, recalled, solutions, inside = 0.0, 0, 0, 0
    for q, t, generating in zip(found, T, truth, strict=False):
        errors = np.maximum(*pose_errors(arm, q, np.broadcast_to(t, (len(q), 4, 4))))
        worst = max(worst, float(errors.max(initial=0.0)))
        verified = distinct(arm, q[errors <= LARGEST_ERROR], SAME)
        solutions += len(verified)
        inside += int(inside_limits(arm, verified).sum())
        recalled += bool((apart(arm, verified, generating) <= RECALLED).any())
    count = len(found)
    shares = {"recall": 100 * recalled / count, "solutions": solutions / count, "inside": inside / count}
    return shares | {"fk_error": worst}


def _ranges(arm: Chain, contestants: list[RangeContestant], truth: Array) -> list[dict[str, Any]]:
    """Return the rows of contestants that find feasible ranges. Recall: the generating swivel lies in a range."""
    T = numpy_forward(arm, truth)
    contests = [(c.work, [(t.copy(),) for t in T]) for c in contestants]
    timed = timed_in_turns(contests, f"{arm.name} {RANGES}")
    common = min(
        len(results) for results, _ in timed
    )  # widths are compared on the targets that every contestant solved
    rows = []
    for c, (results, times) in zip(contestants, timed, strict=True):
        found, turn, recalled = [c.read(result) for result in results], 2 * np.pi, 0
        for arcs, t, q in zip(found, T, truth, strict=False):
            swivel = c.where(t, q)
            recalled += any((swivel - low + RECALLED) % turn <= high - low + 2 * RECALLED for low, high in arcs)
        count = float(np.mean([len(arcs) for arcs in found]))
        width = float(np.mean([sum(high - low for low, high in arcs) for arcs in found[:common]]))
        row = {"robot": arm.name, "work": RANGES, "who": c.who, "how": c.how, "limits": True} | _times(times)
        rows.append(row | {"recall": 100 * recalled / len(found), "solutions": count, "inside": count,
                           "fk_error": None, "width": width})  # fmt: skip
    return rows


def _print(rows: list[dict[str, Any]], missing: list[str]) -> None:
    table = Table("robot", "task", "solver", box=None, header_style="bold")
    for head in (
        "median [us]",
        "p99 [us]",
        "recall [%]",
        "solutions",
        "in limits",
        "worst error",
        "speed-up of limbik",
    ):
        table.add_column(head, justify="right")
    for r in rows:
        table.add_row(r["robot"], r["work"], r["who"] + ("" if r["limits"] else " *"),
                      f"{r['median']:.3f}", "" if r["p99"] is None else f"{r['p99']:.1f}", f"{r['recall']:.2f}",
                      f"{r['solutions']:.2f}", f"{r['inside']:.2f}", "" if r["fk_error"] is None else f"{r['fk_error']:.0e}",
                      "" if r["ratio"] is None else f"{r['ratio']:.1f} x")  # fmt: skip
    console = plain_console()
    print_whole(console, table)
    console.print("* this time does not include the check of joint limits")
    for who, how in dict.fromkeys((r["who"], r["how"]) for r in rows):
        console.print(f"{who}: {how}", soft_wrap=True)
    for r in rows:
        if "rate" in r:
            console.print(f"{r['robot']}, {r['work']}: {r['who']} {r['rate']:,.0f} poses/s")
        if "width" in r:
            console.print(f"{r['robot']}, {r['work']} of all branches together, mean: {r['who']} {r['width']:.6f} rad")
    if missing:
        console.print(f"not installed: {', '.join(missing)}; pip install 'limbik[bench]'")
