"""The time of a call, for the experiments that compare speeds."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from limbik.geometry.arrays import Array

# Microseconds in a second.
MICROSECONDS = 1e6


def seconds_per_call(call: Callable[[Any], Any], arguments: Sequence[Any] | Array) -> float:
    """Return the mean time of a call, over its arguments [s]."""
    start = perf_counter()
    for argument in arguments:
        call(argument)
    return (perf_counter() - start) / len(arguments)
