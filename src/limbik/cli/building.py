"""What long work shows: a bar while it goes on, a sentence about what is kept when it is ended."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.progress import Progress as Bar

from limbik.cli.console import progress_console
from limbik.solvers.table.parts import folder_of
from limbik.solvers.table.work import Progress

# What a shell returns after Ctrl-C.
INTERRUPTED = 130


@contextmanager
def going_on(out: Path) -> Iterator[None]:
    """Turn Ctrl-C into a sentence about what is kept."""
    try:
        yield
    except KeyboardInterrupt:
        kept = folder_of(out)
        after = f"; what is finished is in '{kept}', and the same command goes on from there" if kept.exists() else ""
        print(f"limbik: stopped{after}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def bar(*, last_only: bool = False) -> Iterator[Progress]:
    """Have a bar for each stage, on a terminal; last_only: one bar, which says how the work stands."""
    with Bar(console=progress_console(), disable=not sys.stderr.isatty()) as shown:
        stages: dict[str, Any] = {}

        def progress(done: int, total: int, stage: str) -> None:
            key = "" if last_only else stage
            if key not in stages:
                stages[key] = shown.add_task(stage, total=total)
            shown.update(stages[key], completed=done, description=stage)

        yield progress
