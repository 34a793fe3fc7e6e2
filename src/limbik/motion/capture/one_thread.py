"""Linear algebra in one thread, where matrices are small and many.

A matrix product of a hundred rows is done before a second thread has woken. On a machine that does other things the threads
wait for each other at every product: an estimate takes twice as long, or ten times.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def in_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function such that BLAS has one thread while it runs, in the whole process."""

    @wraps(function)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return alone
