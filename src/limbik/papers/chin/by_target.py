"""Tables C.1 and C.2 beside ours: iterations and evaluations of each method at each of the ten targets, residual 4."""

from collections.abc import Mapping

from limbik.papers.chin.printed import TABLE_C_1, TABLE_C_2
from limbik.papers.chin.trajectory import TARGETS, Walk
from limbik.papers.claim import Cell, Claim

# What a table counts, the name that it is printed under, and its columns.
TABLES = {"iterations": ("Table C.1", TABLE_C_1), "evaluations": ("Table C.2", TABLE_C_2)}


def claims(names: tuple[str, ...]) -> tuple[Claim, ...]:
    """Return a claim for each figure of both tables, for the methods of these names that they have."""
    return tuple(
        Claim(
            _key(name, counted, target),
            f"{table}, {name}: {counted} at target {target}",
            counted,
            columns[name][target - 1],
            cell=Cell(f"{table}, target by target: {counted}, paper / ours", name, str(target)),
        )
        for counted, (table, columns) in TABLES.items()
        for name in names
        if name in columns
        for target in range(1, TARGETS + 1)
    )


def values(walks: Mapping[str, Walk]) -> dict[str, float]:
    """Return our counts under the keys of the claims."""
    return {
        _key(name, counted, target): float(getattr(walk, counted)[target - 1])
        for counted, (_, columns) in TABLES.items()
        for name, walk in walks.items()
        if name in columns
        for target in range(1, TARGETS + 1)
    }


def _key(name: str, counted: str, target: int) -> str:
    return f"{name} {counted} {target}"
