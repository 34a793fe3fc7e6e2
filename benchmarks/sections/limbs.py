"""Two-bone limbs: a million targets and poles, continuity near the singular line, admissible swivels, matching, speed."""

import math
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from cases.ball_figures import limbs as built_limbs
from cases.ball_figures import postures

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most
from limbik.solvers.two_bone.answer import Mark

TARGETS, MOTIONS, STEPS, POSTURES, SWIVELS, REPEATS = 1_000_000, 500, 2000, 40, 720, 7
UPPER, LOWER = 0.33, 0.26
CONE = math.sin(math.radians(1))
MICRO, PERCENT = 1e6, 100.0
# The bound of core/two_bone/bend_plane.hpp with an earlier answer: rotation of the elbow direction per rotation of line or pole.
MOST_RATE = (2 + 2 * math.pi) / CONE


def limbs(out: Path) -> list[Measurement]:
    """Measure two-bone limbs."""
    return [*_million(), *_lipschitz(), *_motions(), *_scales(), *_speed(), *_swivels(), *_matching()]


def units(v: np.ndarray) -> np.ndarray:
    """Return the vectors at unit length."""
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def _million() -> list[Measurement]:
    rng = np.random.default_rng(SEED)
    limb, T, P = lk.Limb(UPPER, LOWER), rng.normal(scale=0.3, size=(TARGETS, 3)), rng.normal(size=(TARGETS, 3))
    measured = []
    for what, options in (("", {}), (", soft and stretching", {"soft": 0.1, "stretch": lk.two_bone.Stretch(0.9, 1.4)})):
        batch = limb.solve_batch(T, P, **options)
        # from the rotations of the bones, not from the core's own positions
        R = limb.turns(batch)
        f = batch.stretched[:, None]
        elbow = R[:, 0] @ [0, -UPPER, 0] * f
        end = elbow + R[:, 1] @ [0, -LOWER, 0] * f
        ok = batch.ok
        wrong = int((np.linalg.norm(end[ok] - T[ok], axis=1) > 1e-8).sum())
        x = np.linalg.norm(T, axis=1)
        reachable = (x >= UPPER - LOWER) & (x <= UPPER + LOWER) & ~np.isnan(x)
        plane = units(np.cross(np.cross(T, P), T))
        far = (np.linalg.norm(np.cross(T, P), axis=1) / x / np.linalg.norm(P, axis=1)) > CONE
        name = f"{TARGETS} random targets and poles{what}"
        measured += [
            at_most(f"{name}: rows with NaN", int((~np.isfinite(batch.rows)).any(axis=1).sum()), 0, "rows"),
            at_most(f"{name}: reported as solved, but off the target", wrong, 0, "rows"),
            at_most(f"{name}: elbow and end by the bones' rotations", np.abs(end - batch.end).max(), 1e-12, "m"),
            at_most(
                f"{name}: off the pole's plane, outside 1 degree", np.abs(batch.side - plane)[far].max(), 1e-12, ""
            ),
        ]
        if not options:
            measured.append(at_least(f"{name}: reachable ones solved", PERCENT * ok[reachable].mean(), 100, "%"))
            proven = (batch.status[~reachable] == lk.Status.OUT_OF_REACH) | ok[~reachable]
            measured.append(at_least(f"{name}: the others proven out of reach", PERCENT * proven.mean(), 100, "%"))
    return measured


