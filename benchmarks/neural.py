"""Compare four sources of seeds: a network, a table, an index of stored configurations, and random configurations.

The Levenberg-Marquardt iteration from a seed is the same for all; every attempt counts, also those that do not converge.
`python benchmarks/neural.py` measures and writes docs/neural_compared.md.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import limbik as lk
from benchmarks.measurement import SEED
from limbik.formats.content.content import Content
from limbik.solvers.solver_set import solver_set

PAGE = Path(__file__).parents[1] / "docs" / "neural_compared.md"
ROBOTS = ("puma560", "ur5", "jaco2", "panda", "iiwa7")
MICRO = 1e6
# Targets of the comparison; targets that are solved one call at a time; attempts from random postures before a target counts
# as unsolved.
TARGETS, CALLS, RESTARTS = 20_000, 3000, 64
# Size of the index: cells, seeds per cell, and bytes per number; a seed has n joint values and one more number.
INDEX_CELLS, INDEX_SEEDS, SINGLE = 14 * 14 * 10 * 14, 8, 4


@dataclass(frozen=True)
class SeedSource:
    """One source of seeds: its success and its cost.

    solved: share of the targets solved from its own seeds. steps: mean steps per target, of all attempts. batch, call: time per
    target in a batch on one thread, and of a single call [us]. kilobytes: memory. made: preparation time [s].
    """

    robot: str
    name: str
    solved: float
    steps: float
    batch: float
    call: float
    kilobytes: float
    made: float


def targets_of(arm: lk.Chain, count: int, seed: int = SEED) -> np.ndarray:
    """Return targets made from random postures, (count, 4, 4)."""
    return arm.forward(arm.sample(np.random.default_rng(seed), count))


def by_network(arm: lk.Chain, network: Content, T: np.ndarray, made: float, calls: int = CALLS) -> SeedSource:
    """Measure seeds that the network proposes."""
    able = arm.with_network(network)
    able.solve_batch(T[:1000], method="neural", threads=1)
    start = perf_counter()
    found = able.solve_batch(T, method="neural", threads=1)
    batch = perf_counter() - start
    alone = found.ok & (found.attempt < 0)
    return SeedSource(
        arm.name, "network", alone.mean(), found.steps.mean(), batch / len(T) * MICRO, one_by_one(able, T[:calls], "neural"),
        network.bytes / 1e3, made,
    )  # fmt: skip


def by_index(arm: lk.Chain, T: np.ndarray, calls: int = CALLS) -> SeedSource:
    """Measure seeds from the index of stored postures: the ordinary `lm`, whose first attempt starts from home."""
    again = lk.load(arm.name)
    # an arm with other limits has an index of its own, which is not built yet
    other = again.with_limits(0.999 * again.lower, 0.999 * again.upper)
    times = []
    for target in T[:20]:  # the first target that is not solved from the seed builds it
        start = perf_counter()
        other.solve(target, method="lm")
        times.append(perf_counter() - start)
    made = max(times)
    again.solve_batch(T[:1000], method="lm", threads=1)
    start = perf_counter()
    found = again.solve_batch(T, method="lm", threads=1)
    batch = perf_counter() - start
    size = INDEX_CELLS * INDEX_SEEDS * (arm.n + 1) * SINGLE / 1e3
    return SeedSource(
        arm.name,
        "index",
        found.ok.mean(),
        found.steps.mean(),
        batch / len(T) * MICRO,
        one_by_one(again, T[:calls], "lm"),
        size,
        made,
    )


def by_chance(arm: lk.Chain, T: np.ndarray) -> SeedSource:
    """Measure random seeds: up to RESTARTS attempts per target."""
    solver = solver_set(arm.model).pose
    left, steps = np.arange(len(T)), np.zeros(len(T))
    spent = 0.0
    for attempt in range(RESTARTS):
        starts = arm.sample(np.random.default_rng([SEED, RESTARTS, attempt]), len(left))
        start = perf_counter()
        _, solved, taken = solver.attempt_from(T[left], starts, 1)
        spent += perf_counter() - start
        steps[left] += taken
        left = left[~solved]
        if not len(left):
            break
    return SeedSource(
        arm.name, "chance", 1 - len(left) / len(T), steps.mean(), spent / len(T) * MICRO, np.nan, 0.0, 0.0
    )


def by_table(arm: lk.Chain, T: np.ndarray, calls: int = CALLS) -> SeedSource:
    """Measure seeds that a table proposes, those with the smallest pose error first."""
    start = perf_counter()
    table = lk.build_table(arm)
    made = perf_counter() - start
    finder, solver = solver_set(arm.with_table(table).model).table, solver_set(arm.model).pose
    length = 0.5 * arm.model.reach.span
    some = T[: min(len(T), 4 * calls)]
    steps, reached = np.zeros(len(some)), np.zeros(len(some), np.bool_)
    for k, target in enumerate(some):
        proposed = np.clip(nearest_copies(finder.look_up(target), arm), arm.lower, arm.upper)
        error = lk.pose_error(arm.forward(proposed), np.broadcast_to(target, (len(proposed), 4, 4)))
        order = np.argsort(((error / ([length] * 3 + [1.0] * 3)) ** 2).sum(-1))
        for q in proposed[order]:
            _, solved, taken = solver.attempt_from(target[None], q[None], 1)
            steps[k] += taken[0]
            if solved[0]:
                reached[k] = True
                break
    call = one_by_one(arm.with_table(table), T[:calls], "table")
    return SeedSource(arm.name, "table", reached.mean(), steps.mean(), np.nan, call, table.bytes / 1e3, made)


def nearest_copies(q: np.ndarray, arm: lk.Chain) -> np.ndarray:
    """Return the 2-pi copies of postures that are closest to home."""
    return q - 2 * np.pi * np.rint((q - arm.home) / (2 * np.pi))


def one_by_one(arm: lk.Chain, T: np.ndarray, method: str) -> float:
    """Return the median time of a call [us]."""
    for target in T[:200]:
        arm.solve(target, method=method)
    times = []
    for target in T:
        start = perf_counter()
        posture = arm.solve(target, method=method).q
        times.append(perf_counter() - start)
        assert len(posture) == arm.n
    return float(np.median(times)) * MICRO


def contest(name: str, targets: int = TARGETS, calls: int = CALLS, **settings: object) -> list[SeedSource]:
    """Return the results of every source on a robot."""
    arm = lk.load(name)
    T = targets_of(arm, targets)
    start = perf_counter()
    network = lk.train(arm, **settings)
    made = perf_counter() - start
    return [
        by_network(arm, network, T, made, calls),
        by_table(arm, T, calls),
        by_index(arm, T, calls),
        by_chance(arm, T),
    ]


# ---- the page --------------------------------------------------------------------------------------------------------

HEAD = """# Networks compared

