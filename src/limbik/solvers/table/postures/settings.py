"""Settings of a table of postures (configurations), and their defaults."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from limbik._core import PostureTableBuilder, TableLayout
from limbik.errors import BadOption, shown
from limbik.solvers.table.lookup_chain import LookupChain

# Defaults by the number of reduced coordinates: bins along each, order of the polynomials, how often a cell may be
# divided, number of samples. Two coordinates remain if a spherical wrist takes any orientation: polynomials then have
# few terms and pay off. Four remain if only the roll of the last joint drops out: single postures (order 0) then
# suffice.
USUAL = {2: (4, 2, 6, 500_000), 3: (8, 1, 0, 2_000_000), 4: (8, 0, 0, 4_000_000), 5: (6, 0, 0, 4_000_000)}
MANY = (5, 0, 0, 4_000_000)
# Largest error of a polynomial, relative to the chain's length, and number of samples that decide whether a cell is
# divided.
TOLERANCE, DIVISION_SAMPLES = 7e-4, 256
# Number of samples that determine the range of the cells, and the margin added on both sides, relative to that range.
SURVEY, MARGIN = 20_000, 0.01
# Samples are numbered with 32 bits.
MOST_SAMPLES = 2**31


@dataclass(frozen=True)
class Settings:
    """The settings of a table of postures.

    low, high: the range of the cells along each coordinate. valid: the identity of the predicate, "" for none. The
    rest: as in `plan`.
    """

    samples: int
    bins: tuple[int, ...]
    order: int
    deepest: int
    tolerance: float
    seed: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    valid: str

    def as_json(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return {key: list(x) if isinstance(x, tuple) else x for key, x in asdict(self).items()}

    def builder(self, chain: LookupChain) -> PostureTableBuilder:
        """Return the builder, which draws configurations and fits the cells."""
        return PostureTableBuilder(
            chain.kernel, chain.scale, chain.low, chain.high, self.seed, self.order, self.deepest,
            self.tolerance * chain.scale, DIVISION_SAMPLES,
        )  # fmt: skip


def settings_for(
    chain: LookupChain,
    samples: int | None,
    bins: Any,
    order: int | None,
    deepest: int | None,
    tolerance: float,
    seed: int,
    valid: str,
) -> Settings:
    """Return the settings, completed by defaults. Raises BadOption."""
    layout = chain.layout
    usual = USUAL.get(layout.numbers, MANY)
    count = _whole("samples", samples, usual[3], 1, MOST_SAMPLES)
    given = _bins(bins, usual[0], layout.numbers)
    chosen = _whole("order", order, usual[1], 0, 2)
    depth = _whole("deepest", deepest, usual[2], 0, 16)
    number = _whole("seed", seed, 0, 0, 2**32)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 < tolerance < math.inf:
        raise BadOption(f"tolerance={shown(tolerance)}: give a number above 0, relative to the arm's length")
    blank = (0.0,) * layout.numbers
    first = Settings(count, given, chosen, depth, float(tolerance), number, blank, blank, valid)
    low, high = _spans(first.builder(chain), layout)
    return Settings(count, given, chosen, depth, float(tolerance), number, low, high, valid)


def _whole(name: str, given: Any, usual: int, least: int, most: int) -> int:
    if given is None:
        return usual
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not least <= given <= most:
        raise BadOption(f"{name}={shown(given)}: give a whole number from {least} to {most}")
    return int(given)


def _bins(given: Any, usual: int, numbers: int) -> tuple[int, ...]:
    each = [usual] * numbers if given is None else given if isinstance(given, list | tuple) else [given] * numbers
    if len(each) != numbers:
        raise BadOption(
            f"bins={shown(given)}: this chain's targets reduce to {numbers} coordinates; give one number for each, or one for all"
        )
    return tuple(_whole("bins", x, usual, 1, 1000) for x in each)


def _spans(builder: PostureTableBuilder, layout: TableLayout) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the range of each coordinate: that of sampled postures with a margin, and [-pi, pi] for angles."""
    places = builder.places(0, SURVEY)
    low, high = places.min(axis=0), places.max(axis=0)
    more = MARGIN * (high - low)
    low, high = low - more, high + more
    for k in range(layout.numbers):
        if layout.is_angle(k):
            low[k], high[k] = -math.pi, math.pi
    return tuple(low.tolist()), tuple(high.tolist())
