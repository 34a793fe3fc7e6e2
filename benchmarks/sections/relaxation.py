"""Relaxation: the paper's nine targets, ten thousand random problems of each kind, points in space, the time of a cycle."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most
from limbik.papers.cruse_steinkuehler import earlier_state, forms, nine
from limbik.papers.cruse_steinkuehler.arm import INVERSE, PROBLEMS
from limbik.papers.cruse_steinkuehler.random_problems import sampled
from limbik.papers.paper import Experiment, Setting
from limbik.solvers.relaxation.segments import MOST_CYCLES

COUNT = 10_000
# The longest run that a problem may take before it counts as endless [s].
ENDLESS = 5.0
LIMBS = (3, 7, 10, 20)
# Short runs, the best of many: what the machine does besides is not a cycle of ours.
TIMED_CYCLES, REPEATS = 2_000, 60


def relaxation(_: Path) -> list[Measurement]:
    """Measure the relaxation network."""
    measured = [
        row for experiment in (nine.EXPERIMENT, earlier_state.EXPERIMENT, forms.EXPERIMENT) for row in _bars(experiment)
    ]
    return [*measured, *_network_alone(), *_completed(), *_points(), *_trees(), *_robots(), *_speed()]


def _bars(experiment: Experiment) -> Iterator[Measurement]:
    """Yield the claims of an experiment that have a bar."""
    for row in experiment.run(Setting())[0]:
        if row.bar is not None and row.ours is not None:
            bar = row.bar.high if math.isfinite(row.bar.high) else row.bar.low
            yield Measurement(row.what, row.ours, bar, row.unit, not row.failed, f"{row.bar}; {row.cause}".rstrip("; "))


def _network_alone() -> Iterator[Measurement]:
    """Yield the results of the paper's network without refinement; failures are counted and explained."""
    for update in ("sequential", "parallel"):
        for problem in PROBLEMS:
            sample = sampled(problem, COUNT, np.random.default_rng(SEED), update=update)
            failed = int(np.isinf(sample.cycles).sum())
            why = ", ".join(f"{n} {reason}" for reason, n in sample.reasons.most_common()) or "none"
            note = f"{failed} of {COUNT} do not converge: {why}"
            what = f"network alone, {update}, {problem}"
            if update == "sequential" and problem == INVERSE:
                yield at_least(f"{what}: in 60 cycles", sample.percent(60), 99, "%", note)
            else:
                yield Measurement(
                    f"{what}: in 60 cycles", sample.percent(60), 0, "%", True, f"reported, without a bar; {note}"
                )
            yield at_most(f"{what}: runs with a number that is not finite", sample.broken, 0, f"of {COUNT}")


def _completed() -> Iterator[Measurement]:
    """Yield the results of `complete` for random inputs of each kind, made from random postures."""
    arm = lk.load("planar3_cruse")
    assert isinstance(arm, lk.Chain)
    network = lk.relaxation.Mmc(arm)
    kinds: dict[str, Callable[[np.random.Generator, dict[str, float]], dict[str, object]]] = {
        problem: lambda _rng, state, names=names: {name: state[name] for name in names}
        for problem, names in PROBLEMS.items()
    }
    kinds["Cartesian (x, y)"] = lambda _rng, state: {"x": state["x"], "y": state["y"]}
    kinds["x alone, and a range"] = lambda _rng, state: {
        "x": state["x"],
        "beta": (state["beta"] - 0.3, state["beta"] + 0.2),
    }
    kinds["any one to four variables"] = lambda rng, state: {
        str(name): state[str(name)] for name in rng.choice(network._measures.names, rng.integers(1, 5), replace=False)
    }
    for kind, inputs in kinds.items():
        rng = np.random.default_rng(SEED)
        counts, broken, slowest, wrong, rests = Counter[str](), 0, 0.0, 0, 0
        for _ in range(COUNT):
            q, start = rng.uniform(-np.pi, np.pi, (2, 3))
            wanted = inputs(rng, network.state(q))
            before = perf_counter()
            found = network.complete(wanted, start)
            slowest = max(slowest, perf_counter() - before)
            counts[found.status.name] += 1
            rests += found.settled
            broken += not (np.isfinite(found.values).all() and np.isfinite(found.course).all())
            wrong += found.ok and not _true(network, arm, wanted, found)
        note = f"{dict(counts)}; the network rests in {rests}; slowest {1e3 * slowest:.0f} ms"
        yield at_least(f"complete, {kind}: solved", counts["SOLVED"], 0.999 * COUNT, f"of {COUNT}", note)
        yield at_most(
            f"complete, {kind}: reported as solved, but wrong",
            wrong,
            0,
            f"of {COUNT}",
            "by forward kinematics of the chain",
        )
        yield at_most(
            f"complete, {kind}: numbers that are not finite, or endless", broken + (slowest > ENDLESS), 0, f"of {COUNT}"
        )


