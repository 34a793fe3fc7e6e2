"""Statuses are evidence: no false proof and no wrong success at degenerate targets, and proofs for unreachable targets."""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from cases import degenerate, public_robots
from cases.random_arms import STRUCTURES, random_srs_arm
from rich.progress import track

import limbik as lk
from benchmarks.closed_form import Tally, gaps
from benchmarks.measurement import SEED, Measurement, at_least, at_most
from limbik._core import ROTATION_TOLERANCE
from limbik.model.model import position_tolerance

Rng = np.random.Generator
Array = np.ndarray

# Reachable targets in all, and random arms of each structure.
TARGETS, ARMS = 10_000_000, 200
# Targets that cannot be reached, of each kind.
UNREACHABLE = 1_000_000
# How far out of reach they are, in tolerances, and how many are drawn for each that is kept.
BEYOND, DRAWN = 10, 1.9
# Unsolved targets in a million, how much longer degenerate ones may take, and the share that must be proven [%].
UNSOLVED_BAR, SLOWER, PROVEN = 1.0, 5.0, 99.9
# Rows of one call.
CHUNK = 20_000
# The rounding of forward kinematics in NumPy, relative to the reach.
ROUNDING = 1e-13
# Redundant arms whose `solve_all` is checked, and the targets of each.
HELD, HELD_TARGETS = ("panda", "xarm7"), 10_000
# Targets whose complete lists are checked, and how close a listed posture must be [rad, or relative to the reach].
LISTS, LISTED = 400_000, 1e-6


class Truth(Tally):
    """Counts over many targets."""

    def __init__(self) -> None:
        """Start all counts at zero."""
        self.targets = self.false_proofs = self.wrong = self.unsolved = 0
        self.degenerate_targets = 0
        self.seconds = self.degenerate_seconds = 0.0


def catalogue() -> Iterator[tuple[str, lk.Chain]]:
    """Yield the arms of the catalogue whose joints have one axis each."""
    for name in lk.CATALOGUE:
        arm = lk.load(name)
        if isinstance(arm, lk.Chain) and arm.model.one_axis.all():
            yield name, arm


def varied(arm: lk.Chain, rng: Rng) -> lk.Chain:
    """Return a random arm as a user might have it: with limits, a tool, a base, another size."""
    if rng.random() < 0.7:
        low = np.where(arm.model.revolute, -rng.uniform(0.3, 3.1, arm.n), -0.6)
        high = np.where(arm.model.revolute, rng.uniform(0.3, 3.1, arm.n), 0.6)
        arm = arm.with_limits(low, high)
    if rng.random() < 0.4:
        arm = arm.scaled(float(10.0 ** rng.uniform(-2.0, 2.0)))
    for change in (arm.with_tool, arm.with_base):
        if rng.random() < 0.3:
            arm = change(_pose(rng, arm.reach))
            change = arm.with_base
    return arm


def _pose(rng: Rng, size: float) -> Array:
    T = np.eye(4)
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    T[:3, :3] = q * np.linalg.det(q)
    T[:3, 3] = rng.uniform(-0.3, 0.3, 3) * size
    return T


def random_arms(rng: Rng, count: int) -> Iterator[tuple[str, lk.Chain]]:
    """Yield `count` random arms of every structure, varied."""
    for name, make in {**STRUCTURES, "S-R-S": random_srs_arm}.items():
        for k in range(count):
            yield f"{name} {k}", varied(make(rng), rng)


def judge(name: str, arm: lk.Chain, rng: Rng, count: int, total: Truth, listed: list[str]) -> None:
    """Solve targets made from postures inside the limits, half of them degenerate: from home, random seeds, the posture."""
    arm.warm_up()  # tables that are built once do not count in a target's time
    for at in range(0, count, CHUNK):
        rows = min(CHUNK, count - at)
        kind = rng.integers(3)
        for special in (True, False):
            half = rows // 2
            q = degenerate.postures(arm, rng, half) if special else arm.sample(rng, half)
            T = degenerate.targets(arm, q)
            seeds = None if kind == 0 else arm.sample(rng, half) if kind == 1 else q
            start = process_time()
            batch = arm.solve_batch(T, seeds, threads=1)
            seconds = process_time() - start
            total.targets += half
            total.degenerate_targets += half * special
            if kind < 2:
                total.degenerate_seconds += seconds * special
                total.seconds += seconds * (not special)
            _count(name, arm, q, T, batch, total, listed)


def _judge_one(name: str, arm: lk.Chain, number: int, count: int) -> tuple[Truth, list[str]]:
    total, listed = Truth(), []
    judge(name, arm, np.random.default_rng([SEED, number]), count, total, listed)
    return total, listed


