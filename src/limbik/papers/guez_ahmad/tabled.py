"""Claims that are shown in a table, at a line and a column."""

from collections.abc import Sequence

from limbik.papers.claim import Bar, Cell, Claim


def tabled(
    table: str, key: str, line: str, column: str, unit: str, paper: float | None = None, bar: Bar | None = None
) -> Claim:
    """Return a claim that is shown in a table; its text for scripts names table, line and column."""
    return Claim(key, f"{table}, {line}: {column}", unit, paper, bar, Cell(f"{table} [{unit}]", line, column))


def columns(table: str, name: str, line: str, unit: str, keys: Sequence[tuple[str, str]]) -> tuple[Claim, ...]:
    """Return the claims of a line. keys: (key, column) of each; the name of the line precedes the key."""
    return tuple(tabled(table, f"{name} {key}", line, column, unit) for key, column in keys)