Where should an attempt start? Four sources propose seeds: a network that has learned the arm, a table, an index of stored
postures (configurations), and random numbers ("chance"). The iteration from there is the same for all four.
`python benchmarks/neural.py` writes this page. The times are those of one machine ({machine}); compare them only with each other.

- solved: the share of targets reached from the source's own starts, without other starts. There are {targets} targets that a
  random posture reaches; {some} of them for the table.
- steps: steps of Levenberg-Marquardt's method over all attempts, including failed ones; the mean over all targets.
- batch: time per target in a batch on one thread. call: time of one call from Python, the median of {calls}. The table's call
  finds all postures, not only one.
- memory: the size of the prepared data. preparation: the time to build or train the source on this machine.
"""


def page(ways: list[SeedSource], machine: str, targets: int, calls: int) -> str:
    """Return the page."""
    lines = [
        HEAD.format(machine=machine, targets=f"{targets:,}", some=f"{min(targets, 4 * calls):,}", calls=f"{calls:,}")
    ]
    for robot in dict.fromkeys(way.robot for way in ways):
        lines += [
            f"## {robot}",
            "",
            "| seeds from | solved [%] | steps | batch [us] | call [us] | memory [KB] | preparation [s] |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_line(way) for way in ways if way.robot == robot]
        lines += ["", _verdict([way for way in ways if way.robot == robot]), ""]
    lines += ["## Conclusions", "", *_conclusion(ways), ""]
    return "\n".join(lines)


def _number(x: float, form: str) -> str:
    return "-" if np.isnan(x) else format(x, form)


def _line(source: SeedSource) -> str:
    cells = (
        f"{100 * source.solved:.3f}",
        f"{source.steps:.2f}",
        _number(source.batch, ".2f"),
        _number(source.call, ".1f"),
        f"{source.kilobytes:,.0f}",
        _number(source.made, ".2f"),
    )
    return f"| {source.name} | " + " | ".join(cells) + " |"


def _verdict(sources: list[SeedSource]) -> str:
    by = {source.name: source for source in sources}
    network, index, chance = by["network"], by["index"], by["chance"]
    faster = index.batch / network.batch
    batch = (
        f"is {faster:.1f} times faster than"
        if faster >= 1
        else f"is slower: it takes {1 / faster:.1f} times as long as"
    )
    return (
        f"The network takes {chance.steps / network.steps:.1f} times fewer steps than chance and "
        f"{index.steps / network.steps:.1f} times fewer than the index.\nIn a batch it {batch} the index; a single call takes "
        f"{network.call / index.call:.2f} of the index's time."
    )


def _conclusion(sources: list[SeedSource]) -> list[str]:
    network = [source for source in sources if source.name == "network"]
    index = [source for source in sources if source.name == "index"]
    pays = [n.robot for n, i in zip(network, index, strict=True) if n.batch < i.batch]
    single = [n.robot for n, i in zip(network, index, strict=True) if n.call < i.call]
    small = np.mean([i.kilobytes / n.kilobytes for n, i in zip(network, index, strict=True)])
    fewest, most = min(n.steps for n in network), max(n.steps for n in network)

    def on(robots: list[str]) -> str:
        return f"on {', '.join(robots)}" if robots else "on no robot"

    return [
        f"- Steps: the network saves steps on every robot. It needs {fewest:.1f} to {most:.1f} steps per target. This is",
        "  close to the minimum of an attempt; nearly all of these steps belong to the first attempt.",
        f"- Time in a batch: the network is faster {on(pays)}. A step in the lanes takes 0.1 us, and the network costs",
        "  as much as twenty steps. Reading the index takes almost no time.",
        f"- Time of a single call: the network is faster {on(single)}.",
        f"- Memory: the network is {small:.0f} times smaller than the index, and smaller than the tables. "
        "But it must be",
        "  trained, while the index is built in milliseconds.",
        "- Only a network can learn from recorded examples alone, and learn to prefer some postures "
        "(see [neural.md](neural.md)).",
    ]


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=TARGETS)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--out", type=Path, default=PAGE)
    options = parser.parse_args()
    sources = []
    for name in ROBOTS:
        sources += contest(name, options.targets, options.calls)
        print("\n".join(_line(source) for source in sources[-4:]), flush=True)
    info = lk.build_info()
    options.out.write_text(page(sources, f"{info['lanes']} lanes", options.targets, options.calls))


if __name__ == "__main__":
    main()