def on_every_core(work: Callable[..., Any], cases: list[tuple[Any, ...]]) -> Iterator[Any]:
    """Yield the result of `work` for each case, in order, computed by one process per core, with a progress bar."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from track(pool.map(work, *zip(*cases, strict=True), chunksize=4), total=len(cases), transient=True)


def _count(
    name: str, arm: lk.Chain, q: Array, T: Array, batch: lk.BatchAnswer, total: Truth, listed: list[str]
) -> None:
    room = ROUNDING * (arm.reach + np.abs(T[:, :3, 3]).max(axis=1, initial=0.0))
    found = degenerate.targets(arm, batch.q)
    position = np.linalg.norm(found[:, :3, 3] - T[:, :3, 3], axis=1)
    # 2 sin(angle / 2) = |A - B| / sqrt(2)
    rotation = np.linalg.norm((found - T)[:, :3, :3], axis=(1, 2)) / math.sqrt(2)
    inside = ((batch.q >= arm.lower) & (batch.q <= arm.upper)).all(axis=1)
    good = (position <= position_tolerance(arm.model.reach) + room) & (rotation <= ROTATION_TOLERANCE + 1e-13) & inside
    total.wrong += int((batch.ok & ~good).sum())
    proven = np.isin(batch.status, (lk.Status.OUT_OF_REACH, lk.Status.LIMITS))
    total.false_proofs += int(proven.sum())
    total.unsolved += int((~batch.ok & ~proven).sum())
    listed += [f"{name} {lk.Status(batch.status[k]).name} {q[k].tolist()}" for k in np.flatnonzero(~batch.ok | ~good)]


def _summary(what: str, total: Truth, listed: list[str]) -> list[Measurement]:
    note = "; ".join(listed[:3])
    worst = note if total.false_proofs else ""
    ordinary = total.seconds / max(total.targets - total.degenerate_targets, 1)
    return [
        at_most(f"{what}, {total.targets} reachable targets: false proofs", total.false_proofs, 0, "targets", worst),
        at_most(f"{what}: wrong successes", total.wrong, 0, "targets"),
        at_most(f"{what}: unsolved", total.unsolved / max(total.targets, 1) * 1e6, UNSOLVED_BAR, "in a million", note),
        at_most(f"{what}: time of degenerate targets", total.degenerate_seconds / max(total.seconds, 1e-12), SLOWER, "x ordinary",
                f"ordinary {ordinary * 1e6:.1f} us"),
    ]  # fmt: skip


def truth(out: Path, targets: int = TARGETS, arms: int = ARMS) -> list[Measurement]:
    """Measure reachable targets, half of them degenerate: no false proof, and no wrong success."""
    measured, listed, everything = [], [], Truth()
    made = list(catalogue())
    public = list(public_robots.chains())
    shares = {
        "catalogue": (made, 0.3),
        f"{arms} random arms of each structure": (list(random_arms(np.random.default_rng(SEED), arms)), 0.4),
        "public robots": (public, 0.3),
    }
    for what, (group, share) in shares.items():
        total, own = Truth(), []
        each = 2 * math.ceil(targets * share / len(group) / 2)
        for counted, found in on_every_core(_judge_one, [(*pair, k, each) for k, pair in enumerate(group)]):
            total.add(counted)
            own += found
        measured += _summary(f"{what} ({len(group)} arms)", total, own)
        everything.add(total)
        listed += own
    measured += _summary("all", everything, listed)
    (out / "truth_unsolved.txt").write_text("\n".join(listed))
    return (
        measured
        + unreachable_targets(out, int(UNREACHABLE * targets / TARGETS))
        + complete_lists(int(LISTS * targets / TARGETS))
        + held_joints(int(HELD_TARGETS * min(1.0, 10 * targets / TARGETS)))
    )


def closed_form_arms(count: int) -> list[tuple[str, lk.Chain]]:
    """Return arms whose `solve` uses a closed form: of the catalogue, and random ones of every structure."""
    group = [*catalogue(), *random_arms(np.random.default_rng(SEED), count)]
    return [
        (name, arm)
        for name, arm in group
        if arm.branch_names and (arm.redundancy is None or arm.redundancy.kind == "swivel")
    ]


def unreachable_targets(_: Path, targets: int = UNREACHABLE) -> list[Measurement]:
    """Measure targets out of reach and targets reachable only outside the limits: they must be proven, not only unsolved."""
    group = closed_form_arms(10)
    # the search that makes them may be wrong: a target with a verified solution does not count
    each = max(int(DRAWN * targets / len(group)), 8)
    tallies = {"out of reach": [0, 0, 0], "reachable only outside the limits": [0, 0, 0]}
    for counts in on_every_core(_prove_one, [(arm, k, each) for k, (_, arm) in enumerate(group)]):
        for tally, own in zip(tallies.values(), counts, strict=True):
            tally[:] = np.add(tally, own).tolist()
    measured = []
    for what, (proven, count, solved) in tallies.items():
        name = f"{what}, {count} targets on {len(group)} arms: proven"
        note = f"{count - proven} not proven; {solved} more were drawn that are reachable after all"
        measured.append(at_least(name, 100 * proven / max(count, 1), PROVEN, "%", note))
    return measured


def _prove_one(arm: lk.Chain, number: int, count: int) -> list[list[int]]:
    """Return, for targets of both kinds: how many are proven, how many there are, and how many are reachable after all."""
    rng, out = np.random.default_rng([SEED, number]), []
    for T in (out_of_reach(arm, rng, count), outside_limits(arm, rng, count)):
        status = arm.solve_batch(T, threads=1).status if len(T) else np.zeros(0, np.uint8)
        solved = int((status == lk.Status.SOLVED).sum())
        out.append([int(np.isin(status, (lk.Status.OUT_OF_REACH, lk.Status.LIMITS)).sum()), len(T) - solved, solved])
    return out


def out_of_reach(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return reachable poses pushed outward, which a search without limits misses by more than BEYOND tolerances."""
    free = arm.with_limits(np.full(arm.n, -np.inf), np.full(arm.n, np.inf))
    q = arm.sample(rng, count)
    T = degenerate.targets(arm, q)
    away = T[:, :3, 3] - np.asarray(arm.model.reach.centre)
    length = np.linalg.norm(away, axis=1, keepdims=True)
    reach = arm.reach if math.isfinite(arm.reach) and arm.reach > 0 else 1.0
    further = rng.uniform(0.0, 1.2, (count, 1)) ** 3 * reach
    T[:, :3, 3] += away / np.where(length > 0, length, 1.0) * further
    batch = free.solve_batch(T, threads=1, method="lm")
    far = (batch.position_error > BEYOND * position_tolerance(arm.model.reach)) | (
        batch.rotation_error > BEYOND * ROTATION_TOLERANCE
    )
    return np.asarray(T[~batch.ok & far])


