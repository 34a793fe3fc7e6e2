"""Executors of a build: this process, several processes, or the workers of a cluster."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from limbik.errors import BadOption, shown
from limbik.formats.content.layout import Arrays
from limbik.solvers.building.task import Task

# Largest number of processes.
MOST_WORKERS = 1024

Given = Callable[[int], Arrays]


class Executor(Protocol):
    """An executor makes the pieces of a task, in any order."""

    def run(self, task: Task, pieces: Sequence[int], given: Given | None = None) -> Iterator[int]:
        """Yield the number of each finished piece.

        given: a function of the piece, called in this process; its result replaces that of the previous stage.
        """
        ...


class SerialExecutor:
    """An executor in this process, one piece after another."""

    def run(self, task: Task, pieces: Sequence[int], given: Given | None = None) -> Iterator[int]:
        """Yield the number of each finished piece."""
        before = task.before() if given is None else {}
        for piece in pieces:
            task.keep(piece, task.stage.make(piece, before if given is None else given(piece)))
            yield piece


def cores() -> int:
    """Return the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def executor_for(workers: int | None = None, cluster: str | None = None) -> Iterator[Executor]:
    """Open an executor. workers: number of processes, or of workers of a local cluster; cluster: "local" or an address.

    Raises BadOption, MissingExtra.
    """
    if workers is not None and (
        isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS
    ):
        raise BadOption(f"workers={shown(workers)}: give a number from 1 to {MOST_WORKERS}")
    if cluster is not None:
        from limbik.solvers.building.cluster import Cluster

        with Cluster(cluster, workers) as executor:
            yield executor
    elif workers is None or workers == 1:
        yield SerialExecutor()
    else:
        from limbik.solvers.building.processes import Processes

        with Processes(workers) as several:
            yield several
