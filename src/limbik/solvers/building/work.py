"""Build a table by its plan: piece by piece, resumable and bitwise reproducible."""

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from limbik.formats.content.content import Content
from limbik.formats.content.file import read, write
from limbik.formats.content.layout import Arrays
from limbik.solvers.building.executors import Executor, Given, executor_for
from limbik.solvers.building.parts import claimed
from limbik.solvers.building.stage import Plan, Stage
from limbik.solvers.building.task import Pieces, Task, made

# Called with the number of finished pieces, the number of all pieces, and the name of the stage.
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
    """Build a table, write it to a file and return it as read from the file.

    workers: processes to use, 1 by default: this one. cluster: "local", or the address of a dask scheduler (extra `cluster`).
    fresh: discard the parts of an interrupted build. An interrupted build leaves its parts in a folder beside the file; the same
    call resumes it and gives the same bytes. Raises FileUnwritable, BadOption, MissingExtra, WorkerLost.
    """
    file = Path(path)
    with claimed(file, _identity(plan), fresh=fresh) as parts, executor_for(workers, cluster) as executor:
        tasks = [Task(stage, number, parts) for number, stage in enumerate(plan.stages)]
        finished, arrays = _finished_stages(tasks)
        for task, stage in zip(tasks[finished:], plan.stages[finished:], strict=True):
            arrays = _run(task, stage, arrays, executor, progress)
        write(plan.finish(arrays), file, folder=parts.folder)
        parts.remove()
    return read(file)


def made_here(plan: Plan) -> Content:
    """Build a small table in this process and in memory, without a file."""
    arrays: Arrays = {}
    for stage in plan.stages:
        arrays = stage.join([stage.make(piece, arrays) for piece in range(stage.pieces)], arrays)
    return plan.finish(arrays)


def make_pieces(task: Task, executor: Executor, progress: Progress | None = None, given: Given | None = None) -> None:
    """Make and store the missing pieces of a stage."""
    missing = task.missing()
    done = task.stage.pieces - len(missing)
    report = progress or _no_progress
    report(done, task.stage.pieces, task.stage.name)
    for _ in executor.run(task, missing, given):
        done += 1
        report(done, task.stage.pieces, task.stage.name)


def _run(task: Task, stage: Stage, before: Arrays, executor: Executor, progress: Progress | None) -> Arrays:
    """Make one stage and return its result, mapped. Its parts are then removed."""
    make_pieces(task, executor, progress)
    name = made(task.number)
    task.parts.keep(name, stage.join(Pieces(task), before))
    arrays = task.parts.get(name, mapped=True)
    for piece in range(task.stage.pieces):
        task.parts.drop(task.name(piece))
    if task.number:
        task.parts.drop(made(task.number - 1))
    return arrays


def _no_progress(done: int, total: int, stage: str) -> None:
    pass


def _finished_stages(tasks: list[Task]) -> tuple[int, Arrays]:
    """Return the number of stages finished by an earlier build, and the result of the last of them."""
    for task in reversed(tasks):
        arrays = task.parts.find(made(task.number), mapped=True)
        if arrays is not None:
            return task.number + 1, arrays
    return 0, {}


def _identity(plan: Plan) -> Mapping[str, Any]:
    return {"plan": plan.identity, "stages": [[stage.name, stage.pieces] for stage in plan.stages]}
