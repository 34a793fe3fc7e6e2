"""The tables of `limbik reproduce`: one line per row, or the tables of the paper."""

from collections.abc import Iterable, Sequence

from rich.table import Table

from limbik.papers.claim import Row

# Numbers smaller than this are printed with an exponent.
SMALL = 1e-3
# In narrow columns, numbers from here on have one decimal, smaller ones four digits.
LARGE = 1e3


def lines(rows: Sequence[Row]) -> Table:
    """Return a table with a line for each row."""
    table = Table("what", box=None, header_style="bold")
    for column in ("paper", "ours", "must be"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    table.add_column("")
    for row in rows:
        verdict = "missed" if row.ok is False and row.cause else {True: "ok", False: "MISSED", None: ""}[row.ok]
        style = "bold red" if row.failed else ""
        bar = "" if row.bar is None else str(row.bar)
        table.add_row(row.what, _number(row.paper), _number(row.ours), bar, row.unit, verdict, style=style)
    return table


def grids(rows: Sequence[Row]) -> list[Table]:
    """Return the tables of the rows that belong to one, each entry as "paper / ours (must be)"."""
    tables: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows:
        if row.cell is not None:
            tables.setdefault(row.cell.table, {}).setdefault(row.cell.line, {})[row.cell.column] = _both(row)
    return [_grid(title, body) for title, body in tables.items()]


def _grid(title: str, body: dict[str, dict[str, str]]) -> Table:
    columns = list(dict.fromkeys(column for cells in body.values() for column in cells))
    table = Table(title=title, title_justify="left", title_style="", box=None, header_style="bold")
    table.add_column("", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right")
    for line, cells in body.items():
        table.add_row(line, *(cells.get(column, "") for column in columns))
    return table


def bullets(sentences: Iterable[str]) -> Table:
    """Return sentences as a bulleted list with aligned lines."""
    table = Table.grid(padding=(0, 1))
    for sentence in sentences:
        table.add_row(" -", sentence)
    return table


def _both(row: Row) -> str:
    ours = "none" if row.ours is None else _short(row.ours)
    text = ours if row.paper is None else f"{_short(row.paper)} / {ours}"
    if row.bar is not None:
        text += f" ({row.bar})" + ("" if row.ok else " MISSED" if row.failed else " missed")
    return text


def _number(x: float | None) -> str:
    return "" if x is None else f"{x:.7g}" if x == 0 or abs(x) >= SMALL else f"{x:.1e}"


def _short(x: float) -> str:
    """Return a number for a narrow column; large ones with one decimal."""
    if abs(x) >= LARGE:
        return f"{x:.1f}".removesuffix(".0")
    return f"{x:.4g}" if x == 0 or abs(x) >= SMALL else f"{x:.1e}"
