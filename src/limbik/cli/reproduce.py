"""`limbik reproduce`: the experiments of a paper, run again, beside what it printed."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from limbik.cli.console import plain_console
from limbik.errors import BadFile
from limbik.papers.claim import Row
from limbik.papers.paper import Paper, Picture, Section, Setting
from limbik.papers.registry import PAPERS, paper

ALL = "all"
DEFAULT_OUT = Path("reproduced")
# How wide tables are where they do not go to a terminal.
FILE_WIDTH = 130
# Figures smaller than this are printed with an exponent.
SMALL = 1e-3

EXAMPLES = """Examples:

  limbik reproduce chin                        tables on the screen, pictures into reproduced/chin/

  limbik reproduce chin --quick --json         smaller samples; one JSON object with every row

  limbik reproduce all --out results           every paper there is
"""


def reproduce(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(PAPERS)}, or {ALL}.")],
    quick: Annotated[bool, typer.Option("--quick", help="Smaller samples: a paper within a minute.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: an object for each paper, one a line; pictures only with --out.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help=f"Folder for pictures; {DEFAULT_OUT}/ by default.")] = None,
) -> None:
    """Run a paper's experiments again, beside its own figures. Exit code 1 when an acceptance figure is missed."""
    papers = [paper(each) for each in (PAPERS if name == ALL else [name])]
    setting = Setting(quick=quick)
    folder = DEFAULT_OUT if out is None and not as_json else out
    met = True
    for each in papers:
        place = None if folder is None else _folder(folder / each.name)
        met &= _as_json(each, setting, place) if as_json else _for_people(each, setting, place)
    raise typer.Exit(0 if met else 1)


reproduce.__doc__ = f"{reproduce.__doc__}\n\n{EXAMPLES}"


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"cannot make the folder '{path}': {error.strerror}") from None
    return path


def _run(section: Section, setting: Setting) -> tuple[list[Row], list[Picture]]:
    rows: list[Row] = []
    pictures: list[Picture] = []
    status = Console(stderr=True).status("")
    with status:
        for experiment in section.experiments:
            status.update(f"{section.name}: {experiment.name}")
            found, drawn = experiment.run(setting)
            rows += found
            pictures += drawn
    return rows, pictures


def _as_json(each: Paper, setting: Setting, place: Path | None) -> bool:
    rows: list[Row] = []
    for section in each.sections:
        found, pictures = _run(section, setting)
        rows += found
        if place is not None:
            _draw(pictures, place)
    print(json.dumps({"paper": each.name, "rows": [row.as_json() for row in rows]}, allow_nan=False), flush=True)
    return all(row.ok is not False for row in rows)


def _for_people(each: Paper, setting: Setting, place: Path | None) -> bool:
    console = plain_console()
    if not console.is_terminal:
        console.width = FILE_WIDTH
    console.print(each.title, style="bold")
    all_rows: list[Row] = []
    drawn: list[Path] = []
    for section in each.sections:
        rows, pictures = _run(section, setting)
        all_rows += rows
        console.print(f"\n{section.name}", style="bold")
        console.print(_table(rows))
        if place is not None and find_spec("matplotlib") is not None:
            drawn += _draw(pictures, place)
    judged = [row for row in all_rows if row.ok is not None]
    console.print(f"\n{sum(bool(row.ok) for row in judged)} of {len(judged)} acceptance figures met")
    if drawn:
        console.print(f"pictures: {', '.join(map(str, drawn))}", soft_wrap=True)
    elif find_spec("matplotlib") is None:
        console.print("no pictures: they need matplotlib: pip install 'limbik[plot]'")
    return all(row.ok for row in judged)


def _table(rows: list[Row]) -> Table:
    table = Table("what", box=None, header_style="bold")
    for column in ("paper", "ours", "must be"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    table.add_column("")
    for row in rows:
        verdict = {True: "ok", False: "MISSED", None: ""}[row.ok]
        style = "bold red" if row.ok is False else ""
        bar = "" if row.bar is None else str(row.bar)
        table.add_row(row.what, _figure(row.paper), _figure(row.ours), bar, row.unit, verdict, style=style)
    return table


def _figure(x: float | None) -> str:
    return "" if x is None else f"{x:.7g}" if x == 0 or abs(x) >= SMALL else f"{x:.1e}"


def _draw(pictures: list[Picture], place: Path) -> list[Path]:
    paths = []
    for picture in pictures:
        path = place / f"{picture.name}.png"
        picture.draw(path)
        paths.append(path)
    return paths
