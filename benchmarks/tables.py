"""Compare tables of postures (configurations) with the closed form, with an exhaustive search, and after a Newton step."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

import limbik as lk
from limbik._core import TableSolver
from limbik.geometry.arrays import Array

# A candidate belongs to a solution if every joint is this close [rad]; it finds it if a Newton step leaves less than this [m].
BELONGS, FOUND = 0.5, 0.02
# The distance of postures that count as one [rad]; near a fold a pose error of 1e-8 moves a joint by the second.
SAME, NEAR_FOLD = 1e-5, 1e-3


@dataclass(frozen=True)
class Miss:
    """A posture that was not found: the row of its target, the distance of the closest one, the smallest singular value."""

    row: int
    nearest: float
    conditioning: float


@dataclass(frozen=True)
class Recall:
    """How many postures of a reference were found, and which were missed. asked: all of the reference. wrong: not solutions."""

    asked: int
    found: int
    wrong: int
    misses: tuple[Miss, ...]

    @property
    def percent(self) -> float:
        return 100.0 * self.found / max(1, self.asked)


def gaps(q: Array, one: Array) -> Array:
    """Return the largest difference of any joint, modulo 2 pi, (k,)."""
    return np.abs(np.remainder(q - one + np.pi, 2 * np.pi) - np.pi).max(axis=-1)


def smallest_singular_value(arm: lk.Chain, q: Array) -> float:
    """Return the smallest singular value of the Jacobian, with lengths relative to half the reach."""
    J = np.array(arm.jacobian(q))
    J[:3] /= 0.5 * arm.model.reach.span
    return float(np.linalg.svd(J, compute_uv=False).min())


def recall(arm: lk.Chain, targets: Array, reference: list[Array], answers: list[Array]) -> Recall:
    """Compare postures (k, n) of each target with those of a reference; every answer is checked by forward kinematics."""
    asked = found = wrong = 0
    misses: list[Miss] = []
    for row, (T, known, given) in enumerate(zip(targets, reference, answers, strict=True)):
        if len(given):
            error = lk.pose_error(arm.forward(given), T)
            bad = (np.linalg.norm(error[..., :3], axis=-1) > 1e-8) | (np.linalg.norm(error[..., 3:], axis=-1) > 1e-8)
            wrong += int((bad | ~arm.within_limits(given)).sum())
        for q in known:
            asked += 1
            nearest = float(gaps(given, q).min()) if len(given) else np.inf
            if nearest < SAME:
                found += 1
                continue
            conditioning = smallest_singular_value(arm, q)
            # two roots near a fold are one within the tolerances if their midpoint is a solution too
            if nearest < NEAR_FOLD and _is_solution(arm, T, q, given[gaps(given, q).argmin()]):
                found += 1
            else:
                misses.append(Miss(row, nearest, conditioning))
    return Recall(asked, found, wrong, tuple(misses))


def _is_solution(arm: lk.Chain, T: Array, a: Array, b: Array) -> bool:
    middle = a + 0.5 * (np.remainder(b - a + np.pi, 2 * np.pi) - np.pi)
    error = lk.pose_error(arm.forward(middle), T)
    return bool(np.linalg.norm(error[:3]) <= 1e-8 and np.linalg.norm(error[3:]) <= 1e-8)


def by_closed_form(arm: lk.Chain, targets: Array) -> list[Array]:
    """Return the postures of each target inside the limits."""
    batch = arm.solve_all_batch(targets)
    return [batch.q[k, : batch.count[k]] for k in range(len(batch))]


def by_finder(finder: TableSolver, targets: Array) -> list[Array]:
    """Return the postures that a table, or a search, finds for each target."""
    q, count, _ = finder.solve_all_batch(targets, None, 0)
    return [q[k, : count[k]] for k in range(len(q))]


def exhaustive(arm: lk.Chain, targets: Array, starts: int, seed: int) -> list[Array]:
    """Return the distinct postures that Levenberg-Marquardt finds for each target from random starts."""
    rng = np.random.default_rng(seed)
    out = []
    for T in targets:
        batch = arm.solve_batch(np.broadcast_to(T, (starts, 4, 4)), arm.sample(rng, starts), method="lm")
        kept: list[Array] = []
        for q in batch.q[batch.ok]:
            if not kept or gaps(np.array(kept), q).min() > NEAR_FOLD:
                kept.append(q)
        out.append(np.array(kept).reshape(-1, arm.n))
    return out


def joined(one: list[Array], other: list[Array]) -> list[Array]:
    """Return the postures of both, each once."""
    out = []
    for a, b in zip(one, other, strict=True):
        new = [q for q in b if not len(a) or gaps(a, q).min() > NEAR_FOLD]
        out.append(np.concatenate([a, np.array(new).reshape(-1, a.shape[1])]))
    return out


@dataclass(frozen=True)
class Nearness:
    """Position errors [m] of the candidates of solutions: raw, and after one Newton step; and the share of solutions found."""

    raw: Array
    stepped: Array
    found_percent: float


def nearness(arm: lk.Chain, finder: TableSolver, targets: Array) -> Nearness:
    """Compare the candidates of a table with the closed form's postures."""
    raw, stepped, asked = [], [], 0
    for T, known in zip(targets, by_closed_form(arm, targets), strict=True):
        asked += len(known)
        near, after = finder.look_up(T), finder.look_up_and_step(T)
        if not len(near):
            continue
        errors = np.linalg.norm(arm.forward(near)[:, :3, 3] - T[:3, 3], axis=1)
        errors_after = np.linalg.norm(arm.forward(after)[:, :3, 3] - T[:3, 3], axis=1)
        for q in known:
            gap = gaps(near, q)
            k = int(gap.argmin())
            if gap[k] < BELONGS and errors_after[k] < FOUND:
                raw.append(errors[k])
                stepped.append(errors_after[k])
    return Nearness(np.array(raw), np.array(stepped), 100.0 * len(raw) / max(1, asked))


def in_a_box(arm: lk.Chain, half: float, count: int, seed: int) -> Array:
    """Return reachable targets whose positions fill a cube evenly, (about count, 4, 4)."""
    rng = np.random.default_rng(seed)
    T = np.array(arm.forward(arm.sample(rng, 4 * count)))
    T[:, :3, 3] = rng.uniform(-half, half, (len(T), 3))
    return T[arm.solve_all_batch(T).count > 0][:count]


def single_calls(arm: lk.Chain, targets: Array) -> Array:
    """Return the times of `solve_all` and one read of `.q`, [s]."""
    times = np.empty(len(targets))
    for k, T in enumerate(targets):
        start = perf_counter()
        arm.solve_all(T).q  # noqa: B018
        times[k] = perf_counter() - start
    return times
