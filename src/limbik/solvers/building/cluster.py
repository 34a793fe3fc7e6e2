"""An executor on the workers of a dask cluster, on this machine or others, for the stages in which tables and networks are built.

A stage is divided into pieces. They are submitted to the workers, which return their results, and this process writes them. The
result of the previous stage is sent once to each worker. Workers may join and leave: a piece whose worker has died goes to
another worker. Pieces that were lost together with their inputs are submitted again, in up to MOST_ROUNDS rounds.
"""

import logging
import os
import pickle
import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from time import monotonic
from types import TracebackType
from typing import Any, Self

from limbik._core import LEVEL
from limbik.errors import BadOption, WorkerLost, one_line
from limbik.formats.content.layout import Arrays
from limbik.formats.source import need
from limbik.solvers.building.executors import Given, cores
from limbik.solvers.building.processes import ignored_interrupts
from limbik.solvers.building.stage import Making
from limbik.solvers.building.task import Task

LOCAL = "local"
LOOPBACK = "127.0.0.1"
# Timeout of the scheduler, and longest time without any worker [s].
TIMEOUT = 30.0
# Interval between checks for workers [s].
POLL = 2.0
# Timeout of closing [s].
CLOSE_TIMEOUT = 2.0
# Rounds in which lost pieces are submitted again.
MOST_ROUNDS = 5
# Submitted pieces per worker thread: one running and one queued, so that few results accumulate.
PIECES_PER_THREAD = 2


class Cluster:
    """An executor on dask workers; a context manager that releases them."""

    def __init__(self, address: str, workers: int | None = None) -> None:
        need("distributed", "cluster", "a cluster")
        if address != LOCAL and workers is not None:
            raise BadOption("a cluster at an address has its own workers; leave the number of workers out")
        import distributed

        # Workers that join or leave are expected; limbik reports the errors.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._local: Any = None
        if address == LOCAL:
            self._local = _local_cluster(workers or cores())
        try:
            if self._local is None:
                _check_listening(address)
            target = address if self._local is None else self._local
            self._client: Any = distributed.Client(target, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError, TypeError, OverflowError) as error:
            raise BadOption(
                f"no dask scheduler answers at {address!r} ({one_line(error, 100)}); give its address, as "
                f"tcp://{LOOPBACK}:8786, or '{LOCAL}'"
            ) from None

    def run(self, task: Task, pieces: Sequence[int], given: Given | None = None) -> Iterator[int]:
        """Yield the number of each finished piece. Raises the errors of pieces, and WorkerLost."""
        left = dict.fromkeys(pieces)
        last = ""
        for number in range(MOST_ROUNDS):
            if not left:
                return
            current = _Round(self._client, task, given, f"{id(self):x}-{number}")
            for piece, outcome in current.results(list(left)):
                if isinstance(outcome, Exception):
                    outcome.add_note(f"in piece {piece} of stage '{task.stage.name}'")
                    raise outcome
                task.keep(piece, outcome)
                del left[piece]
                yield piece
            last = current.last
        if left:
            raise WorkerLost(
                f"the cluster lost {len(left)} pieces {MOST_ROUNDS} times ({last}); finished parts are kept"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(Exception):
            self._client.close(timeout=CLOSE_TIMEOUT)
        if self._local is not None:
            if kind is not None:
                _end_workers(self._local)
            with suppress(Exception):
                self._local.close(timeout=CLOSE_TIMEOUT)


def _check_listening(address: str) -> None:
    """Raise OSError or ValueError if nothing listens at an address: a dask client would retry and keep the process alive."""
    scheme, _, rest = address.rpartition("://")
    host, _, port = rest.rpartition(":")
    if scheme not in ("", "tcp"):
        return  # dask has further protocols
    if not host or not port.isdecimal():
        raise ValueError("an address is tcp://host:port")
    socket.create_connection((host.strip("[]"), int(port)), timeout=TIMEOUT).close()


def _end_workers(local: Any) -> None:
    """End the worker processes of a local cluster at once: dask would wait for their current pieces."""
    for nanny in local.workers.values():
        with suppress(Exception):
            nanny.auto_restart = False
            os.kill(nanny.pid, signal.SIGKILL)


def _local_cluster(workers: int) -> Any:
    """Start a scheduler and worker processes, reachable from this machine only.

    The workers ignore Ctrl-C: this process receives it and ends them.
    """
    import distributed

    with ignored_interrupts():  # the worker processes inherit this
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            worker_dashboard_address=f"{LOOPBACK}:0",
            silence_logs=logging.CRITICAL,
        )


