"""Arms driven by muscles: the paper's bars, moment arms, random targets and lengths, speed."""

from pathlib import Path
from time import perf_counter

import numpy as np
from muscle.muscle_arms import narrowed, shoulder_elbow

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most
from benchmarks.sections.papers import _measurement_of
from limbik.muscle.problem import muscle_problem
from limbik.papers.gini import PAPER
from limbik.papers.gini.printed import TABLE_3
from limbik.papers.paper import Setting

TARGETS, LENGTHS, ARMS, ARM_TARGETS, CALLS = 10_000, 5_000, 20, 500, 3_000
MICRO, PERCENT, CM = 1e6, 100.0, 0.01


def muscles(out: Path) -> list[Measurement]:
    """Measure every bar of the paper at full size, then what goes beyond it."""
    measured = []
    (out / "gini").mkdir(parents=True, exist_ok=True)
    for section in PAPER.sections:
        for experiment in section.experiments:
            rows, pictures = experiment.run(Setting())
            for picture in pictures:
                picture.draw(out / "gini" / f"{picture.name}.png")
            measured += [_measurement_of("gini", row) for row in rows if row.bar is not None]
    return [*measured, *_points(), *_arms(), *_targets(), *_lengths(), *_speed()]


def _points() -> list[Measurement]:
    """Compare the default method at P1 and P2 with the descent, in calls of forward kinematics."""
    arm, measured = lk.load("maximum_one"), []
    for name, (point, *_) in TABLE_3.items():
        answer = arm.muscles.solve_lengths(np.array(point) * CM)
        least = arm.muscles.solve_lengths(np.array(point) * CM, method="least_squares")
        calls = 8 * {"P1": 50, "P2": 200}[name]
        measured += [
            at_most(f"{name}: default method, error", answer.position_error / CM if answer.ok else np.inf, 1e-9, "cm"),
            at_most(f"{name}: calls of forward kinematics, beside the descent's", answer.evaluations, calls - 1, "FK"),
            at_most(f"{name}: the same by bounded least squares", least.evaluations if least.ok else np.inf, calls - 1, "FK",
                    f"error {least.position_error / CM:.0e} cm"),
        ]  # fmt: skip
    return measured


def _arms() -> list[Measurement]:
    """Compare moment arms with central differences."""
    rng, measured = np.random.default_rng(SEED), []
    step = 1e-6
    for arm in (lk.load("maximum_one"), lk.load("human_upper_limb"), shoulder_elbow(rng, mixed=True)):
        q = arm.sample(rng, 2000)
        wide = [arm.muscles.lengths(q + s * e) for e in np.eye(arm.n) for s in (step, -step)]
        numeric = np.stack([(a - b) / (2 * step) for a, b in zip(wide[::2], wide[1::2], strict=True)], axis=-1)
        off = np.abs(arm.muscles.moment_arms(q) - numeric).max()
        measured.append(at_most(f"{arm.name}: moment arms and differences, 2000 postures", off, 1e-8, "m/rad"))
    return measured


def _solved(arm: lk.Chain, rng: np.random.Generator, count: int) -> tuple[float, float]:
    """Return the share of reachable points solved with all joints and lengths in range [%], and the largest error [m]."""
    P = arm.forward(arm.muscles.sample_admissible(rng, count))[:, :3, 3]
    lengths, q, status = arm.muscles.solve_lengths_batch(P)
    low, high = arm.muscles.ranges
    good = (status == lk.Status.SOLVED) & ((lengths >= low) & (lengths <= high)).all(axis=1)
    good[good] &= arm.muscles.admissible(q[good])
    error = np.linalg.norm(arm.forward(q[good])[:, :3, 3] - P[good], axis=1).max(initial=0.0)
    return PERCENT * good.mean(), float(error)


