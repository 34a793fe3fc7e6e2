"""The console that commands print to: names and notes come out as they are, whatever brackets or colons they hold."""

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import track
from rich.table import Table

# The width a table may take in a pipe or a file, where nobody sets one [characters].
WIDE = 400

Item = TypeVar("Item")


def plain_console() -> Console:
    """Return a console that reads no markup and no emoji codes; pass style= for bold."""
    return Console(highlight=False, markup=False, emoji=False)


def print_whole(console: Console, table: Table) -> None:
    """Print a table; where nobody sets the width, a pipe or a file, without folding it."""
    if not console.is_terminal:
        console.width = max(console.width, console.measure(table, options=console.options.update(width=WIDE)).maximum)
    console.print(table)


def progress_console(quiet: bool = False) -> Console:
    """Return a console on the error stream, silent where that is no terminal: a bar that is off may still end its line."""
    return Console(stderr=True, quiet=quiet or not sys.stderr.isatty())


def watched(items: Sequence[Item], what: str) -> Iterable[Item]:
    """Return the items, with a bar on a terminal's error stream while they are gone through."""
    return track(items, what, console=progress_console(), transient=True, disable=not sys.stderr.isatty())
