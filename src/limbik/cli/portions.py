"""Solve a file of many targets in portions, and write each result as soon as it is computed."""

import csv
import json
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from rich.progress import Progress

from limbik.cli.console import progress_console
from limbik.cli.target_file import open_targets, poses_of
from limbik.errors import BadFile
from limbik.geometry.arrays import Array

# Rows per portion.
ROWS_AT_A_TIME = 4096


@dataclass(frozen=True)
class Portion:
    """The results for some targets, as rows under a header and as arrays."""

    header: list[str]
    rows: Iterable[list[Any]]
    arrays: dict[str, Any]
    targets: int
    solved: int


def solve_file(solve: Callable[[Array, int], Portion], targets: Path, out: Path | None, as_json: bool) -> bool:
    """Solve a file of targets and write the results to out (.csv, .npz) or the screen. True when every target is solved.

    solve: takes targets (k, 4, 4) and the index of the first. as_json: print one JSON object per line.
    """
    suffix = None if out is None else out.suffix.lower()
    if suffix not in (None, ".csv", ".npz"):
        raise BadFile(f"'{out}' ends in {suffix!r}; results are written to .csv or .npz")
    if out is not None and not out.parent.is_dir():
        raise BadFile(f"cannot write '{out}': the folder '{out.parent}' does not exist")
    collected: list[dict[str, Any]] = []
    solved = total = 0
    quiet = out is None or not sys.stderr.isatty()
    try:
        opened = out.open("w", newline="") if out is not None and suffix == ".csv" else nullcontext(sys.stdout)
    except OSError as error:
        raise BadFile(f"cannot write '{out}': {error.strerror}") from None
    with opened as stream, Progress(console=progress_console(quiet), disable=quiet) as progress:
        bar = progress.add_task("solving", total=None)
        file = open_targets(targets, ROWS_AT_A_TIME)
        for piece in range(len(file)):
            poses = poses_of(file.raw(piece), targets)
            if not len(poses):
                continue
            portion = solve(poses, total)
            if suffix == ".npz":
                collected.append(portion.arrays)
            else:
                _write(stream, portion, total == 0, as_json and out is None)
            total, solved = total + portion.targets, solved + portion.solved
            progress.update(bar, completed=total, description=f"solved {solved} of {total}")
    if out is not None and suffix == ".npz":
        empty = solve(np.zeros((0, 4, 4)), 0).arrays
        arrays: dict[str, Any] = {key: np.concatenate([a[key] for a in [empty, *collected]]) for key in empty}
        np.savez(out, **arrays)
    print(f"{solved} of {total} targets solved", file=sys.stderr)
    return solved == total


def _write(stream: TextIO, portion: Portion, first: bool, as_json: bool) -> None:
    """Write one portion: CSV with a header, or one JSON object per line with null for NaN and infinity."""
    writer = csv.writer(stream)
    if first and not as_json:
        writer.writerow(portion.header)
    for row in portion.rows:
        if as_json:
            cells = [None if x != x else x for x in row]
            stream.write(json.dumps(dict(zip(portion.header, cells, strict=True))) + "\n")
        else:
            writer.writerow(row)
    stream.flush()
