"""The claims of a table of the paper, and their values from a score."""

from collections.abc import Sequence

from limbik.papers.claim import Bar, Claim
from limbik.papers.kim_tarokh.printed import Line
from limbik.papers.kim_tarokh.scores import Score


def claims(
    key: str, what: str, lines: Sequence[Line], unit: str, *, mean: Bar | None = None, success: Bar | None = None
) -> tuple[Claim, ...]:
    """Return the claims of a table: count for 1000 targets, success, mean and deviation of each solution."""
    out: list[Claim] = []
    for k, line in enumerate(lines, start=1):
        out += [
            Claim(f"{key} {k} count", f"{what}, solution {k}: targets of 1000 that have it", "targets", line.count),
            Claim(f"{key} {k} success", f"{what}, solution {k}: success", "%", line.success, success),
            Claim(f"{key} {k} mean", f"{what}, solution {k}: mean error", unit, line.mean, mean),
            Claim(f"{key} {k} deviation", f"{what}, solution {k}: standard deviation", unit, line.deviation),
        ]
    return tuple(out)


def values(key: str, score: Score, order: Sequence[int], targets: int) -> dict[str, float]:
    """Return the values of the claims. order: the label of each row of the table."""
    out: dict[str, float] = {}
    for k, label in enumerate(order, start=1):
        own = score.of(label)
        out |= {
            f"{key} {k} count": 1000.0 * len(own.label) / targets,
            f"{key} {k} success": own.success,
            f"{key} {k} mean": own.mean,
            f"{key} {k} deviation": own.deviation,
        }
    return out
