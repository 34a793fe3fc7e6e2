"""Progress bars of long tasks, and the message after Ctrl-C."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.progress import Progress as Bar

from limbik.cli.console import progress_console
from limbik.solvers.building.parts import folder_of
from limbik.solvers.building.work import Progress

# The exit code after Ctrl-C.
INTERRUPTED = 130


@contextmanager
def resumable(out: Path) -> Iterator[None]:
    """Exit on Ctrl-C with a message that names the folder of the partial results."""
    # dask leaves coroutines behind when it is interrupted
    warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
    try:
        yield
    except KeyboardInterrupt:
        kept = folder_of(out)
        after = f"; partial results are in '{kept}'; run the same command again to resume" if kept.exists() else ""
        print(f"limbik: stopped{after}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def bar(*, last_only: bool = False) -> Iterator[Progress]:
    """Show a progress bar for each stage, on terminals only. last_only: one bar, for the current stage."""
    with Bar(console=progress_console(), disable=not sys.stderr.isatty()) as shown:
        stages: dict[str, Any] = {}

        def progress(done: int, total: int, stage: str) -> None:
            key = "" if last_only else stage
            if key not in stages:
                stages[key] = shown.add_task(stage, total=total)
            shown.update(stages[key], completed=done, description=stage)

        yield progress
