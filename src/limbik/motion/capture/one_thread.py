"""Single-threaded linear algebra for many small matrices.

A product of matrices with a hundred rows takes less time than the start of a second thread. On a busy machine, threads wait for
each other at every product, and an estimate takes two to ten times as long.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def in_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that BLAS uses one thread in the whole process while it runs."""

    @wraps(function)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return alone
