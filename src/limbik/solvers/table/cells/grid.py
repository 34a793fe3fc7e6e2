"""Cells: a box divided into equal parts along each axis, and an integer address for each cell.

A coordinate u of the range [low, low + D side] lies in part k = floor((u - low) / side), clipped to 0 .. D - 1; outside
the range it belongs to the nearest part. D = ceil(range / side) may differ between axes. The address of a cell is the
mixed-radix number k_1 + D_1 (k_2 + D_2 (k_3 + ...)), the paper's equation (5) with one D for each axis.

The paper's equation (6) has a ceiling, which numbers the parts 1 .. D (and 0 at the low end of the range), while its
text says 0 .. D - 1. The floor agrees with the text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption
from limbik.geometry.arrays import Array

Addresses = npt.NDArray[np.int64]

# Rounding of range / side, relative to one side: 1.8 / 0.1 is 18.000000000000004 and means 18.
ROUNDING = 1e-9
# Largest number of cells that addresses can number.
MOST_CELLS = 2**62


@dataclass(frozen=True)
class Grid:
    """A box divided into equal cells.

    low, side: the low end of the range and the side of a cell along each axis [m or rad]. divisions: the number of
    parts along each.
    """

    low: tuple[float, ...]
    side: tuple[float, ...]
    divisions: tuple[int, ...]

    @staticmethod
    def over(low: Sequence[float], high: Sequence[float], side: Sequence[float]) -> "Grid":
        """Return the grid over a box with cells of given sides. Raises BadOption."""
        if not len(low) == len(high) == len(side):
            raise BadOption(
                f"a grid needs a low, a high and a side for each axis; got {len(low)}, {len(high)}, {len(side)}"
            )
        for a, b, s in zip(low, high, side, strict=True):
            if not (np.isfinite([a, b, s]).all() and s > 0 and b >= a):
                raise BadOption(
                    f"cells of side {s:g} over [{a:g}, {b:g}]: the side must be above 0, and the range in ascending order"
                )
        parts = tuple(max(1, ceil((b - a) / s - ROUNDING)) for a, b, s in zip(low, high, side, strict=True))
        if prod(parts) > MOST_CELLS:
            raise BadOption(f"{prod(parts):.3g} cells are too many: use a larger side")
        return Grid(tuple(map(float, low)), tuple(map(float, side)), parts)

    @property
    def axes(self) -> int:
        """The number of axes."""
        return len(self.low)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return prod(self.divisions)

    @property
    def high(self) -> tuple[float, ...]:
        """The high end of the last cell along each axis."""
        return tuple(a + s * d for a, s, d in zip(self.low, self.side, self.divisions, strict=True))

    def inside(self, u: Array) -> npt.NDArray[np.bool_]:
        """Return which rows (..., axes) lie in the range, (...)."""
        return np.asarray(((u >= self.low) & (u <= self.high)).all(-1))

    def parts(self, u: Array) -> Addresses:
        """Return the part of each axis, (..., axes) -> (..., axes)."""
        k = np.floor((u - self.low) / self.side)
        return np.clip(k, 0, np.array(self.divisions) - 1).astype(np.int64)

    def address(self, u: Array) -> Addresses:
        """Return the address of the cell of each row, (..., axes) -> (...)."""
        return self.address_of(self.parts(u))

    def address_of(self, parts: Addresses) -> Addresses:
        """Return the addresses of cells given by their parts."""
        address = np.zeros(parts.shape[:-1], dtype=np.int64)
        for axis in reversed(range(self.axes)):
            address = address * self.divisions[axis] + parts[..., axis]
        return address

    def parts_of(self, address: Addresses) -> Addresses:
        """Return the parts of addresses, (...) -> (..., axes): the inverse of `address_of`."""
        out = np.empty((*np.shape(address), self.axes), dtype=np.int64)
        rest = np.asarray(address, dtype=np.int64)
        for axis, divisions in enumerate(self.divisions):
            rest, out[..., axis] = np.divmod(rest, divisions)
        return out

    def corner(self, address: Addresses) -> Array:
        """Return the low end of cells, (...) -> (..., axes)."""
        return np.asarray(self.low + self.parts_of(address) * np.array(self.side))

    def scaled(self, u: Array, address: Addresses) -> Array:
        """Return rows in the coordinates of their cell: -1 to 1 along each axis from its low to its high end."""
        return np.asarray(2.0 * (u - self.corner(address)) / self.side - 1.0)

    def as_json(self) -> dict[str, Any]:
        """Return the three fields as JSON values."""
        return {"low": list(self.low), "side": list(self.side), "divisions": list(self.divisions)}
