"""Cells: a box of numbers cut into equal parts along each axis, and one number for each cell.

A number u of the range [low, low + D side] lies in part k = floor((u - low) / side), clipped to 0 .. D - 1; outside the range it
belongs to the nearest part. D = ceil(range / side), each axis its own. The address of a cell is the mixed-radix number
k_1 + D_1 (k_2 + D_2 (k_3 + ...)), the paper's (5) with a D for each axis.

The paper's (6) takes the ceiling, which numbers parts 1 .. D (and 0 at the very end of the range) while its text has 0 .. D - 1;
the floor gives what the text says.
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

# A range that exceeds a whole number of sides by this part of one is that whole number: 1.8 / 0.1 is 18.000000000000004.
ROUNDING = 1e-9
# Cells that an address can count.
MOST_CELLS = 2**62


@dataclass(frozen=True)
class Grid:
    """low, side: one number for each axis [m or rad]. divisions: parts along each."""

    low: tuple[float, ...]
    side: tuple[float, ...]
    divisions: tuple[int, ...]

    @staticmethod
    def over(low: Sequence[float], high: Sequence[float], side: Sequence[float]) -> "Grid":
        """Return the grid over a box with these sides of a cell. Raises BadOption."""
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
        """Where the last cell of each axis ends."""
        return tuple(a + s * d for a, s, d in zip(self.low, self.side, self.divisions, strict=True))

    def inside(self, u: Array) -> npt.NDArray[np.bool_]:
        """Tell which rows (..., axes) lie in the range."""
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
        """Return the parts of addresses, (...) -> (..., axes): the way back from `address_of`."""
        out = np.empty((*np.shape(address), self.axes), dtype=np.int64)
        rest = np.asarray(address, dtype=np.int64)
        for axis, divisions in enumerate(self.divisions):
            rest, out[..., axis] = np.divmod(rest, divisions)
        return out

    def corner(self, address: Addresses) -> Array:
        """Return the low end of cells, (...) -> (..., axes)."""
        return np.asarray(self.low + self.parts_of(address) * np.array(self.side))

    def scaled(self, u: Array, address: Addresses) -> Array:
        """Return rows as seen from their cell: -1 to 1 along each axis, from one end of the cell to the other."""
        return np.asarray(2.0 * (u - self.corner(address)) / self.side - 1.0)

    def as_json(self) -> dict[str, Any]:
        """Return the three fields as JSON has them."""
        return {"low": list(self.low), "side": list(self.side), "divisions": list(self.divisions)}