def _lipschitz() -> list[Measurement]:
    """Compare the motion of the elbow between neighbouring targets outside the cone with its geometric bound."""
    rng = np.random.default_rng(SEED)
    N, limb = TARGETS, lk.Limb(UPPER, LOWER)
    step = 10.0 ** rng.uniform(-7, -2, (N, 1))
    d, n = units(rng.normal(size=(N, 3))), units(rng.normal(size=(N, 3)))
    across = units(n - np.einsum("ki,ki->k", n, d)[:, None] * d)
    theta = np.radians(10.0 ** rng.uniform(0, 1.95, N))
    p = np.cos(theta)[:, None] * d + np.sin(theta)[:, None] * across
    x = rng.uniform(0.08, 1.0, N)
    x1 = np.maximum(x + step[:, 0] * rng.normal(size=N), 0.08)
    d1, p1 = units(d + step * rng.normal(size=(N, 3))), units(p + step * rng.normal(size=(N, 3)))
    sine = np.minimum(np.linalg.norm(np.cross(d, p), axis=1), np.linalg.norm(np.cross(d1, p1), axis=1))
    a = limb.solve_batch(x[:, None] * d, directions=p, soft=0.1)
    b = limb.solve_batch(x1[:, None] * d1, directions=p1, soft=0.1)
    height = lambda batch, line: np.linalg.norm(np.cross(batch.elbow, line), axis=1)  # noqa: E731
    angle = lambda batch, line: np.arctan2(height(batch, line), np.einsum("ki,ki->k", batch.elbow, line))  # noqa: E731
    h = np.maximum(height(a, d), height(b, d1))
    line, pole = (2 * np.arcsin(np.linalg.norm(v - u, axis=1) / 2) for u, v in ((d, d1), (p, p1)))
    bend = UPPER * np.abs(angle(b, d1) - angle(a, d))
    out = (sine >= CONE) & (np.maximum(line, pole) < 0.2 * CONE)
    bound = line * (UPPER + h / math.tan(math.radians(1))) + pole * h / CONE + bend
    moved = np.linalg.norm(b.elbow - a.elbow, axis=1)
    ratio = (moved / bound)[out].max()
    fixed = UPPER * (1 + 1 / math.tan(math.radians(1))) + UPPER / CONE
    return [
        at_most(f"{N} neighbours outside 1 degree: elbow's motion beside its bound", ratio, 1 + 1e-9, "",
                f"{int(out.sum())} pairs; at most {fixed:.1f} m for a radian of line and pole"),
        at_most("the same with soft reach: elbow's motion for a metre of the target's distance",
                (bend / np.maximum(np.abs(x1 - x), 1e-300))[out & (np.minimum(x, x1) > 0.1)].max(), 5, "m/m",
                "without soft reach it has no bound"),
    ]  # fmt: skip