def _true(
    network: lk.relaxation.Mmc, arm: lk.Chain, wanted: dict[str, object], found: lk.relaxation.Completion
) -> bool:
    """Return whether a posture meets the inputs, by the chain's forward kinematics and the state of the posture."""
    state = network.state(found.q)
    tip = arm.forward(found.q)[:2, 3]
    if abs(tip[0] - state["x"]) > 1e-9 or abs(tip[1] - state["y"]) > 1e-9:
        return False
    for name, value in wanted.items():
        low, high = value if isinstance(value, tuple) else (value, value)
        x = state[name]
        if network._measures.is_angle(name):
            x += 2 * math.pi * round(((low + high) / 2 - x) / (2 * math.pi))
        if not low - 1e-6 <= x <= high + 1e-6:
            return False
    return True


def _forms(
    rng: np.random.Generator,
) -> dict[str, Callable[[], tuple[lk.relaxation.PointForm, dict[int, np.ndarray], dict[str, object]]]]:
    """Return functions that make random problems of the point form: the form, reachable targets, options."""

    def chain(
        sockets: object, n: int = 7, lengths: tuple[float, float] = (0.5, 1.5), d: int = 3
    ) -> Callable[[], object]:
        def make() -> object:
            form = lk.relaxation.PointForm.chain(
                rng.uniform(*lengths, n).tolist(), sockets=sockets() if callable(sockets) else sockets, dimension=d
            )
            return form, {form.n: form.sample(rng)[-1]}, {}

        return make

    def tree() -> object:
        parents = (0, 1, 2, 3, 4, 2, 6, 7, 2)
        form = lk.relaxation.PointForm(parents, rng.uniform(0.3, 1.0, 9).tolist(), sockets=lk.relaxation.Ball(1.8))
        points = form.sample(rng)
        return form, {end: points[end] for end in form.leaves}, {}

    def stretching() -> object:
        form = lk.relaxation.PointForm.chain([(0.5, 1.0), 1.0, (0.2, 1.5), 1.0])
        return form, {4: form.sample(rng)[-1]}, {}

    def free() -> object:
        form = lk.relaxation.PointForm.chain([1.0] * 6, radius=0.05)
        points = form.sample(rng)
        middle = points[3] + rng.normal(size=3)
        room = min(np.linalg.norm(middle), np.linalg.norm(middle - points[-1]), *(_gap(points, middle),)) - 0.1
        if room < 0.1:
            return free()
        return form, {6: points[-1]}, {"free": [lk.Sphere(tuple(middle), float(min(room, 0.8)))]}

    def hinges() -> object:
        return [lk.relaxation.Hinge(rng.normal(size=3), -2.0, 2.0) for _ in range(7)]

    return {
        "free limbs, n = 7": chain(lk.relaxation.Ball()),
        "cones of 1 rad, n = 7": chain(lk.relaxation.Ball(1.0)),
        "planar hinges +-1.5 rad, n = 5": chain(lk.relaxation.Hinge(None, -1.5, 1.5), 5, d=2),
        "hinges in space +-2 rad, n = 7": chain(hinges),
        "tree with three ends, cones": tree,
        "limbs that stretch": stretching,
        "a sphere kept free, n = 6": free,
    }  # type: ignore[return-value]


def _gap(points: np.ndarray, centre: np.ndarray) -> float:
    segments = np.diff(points, axis=0)
    share = np.clip(((centre - points[:-1]) * segments).sum(1) / (segments**2).sum(1), 0, 1)
    return float(np.linalg.norm(points[:-1] + share[:, None] * segments - centre, axis=1).min())


