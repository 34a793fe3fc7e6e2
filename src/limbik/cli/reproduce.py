"""`limbik reproduce`: repeat the experiments of a paper and compare with its published results."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from limbik.cli.console import plain_console, print_whole
from limbik.cli.reproduce_tables import bullets, grids, lines
from limbik.errors import BadFile
from limbik.papers.claim import Row
from limbik.papers.paper import Paper, Picture, Section, Setting
from limbik.papers.registry import PAPERS, paper

ALL = "all"
DEFAULT_OUT = Path("reproduced")
# The width of tables outside terminals [characters].
FILE_WIDTH = 130

EXAMPLES = """Examples:

  limbik reproduce chin                   pictures go to reproduced/chin/

  limbik reproduce chin --quick --json    smaller samples; JSON

  limbik reproduce all --out results      all papers
"""


def reproduce(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(PAPERS)}, or {ALL}.")],
    quick: Annotated[bool, typer.Option("--quick", help="Smaller samples; at most a minute per paper.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, one object per line and paper; pictures only with --out.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help=f"Folder for pictures; {DEFAULT_OUT}/ by default.")] = None,
) -> None:
    """Repeat a paper's experiments and compare with its results. Exit code 1 if a criterion is missed for no known cause."""
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


def _run(section: Section, setting: Setting) -> tuple[dict[str, list[Row]], list[Picture]]:
    """Return the rows by experiment, and the plots."""
    rows: dict[str, list[Row]] = {}
    pictures: list[Picture] = []
    status = Console(stderr=True).status("")
    with status:
        for experiment in section.experiments:
            status.update(f"{section.name}: {experiment.name}")
            rows[experiment.name], drawn = experiment.run(setting)
            pictures += drawn
    return rows, pictures


def _as_json(each: Paper, setting: Setting, place: Path | None) -> bool:
    measured: dict[str, list[Row]] = {}
    for section in each.sections:
        found, pictures = _run(section, setting)
        measured |= found
        if place is not None:
            _draw(pictures, place)
    rows = [row for found in measured.values() for row in found]
    rows += [row for verdict in each.verdicts(measured) for row in verdict.rows]
    print(json.dumps({"paper": each.name, "rows": [row.as_json() for row in rows]}, allow_nan=False), flush=True)
    return not any(row.failed for row in rows)


def _for_people(each: Paper, setting: Setting, place: Path | None) -> bool:
    console = plain_console()
    if not console.is_terminal:
        console.width = FILE_WIDTH
    console.print(each.title, style="bold")
    measured: dict[str, list[Row]] = {}
    drawn: list[Path] = []
    for section in each.sections:
        found, pictures = _run(section, setting)
        measured |= found
        _show(console, section, [row for rows in found.values() for row in rows])
        if place is not None and find_spec("matplotlib") is not None:
            drawn += _draw(pictures, place)
    if each.conclusions:
        console.print("\nverdicts", style="bold")
        console.print(bullets(str(verdict) for verdict in each.verdicts(measured)))
    judged = [row for rows in measured.values() for row in rows if row.ok is not None]
    missed = [row for row in judged if not row.ok]
    for row in missed:
        console.print(f"missed: {row.what}: {row.cause or 'no known cause'}", soft_wrap=True)
    printed = sum(row.paper is not None for row in judged)
    console.print(
        f"\n{len(judged) - len(missed)} of {len(judged)} acceptance criteria met; {printed} of them compare with a value that "
        "the paper prints"
    )
    if drawn:
        console.print(f"pictures: {', '.join(map(str, drawn))}", soft_wrap=True)
    elif find_spec("matplotlib") is None:
        console.print("no pictures, because matplotlib is not installed: pip install 'limbik[plot]'")
    return not any(row.failed for row in judged)


def _show(console: Console, section: Section, rows: list[Row]) -> None:
    console.print(f"\n{section.name}", style="bold")
    for grid in grids(rows):
        print_whole(console, grid)
        console.print()
    listed = [row for row in rows if row.cell is None or row.ok is False]
    if listed:
        console.print(lines(listed))
    notes = [f"{experiment.name}: {note}" for experiment in section.experiments for note in experiment.notes]
    if notes:
        console.print("\nwhere results differ")
        console.print(bullets(notes))


def _draw(pictures: list[Picture], place: Path) -> list[Path]:
    paths = []
    for picture in pictures:
        path = place / f"{picture.name}.png"
        picture.draw(path)
        paths.append(path)
    return paths