class _Round:
    """One round of submissions, with enough pieces submitted to keep the workers busy."""

    def __init__(self, client: Any, task: Task, given: Given | None, label: str) -> None:
        self._client, self._task, self._given, self._label = client, task, given, label
        self._pickled = pickle.dumps(task.stage)
        self._futures: dict[Any, int] = {}
        self._idle_since: float | None = None
        self.last = ""

    def results(self, pieces: list[int]) -> Iterator[tuple[int, Any]]:
        """Yield each piece with its result or the error that it raised; lost pieces are left out."""
        shared = self._shared()
        waiting = iter(pieces)
        room = PIECES_PER_THREAD * max(1, self._threads())
        try:
            for piece in waiting:
                self._send(piece, shared)
                if len(self._futures) >= room:
                    yield from self._finished()
                    room = max(room, PIECES_PER_THREAD * self._threads())
            while self._futures:
                yield from self._finished()
        finally:
            with suppress(Exception):
                self._client.cancel(list(self._futures))

    def _shared(self) -> Any:
        """Return the result of the previous stage, scattered to every worker."""
        before = self._task.before() if self._given is None else {}
        if not before:
            return {}
        self._wait_for_workers()
        return self._client.scatter([dict(before)], broadcast=True, hash=False)[0]

    def _send(self, piece: int, shared: Any) -> None:
        own = shared if self._given is None else self._given(piece)
        key = f"limbik-{self._label}-{self._task.number}-{piece}"
        self._futures[self._client.submit(_make, self._pickled, LEVEL, piece, own, key=key, pure=False)] = piece

    def _finished(self) -> list[tuple[int, Any]]:
        """Wait until some pieces have ended, and return the finished ones."""
        import distributed

        ended: list[Any] = []
        while not ended:
            with suppress(TimeoutError, distributed.CancelledError), self._client.as_current():
                distributed.wait(list(self._futures), timeout=POLL, return_when="FIRST_COMPLETED")
            ended = [future for future in self._futures if future.status != "pending"]
            if not ended:
                self._check_workers()
        self._idle_since = None
        found = []
        for future in ended:
            piece = self._futures.pop(future)
            try:
                found.append((piece, future.result(timeout=TIMEOUT)))
            except Exception as error:  # a piece returns its own errors, so this is an error of the cluster
                self.last = one_line(error, 100) or type(error).__name__
            future.release()
        return found

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())

    def _check_workers(self) -> None:
        """Raise WorkerLost if there has been no worker for TIMEOUT seconds."""
        if self._threads():
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = monotonic()
        elif monotonic() - self._idle_since > TIMEOUT:
            raise WorkerLost(
                f"the cluster has had no worker for {TIMEOUT:.0f} s; finished parts are kept: run it again"
            )

    def _wait_for_workers(self) -> None:
        with suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=TIMEOUT)
            return
        raise WorkerLost(f"the cluster has no worker after {TIMEOUT:.0f} s")


@lru_cache(maxsize=4)
def _stage(pickled: bytes) -> Making:
    found: Making = pickle.loads(pickled)
    return found


def _make(pickled: bytes, level: str, piece: int, before: Arrays) -> Arrays | Exception:
    """Make one piece on a worker. Its errors are returned, so that they differ from errors of the cluster."""
    if level != LEVEL:
        return BadOption(
            f"a worker runs the core at level {LEVEL} and the process that builds at {level}, and numbers differ in their last "
            "bits; set LIMBIK_ISA to the lower of the two everywhere"
        )
    try:
        return dict(_stage(pickled).make(piece, before))
    except Exception as error:
        return error
