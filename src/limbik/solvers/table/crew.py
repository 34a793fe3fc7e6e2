"""Who makes the pieces: this process, several, or the workers of a cluster."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from limbik.errors import BadOption, shown
from limbik.solvers.table.layout import Arrays
from limbik.solvers.table.task import Task

# More processes than this are a mistake.
MOST_WORKERS = 1024

Given = Callable[[int], Arrays]


class Crew(Protocol):
    """Makes pieces in any order."""

    def run(self, task: Task, pieces: Sequence[int], given: Given | None = None) -> Iterator[int]:
        """Yield the number of each piece when it is kept.

        given: what a piece gets in the place of what the stage before has made, called in this process.
        """
        ...


class Alone:
    """This process, one piece after the other."""

    def run(self, task: Task, pieces: Sequence[int], given: Given | None = None) -> Iterator[int]:
        """Yield the number of each piece when it is kept."""
        before = task.before() if given is None else {}
        for piece in pieces:
            task.keep(piece, task.stage.make(piece, before if given is None else given(piece)))
            yield piece


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def hired(workers: int | None = None, cluster: str | None = None) -> Iterator[Crew]:
    """Have a crew. workers: processes, or those of a local cluster; cluster: "local", or the address of a dask scheduler.

    Raises BadOption, MissingExtra.
    """
    if workers is not None and (
        isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS
    ):
        raise BadOption(f"workers={shown(workers)}: give a number from 1 to {MOST_WORKERS}")
    if cluster is not None:
        from limbik.solvers.table.cluster import Cluster

        with Cluster(cluster, workers) as crew:
            yield crew
    elif workers is None or workers == 1:
        yield Alone()
    else:
        from limbik.solvers.table.processes import Processes

        with Processes(workers) as several:
            yield several
