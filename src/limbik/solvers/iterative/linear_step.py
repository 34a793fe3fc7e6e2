"""The Newton step: the solution of the linear model J dx = -r.

A square system is solved by LU. If J is singular or not square, or LU is inaccurate, the least-squares solution of least norm is
used.
"""

import numpy as np

from limbik.geometry.arrays import Array

# Singular values below this part of the largest count as zero: finite differences are no more accurate.
RANK = 1e-9
# LU counts as accurate while the remainder J dx + r is below this part of r.
LU_REST = 1e-6


def linear_step(J: Array, residual: Array) -> Array:
    """Return dx, (n,). J: (m, n); residual: (m,)."""
    if J.shape[0] == J.shape[1]:
        try:
            dx = np.linalg.solve(J, -residual)
        except np.linalg.LinAlgError:
            dx = np.full(J.shape[1], np.nan)
        rest = J @ dx + residual
        if np.isfinite(dx).all() and np.linalg.norm(rest) <= LU_REST * np.linalg.norm(residual):
            return np.asarray(dx)
    return np.asarray(np.linalg.lstsq(J, -residual, rcond=RANK)[0])
