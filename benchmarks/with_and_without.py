"""Compare the time of a batch with a table and without one, measured alternately."""

from time import process_time

import numpy as np

import limbik as lk

# Rounds of each pair, and targets of a batch; an unreachable target takes fifty times as long.
ROUNDS, TARGETS, FAR_TARGETS = 41, 8192, 512
# The distance of warm seeds from their target's posture [rad]; the distance of far targets, relative to the reach.
WARM, FAR = 0.1, 0.97


def batches(arm: lk.Chain, seed: int) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
    """Return targets and seeds of three kinds: from home, from nearby, and at the edge of the reach."""
    rng = np.random.default_rng(seed)
    q = arm.sample(rng, TARGETS)
    T = arm.forward(q)
    out = np.array(arm.forward(arm.sample(rng, FAR_TARGETS)))
    out[:, :3, 3] *= FAR * arm.reach / np.linalg.norm(out[:, :3, 3], axis=1, keepdims=True)
    return {"cold": (T, None), "warm": (T, q + rng.uniform(-WARM, WARM, q.shape)), "unreachable": (out, None)}


def ratio(
    with_table: lk.Chain, without: lk.Chain, T: np.ndarray, seeds: np.ndarray | None, **options: str
) -> tuple[float, float]:
    """Return the median ratio of the time with the table to that without, and the latter for one target [s].

    Times are processor times on one thread. The calls alternate, and so does which one comes first.
    """
    calls = (
        lambda: with_table.solve_batch(T, seeds, 1, **options),  # type: ignore[arg-type]
        lambda: without.solve_batch(T, seeds, 1),
    )
    times = np.empty((ROUNDS, 2))
    for number, row in enumerate(times):
        for k in (0, 1) if number % 2 else (1, 0):
            start = process_time()
            calls[k]()
            row[k] = process_time() - start
    return float(np.median(times[:, 0] / times[:, 1])), float(np.median(times[:, 1])) / len(T)
