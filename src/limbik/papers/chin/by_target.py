"""Tables C.1 and C.2 beside limbik's counts: iterations and evaluations of each method per target, residual 4."""

from collections.abc import Mapping

from limbik.papers.chin.printed import TABLE_C_1, TABLE_C_2
from limbik.papers.chin.trajectory import TARGETS, LineRun
from limbik.papers.claim import Cell, Claim

# The counts, the name of their table, and its columns.
TABLES = {"iterations": ("Table C.1", TABLE_C_1), "evaluations": ("Table C.2", TABLE_C_2)}


def claims(names: tuple[str, ...]) -> tuple[Claim, ...]:
    """Return a claim for each entry of both tables, for those of some methods that the tables contain."""
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


def values(runs: Mapping[str, LineRun]) -> dict[str, float]:
    """Return limbik's counts by the keys of the claims."""
    return {
        _key(name, counted, target): float(getattr(run, counted)[target - 1])
        for counted, (_, columns) in TABLES.items()
        for name, run in runs.items()
        if name in columns
        for target in range(1, TARGETS + 1)
    }


def _key(name: str, counted: str, target: int) -> str:
    return f"{name} {counted} {target}"
