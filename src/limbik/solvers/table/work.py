"""Make a table by its plan: piece by piece, resumable, the same bytes whoever makes the pieces."""

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from limbik.solvers.table.content import Content
from limbik.solvers.table.crew import Crew, Given, hired
from limbik.solvers.table.file import read, write
from limbik.solvers.table.layout import Arrays
from limbik.solvers.table.parts import claimed
from limbik.solvers.table.stage import Plan, Stage
from limbik.solvers.table.task import Pieces, Task, made

# Called with the pieces that are done, how many there are, and the name of the stage.
Progress = Callable[[int, int, str], None]


def build(
    plan: Plan,
    path: str | PathLike[str],
    *,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Content:
    """Make a table, write it to a file and return it as it is read back.

    workers: processes to use, 1 by default: this one. cluster: "local", or the address of a dask scheduler (extra `cluster`).
    fresh: forget the parts of a build that was ended. A build that is ended in any way leaves its parts in a folder beside the
    file, and the same call goes on from there, to the same bytes. Raises FileUnwritable, BadOption, MissingExtra, WorkerLost.
    """
    file = Path(path)
    with claimed(file, _identity(plan), fresh=fresh) as parts, hired(workers, cluster) as crew:
        tasks = [Task(stage, number, parts) for number, stage in enumerate(plan.stages)]
        finished, arrays = _furthest(tasks)
        for task, stage in zip(tasks[finished:], plan.stages[finished:], strict=True):
            arrays = _run(task, stage, arrays, crew, progress)
        write(plan.finish(arrays), file, folder=parts.folder)
        parts.remove()
    return read(file)


def made_here(plan: Plan) -> Content:
    """Make a table in this process and in memory, without a file: for small ones."""
    arrays: Arrays = {}
    for stage in plan.stages:
        arrays = stage.join([stage.make(piece, arrays) for piece in range(stage.pieces)], arrays)
    return plan.finish(arrays)


def make_pieces(task: Task, crew: Crew, progress: Progress | None = None, given: Given | None = None) -> None:
    """Have every piece of a stage made and kept; those that are there already are left as they are."""
    missing = task.missing()
    done = task.stage.pieces - len(missing)
    tell = progress or _tell_nobody
    tell(done, task.stage.pieces, task.stage.name)
    for _ in crew.run(task, missing, given):
        done += 1
        tell(done, task.stage.pieces, task.stage.name)


def _run(task: Task, stage: Stage, before: Arrays, crew: Crew, progress: Progress | None) -> Arrays:
    """Make one stage and return what it has made, mapped. The parts that it was made of are then of no use."""
    make_pieces(task, crew, progress)
    name = made(task.number)
    task.parts.keep(name, stage.join(Pieces(task), before))
    arrays = task.parts.get(name, mapped=True)
    for piece in range(task.stage.pieces):
        task.parts.drop(task.name(piece))
    if task.number:
        task.parts.drop(made(task.number - 1))
    return arrays


def _tell_nobody(done: int, total: int, stage: str) -> None:
    pass


def _furthest(tasks: list[Task]) -> tuple[int, Arrays]:
    """Return how many stages a build before this one has finished, and what the last of them has made."""
    for task in reversed(tasks):
        arrays = task.parts.find(made(task.number), mapped=True)
        if arrays is not None:
            return task.number + 1, arrays
    return 0, {}


def _identity(plan: Plan) -> Mapping[str, Any]:
    return {"plan": plan.identity, "stages": [[stage.name, stage.pieces] for stage in plan.stages]}
