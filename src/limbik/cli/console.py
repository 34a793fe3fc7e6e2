"""The console of the commands; brackets and colons in names are printed literally."""

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import track
from rich.table import Table

# The width of tables in a pipe or a file without a set width [characters].
WIDE = 400

Item = TypeVar("Item")


def plain_console() -> Console:
    """Return a console that ignores markup and emoji codes; pass style= for bold."""
    return Console(highlight=False, markup=False, emoji=False)


def print_whole(console: Console, table: Table) -> None:
    """Print a table; without wrapping in a pipe or a file without a set width."""
    if not console.is_terminal:
        console.width = max(console.width, console.measure(table, options=console.options.update(width=WIDE)).maximum)
    console.print(table)


def progress_console(quiet: bool = False) -> Console:
    """Return a console on the error stream, silent if that is no terminal (a disabled bar may still end its line)."""
    return Console(stderr=True, quiet=quiet or not sys.stderr.isatty())


def watched(items: Sequence[Item], what: str) -> Iterable[Item]:
    """Return the items with a progress bar on the error stream, on terminals only."""
    return track(items, what, console=progress_console(), transient=True, disable=not sys.stderr.isatty())
