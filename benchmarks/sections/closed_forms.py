"""All postures of a target: none missing, none twice, exact at singularities too, and the speed contract."""

import json
from pathlib import Path

import numpy as np
from cases.random_arms import STRUCTURES

import limbik as lk
from benchmarks import closed_form, closed_form_peers
from benchmarks.measurement import SEED, Measurement, at_least, at_most, timed
from limbik.cli import bench_all
from limbik.solvers.closed_form.postures import make_postures

# The speed contract for each row of `limbik bench all`: the median [us], or the rate [targets/s].
CLOSED_FORM_BARS = {bench_all.ONE: 1.5, bench_all.SWIVEL: 2.0, bench_all.RANGES: 20.0}
CLOSED_FORM_RATE = 4_000_000
# The worst error of a posture that is returned as solved [m, rad].
CLOSED_FORM_ERROR = 1e-10
# Random targets of each arm, and random arms of each structure; singular arms and postures; targets, swivels, and the distance
# to a limit below which rounding decides [rad]; runs and bar of a derivation [ms].
ALL_TARGETS, ALL_ARMS = 100_000, 50
SINGULAR_ARMS, SINGULAR_POSTURES = 5, 40
SWIVEL_TARGETS, SWIVELS, SWIVEL_MARGIN = 10_000, 2_000, 1e-9
DERIVED, DERIVED_BAR = 200, 1.0


def closed_forms(_: Path) -> list[Measurement]:
    """Measure `solve_all_batch`: the generating posture is found, all are distinct and exact; and the time of the derivation."""
    measured = []
    for name in ("puma560", "ur5", "kr6", "human_arm_6"):
        arm, rng = lk.load(name), np.random.default_rng(SEED)
        assert isinstance(arm, lk.Chain)
        found = closed_form.recall(arm, rng, ALL_TARGETS, limits=False)
        measured += _recalled(name, found, f"{found.postures} postures")
    for name, make in STRUCTURES.items():
        rng, total = np.random.default_rng(SEED), closed_form.Recall()
        for _k in range(ALL_ARMS):
            arm = make(rng)
            if arm.branch_names == ():
                total.missed += ALL_TARGETS // ALL_ARMS
                continue
            total.add(closed_form.recall(arm, rng, ALL_TARGETS // ALL_ARMS))
        measured += _recalled(f"{ALL_ARMS} arms: {name}", total, f"{total.targets} targets, {total.postures} postures")
    times = []
    rng = np.random.default_rng(SEED)
    for make in STRUCTURES.values():
        arm = make(rng)
        times.append(
            min(
                timed(lambda arm=arm: make_postures(arm.model, limits=True, position=1e-8, rotation=1e-8))
                for _ in range(5)
            )
        )
    what = f"derivation of the closed form, longest of {len(times)} structures"
    measured.append(at_most(what, max(times) * 1e3, DERIVED_BAR, "ms"))
    return measured


def _recalled(name: str, found: closed_form.Recall, note: str) -> list[Measurement]:
    return [
        at_most(
            f"{name}: generating posture missing, or a posture twice", found.missed + found.repeated, 0, "targets", note
        ),
        at_most(
            f"{name}: largest |FK - T|", found.worst_error, closed_form.EXACT, "m, 1", f"joints {found.worst_joint:.1e}"
        ),
    ]


def singularities(_: Path) -> list[Measurement]:
    """Measure targets at singularities and 1e-3 ... 1e-12 rad from them."""
    measured = []
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
        measured.append(at_most(f"{name}: none found, not exact, missing, flags wrong", wrong, 0, "targets", note))
    return measured


def swivels(_: Path) -> list[Measurement]:
    """Compare exact swivel ranges with samples."""
    measured = []
    for name in ("iiwa7", "human_arm_7", "human_leg_7"):
        arm, rng = lk.load(name), np.random.default_rng(SEED)
        assert isinstance(arm, lk.Chain)
        seen = closed_form.swivel_samples(arm, rng, SWIVEL_TARGETS, SWIVELS, SWIVEL_MARGIN)
        what = f"{name}: samples misjudged by the exact ranges, {SWIVEL_TARGETS} targets x {SWIVELS} swivels"
        measured.append(at_most(what, seen.misjudged, 0, "samples", f"{seen.samples} judged, {seen.inside} inside"))
    return measured


def closed_form_speed(out: Path) -> list[Measurement]:
    """Measure the speed contract's rows for `solve_all`, beside the peers in the same run; check that no posture is missing."""
    measured, report = [], {}
    for name in bench_all.ROBOTS:
        rows = report[name] = bench_all.measure(lk.load(name), 4000)  # type: ignore[arg-type]
        for row in (r for r in rows if r["who"] == "limbik"):
            peers = [
                r for r in rows if r["work"] == row["work"] and r["who"] != row["who"] and "limbik" not in r["who"]
            ]
            note = "; ".join(f"{r['who']} {r['ratio']:.1f} x" for r in peers)
            what = f"{name}: all postures, {row['work']}"
            if row["work"] == bench_all.BATCH:
                measured.append(at_least(what, row["rate"], CLOSED_FORM_RATE, "targets/s", note))
            else:
                measured.append(at_most(f"{what}, median", row["median"], CLOSED_FORM_BARS[row["work"]], "us", note))
            measured.append(at_most(f"{what}: generating posture missing", 100 - row["recall"], 0, "%"))
            if row["fk_error"] is not None:
                measured.append(at_most(f"{what}: worst error", row["fk_error"], CLOSED_FORM_ERROR, "m, rad"))
    (out / "bench_all.json").write_text(json.dumps(report, indent=1))
    return measured


# Targets on each catalogue arm; random arms of each structure and targets on each.
PEER_TARGETS, PEER_ARMS, PEER_EACH = 100_000, 50, 500


def closed_form_counts(out: Path) -> list[Measurement]:
    """Compare all postures with EAIK's: limits off, one by one, differences explained."""
    tallies = closed_form_peers.closed_form_peers(SEED, PEER_TARGETS, PEER_ARMS, PEER_EACH)
    (out / "closed_form_peers.txt").write_text(
        "\n".join(
            f"{name}: {tally}\n" + "".join(f"  {d}\n" for d in tally.differences) for name, tally in tallies.items()
        )
    )
    measured = []
    for name, tally in tallies.items():
        bad = len(tally.of("EAIK only")) + len(tally.of("limbik wrong"))
        measured.append(at_most(f"{name}: postures missing beside EAIK, or wrong", bad, 0, "postures", str(tally)))
    return measured
