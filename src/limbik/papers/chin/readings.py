"""Readings of the sweep as they enter verdicts."""

from collections.abc import Iterable, Mapping

from limbik.papers.chin.sweep import Case
from limbik.papers.chin.swept import EXPERIMENTS, READINGS
from limbik.papers.verdict import Values


def of_case(values: Values, case: Case) -> Mapping[str, float]:
    """Return the values of the sweep of a case."""
    return values[EXPERIMENTS[case.name].name]


def counted(name: str, held: float, total: float) -> dict[str, bool]:
    """Return as many readings as there are in total, of which so many hold; their order means nothing."""
    return {f"{name}, reading {k + 1} of {total:.0f}": k < held for k in range(int(total))}


def swept_readings(values: Values, cases: Iterable[Case], key: str) -> dict[str, bool]:
    """Return the readings of a property in some cases."""
    readings: dict[str, bool] = {}
    for case in cases:
        found = of_case(values, case)
        readings |= counted(case.name, found[key], found[READINGS])
    return readings


def held(values: Values, cases: Iterable[Case], key: str) -> str:
    """Return in how many readings of some cases a property holds, as text."""
    return ", ".join(
        f"{of_case(values, case)[key]:.0f} of {of_case(values, case)[READINGS]:.0f} ({case.name})" for case in cases
    )


def span(found: Mapping[str, float], names: Iterable[str], column: str) -> str:
    """Return the range of a column over methods and readings, as text."""
    names = tuple(names)
    low = min(found[f"{name} {column} least"] for name in names)
    high = max(found[f"{name} {column} most"] for name in names)
    return f"{low:.3g} to {high:.3g}"