def _targets() -> list[Measurement]:
    rng = np.random.default_rng(SEED)
    arm = lk.load("maximum_one")
    solved, error = _solved(arm, rng, TARGETS)
    measured = [at_least(f"maximum_one: {TARGETS} random reachable wrist targets solved, all lengths in range", solved, 100, "%",
                        f"largest error {error:.0e} m")]  # fmt: skip
    shares = [_solved(narrowed(arm, rng, 0.35), rng, ARM_TARGETS) for _ in range(ARMS)]
    measured.append(
        at_least(
            f"the same with {ARMS} random narrower ranges, {ARM_TARGETS} each", min(s for s, _ in shares), 100, "%"
        )
    )
    others = [_solved(shoulder_elbow(rng, mixed=k % 2 == 1), rng, ARM_TARGETS) for k in range(ARMS)]
    measured.append(at_least(f"{ARMS} random arms with shoulder and elbow, random muscles", min(s for s, _ in others), 100, "%",
                            f"largest error {max(e for _, e in others):.0e} m"))  # fmt: skip
    direction = rng.normal(size=(TARGETS, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    beyond = arm.muscles.solve_lengths_batch(direction * rng.uniform(0.7001, 3, (TARGETS, 1)))[2]
    within = arm.muscles.solve_lengths_batch(direction * rng.uniform(0, 0.2, (TARGETS, 1)))[2]
    measured.append(
        at_least("points beyond the reach: OUT_OF_REACH", PERCENT * (beyond == lk.Status.OUT_OF_REACH).mean(), 100, "%")
    )
    measured.append(
        at_least("points too near for the elbow: LIMITS", PERCENT * (within == lk.Status.LIMITS).mean(), 100, "%")
    )
    limb = lk.load("human_upper_limb")
    T = limb.forward(limb.muscles.sample_admissible(rng, 500))
    for kind, cut in (("poses", np.s_[:]), ("points", np.s_[:3, 3]), ("orientations", np.s_[:3, :3])):
        answers = [limb.muscles.solve_lengths(t[cut]) for t in T]
        good = [a.ok and limb.muscles.admissible(a.q) for a in answers]
        measured.append(
            at_least(f"human_upper_limb: 500 random reachable {kind} solved", PERCENT * np.mean(good), 99.8, "%")
        )
    return measured


def _lengths() -> list[Measurement]:
    """Measure postures from muscle lengths: possible lengths are solved, impossible ones refused with the reason."""
    rng, arm = np.random.default_rng(SEED), lk.load("maximum_one")
    q = arm.muscles.sample_admissible(rng, LENGTHS)
    L = arm.muscles.lengths(q)
    kept = [arm.muscles.posture_from_lengths(x) for x in L]
    off = [np.abs(found.q - x).max(axis=1).min() if found.ok else np.inf for found, x in zip(kept, q, strict=True)]
    near = np.abs(q[:, 1]) > np.radians(1)
    words = {"range": 0, "triangle": 0, "antagonist": 0, "do not meet": 0}
    refused = 0
    for k, x in enumerate(L):
        kind = k % 4
        bad = dict(zip(arm.muscles.names, x, strict=True))
        if kind == 0:  # out of range
            bad["pectoralis"] = 0.25 + rng.uniform(1e-4, 0.2)
        elif kind == 1:  # antagonists that contradict each other
            bad["subscapularis"] = np.clip(
                bad["subscapularis"] + rng.choice((-1, 1)) * rng.uniform(1e-4, 5e-3), 0.15, 0.25
            )
        elif kind == 2:  # no triangle
            bad["deltoid"] = rng.choice((rng.uniform(0.02, 0.119), rng.uniform(0.181, 0.4)))
        else:  # spheres that do not meet: both muscles at one end
            bad = {
                "pectoralis": rng.uniform(0.15, 0.16),
                "deltoid": rng.uniform(0.12, 0.13),
                "supraspinatus": 0.2,
                "biceps": 0.28,
            }
        found = arm.muscles.posture_from_lengths(bad, limits=kind != 2)
        reasons = [word for word in words if word in found.why]
        refused += not found.ok and bool(reasons)
        for word in reasons:
            words[word] += 1
    note = ", ".join(f"{word} {count}" for word, count in words.items())
    return [
        at_most(f"maximum_one: {LENGTHS} postures from all seven lengths, largest difference beyond 1 degree from the fold",
                float(np.array(off)[near].max()), 1e-10, "rad"),
        at_least("the same: found, near the fold too", PERCENT * np.isfinite(off).mean(), 100, "%"),
        at_least(f"{LENGTHS} impossible lengths refused with a reason", PERCENT * refused / len(L), 100, "%", note),
    ]  # fmt: skip


def _speed() -> list[Measurement]:
    """Measure the time of the direct kinematics and of the default method, beside SciPy's solvers."""
    from scipy.optimize import fsolve, least_squares

    rng, arm = np.random.default_rng(SEED), lk.load("maximum_one")
    q = arm.muscles.sample_admissible(rng, CALLS)
    q[:, 1] = np.abs(q[:, 1])
    L, P, home = arm.muscles.lengths(q), arm.forward(q)[:, :3, 3].copy(), np.array(arm.home)
    core, own = muscle_problem(arm.model).core, arm.muscles
    few = [0, 1, 3, 5]

    def each(call, rows):  # type: ignore[no-untyped-def]
        times = []
        for _ in range(5):
            start = perf_counter()
            for k in rows:
                call(k)
            times.append((perf_counter() - start) / len(rows))
        return MICRO * min(times)

    everyone, some = range(CALLS), range(100)
    by_fsolve = each(lambda k: fsolve(lambda x: arm.muscles.lengths(x)[few] - L[k, few], q[k] + 0.2), some)
    inverse = each(lambda k: least_squares(lambda x: arm.forward(x)[:3, 3] - P[k], np.clip(q[k] + 0.1, arm.lower, arm.upper),
                                           bounds=(arm.lower, arm.upper)), some)  # fmt: skip
    start = perf_counter()
    arm.muscles.solve_lengths_batch(np.tile(P, (5, 1)), threads=1)
    batch = MICRO * (perf_counter() - start) / (5 * CALLS)
    return [
        at_most("lengths of seven muscles, one call", each(lambda k: own.lengths(q[k]), everyone), 10, "us"),
        at_most("direct kinematics in the core, all checks", each(lambda k: core.direct(L[k], 1e-6, True, home), everyone), 10,
                "us",
                f"SciPy's fsolve, compiled lengths: {by_fsolve:.0f} us"),
        at_most("direct kinematics, posture_from_lengths", each(lambda k: own.posture_from_lengths(L[k]), everyone), 100, "us"),
        at_most("default inverse kinematics in the core", each(lambda k: core.solve_point(P[k], home, False), everyone), 50, "us",
                f"SciPy's bounded least squares, compiled kinematics, no muscles: {inverse:.0f} us"),
        at_most("default inverse kinematics, solve_lengths", each(lambda k: own.solve_lengths(P[k]), everyone), 150, "us"),
        at_most("default inverse kinematics, batch, 1 thread", batch, 50, "us"),
    ]  # fmt: skip
