"""Measure what `solve_all` promises: complete, verified, distinct; at singularities too; exact swivel ranges.

Forward kinematics is done in NumPy (`numpy_forward`), which shares no code with the core. Postures (configurations) are
compared modulo 2 pi.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import limbik as lk
from limbik.cli.contest import numpy_forward
from limbik.solvers.solver_set import solver_set

Rng = np.random.Generator
Array = np.ndarray

# A posture closer than this is the one that the target was made from [rad or m].
SAME = 1e-7
# A family must not be reported farther from the singularity than the first, and must be reported closer than the second [rad].
NO_FAMILY, FAMILY = 1e-6, 1e-10
# Distances from a singularity that are tested [rad].
DISTANCES = (0.0, *(10.0**-k for k in range(3, 13)))
# A solution counts as exact below this [m and entries of the rotation].
EXACT = 1e-10
# The postures of a root that is flagged as double lie no farther apart than this [rad].
ONE_ROOT = 1e-5


def gaps(arm: lk.Chain, q: Array, to: Array) -> Array:
    """Return the largest difference of any joint, modulo 2 pi: (..., n) -> (...)."""
    revolute = arm.model.revolute
    d = q - to
    d = np.where(revolute, np.abs((d + math.pi) % (2 * math.pi) - math.pi), np.abs(d))
    return np.where(np.isnan(d), math.inf, d).max(axis=-1)


class Tally:
    """Counts that add up; a field whose name begins with `worst` keeps its maximum."""

    def add(self, other: "Tally") -> None:
        """Add the counts of another."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            setattr(self, name, max(mine, value) if name.startswith("worst") else mine + value)


@dataclass
class Recall(Tally):
    """Results of `solve_all_batch` on random targets."""

    targets: int = 0
    missed: int = 0
    repeated: int = 0
    worst_error: float = 0.0
    worst_joint: float = 0.0
    postures: int = 0


def recall(arm: lk.Chain, rng: Rng, count: int, *, limits: bool = True) -> Recall:
    """Solve targets made from random postures: is each posture found, are all distinct and exact?"""
    Q = arm.sample(rng, count)
    T = numpy_forward(arm, Q)
    found = arm.solve_all_batch(T, limits=limits)
    near = gaps(arm, found.q, Q[:, None]).min(axis=1)
    missed = (near > SAME) & ~found.families.any(axis=1)
    for row in np.flatnonzero(missed):
        missed[row] = not _is_half_of_a_double_root(arm, T[row], Q[row], limits)
    rows, places = np.nonzero(np.arange(found.q.shape[1]) < found.count[:, None])
    error = np.abs(numpy_forward(arm, found.q[rows, places]) - T[rows]).max(axis=(1, 2), initial=0.0)
    most = found.q.shape[1]
    repeated = sum(int((gaps(arm, found.q[:, a], found.q[:, b]) <= SAME).sum()) for a in range(most) for b in range(a))
    return Recall(count, int(missed.sum()), repeated, float(error.max(initial=0.0)),
                  float(near[~missed & (near < SAME)].max(initial=0.0)), int(found.count.sum()))  # fmt: skip


def _is_half_of_a_double_root(arm: lk.Chain, T: Array, q: Array, limits: bool) -> bool:
    """Return whether q and a solution that is flagged as a double root are one: their midpoint is a solution too."""
    found = arm.solve_all(T, limits=limits)
    for other, doubled in zip(found.q, found.doubled, strict=True):
        gap = (q - other + math.pi) % (2 * math.pi) - math.pi
        if (
            doubled
            and gaps(arm, other, q) <= ONE_ROOT
            and np.abs(numpy_forward(arm, (other + 0.5 * gap)[None])[0] - T).max() <= EXACT
        ):
            return True
    return False


