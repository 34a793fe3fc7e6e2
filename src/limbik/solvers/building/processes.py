"""Several worker processes on this machine. Each takes a piece, stores its part, and takes the next piece.

The processes are spawned, so they inherit neither threads nor locks. They ignore Ctrl-C; the parent process receives it and ends
them. A worker that dies is replaced. A piece on which two workers have died ends the build.
"""

import logging
import multiprocessing
import pickle
import signal
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, resource_tracker
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Any, Self

from limbik.errors import WorkerLost
from limbik.solvers.building.executors import Given
from limbik.solvers.building.task import Task

# Workers that may die on one piece before the build ends.
MOST_DEATHS = 2
# Time to wait for a terminated process [s].
JOIN_TIMEOUT = 0.3

_log = logging.getLogger("limbik")


@dataclass
class _Worker:
    """A process, its connection, its current piece (None: idle), and whether it has the task."""

    process: SpawnProcess
    connection: "connection.Connection[Any, Any]"
    piece: int | None = None
    has_task: bool = False


class Processes:
    """An executor on processes; a context manager that ends them."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._workers: list[_Worker] = []

    def run(self, task: Task, pieces: Sequence[int], given: Given | None = None) -> Iterator[int]:
        """Yield the number of each finished piece. Raises the errors of pieces, and WorkerLost."""
        waiting, deaths = deque(pieces), Counter[int]()
        pickled = pickle.dumps(task)
        for worker in self._workers:
            worker.has_task = False
        while waiting or self._busy():
            while waiting and (idle := self._idle()) is not None:
                self._send(idle, pickled, waiting.popleft(), given)
            for worker in self._ready():
                piece, error = self._answer(worker)
                if error is None:
                    yield piece
                elif isinstance(error, WorkerLost):
                    self._replace(worker, task, piece, deaths)
                    waiting.appendleft(piece)
                else:
                    error.add_note(f"in piece {piece} of stage '{task.stage.name}'")
                    raise error

    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.piece is not None]

    def _idle(self) -> _Worker | None:
        """Return an idle worker; start one if there are fewer than allowed; None if all are busy."""
        for worker in self._workers:
            if worker.piece is None:
                return worker
        if len(self._workers) == self._count:
            return None
        self._workers.append(_started())
        return self._workers[-1]

    def _send(self, worker: _Worker, pickled: bytes, piece: int, given: Given | None) -> None:
        worker.piece = piece
        own = None if given is None else given(piece)
        with suppress(OSError):  # it has died: reading its connection shows that
            if not worker.has_task:
                worker.connection.send(pickled)
                worker.has_task = True
            worker.connection.send((piece, own))

    def _ready(self) -> list[_Worker]:
        """Wait until workers have answered or died."""
        by_connection = {worker.connection: worker for worker in self._busy()}
        return [by_connection[ready] for ready in connection.wait(list(by_connection))]  # type: ignore[index]

    @staticmethod
    def _answer(worker: _Worker) -> tuple[int, Exception | None]:
        piece, worker.piece = worker.piece, None
        assert piece is not None
        try:
            return piece, worker.connection.recv()
        except (EOFError, OSError):
            return piece, WorkerLost("died")

    def _replace(self, worker: _Worker, task: Task, piece: int, deaths: "Counter[int]") -> None:
        """Remove a worker that has died. Raises WorkerLost if another worker has died on the same piece."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.join(JOIN_TIMEOUT)
        deaths[piece] += 1
        what = f"a worker process has died (exit code {worker.process.exitcode}) at piece {piece} of stage '{task.stage.name}'"
        if deaths[piece] == MOST_DEATHS:
            raise WorkerLost(
                f"{what}, again; is memory short? Finished parts are kept: run it again, with fewer workers. A script that "
                "uses workers must do so under `if __name__ == '__main__':`"
            )
        _log.warning("%s; another worker builds it again", what)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.connection.close()  # an idle worker ends by itself
            if worker.piece is not None:
                worker.process.terminate()
        for worker in self._workers:
            worker.process.join(JOIN_TIMEOUT)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        self._workers.clear()


def _started() -> _Worker:
    context = multiprocessing.get_context("spawn")
    line, far_end = context.Pipe()
    process = context.Process(target=_serve, args=(far_end,), daemon=True, name="limbik worker")
    with ignored_interrupts():
        process.start()
    far_end.close()
    return _Worker(process, line)


@contextmanager
def ignored_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C from the beginning: they inherit the signal mask blocked here."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would unblock signals when it is started in between
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(line: "connection.Connection[Any, Any]") -> None:
    """Run the loop of a worker process: make pieces until the connection closes."""
    task: Task | None = None
    before: Any = None
    with suppress(EOFError, OSError):
        while True:
            message = line.recv()
            if isinstance(message, bytes):
                task, before = pickle.loads(message), None
                continue
            piece, given = message
            assert task is not None
            try:
                if given is None and before is None:
                    before = task.before()
                task.keep(piece, task.stage.make(piece, before if given is None else given))
                answer = None
            except Exception as error:
                answer = _sendable(error)
            line.send(answer)


def _sendable(error: Exception) -> Exception:
    """Return an error that can be pickled; one that cannot is replaced by its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
