"""Times of compiled calls, compared in interleaved rounds, so that a busy machine slows all of them alike."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array


def interleaved(calls: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, Array]:
    """Return the time of each call in every round [s]. A round makes each call once, in an order that rotates."""
    names = list(calls)
    times: dict[str, list[float]] = {name: [] for name in names}
    for k in range(rounds):
        first = k % len(names)
        for name in names[first:] + names[:first]:
            start = perf_counter()
            calls[name]()
            times[name].append(perf_counter() - start)
    return {name: np.array(found) for name, found in times.items()}


def ratio(part: Array, whole: Array) -> float:
    """Return the median over the rounds of one time relative to another."""
    return float(np.median(part / whole))