def singular_postures(arm: lk.Chain, rng: Rng, wanted: int) -> Iterator[tuple[Array, Array]]:
    """Yield singular postures, each with a direction across the singularity: where det(J) changes its sign along random lines."""
    samples = np.linspace(-1.5, 1.5, 61)
    made = 0
    for _ in range(20 * wanted):
        start, across = rng.uniform(-2.0, 2.0, arm.n), rng.normal(size=arm.n)
        across /= np.abs(across).max()
        det = np.linalg.det(arm.jacobian(start + samples[:, None] * across))
        for k in np.flatnonzero(det[:-1] * det[1:] < 0):
            a, b = samples[k], samples[k + 1]
            for _ in range(60):
                middle = 0.5 * (a + b)
                same = np.linalg.det(arm.jacobian(start + middle * across)) * det[k] > 0
                a, b = (middle, b) if same else (a, middle)
            yield start + 0.5 * (a + b) * across, across
            made += 1
            if made >= wanted:
                return


@dataclass
class Singular(Tally):
    """Results of `solve_all` at and near singularities."""

    targets: int = 0
    empty: int = 0
    not_exact: int = 0
    not_flagged: int = 0
    wrongly_flagged: int = 0
    missed: int = 0
    worst_error: float = 0.0


# Near a double root an error of the target moves a joint by its square root, and a nearly straight wrist multiplies that: the
# posture that the target was made from is looked for within this [rad].
NEAR_DOUBLE_ROOT = 1e-3


def near_singularities(arm: lk.Chain, rng: Rng, wanted: int) -> Singular:
    """Solve targets on singularities and at DISTANCES from them."""
    out = Singular()
    for at, across in singular_postures(arm, rng, wanted):
        for distance in DISTANCES:
            q = at + distance * across
            T = numpy_forward(arm, q[None])[0]
            answers = arm.solve_all(T, limits=False)
            out.targets += 1
            if len(answers) == 0:
                out.empty += 1
                continue
            error = np.abs(numpy_forward(arm, answers.q) - T).max(axis=(1, 2))
            out.not_exact += bool(error.max() > EXACT)
            out.worst_error = max(out.worst_error, float(error.max()))
            near = gaps(arm, answers.q, q)
            out.missed += bool(near.min() > NEAR_DOUBLE_ROOT and not answers.families.any())
            # on the singularity two roots are one, or a family passes through
            if distance <= FAMILY and near.min() <= SAME:
                own = near <= SAME
                out.not_flagged += not (answers.families | answers.doubled)[own].any()
            out.wrongly_flagged += bool(distance >= NO_FAMILY and answers.families.any())
    return out


@dataclass
class Swivels(Tally):
    """How the exact ranges of a swivel agree with samples."""

    samples: int = 0
    misjudged: int = 0
    inside: int = 0
    worst_error: float = 0.0


def swivel_samples(arm: lk.Chain, rng: Rng, targets: int, swivels: int, margin: float) -> Swivels:
    """Compare `swivel_ranges` with postures at sampled swivels, except samples within `margin` of a limit [rad].

    A sample's distance to the limits is that of its worst joint, at the 2-pi copy closest to the middle of the range.
    """
    out = Swivels()
    Q = arm.sample(rng, targets)
    places = np.linspace(-math.pi, math.pi, swivels, endpoint=False)
    free = solver_set(arm.model, False).postures
    middle, half = 0.5 * (arm.lower + arm.upper), 0.5 * (arm.upper - arm.lower)
    for T in numpy_forward(arm, Q):
        ranges = arm.swivel_ranges(T)
        batch = free.swing(T, middle, places)  # (swivels, branches, n), NaN where a branch does not exist
        inside = (half - np.abs((batch - middle + math.pi) % (2 * math.pi) - math.pi)).min(axis=-1)
        for branch in range(batch.shape[1]):
            in_range = np.zeros(swivels, bool)
            for low, high in ranges[branch]:
                in_range |= (places - low) % (2 * math.pi) <= high - low
            exists = ~np.isnan(batch[:, branch]).any(axis=-1)
            clear = exists & (np.abs(inside[:, branch]) > margin)
            out.samples += int(clear.sum())
            out.inside += int((clear & in_range).sum())
            out.misjudged += int((clear & (in_range != (inside[:, branch] > 0))).sum()) + int(
                (~exists & in_range).sum()
            )
    return out
