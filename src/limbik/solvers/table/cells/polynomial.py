"""Polynomial models of a cell, by least squares.

Position, the paper's equation (4): linear in x, y, z[, v]. Orientation, its equation (7): linear in the arm's joints,
quadratic in the Euler angles. Full polynomials up to order 3 allow a comparison of small cells with low orders and
large cells with high orders.

Inputs are in the coordinates of their cell, -1 to 1 along each axis, so that the normal equations are well scaled. Many
records are fitted at once by their normal equations. If the samples cover a cell only in part, some terms are nearly
undetermined: a small ridge on all terms but the constant keeps those near 0.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.solvers.table.cells.grid import Grid
from limbik.solvers.table.cells.samples import Records

# Ridge of every term but the constant, relative to the square of one sample: negligible for terms that samples
# determine.
RIDGE = 1e-6
# Orders of full polynomials, by name.
ORDERS = {"linear": 1, "quadratic": 2, "cubic": 3}
# Largest number of values in memory while records are fitted.
WORKING_SET = 20_000_000


@dataclass(frozen=True)
class Polynomial:
    """A polynomial as the model of a cell. terms: the indices of the inputs that each term multiplies, () for the constant."""

    axes: int
    terms: tuple[tuple[int, ...], ...]

    def words(self, joints: int) -> int:
        """The number of coefficients of a record."""
        return len(self.terms) * joints

    @property
    def least(self) -> int:
        """The least number of samples of a record."""
        return len(self.terms) + 1

    @property
    def order(self) -> int:
        """The largest number of inputs in a term."""
        return max(map(len, self.terms))

    def design(self, x: Array) -> Array:
        """Return the value of every term, (..., axes) -> (..., terms)."""
        columns = [np.ones(x.shape[:-1])]
        for term in self.terms[1:]:
            column = x[..., term[0]]
            for k in term[1:]:
                column = column * x[..., k]
            columns.append(column)
        return np.stack(columns, axis=-1)

    def fitted(self, records: Records, grid: Grid) -> Array:
        """Return the coefficients of each record, (R, terms * joints), those of a term side by side."""
        count, joints = len(self.terms), records.q.shape[-1]
        out = np.empty((len(records), count * joints))
        step = max(1, WORKING_SET // max(1, records.u.shape[1] * (count + joints)))
        ridge = RIDGE * np.diag([0.0] + [1.0] * (count - 1))
        for start in range(0, len(records), step):
            part = records.part(slice(start, start + step))
            A = self.design(grid.scaled(part.u, part.address[:, None])) * part.weight[..., None]
            At = np.swapaxes(A, 1, 2)
            # About the mean: the ridge then pulls towards a constant joint value, not towards 0.
            mean = (part.q * part.weight[..., None]).sum(1, keepdims=True) / part.weight.sum(1)[:, None, None]
            found = np.linalg.solve(At @ A + ridge, At @ (part.q - mean))
            found[:, :1] += mean
            out[start : start + step] = found.reshape(len(part), -1)
        return out

    def value(self, words: Array, x: Array) -> Array:
        """Return the joint values of records (R, terms * joints) at inputs (R, axes) in cell coordinates, (R, joints)."""
        coefficients = words.reshape(len(words), len(self.terms), -1)
        return np.asarray(np.einsum("rt,rtj->rj", self.design(x), coefficients))


def full(axes: int, order: int) -> Polynomial:
    """Return the full polynomial: every product of at most `order` inputs."""
    terms = [term for degree in range(order + 1) for term in combinations_with_replacement(range(axes), degree)]
    return Polynomial(axes, tuple(terms))


def mixed(axes: int, linear: int) -> Polynomial:
    """Return the model of equation (7): linear in the first `linear` inputs, quadratic in the rest."""
    rest = range(linear, axes)
    terms = [(), *((k,) for k in range(axes)), *combinations_with_replacement(rest, 2)]
    return Polynomial(axes, tuple(terms))


def polynomial(name: str, axes: int, linear: int) -> Polynomial:
    """Return a model by its name: "linear", "quadratic", "cubic", or "mixed" (the paper's own for orientation)."""
    if name == "mixed":
        return mixed(axes, linear)
    if name not in ORDERS:
        raise BadOption(f"no polynomial {name!r}; there are mixed, {', '.join(ORDERS)}")
    return full(axes, ORDERS[name])