def outside_limits(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return poses of postures outside the limits that a search inside the limits does not reach."""
    if not (np.isfinite(arm.lower) & np.isfinite(arm.upper)).any():
        return np.zeros((0, 4, 4))
    low, high = degenerate.bounds(arm)
    room = np.where(np.isfinite(arm.lower) & np.isfinite(arm.upper), 0.3 * (high - low), 0.0)
    q = low - room + rng.random((count, arm.n)) * (high - low + 2 * room)
    T = degenerate.targets(arm, q)
    batch = arm.solve_batch(T, threads=1, method="lm")
    far = (batch.position_error > BEYOND * position_tolerance(arm.model.reach)) | (
        batch.rotation_error > BEYOND * ROTATION_TOLERANCE
    )
    return np.asarray(T[~batch.ok & far])


def unlisted(arm: lk.Chain, rng: Rng, count: int) -> list[list[float]]:
    """Return degenerate postures that are missing from lists reported as complete."""
    q = degenerate.postures(arm, rng, count)
    missing = []
    for own, T in zip(q, degenerate.targets(arm, q), strict=True):
        answers = arm.solve_all(T)
        if not answers.complete or answers.families.any():
            continue
        if not (gaps(arm, answers.q, own) <= LISTED * max(1.0, arm.reach)).any():
            missing.append(own.tolist())
    return missing


def complete_lists(targets: int = LISTS) -> list[Measurement]:
    """Check `complete`: no posture that a degenerate target was made from is missing."""
    group = [
        (name, arm)
        for name, arm in [*catalogue(), *random_arms(np.random.default_rng(SEED), 10)]
        if arm.branch_names and arm.redundancy is None
    ]
    rng, each = np.random.default_rng(SEED), max(targets // len(group), 4)
    found = [f"{name} {q}" for name, arm in group for q in unlisted(arm, rng, each)]
    what = f"{each * len(group)} degenerate targets on {len(group)} arms: complete lists without the posture"
    return [at_most(what, len(found), 0, "targets", "; ".join(found[:2]))]


def held_joints(targets: int = HELD_TARGETS) -> list[Measurement]:
    """Check that `solve_all` of redundant arms with a fixed joint is never empty at a reachable pose."""
    measured = []
    for name in HELD:
        arm, rng = lk.load(name), np.random.default_rng(SEED)
        assert isinstance(arm, lk.Chain)
        empty = sum(len(arm.solve_all(T)) == 0 for T in degenerate.targets(arm, arm.sample(rng, targets)))
        measured.append(at_most(f"{name}: solve_all empty, {targets} reachable poses", empty, 0, "targets"))
    return measured
