"""The claims of a table of the paper, their bars, and their values from a score.

Bars come from the printed sample: a mean error may exceed the printed mean by three standard errors of that mean, and a
success rate may fall below the printed rate by three of its standard errors. Both follow from the printed count and
deviation. Where the rows of a table cannot be assigned to ours, the bar is the mean over the printed rows, weighted by
their counts.
"""

import math
from collections.abc import Sequence

from limbik.papers.claim import Bar, Cell, Claim, at_least, at_most
from limbik.papers.kim_tarokh.printed import Line
from limbik.papers.kim_tarokh.scores import PERCENT, Score

# The number of standard errors of a printed value that count as chance.
ERRORS = 3.0
# The number of targets to which counts refer.
TARGETS = 1000.0


def mean_bar(line: Line) -> Bar:
    """Return the bar of a mean error beside a printed row. Rows without a deviation allow no difference."""
    return at_most(line.mean + ERRORS * (line.deviation or 0.0) / math.sqrt(line.count))


def success_bar(line: Line) -> Bar | None:
    """Return the bar of a success rate beside a printed row; None where none is printed."""
    if line.success is None:
        return None
    share = line.success / PERCENT
    return at_least(line.success - ERRORS * PERCENT * math.sqrt(share * (1.0 - share) / line.count))


def printed_mean(lines: Sequence[Line]) -> float:
    """Return the mean over all solutions of a printed table: its rows weighted by their counts."""
    return sum(line.count * line.mean for line in lines) / sum(line.count for line in lines)


def claims(
    key: str, what: str, lines: Sequence[Line], unit: str, *, judged: bool = False, cause: str = ""
) -> tuple[Claim, ...]:
    """Return the claims of a table: found for 1000 targets, success, mean and deviation of each solution.

    judged: whether the rows have bars. cause: why limbik is known to miss the bars of the means.
    """
    out: list[Claim] = []
    for k, line in enumerate(lines, start=1):
        name, place = f"{what}, solution {k}", f"solution {k}"
        mean, success = (mean_bar(line), success_bar(line)) if judged else (None, None)
        out += [
            Claim(f"{key} {k} count", f"{name}: found for 1000 targets", "targets", line.count, None,
                  Cell(what, place, "found of 1000")),
            Claim(f"{key} {k} success", f"{name}: success", "%", line.success, success, Cell(what, place, "success [%]")),
            Claim(f"{key} {k} mean", f"{name}: mean error", unit, line.mean, mean, Cell(what, place, f"mean [{unit}]"),
                  cause),
            Claim(f"{key} {k} deviation", f"{name}: standard deviation", unit, line.deviation, None,
                  Cell(what, place, f"deviation [{unit}]")),
        ]  # fmt: skip
    return tuple(out)


def values(key: str, score: Score, order: Sequence[int], targets: int) -> dict[str, float]:
    """Return the values of the claims. order: the label of each row of the table."""
    out: dict[str, float] = {}
    for k, label in enumerate(order, start=1):
        own = score.of(label)
        out |= {
            f"{key} {k} count": TARGETS * float(own.found.sum()) / targets,
            f"{key} {k} success": own.success,
            f"{key} {k} mean": own.mean,
            f"{key} {k} deviation": own.deviation,
        }
    return out


def overall_claims(key: str, what: str, unit: str, bound: float, mean: Bar | None = None) -> tuple[Claim, ...]:
    """Return the claims about all solutions together. bound: errors beyond it are those of singular cells."""

    def claim(name: str, text: str, column: str, unit: str, bar: Bar | None = None) -> Claim:
        return Claim(f"{key} {name}", f"{what}, all: {text}", unit, None, bar, Cell(what, "all", column))

    return (
        claim("success", "success", "success [%]", "%"),
        claim("mean", "mean error", f"mean [{unit}]", unit, mean),
        claim("deviation", "standard deviation", f"deviation [{unit}]", unit),
        claim("median", "median error", f"median [{unit}]", unit),
        claim("near", f"mean of errors below {bound:.0f} {unit}", f"mean below {bound:.0f}", unit),
        claim("beyond", f"share of errors beyond {bound:.0f} {unit}", f"beyond {bound:.0f} [%]", "%"),
    )


def overall(key: str, score: Score, bound: float) -> dict[str, float]:
    """Return the values of the claims about all solutions together."""
    return {
        f"{key} success": score.success,
        f"{key} mean": score.mean,
        f"{key} deviation": score.deviation,
        f"{key} median": score.median,
        f"{key} near": score.below(bound).mean,
        f"{key} beyond": score.beyond(bound),
    }
