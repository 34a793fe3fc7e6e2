"""Tables of postures (configurations), and the search that replaces a table."""

import json
from pathlib import Path

import numpy as np
from cases.random_arms import random_arm

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most
from benchmarks.tables import (
    Recall,
    by_closed_form,
    by_finder,
    exhaustive,
    in_a_box,
    joined,
    nearness,
    recall,
    single_calls,
)
from benchmarks.with_and_without import batches, ratio
from limbik.solvers.solver_set import solver_set

MICRO, MILLI, KB = 1e6, 1e3, 1e3
# Targets on the Puma; targets and random starts per target on arms without closed form; random arms and targets on each.
TARGETS, HARD_TARGETS, STARTS, ARMS, ARM_TARGETS = 100_000, 1000, 1000, 20, 50
# Half the side of the cube of test positions [m], as in Kim and Tarokh's Table 2.
HALF = 0.9
# Arms without closed form, and the bar of the time with a table over that without: 1 and the noise of two equal runs.
FORMLESS, NO_SLOWER = ("jaco2", "k1207"), 1.05
# How many misses are listed.
LISTED = 40


def tables(out: Path) -> list[Measurement]:
    """Compare the Puma's table with its closed form, and jaco2's with an exhaustive search; measure both times."""
    return [*_puma(out), *_jaco2(out), *_never_slower(out)]


def _never_slower(out: Path) -> list[Measurement]:
    """Compare a batch of a chain with a table to one without, by the default method and by method="table"."""
    found = []
    for name in FORMLESS:
        arm = lk.load(name)
        with_table = arm.with_table(lk.build_table(arm, out / f"{name}.table", workers=2))
        for kind, (T, seeds) in batches(arm, SEED).items():
            share, each = ratio(with_table, arm, T, seeds)
            by_table, _ = ratio(with_table, arm, T, seeds, method="table")
            note = f"{each * MICRO:.2f} us a target without; method='table' {by_table:.2f}"
            found.append(at_most(f"{name}: a batch with a table over one without, {kind}", share, NO_SLOWER, "", note))
    return found


def _listed(out: Path, name: str, found: Recall) -> str:
    """Write the missed postures, the best conditioned first; return a summary."""
    rows = sorted(found.misses, key=lambda m: -m.conditioning)
    facts = [
        {"target": m.row, "nearest_rad": min(m.nearest, 9.0), "smallest_singular_value": m.conditioning}
        for m in rows[:LISTED]
    ]
    (out / f"missed_{name}.json").write_text(json.dumps(facts, indent=1))
    weak = sum(m.conditioning < 1e-2 for m in rows)
    return f"{len(rows)} of {found.asked} missed, {weak} with a singular value below 0.01; missed_{name}.json"


def _puma(out: Path) -> list[Measurement]:
    arm = lk.load("puma560")
    table = lk.build_table(arm, out / "puma560.table", fresh=True, workers=2)
    finder = solver_set(arm.with_table(table).model).table
    targets = arm.forward(arm.sample(np.random.default_rng(SEED), TARGETS))
    found = recall(arm, targets, by_closed_form(arm, targets), by_finder(finder, targets))
    near = nearness(arm, finder, in_a_box(arm, HALF, 10_000, SEED))
    return [
        at_most("puma560: table of postures", table.bytes / KB, 150, "KB"),
        at_most("puma560: position error of candidates, mean", near.raw.mean() * MILLI, 0.3, "mm",
                f"sd {near.raw.std() * MILLI:.2f}"),
        at_most("puma560: after one Newton step, mean", near.stepped.mean() * MILLI, 0.005, "mm",
                f"median {np.median(near.stepped) * MILLI:.1e}"),
        at_least("puma560: solutions with a candidate", near.found_percent, 99.7, "%"),
        at_least(f"puma560: closed-form postures found, {TARGETS} targets, no fallback", found.percent, 99.9, "%",
                 _listed(out, "puma560", found)),
        at_most("puma560: wrong answers", found.wrong, 0, "postures"),
    ]  # fmt: skip


def _jaco2(out: Path) -> list[Measurement]:
    arm = lk.load("jaco2")
    table = lk.build_table(arm, out / "jaco2.table", fresh=True, workers=2)
    with_table = arm.with_table(table)
    finder = solver_set(with_table.model).table
    targets = arm.forward(arm.sample(np.random.default_rng(SEED), HARD_TARGETS))
    searched = by_finder(solver_set(arm.model).search, targets)
    known = joined(exhaustive(arm, targets, STARTS, SEED), searched)
    found = recall(arm, targets, known, by_finder(finder, targets))
    without = recall(arm, targets, known, searched)
    many = arm.forward(arm.sample(np.random.default_rng(SEED + 1), 5000))
    single_calls(with_table, many[:500])
    times = single_calls(with_table, many) * MICRO
    slow = single_calls(arm, many[:1000]) * MICRO
    return [
        at_least(f"jaco2: postures of {STARTS} random starts found by the table, {HARD_TARGETS} targets", found.percent, 99.0,
                 "%", _listed(out, "jaco2", found)),
        at_most("jaco2: wrong answers", found.wrong, 0, "postures"),
        at_most("jaco2: all postures by the table, one call, median", np.median(times), 40, "us",
                f"p99 {np.quantile(times, 0.99):.1f}; {table.bytes / KB:.0f} KB"),
        at_least("jaco2: the same found by the search without a table", without.percent, 99.9, "%",
                 _listed(out, "jaco2_search", without)),
        at_most("jaco2: all postures by the search without a table, one call, median", np.median(slow), 150, "us",
                f"p99 {np.quantile(slow, 0.99):.0f}"),
    ]  # fmt: skip


def general_arms(out: Path) -> list[Measurement]:
    """Compare all postures of arms with six random axes, found by the search, with those of an exhaustive search."""
    rng = np.random.default_rng(SEED)
    asked = got = wrong = 0
    times = []
    for _ in range(ARMS):
        arm = random_arm(rng, "RRRRRR")
        targets = arm.forward(arm.sample(rng, ARM_TARGETS))
        searched = by_finder(solver_set(arm.model).search, targets)
        found = recall(arm, targets, joined(exhaustive(arm, targets, STARTS, SEED), searched), searched)
        asked, got, wrong = asked + found.asked, got + found.found, wrong + found.wrong
        times.append(np.median(single_calls(arm, targets)) * MICRO)
    return [
        at_least(
            f"{ARMS} general 6R arms, {ARM_TARGETS} targets each: postures found",
            100 * got / asked,
            99.9,
            "%",
            f"of {asked}",
        ),
        at_most("general 6R arms: wrong answers", wrong, 0, "postures"),
        at_most("general 6R arms: all postures, one call, median", float(np.median(times)), 150, "us"),
    ]
