"""The residuals of a tip pose from its target, which iterative methods minimise, and their exact derivatives.

Chin's thesis has two; limbik's default is the third, `log`:
  (5.22)  six residuals in the tip frame, after Wu and Paul (1982): the position error, and the sine of the
          angle times its axis. It has false zeros: a rotation error of pi about any axis gives 0, so a method may stop there.
          Results must be verified by the pose error, as limbik does.
  (5.26)  twelve residuals, the entries of the tip's matrix less those of the target, after Sasaki (1994). No false zero.
  log     the position error and the rotation vector of the rotation error, in the base frame. Its length is the true angle.
  position  the position error alone.

Errata. (5.28)-(5.30) give the Jacobian in the base frame though the text says tip frame; (5.22) is a residual in the tip
frame, so (5.31) needs the Jacobian in that frame, and with r = target - tip its derivative is -J, to first order. Here
every derivative is exact.

Metres and radians are weighted: position residuals are multiplied by `metre`, rotation residuals by `radian`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array

# Below this angle [rad] the derivative of the logarithm uses its series.
SMALL_ANGLE = 1e-2


@dataclass(frozen=True)
class Objective:
    """A residual and its derivatives: residual(T, target), (m,), and jacobian(T, J, target), (m, n), position rows first.

    T: the tip pose, target: the target pose, J: (6, n) the tip's Jacobian in the base frame. positions: how many of the m
    rows are metres.
    """

    name: str
    title: str
    positions: int
    residual: Callable[[Array, Array], Array]
    jacobian: Callable[[Array, Array, Array], Array]


def _cross_matrix(a: Array) -> Array:
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _tip_residual(T: Array, target: Array) -> Array:
    R = T[:3, :3]
    M = R.T @ target[:3, :3]
    sine = 0.5 * np.array([M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1]])
    return np.concatenate([R.T @ (target[:3, 3] - T[:3, 3]), sine])


def _tip_jacobian(T: Array, J: Array, target: Array) -> Array:
    """With v and w the tip's velocity in its own frame: d/dt R'(p* - p) = r x w - v, and M' = -[w] M for M = R'R*."""
    R = T[:3, :3]
    v, w = R.T @ J[:3], R.T @ J[3:]
    r = R.T @ (target[:3, 3] - T[:3, 3])
    M = R.T @ target[:3, :3]
    # the axial vector of -[w] M is -(trace(M) I - M) w / 2
    turn = -0.5 * (np.trace(M) * np.eye(3) - M)
    return np.concatenate([_cross_matrix(r) @ w - v, turn @ w])


def _matrix_residual(T: Array, target: Array) -> Array:
    D = T[:3] - target[:3]
    return np.concatenate([D[:, 3], D[:, :3].T.ravel()])


def _matrix_jacobian(T: Array, J: Array, target: Array) -> Array:
    turned = [-_cross_matrix(T[:3, k]) @ J[3:] for k in range(3)]
    return np.concatenate([J[:3], *turned])


def _rotation_vector(R: Array) -> Array:
    """Return the rotation vector of a rotation, |result| <= pi."""
    from limbik._core import pose_error

    target, actual = np.eye(4), np.eye(4)
    target[:3, :3] = R
    return pose_error(actual, target)[3:]


def _log_residual(T: Array, target: Array) -> Array:
    from limbik._core import pose_error

    return -pose_error(T, target)


def _log_jacobian(T: Array, J: Array, target: Array) -> Array:
    r = _rotation_vector(target[:3, :3] @ T[:3, :3].T)
    angle = float(np.linalg.norm(r))
    if angle < SMALL_ANGLE:
        bend = 1 / 12 + angle**2 / 720
    else:
        half = angle / 2
        bend = (1 - half / np.tan(half)) / angle**2
    K = _cross_matrix(r)
    return np.concatenate([J[:3], (np.eye(3) + 0.5 * K + bend * K @ K) @ J[3:]])


def _position_residual(T: Array, target: Array) -> Array:
    return np.asarray(T[:3, 3] - target[:3, 3])


def _position_jacobian(T: Array, J: Array, target: Array) -> Array:
    return J[:3]


OBJECTIVES: dict[str, Objective] = {
    objective.name: objective
    for objective in (
        Objective("log", "translation and rotation vector", 3, _log_residual, _log_jacobian),
        Objective("5.22", "Wu and Paul's six residuals in the tip frame", 3, _tip_residual, _tip_jacobian),
        Objective("5.26", "Sasaki's twelve residuals", 3, _matrix_residual, _matrix_jacobian),
        Objective("position", "translation alone", 3, _position_residual, _position_jacobian),
    )
}
