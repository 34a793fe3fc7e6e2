"""From postures (configurations) to muscles: lengths, moment arms, and which postures are inside the muscles' ranges."""

from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.muscle.problem import muscle_problem

# Postures drawn per posture requested, and largest number of rounds.
DRAWS, ROUNDS = 8, 200
# Largest number of postures per round, and per call: what fits into memory.
AT_ONCE, MOST_SAMPLES = 1 << 20, 10_000_000


def lengths_of(model: Model, q: Any, threads: int = 0) -> Array:
    """Return the length of each muscle, (..., n) -> (..., m) [m]. Raises as `forward` does, BadOption without muscles."""
    if q is None or threads is None:
        _refuse_none(model, q, threads)
    return muscle_problem(model).core.lengths(q, threads)


def moment_arms(model: Model, q: Any, threads: int = 0) -> Array:
    """Return the moment arms dL/dq, (..., n) -> (..., m, n) [m/rad, or m/m]."""
    if q is None or threads is None:
        _refuse_none(model, q, threads)
    return muscle_problem(model).core.arms(q, threads)


def _refuse_none(model: Model, q: Any, threads: Any) -> None:
    """Refuse None where numbers are needed, as `forward` does."""
    model.kernel.forward(q, -1, threads)


def admissible(model: Model, q: Any) -> Any:
    """Return whether a posture is inside the joint limits and the ranges of all muscles, shape (...)."""
    checked = model.kernel.checked(q)
    problem = muscle_problem(model)
    fits = model.ranges.within(checked) & problem.in_range(problem.core.lengths(checked))
    return bool(fits) if np.ndim(fits) == 0 else fits


def sample_admissible(model: Model, rng: np.random.Generator, size: int) -> Array:
    """Return random `admissible` postures, (size, n), by rejection sampling, uniform in the joints' ranges.

    Raises BadOption if almost none is admissible.
    """
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0:
        raise BadOption(f"size={shown(size)}: a whole number from 0 is needed")
    if size > MOST_SAMPLES:
        raise BadOption(f"size={size}: {MOST_SAMPLES} postures at most; ask for fewer, several times")
    found: list[Array] = []
    count = tried = 0
    wave = DRAWS * max(int(size), 16)
    while count < size and tried < ROUNDS * wave:
        drawn = model.ranges.sample(rng, min(wave, AT_ONCE), max(model.from_base, np.finfo(float).tiny))
        kept = drawn[admissible(model, drawn)]
        found.append(kept)
        count += len(kept)
        tried += len(drawn)
    if count < size:
        raise BadOption(f"almost no posture of '{model.name}' has all muscles in range: {count} found of {size}")
    return np.concatenate([np.empty((0, model.n)), *found])[:size]
