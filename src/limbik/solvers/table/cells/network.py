"""A small neural network as the model of a cell: the paper's (8)-(12).

Inputs are scaled to [-1, 1] by the least and greatest values of the record (8). Each of N hidden units is tanh of an
affine function of them (9), (10); the paper's 2 / (1 + exp(-2 p)) - 1 equals tanh p. The outputs are affine functions
of the hidden units (11), scaled from [-1, 1] to the range of each joint (12).

Training: Levenberg-Marquardt, many records at once. The paper names no training method; its formulae are those of a
toolbox whose default is Levenberg-Marquardt. The output layer is linear, so it is set to its least-squares solution
after each step, and steps are taken in the hidden layer alone (variable projection by Golub and Pereyra, with Kaufman's
derivative). After 60 iterations the error is smaller than after 150 iterations in all weights: 2.4 instead of 3.5 mm
for the Puma's cells of 200 mm.

Let h be the hidden values, g = 1 - h^2 their slopes, D the products of g with the inputs (x, 1), Z = (D, h, 1), and F
the output weights of each hidden unit. The derivatives of output o are (D F_o, h, 1). One product Z^T Z = [[A, B],
[B^T, C]] therefore gives the normal matrix of the hidden layer with the output layer eliminated: (A - B C^-1 B^T) times
F F^T, entry by entry.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.solvers.table.cells.grid import Grid
from limbik.solvers.table.cells.samples import Records

# Largest number of iterations. Training of a record stops when TAIL iterations lower its error by less than this
# fraction.
ITERATIONS, TAIL, PROGRESS = 80, 10, 5e-3
# Initial damping, its factors after a rejected and after an accepted step, and the damping at which training stops.
DAMPING, GROWTH, SHRINKAGE, MOST_DAMPING = 0.1, 4.0, 0.3, 1e8
# Added to the diagonal that the damping multiplies, so that weights which no sample determines are damped too; ridge of
# the output layer, relative to the number of samples.
FREE, RIDGE = 1e-3, 1e-9
# Initial steepness of the hidden units: their bends then lie inside the cell.
STEEPNESS = 0.7
# Records trained at once: their working set stays in the cache.
AT_ONCE = 64
# Largest number of multiplications of a product that a BLAS computes on one thread.
ONE_THREAD = 120_000
# Width of the range of values that are all equal: any positive number.
NO_RANGE = 1e-12


@dataclass(frozen=True)
class Network:
    """A network with one hidden layer, as the model of a cell. seed: of the initial weights."""

    axes: int
    hidden: int = 5
    iterations: int = ITERATIONS
    seed: int = 0

    def words(self, joints: int) -> int:
        """The number of values of a record: the range of each input, both layers, the range of each joint."""
        return 2 * self.axes + self.weights(joints) + 2 * joints

    def weights(self, joints: int) -> int:
        """The number of trained weights among them."""
        return (self.axes + 1) * self.hidden + (self.hidden + 1) * joints

    @property
    def least(self) -> int:
        """The least number of samples of a record: three for each hidden unit."""
        return 3 * self.hidden

    def fitted(self, records: Records, grid: Grid) -> Array:
        """Return the words of each record, (R, words)."""
        x = grid.scaled(records.u, records.address[:, None])
        present = records.weight[..., None] > 0
        x_low, x_high = _ends(x, present)
        q_low, q_high = _ends(records.q, present)
        x, y = _scaled(x, x_low, x_high), _scaled(records.q, q_low, q_high)
        found = [
            self.trained(x[k : k + AT_ONCE], y[k : k + AT_ONCE], records.weight[k : k + AT_ONCE])
            for k in range(0, len(records), AT_ONCE)
        ]
        weights = np.concatenate(found) if found else np.zeros((0, self.weights(records.q.shape[-1])))
        return np.concatenate([x_low[:, 0], x_high[:, 0], weights, q_low[:, 0], q_high[:, 0]], axis=1)

    def trained(self, x: Array, y: Array, weight: Array) -> Array:
        """Return the trained weights (R, weights) for inputs (R, S, axes) and outputs (R, S, joints), all in -1 .. 1."""
        inner = (self.axes + 1) * self.hidden
        out = self.with_outputs(self.start(len(x), y.shape[-1]), x, y, weight)
        active = np.arange(len(x))
        damping = np.full(len(x), DAMPING)
        error = self._error(out, x, y, weight)
        before = error.copy()
        for iteration in range(1, self.iterations + 1):
            if not len(active):
                break
            w, data = out[active], (x[active], y[active], weight[active])
            H, g = self.reduced(w, *data)
            diagonal = np.einsum("rii->ri", H)
            diagonal += damping[active, None] * (FREE + diagonal)
            tried = w.copy()
            tried[:, :inner] -= np.linalg.solve(H, g[..., None])[..., 0]
            tried = self.with_outputs(tried, *data)
            new = self._error(tried, *data)
            good = new < error[active]
            out[active[good]], error[active[good]] = tried[good], new[good]
            damping[active] *= np.where(good, SHRINKAGE, GROWTH)
            alive = damping[active] < MOST_DAMPING
            if iteration % TAIL == 0:
                alive &= error[active] < (1.0 - PROGRESS) * before[active]
                before = error.copy()
            active = active[alive]
        return out

    def start(self, records: int, joints: int) -> Array:
        """Return initial weights: the bends of the hidden units are spread over the inputs, the output weights are 0."""
        rng = np.random.Generator(np.random.Philox(key=[self.seed, self.hidden]))
        direction = rng.normal(size=(self.axes, self.hidden))
        direction *= STEEPNESS * self.hidden ** (1.0 / self.axes) / np.linalg.norm(direction, axis=0)
        bias = np.linspace(-1.0, 1.0, self.hidden) * np.linalg.norm(direction, axis=0)
        outputs = np.zeros((self.hidden + 1) * joints)
        return np.tile(np.concatenate([direction.ravel(), bias, outputs]), (records, 1))

    def parts(self, w: Array) -> tuple[Array, Array, Array, Array]:
        """Return W_in (R, axes, N), b_in (R, 1, N), W_out (R, N, joints), b_out (R, 1, joints)."""
        d, n = self.axes, self.hidden
        W_in, b_in, rest = w[:, : d * n], w[:, d * n : (d + 1) * n], w[:, (d + 1) * n :]
        joints = rest.shape[1] // (n + 1)
        W_out = rest[:, : n * joints].reshape(-1, n, joints)
        return W_in.reshape(-1, d, n), b_in[:, None], W_out, rest[:, n * joints :][:, None]

    def output(self, w: Array, x: Array) -> Array:
        """Return the outputs (R, S, joints) in -1 .. 1 at inputs (R, S, axes)."""
        W_in, b_in, W_out, b_out = self.parts(w)
        return np.asarray(np.tanh(x @ W_in + b_in) @ W_out + b_out)

    def reduced(self, w: Array, x: Array, y: Array, weight: Array) -> tuple[Array, Array]:
        """Return J^T J and J^T e of the residuals output - y by the weights of the hidden layer, the output layer eliminated.

        (R, P, P) and (R, P) for the P = (axes + 1) N weights W_in and b_in.
        """
        W_in, b_in, W_out, b_out = self.parts(w)
        records, samples, d = x.shape
        n, inner = self.hidden, (d + 1) * self.hidden
        share = weight[..., None]
        h = np.tanh(x @ W_in + b_in)
        slope = (1.0 - h * h) * share
        Z = np.empty((records, samples, inner + n + 1))
        blocks = Z[..., :-1].reshape(records, samples, d + 2, n)  # the same memory
        np.multiply(x[..., None], slope[:, :, None], out=blocks[:, :, :d])
        blocks[:, :, d], blocks[:, :, d + 1], Z[..., -1] = slope, h * share, weight
        E = (h @ W_out + b_out - y) * share
        ZZ = _squared(Z)
        F = np.tile(W_out, (1, d + 1, 1))  # (R, P, joints): of each weight's hidden unit
        A, B, C = ZZ[:, :inner, :inner], ZZ[:, :inner, inner:], ZZ[:, inner:, inner:] + self._ridge(weight)
        H = (A - B @ np.linalg.solve(C, np.swapaxes(B, 1, 2))) * (F @ np.swapaxes(F, 1, 2))
        g = ((np.swapaxes(Z[..., :inner], 1, 2) @ E) * F).sum(-1)
        return H, g

    def _ridge(self, weight: Array) -> Array:
        """Return the ridge of the output layer's normal matrix, (R, N + 1, N + 1)."""
        return np.asarray(RIDGE * weight.sum(1)[:, None, None] * np.eye(self.hidden + 1))

    def with_outputs(self, w: Array, x: Array, y: Array, weight: Array) -> Array:
        """Return the weights with the least-squares output layer."""
        W_in, b_in, _, _ = self.parts(w)
        h = np.tanh(x @ W_in + b_in)
        Z = np.concatenate([h, np.ones((*h.shape[:2], 1))], axis=2) * weight[..., None]
        Zt = np.swapaxes(Z, 1, 2)
        found = np.linalg.solve(Zt @ Z + self._ridge(weight), Zt @ (y * weight[..., None]))
        return np.concatenate([w[:, : (self.axes + 1) * self.hidden], found.reshape(len(w), -1)], axis=1)

    def _error(self, w: Array, x: Array, y: Array, weight: Array) -> Array:
        return np.asarray((((self.output(w, x) - y) * weight[..., None]) ** 2).sum((1, 2)))

    def value(self, words: Array, x: Array) -> Array:
        """Return the joint values of records (R, words) at inputs (R, axes) in cell coordinates, (R, joints)."""
        d = self.axes
        joints = (words.shape[1] - 2 * d - (d + 1) * self.hidden) // (self.hidden + 3)
        x_low, x_high = words[:, :d], words[:, d : 2 * d]
        q_low, q_high = words[:, -2 * joints : -joints], words[:, -joints:]
        y = self.output(words[:, 2 * d : -2 * joints], _scaled(x, x_low, x_high)[:, None])[:, 0]
        return np.asarray(0.5 * (q_high - q_low) * (y + 1.0) + q_low)


def _squared(Z: Array) -> Array:
    """Return Z^T Z of each record, in products so small that a BLAS computes each on one thread: several threads are slower."""
    size = Z.shape[2]
    step = max(1, ONE_THREAD // size**2)
    parts = (Z[:, k : k + step] for k in range(0, Z.shape[1], step))
    return np.asarray(sum(np.swapaxes(part, 1, 2) @ part for part in parts))


def _ends(values: Array, present: npt.NDArray[np.bool_]) -> tuple[Array, Array]:
    """Return the least and the greatest value of each record, (R, 1, k) each, at least NO_RANGE apart."""
    low = np.where(present, values, np.inf).min(axis=1, keepdims=True)
    high = np.where(present, values, -np.inf).max(axis=1, keepdims=True)
    return low, np.maximum(high, low + NO_RANGE)


def _scaled(values: Array, low: Array, high: Array) -> Array:
    return np.asarray(2.0 * (values - low) / (high - low) - 1.0)