def _motions() -> list[Measurement]:
    """Compare each step of long random motions of target and pole, many through the singular line, with its bound."""
    rng = np.random.default_rng(SEED)
    limb, N = lk.Limb(UPPER, LOWER), MOTIONS
    batch, worst, jump, off, inside, held, through = None, 0.0, 0.0, 0.0, 0, 0, 0
    d, v = units(rng.normal(size=(N, 3))), rng.normal(size=(N, 3))
    w, dw = 3 * CONE * rng.normal(size=(N, 2)), np.zeros((N, 2))
    before, e1 = None, units(np.cross(d, np.eye(3)[np.argmin(np.abs(d), axis=1)]))
    for step in range(STEPS):
        v += -0.1 * v + 0.3 * rng.normal(size=(N, 3))
        dw += -0.01 * dw + 0.1 * rng.normal(size=(N, 2)) - 0.01 * w / CONE
        d = units(d + 2e-5 * v)
        w = w + 0.02 * CONE * dw
        if step % 10 == 0:
            w[: N // 2][np.linalg.norm(w[: N // 2], axis=1) < 0.3 * CONE] = 0.0  # the pole lies exactly on the line
        e1 = units(e1 - np.einsum("ki,ki->k", e1, d)[:, None] * d)
        p = units(d + w[:, :1] * e1 + w[:, 1:] * np.cross(d, e1))
        y = 0.35 + 0.2 * np.sin(0.003 * step + np.arange(N))
        new = limb.solve_batch(y[:, None] * d, directions=p, previous=batch)
        sine = np.linalg.norm(np.cross(d, p), axis=1)
        near = sine < CONE
        inside, held = inside + int(near.sum()), held + int((new.marks & Mark.HELD > 0).sum())
        part = p - np.einsum("ki,ki->k", p, d)[:, None] * d
        off = max(off, float(np.abs(new.side[~near] - units(part[~near])).max()))
        if batch is not None and before is not None:
            d0, p0, part0 = before
            through += int(((np.einsum("ki,ki->k", part, part0) < 0) & near).sum())
            # the earlier side, transported to the new line by the smallest rotation
            c = 1 + np.einsum("ki,ki->k", d0, d)
            moved = batch.side - (np.einsum("ki,ki->k", batch.side, d) / c)[:, None] * (d0 + d)
            turned = np.arctan2(
                np.linalg.norm(np.cross(moved, new.side), axis=1), np.einsum("ki,ki->k", moved, new.side)
            )
            drive = np.linalg.norm(d - d0, axis=1) + np.linalg.norm(p - p0, axis=1)
            worst = max(worst, float((turned / (MOST_RATE * drive)).max()))
            jump = max(jump, float(np.linalg.norm(new.elbow - batch.elbow, axis=1).max()))
        batch, before = new, (d, p, part)
    return [
        at_most(f"{N} motions of {STEPS} steps with previous=: rotation of the elbow beside its bound", worst, 1, "",
                f"{through} passes through the line, {inside} steps within a degree, {held} held"),
        at_most("the same: off the pole's plane outside 1 degree", off, 1e-12, ""),
        at_least("the same: passes through the line", through, 1000, "passes", f"longest step of the elbow {jump:.3f} m"),
    ]  # fmt: skip


def _scales() -> list[Measurement]:
    rng = np.random.default_rng(SEED)
    T, P = rng.normal(size=(10_000, 3)), rng.normal(size=(10_000, 3))
    T *= 10.0 ** rng.uniform(-15, 2, (10_000, 1))
    P[::3] = T[::3] * rng.normal(size=(3334, 1))
    T[::100] = 0.0
    broken, differing = 0, 0
    for bones in ((0.33, 0.26), (0.3, 0.3), (0.0, 0.3), (0.3, 0.0), (0.0, 0.0)):
        one = lk.Limb(*bones).solve_batch(T, P, soft=0.05)
        for scale in (1e-6, 1.0, 1e6):
            for options in ({}, {"soft": 0.05}, {"stretch": 0.5}, {"soft": 0.05, "previous": (0, 1, 0)}):
                batch = lk.Limb(bones[0] * scale, bones[1] * scale).solve_batch(T * scale, P * scale, **options)
                broken += int((~np.isfinite(batch.rows)).any(axis=1).sum())
                differing += int((batch.status != one.status).sum()) if options == {"soft": 0.05} else 0
    return [
        at_most(
            "scales 1e-6 to 1e6, bones of no length, targets at the root, poles in line: rows with NaN",
            broken,
            0,
            "rows",
        ),
        at_most("the same: rows whose status depends on the unit", differing, 0, "rows"),
    ]


def _speed() -> list[Measurement]:
    rng = np.random.default_rng(SEED)
    limb, T, P = lk.Limb(UPPER, LOWER), rng.normal(scale=0.3, size=(TARGETS, 3)), rng.normal(size=(TARGETS, 3))
    earlier = limb.solve_batch(T, P)
    measured = []
    cases = {
        "poles": {"poles": P},
        "poles, soft and stretching": {"poles": P, "soft": 0.1, "stretch": 0.5},
        "poles and previous=": {"poles": P, "previous": earlier},
        "swivels": {"swivels": rng.uniform(-3, 3, TARGETS)},
    }
    for what, options in cases.items():
        times = []
        for _ in range(REPEATS):
            start = perf_counter()
            limb.solve_batch(T, **options, threads=1)
            times.append(perf_counter() - start)
        measured.append(
            at_most(
                f"one target in a batch, 1 thread: {what}",
                MICRO * min(times) / TARGETS,
                0.3,
                "us",
                "whole call, verified",
            )
        )
    human = lk.load("human")
    foot = human.limb("leftFoot")
    place = human.forward(human.home, "leftFoot")[:3, 3] + (0, 0.2, 0.1)
    times = []
    for _ in range(50):
        start = perf_counter()
        foot.solve(place, pole=(0.2, 0.5, 5))
        times.append(perf_counter() - start)
    measured.append(at_most("one answer with the joints of the human figure", MICRO * min(times), 5000, "us"))
    return measured


def _in(arcs: list[tuple[float, float]], angle: float) -> bool:
    return any(low <= angle + turn <= high for low, high in arcs for turn in (0, 2 * math.pi, -2 * math.pi))


def _swivels() -> list[Measurement]:
    """Compare admissible swivels with dense samples, at random postures of every limb that has limits."""
    rng = np.random.default_rng(SEED)
    measured, arms = [], ("iiwa7", "human_arm_7", "human_leg_7")
    grid = np.linspace(-math.pi, math.pi, SWIVELS + 1)[:-1]
    for name, limb in built_limbs().items():
        if name.startswith(("free", "human right")):
            continue
        wrong = asked = ends = bad = 0
        robot: Any = limb.robot
        count = POSTURES // 8 if name == "human leftHand" else POSTURES
        for k, q in enumerate(postures(limb, rng, count)):
            target = robot.forward(q, limb.model.end)
            target = target if k % 2 else target[:3, 3]
            arcs = limb.swivel_ranges(target, seed=q)
            many = np.broadcast_to(target, (SWIVELS, *target.shape))
            found = limb.solve_batch(many, swivels=grid, seeds=q, give_way=False).ok
            edges = np.array([x for arc in arcs for x in arc])
            for s, ok in zip(grid, found, strict=True):
                if len(edges) and np.abs(np.mod(s - edges + math.pi, 2 * math.pi) - math.pi).min() < 1e-7:
                    continue
                asked, wrong = asked + 1, wrong + (_in(arcs, s) != bool(ok))
            at = limb.solve_batch(
                np.broadcast_to(target, (len(edges), *target.shape)), swivels=edges, seeds=q, give_way=False
            )
            ends, bad = ends + len(edges), bad + int((~at.ok).sum())
        measured.append(
            at_most(
                f"{name}: swivels that ranges and sampling judge differently", wrong, 0, "", f"of {asked}; {ends} ends"
            )
        )
        measured.append(at_most(f"{name}: ends of ranges that are not solved there", bad, 0, ""))
        if name in arms:
            differ = 0
            for T in robot.forward(robot.sample(rng, POSTURES)):
                mine, theirs = limb.swivel_ranges(T), [x for arcs in robot.swivel_ranges(T).values() for x in arcs]
                angles = rng.uniform(-math.pi, math.pi, 200)
                differ += sum(_in(mine, s) != _in(theirs, s) for s in angles)
            measured.append(
                at_most(
                    f"{name}: swivels that Chain.swivel_ranges judges differently",
                    differ,
                    0,
                    "",
                    f"of {200 * POSTURES}",
                )
            )
    return measured


def _matching() -> list[Measurement]:
    """Measure the round trip of random postures to handles (tip and pole) and back."""
    rng = np.random.default_rng(SEED)
    worst, away, solved, count, ends = 0.0, 0.0, 0, 0, 0.0
    for limb in built_limbs().values():
        robot: Any = limb.robot
        Q = robot.sample(rng, 500)
        T = robot.forward(Q, limb.model.end)
        batch = limb.solve_batch(T, limb.pole_of(Q), seeds=Q)
        solved, count = solved + int(batch.ok.sum()), count + len(Q)
        worst = max(worst, float(np.abs(robot.model.difference(Q, batch.q)).max()))
        by_swivel = limb.solve_batch(T, swivels=limb.swivel_of(Q), seeds=Q)
        away = max(away, float(np.abs(robot.model.difference(Q, by_swivel.q)).max()))
        other = robot.sample(rng, 500)
        ends = max(ends, float(np.abs(limb.blend(Q, other, 0.0) - Q).max()))
        ends = max(ends, float(np.abs(limb.blend(Q, other, 1.0) - other)[:, limb.places].max()))
    return [
        at_least(
            f"handles of {count} postures of {len(built_limbs())} limbs: solved", PERCENT * solved / count, 100, "%"
        ),
        at_most("the same: joint values after the round trip, by pole", worst, 1e-7, "rad"),
        at_most("the same: by swivel", away, 1e-7, "rad"),
        at_most("a blend at 0 and at 1, beside the postures", ends, 0, "rad"),
    ]
