"""`limbik solve --targets --out`: a file of any size, in pieces for any number of processes; resumable."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from limbik._core import Status
from limbik.cli.building import bar, resumable
from limbik.cli.results import FIELDS, WRITERS, checked_suffix
from limbik.cli.target_file import TargetFile, open_targets, poses_of
from limbik.formats.content.layout import Arrays
from limbik.formats.replacing import replacing
from limbik.robot.chain import Chain
from limbik.solvers.building.executors import executor_for
from limbik.solvers.building.parts import claimed
from limbik.solvers.building.task import Pieces, Task
from limbik.solvers.building.work import make_pieces

# Rows of a piece: a fraction of a second of computation, a few megabytes.
ROWS = 1 << 16


@dataclass(frozen=True)
class Solving:
    """The task for each piece of a file of targets. how: options of solve_batch. threads: None for all cores."""

    arm: Chain
    path: Path
    pieces: int
    how: Mapping[str, Any]
    threads: int | None
    name: str = "solving"

    def make(self, piece: int, before: Arrays) -> Arrays:
        """Solve a piece; before: its raw content in the file."""
        poses = poses_of(before, self.path)
        batch = self.arm.solve_batch(poses, threads=self.threads, invalid="mark", **self.how)
        return {field: getattr(batch, field) for field in FIELDS}


def solve_many(
    arm: Chain,
    targets: Path,
    out: Path,
    how: Mapping[str, Any],
    *,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    as_json: bool = False,
) -> bool:
    """Solve a file of targets into another file. how: options of solve_batch. Return whether all targets are solved."""
    suffix = checked_suffix(out)
    file = open_targets(targets, ROWS)
    shared = cluster is not None or (workers or 1) > 1
    stage = Solving(arm, targets, len(file), how, 1 if shared else None)
    with resumable(out), claimed(out, _identity(arm, file, how), fresh=fresh) as parts:
        task = Task(stage, 0, parts)
        with executor_for(workers, cluster) as executor, bar() as progress:
            make_pieces(task, executor, progress, file.raw)
        pieces = Pieces(task)
        counts = [(len(piece["status"]), np.count_nonzero(piece["status"] == Status.SOLVED)) for piece in pieces]
        with replacing(out, folder=parts.folder) as stream:
            WRITERS[suffix](stream, pieces, [rows for rows, _ in counts], arm.joint_names)
        parts.remove()
    total, solved = (int(sum(column)) for column in (zip(*counts, strict=True) if counts else ((), ())))
    if as_json:
        print(json.dumps({"file": str(out), "targets": total, "solved": solved}))
    print(f"{solved} of {total} targets solved", file=sys.stderr)
    return solved == total


def _identity(arm: Chain, file: TargetFile, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that determines the results: the robot, the file's content, the options."""
    state = file.path.stat()
    return {
        "robot": arm.fingerprint,
        "targets": [str(file.path.resolve()), state.st_size, state.st_mtime_ns],
        "rows": ROWS,
        "how": dict(how),
    }
