"""One level of a table: a grid, a type of model, and the records of every cell that has solutions, sorted by address."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import CellLevel
from limbik.errors import BadFile
from limbik.geometry.arrays import Array
from limbik.solvers.table.cells.grid import Addresses, Grid
from limbik.solvers.table.cells.network import Network
from limbik.solvers.table.cells.polynomial import Polynomial
from limbik.solvers.table.cells.samples import Records

Model = Polynomial | Network
# The arrays of a level, by name.
ARRAYS = ("addresses", "first", "kinds", "words")


@dataclass(frozen=True)
class Level:
    """A level of C cells and R records; a record is the fitted model of one solution in one cell.

    addresses: (C,) of the cells. first: (C + 1,) the index of each cell's first record. kinds: (R,) the label of each
    record's solution. words: (R, model.words) float32, the coefficients.
    """

    grid: Grid
    model: Model
    joints: int
    addresses: Addresses
    first: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int32]
    words: npt.NDArray[np.float32]

    @property
    def bytes(self) -> int:
        """The size of the arrays [bytes]."""
        return sum(getattr(self, name).nbytes for name in ARRAYS)

    @property
    def record_bytes(self) -> int:
        """The size of the coefficients alone [bytes], as the paper counts."""
        return self.words.nbytes

    def compiled(self, *, by_index: bool = False) -> CellLevel:
        """Return the level in the form of the core, without copying the arrays. Raises BadFile for inconsistent arrays."""
        terms = [list(term) for term in self.model.terms[1:]] if isinstance(self.model, Polynomial) else []
        hidden = self.model.hidden if isinstance(self.model, Network) else 0
        return CellLevel(
            low=self.grid.low,
            side=self.grid.side,
            divisions=self.grid.divisions,
            joints=self.joints,
            terms=terms,
            hidden=hidden,
            addresses=self.addresses,
            first=self.first,
            kinds=self.kinds,
            words=self.words,
            by_index=by_index,
        )

    def value(self, u: Array) -> tuple[Array, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Evaluate the models of all solutions at coordinates u (N, axes), as the core does, in NumPy.

        Returns the joint values (M, joints), and for each its row of u (M,) and its kind (M,).
        """
        address = self.grid.address(u)
        cell = np.minimum(np.searchsorted(self.addresses, address), max(len(self.addresses) - 1, 0))
        there = np.flatnonzero(self.addresses[cell] == address) if len(self.addresses) else np.zeros(0, dtype=np.int64)
        counts = np.diff(self.first)[cell[there]]
        row = np.repeat(there, counts)
        offset = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        record = self.first[cell[row]] + offset
        x = self.grid.scaled(u[row], address[row])
        return self.model.value(self.words[record].astype(float), x), row, self.kinds[record].astype(np.int64)


def level_of(records: Records, grid: Grid, model: Model) -> Level:
    """Return the level whose models are fitted to the records."""
    joints = records.q.shape[-1]
    addresses, counts = np.unique(records.address, return_counts=True)
    return Level(
        grid=grid,
        model=model,
        joints=joints,
        addresses=addresses.astype(np.int64),
        first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        kinds=records.kind.astype(np.int32),
        words=model.fitted(records, grid).astype(np.float32),
    )


def model_as_json(model: Model) -> dict[str, Any]:
    """Return what identifies a model, as JSON values."""
    if isinstance(model, Network):
        return {"axes": model.axes, "hidden": model.hidden, "iterations": model.iterations, "seed": model.seed}
    return {"axes": model.axes, "terms": [list(term) for term in model.terms]}


def read_model(given: Any) -> Model:
    """Return a model from its JSON. Raises BadFile."""
    try:
        if "hidden" in given:
            return Network(int(given["axes"]), int(given["hidden"]), int(given["iterations"]), int(given["seed"]))
        terms = tuple(tuple(int(k) for k in term) for term in given["terms"])
        if not terms or terms[0]:
            raise ValueError("the constant term must come first")
        return Polynomial(int(given["axes"]), terms)
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile(f"a table's model cannot be read: {error}") from None


def read_grid(given: Any) -> Grid:
    """Return a grid from its JSON. Raises BadFile; the core checks the sizes."""
    try:
        low, side, divisions = (tuple(given[name]) for name in ("low", "side", "divisions"))
        if not len(low) == len(side) == len(divisions) or not len(low):
            raise ValueError("low, side and divisions must have the same number of axes, at least 1")
        return Grid(tuple(map(float, low)), tuple(map(float, side)), tuple(int(d) for d in divisions))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadFile(f"a table's grid cannot be read: {error}") from None
