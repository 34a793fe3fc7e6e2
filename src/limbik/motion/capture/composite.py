"""The normal equations of a kinematic tree with markers, by composite bodies.

A joint value q_i moves all markers beyond its joint as one rigid body: with the velocity v_i of the reference point and the
angular velocity w_i, a marker at p (relative to the reference point) has the velocity u_i = v_i + w_i x p. So

    A_ij = sum_m w_m u_i . u_j = v_i . f_j + w_i . t_j,    f_j = W v_j + w_j x P,    t_j = P x v_j + |p|^2 w_j - p p^T w_j

where W, P, |p|^2 and p p^T are summed over the markers that both i and j move: those of the joint that is farther out. The sums
of one joint are reused by all its ancestors, like the composite bodies of an inertia matrix (Walker and Orin 1982). No marker
Jacobian is formed.
"""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.ranges import Mask

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.signedinteger]]


@dataclass(frozen=True, eq=False)
class Columns:
    """The markers that each joint value moves.

    ends: frames whose Jacobians together contain every column, and the columns taken from each. sets: (sets, markers) markers
    that move together. of: (n,) the set of each column. inside: (n, n) whether i moves all markers that j moves.
    """

    ends: tuple[tuple[int, Numbers], ...]
    sets: Array
    of: Numbers
    inside: Mask


def columns(compiled: Compiled, on: tuple[str, ...]) -> Columns | None:
    """Return the columns for markers on some frames; None if one joint value moves several joints (mimic joints)."""
    if len({element.variable.first for element in compiled.elements}) < len(compiled.elements):
        return None
    moves = np.zeros((len(compiled.frames), compiled.n), dtype=bool)
    for number, (element, _) in enumerate(compiled.frames.values()):
        while element >= 0:
            variable = compiled.elements[element].variable
            moves[number, variable.first : variable.first + variable.joint.kind.size] = True
            element = compiled.elements[element].parent
    numbers = [compiled.frame_numbers[frame] for frame in on]
    left = moves[numbers].any(axis=0)
    ends: list[tuple[int, Numbers]] = []
    for number in sorted(set(numbers), key=lambda k: -int(moves[k].sum())):
        if (own := moves[number] & left).any():
            ends.append((number, np.flatnonzero(own)))
            left = left & ~own
    by_column = moves[numbers].T
    sets, of = np.unique(by_column, axis=0, return_inverse=True)
    moved = by_column.astype(np.float64)
    inside = (moved @ moved.T >= moved.sum(axis=1)) & by_column.any(axis=1)
    return Columns(tuple(ends), sets.astype(np.float64), of.reshape(-1), np.asarray(inside))


def composite_equations(
    compiled: Compiled, moved: Columns, poses: Array, q: Array, positions: Array, pull: Array, weights: Array
) -> tuple[Array, Array]:
    """Return J^T W J (frames, n, n) and J^T W r (frames, n) of r = pull (frames, markers, 3), weights (frames, markers).

    poses: of all frames. positions: of the markers, (frames, markers, 3).
    """
    frames, n = q.shape
    reference = poses[:, moved.ends[0][0], :3, 3] if moved.ends else np.zeros((frames, 3))
    v, turn = np.zeros((frames, 3, n)), np.zeros((frames, 3, n))
    for number, own in moved.ends:
        J = compiled.kernel.jacobian(q, number)[:, :, own]
        v[..., own] = J[:, :3] + _cross(J[:, 3:], (reference - poses[:, number, :3, 3])[..., None])
        turn[..., own] = J[:, 3:]
    sums = _sums(moved.sets, positions - reference[:, None], pull, weights)[..., moved.of]
    W, P, pp, force, torque = sums[:, :1], sums[:, 1:4], sums[:, 4:10], sums[:, 10:13], sums[:, 13:16]
    f = W * v + _cross(turn, P)
    square = pp[:, 0] + pp[:, 1] + pp[:, 2]
    t = _cross(P, v) + square[:, None] * turn
    t[:, 0] -= pp[:, 0] * turn[:, 0] + pp[:, 3] * turn[:, 1] + pp[:, 4] * turn[:, 2]
    t[:, 1] -= pp[:, 3] * turn[:, 0] + pp[:, 1] * turn[:, 1] + pp[:, 5] * turn[:, 2]
    t[:, 2] -= pp[:, 4] * turn[:, 0] + pp[:, 5] * turn[:, 1] + pp[:, 2] * turn[:, 2]
    both = np.concatenate([v, turn], axis=1).transpose(0, 2, 1) @ np.concatenate([f, t], axis=1)
    A = np.where(moved.inside, both, np.where(moved.inside.T, both.transpose(0, 2, 1), 0.0))
    g: Array = (v * force + turn * torque).sum(axis=1)
    return A, g


def _sums(sets: Array, p: Array, pull: Array, weights: Array) -> Array:
    """Return the sums over sets of markers, (frames, 16, sets)."""
    frames, markers = weights.shape
    x, y, z = np.moveaxis(p, -1, 0)
    fx, fy, fz = np.moveaxis(weights[..., None] * pull, -1, 0)
    each = np.empty((frames, 16, markers))
    each[:, 0] = weights
    each[:, 1], each[:, 2], each[:, 3] = weights * x, weights * y, weights * z
    each[:, 4], each[:, 5], each[:, 6] = each[:, 1] * x, each[:, 2] * y, each[:, 3] * z
    each[:, 7], each[:, 8], each[:, 9] = each[:, 1] * y, each[:, 1] * z, each[:, 2] * z
    each[:, 10], each[:, 11], each[:, 12] = fx, fy, fz
    each[:, 13], each[:, 14], each[:, 15] = y * fz - z * fy, z * fx - x * fz, x * fy - y * fx
    return (each.reshape(frames * 16, markers) @ sets.T).reshape(frames, 16, len(sets))


def _cross(a: Array, b: Array) -> Array:
    """Return a x b along the second axis, (frames, 3, n) each or (frames, 3, 1)."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    out[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    out[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return out