def _points() -> Iterator[Measurement]:
    """Yield the results of the point form for random reachable problems."""
    rng = np.random.default_rng(SEED)
    for kind, make in _forms(rng).items():
        counts, broken, slowest, wrong, first = Counter[str](), 0, 0.0, 0, 0
        for _ in range(COUNT):
            form, targets, options = make()
            begin = form.sample(rng)
            before = perf_counter()
            found = form.relax(targets, begin, **options)  # type: ignore[arg-type]
            slowest = max(slowest, perf_counter() - before)
            counts[found.status.name] += 1
            first += found.ok and found.attempt == 0
            broken += not np.isfinite(found.points).all()
            lengths = np.linalg.norm(found.points[1:] - found.points[list(form.parents)], axis=1)
            kept = all(low - 1e-9 <= far <= high + 1e-9 for far, (low, high) in zip(lengths, form.lengths, strict=True))
            there = all(np.linalg.norm(found.points[e] - t) <= 0.0101 * form.size for e, t in targets.items())
            wrong += found.ok and not (kept and there)
        note = (
            f"{dict(counts)}, {first} from the first start; slowest {1e3 * slowest:.0f} ms; others are stuck at ranges"
        )
        yield at_least(f"points, {kind}: solved", counts["SOLVED"], 0.98 * COUNT, f"of {COUNT}", note)
        yield at_most(f"points, {kind}: reported as solved, but wrong", wrong, 0, f"of {COUNT}")
        yield at_most(f"points, {kind}: not finite, or endless", broken + (slowest > ENDLESS), 0, f"of {COUNT}")


def _tree(
    rng: np.random.Generator, n: int, ends: int, most: float
) -> tuple[lk.relaxation.PointForm, dict[int, np.ndarray]]:
    """Return a random tree of hinges with `ends` leaves, and targets that a posture inside the ranges reaches."""
    cuts = np.sort(rng.choice(np.arange(1, n), ends - 1, replace=False))
    parents: list[int] = []
    for size in np.diff([0, *cuts, n]):
        inner = [0, *(k for k in range(1, len(parents) + 1) if k in parents)]
        begin = int(rng.choice(inner))
        parents += [begin, *range(len(parents) + 1, len(parents) + size)]
    sockets = [lk.relaxation.Hinge(rng.normal(size=3), -most, most) for _ in range(n)]
    form = lk.relaxation.PointForm(parents, rng.uniform(0.5, 1.5, n).tolist(), sockets=sockets)
    points = form.sample(rng)
    return form, {end: points[end] for end in form.leaves}


