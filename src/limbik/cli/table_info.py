"""`limbik table info`: the robot, design, size and statistics of a table."""

import json
import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from limbik.cli.console import plain_console
from limbik.cli.options import AsJson
from limbik.errors import one_line
from limbik.formats.content.content import Content
from limbik.formats.content.file import read
from limbik.solvers.table.designs import design_of

# The longest bar of a histogram [characters], and the most rows before bins are merged.
LONGEST_BAR = 50
MOST_ROWS = 24

EXAMPLES = """Examples:

  limbik table info puma.table

  limbik table info puma.table --json

  limbik table info puma.table --plot puma.png
"""


def info(
    file: Annotated[Path, typer.Argument(help="A table.")],
    plot: Annotated[Path | None, typer.Option(help="Write a picture of the table here (.png, .svg, .pdf).")] = None,
    as_json: AsJson = False,
) -> None:
    """Verify the checksum of a table and describe it."""
    content = read(file)
    if as_json:
        print(json.dumps(_facts(content, file)))
    else:
        _print(content, file)
    if plot is not None:
        design_of(content, file).plot(content, plot)
        if not as_json:
            print(f"drawn: {plot}")


info.__doc__ = f"{info.__doc__}\n\n{EXAMPLES}"


def _facts(content: Content, file: Path) -> dict[str, Any]:
    arrays = {
        name: {"dtype": str(array.dtype), "shape": list(array.shape), "bytes": array.nbytes}
        for name, array in sorted(content.arrays.items())
    }
    return {
        "file": str(file),
        "bytes": file.stat().st_size,
        "design": content.design,
        "robot": content.robot,
        "fingerprint": content.fingerprint,
        "settings": content.settings,
        "statistics": content.statistics,
        "arrays": arrays,
    }


def _print(content: Content, file: Path) -> None:
    console = plain_console()
    console.print(
        f"{file}: table of '{one_line(content.robot)}', design {content.design}", style="bold", soft_wrap=True
    )
    console.print(f"{file.stat().st_size / 2**20:.2f} MB; robot {content.fingerprint[:12]}; checksum verified")
    for title, values in (("settings", content.settings), ("statistics", content.statistics)):
        rows = list(_rows(values))
        if rows:
            console.print(f"\n{title}", style="bold")
            _print_rows(console, rows)
    for name, values in _histograms(content.statistics):
        console.print(f"\n{name}", style="bold")
        for line in histogram_lines(values["edges"], values["counts"]):
            console.print(line)
    console.print("\narrays", style="bold")
    shapes = ((n, f"{a.dtype} {' x '.join(map(str, a.shape))}, {a.nbytes / 2**20:.2f} MB") for n, a in _sorted(content))
    _print_rows(console, list(shapes))


def _sorted(content: Content) -> list[tuple[str, Any]]:
    return sorted(content.arrays.items())


def _print_rows(console: Console, rows: list[tuple[str, str]]) -> None:
    table = Table.grid(padding=(0, 2))
    for name, value in rows:
        table.add_row(f"  {name}", value)
    console.print(table)


def _rows(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield names and values; nested objects prefix their names; histograms are omitted."""
    for name, value in values.items():
        if is_histogram(value):
            continue
        if isinstance(value, Mapping):
            yield from _rows(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", f"{value:.6g}" if isinstance(value, float) else one_line(value, 100)


def _histograms(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, value in values.items():
        if is_histogram(value):
            yield f"{before}{name}", value
        elif isinstance(value, Mapping):
            yield from _histograms(value, f"{before}{name}.")


def is_histogram(value: object) -> bool:
    """Return whether a statistic is {"edges": n + 1 numbers, "counts": n numbers}."""
    if not isinstance(value, Mapping) or not {"edges", "counts"} <= set(value):
        return False
    edges, counts = value["edges"], value["counts"]
    lists = isinstance(edges, list) and isinstance(counts, list) and len(edges) == len(counts) + 1 > 1
    return lists and all(type(x) in (int, float) for x in [*edges, *counts]) and all(x >= 0 for x in counts)


def histogram_lines(edges: list[float], counts: list[float]) -> list[str]:
    """Return a histogram as lines of text, one bar each; neighbouring bins are merged if there are too many."""
    step = -(-len(counts) // MOST_ROWS)
    joined = [sum(counts[k : k + step]) for k in range(0, len(counts), step)]
    borders = [*edges[:-1:step], edges[-1]]
    names = [f"{low:.4g} .. {high:.4g}" for low, high in pairwise(borders)]
    width, most = max(map(len, names)), max(joined) or 1
    digits = max(len(f"{count:g}") for count in joined)
    return [
        f"  {name:>{width}}  {count:>{digits}g}  {'#' * math.ceil(LONGEST_BAR * count / most)}".rstrip()
        for name, count in zip(names, joined, strict=True)
    ]