def _trees() -> Iterator[Measurement]:
    """Yield the results of the point form for trees of hinges in space, started from rest: of one size, and of many."""
    kinds: dict[str, tuple[int, Callable[[np.random.Generator], tuple[int, int, float]]]] = {
        "2 ends, n = 6, +-1.2 rad": (COUNT // 10, lambda _: (6, 2, 1.2)),
        "2 or 3 ends, n = 4 to 12, +-0.6 to 2 rad": (
            COUNT // 4,
            lambda rng: (int(rng.integers(4, 13)), int(rng.integers(2, 4)), rng.uniform(0.6, 2.0)),
        ),
    }
    for kind, (count, sizes) in kinds.items():
        rng = np.random.default_rng(SEED)
        first40, solved, first, alone, wrong, slowest = 0, 0, 0, 0, 0, 0.0
        for k in range(count):
            form, targets = _tree(rng, *sizes(rng))
            before = perf_counter()
            found = form.relax(targets)
            slowest = max(slowest, perf_counter() - before)
            there = all(np.linalg.norm(found.points[e] - t) <= 0.0101 * form.size for e, t in targets.items())
            wrong += found.ok and not (there and form.keeps(found.points))
            solved += found.ok
            first40 += found.ok and k < 40
            first += found.ok and found.attempt == 0
            alone += k < 200 and form.relax(targets, finish=False).ok
        note = f"{first40} of the first 40; {first} from the rest; the network alone {alone} of 200; "
        note += f"slowest {1e3 * slowest:.0f} ms"
        yield at_least(f"trees of hinges, {kind}: solved", solved, count, f"of {count}", note)
        yield at_most(f"trees of hinges, {kind}: reported as solved, but wrong", wrong, 0, f"of {count}")


def _robots() -> Iterator[Measurement]:
    """Yield the results of `method="mmc"` for random poses of an arm, and for positions of a figure's five tips."""
    arm, figure = lk.load("ur5"), lk.load("human")
    assert isinstance(arm, lk.Chain) and isinstance(figure, lk.Skeleton)
    rng = np.random.default_rng(SEED)
    count = COUNT // 10
    solved = sum(arm.solve(arm.forward(arm.sample(rng)), seed=arm.sample(rng), method="mmc").ok for _ in range(count))
    yield at_least("method mmc, ur5, random poses: solved", solved, count, f"of {count}")
    solved = 0
    for _ in range(count):
        q = figure.sample(rng)
        goals = {tip: figure.forward(q, tip)[:3, 3] for tip in figure.tips}
        solved += figure.solve(goals, seed=figure.sample(rng), method="mmc").ok
    yield at_least("method mmc, human, five positions: solved", solved, count, f"of {count}")


def _speed() -> Iterator[Measurement]:
    """Yield the time of a cycle: points in space, free, in cones and on hinges; and the network of angles."""
    kinds: dict[str, lk.relaxation.Ball | lk.relaxation.Hinge] = {
        "free": lk.relaxation.Ball(),
        "cones": lk.relaxation.Ball(1.0),
        "hinges": lk.relaxation.Hinge((0, 1, 0), -2.0, 2.0),
    }
    forms = {
        f"{n} limbs in space, {name}": lk.relaxation.PointForm.chain([1.0] * n, sockets=s)
        for name, s in kinds.items()
        for n in LIMBS
    }
    n = max(LIMBS)
    rest = np.random.default_rng(SEED).normal(size=(n, 3))
    mixed = [lk.relaxation.Hinge((0, 1, 0), -1.0, 1.0), lk.relaxation.Ball(1.0)] * (n // 2)
    forms |= {
        f"{n} limbs in space, hinges and cones alternately": lk.relaxation.PointForm.chain([1.0] * n, sockets=mixed),
        f"{n} limbs in space, cones about any rest": lk.relaxation.PointForm.chain(
            [1.0] * n, sockets=lk.relaxation.Ball(1.0), rest=rest
        ),
    }
    for name, form in forms.items():
        kernel, step = form._network((form.n,)), form._step((form.n,), None)
        start = form.sample(np.random.default_rng(SEED))
        # out of reach, and within reach, where other ranges are active; no error is below the tolerance, so that the run goes on
        for target, where in (
            (np.full((1, 3), 10.0 * form.n), ""),
            (form.sample(np.random.default_rng(1))[-1:], ", in reach"),
        ):
            if where and form.n < n:
                continue
            seconds = []
            for _ in range(REPEATS):
                before = perf_counter()
                kernel.run(start, target, step, np.zeros((0, 4)), cycles=TIMED_CYCLES, tolerance=-1.0, pull=0.0, fading=0.9,
                           patience=MOST_CYCLES, progress=1e-3, kick=0.0, record=False)  # fmt: skip
                seconds.append(1e6 * (perf_counter() - before) / TIMED_CYCLES)
            note = f"best of {REPEATS} runs; their median {np.median(seconds):.3f}"
            yield at_most(f"a cycle of {name}{where}", min(seconds), 1.0, "us", note)
    network = lk.relaxation.Mmc(lk.load("planar3_cruse"), noise=1e-9, noisy=tuple(range(83))).network  # type: ignore[arg-type]
    start, held = network.begin(np.array([2.2, 1.9, 2.2])), np.full(17, np.nan)
    before = perf_counter()
    network.run(start, held, cycles=TIMED_CYCLES)
    yield Measurement(
        "a cycle of the 83 computations, with noise",
        1e6 * (perf_counter() - before) / TIMED_CYCLES,
        0,
        "us",
        True,
        "reported, without a bar",
    )
