"""The step that makes a linear model of the residuals zero: J dx = -r.

A square system is solved by LU. Where J is singular or not square, and where LU has lost its accuracy, the shortest step with the
least squares is taken: of many solutions the smallest, of none the nearest.
"""

import numpy as np

from limbik.geometry.arrays import Array

# Singular values below this part of the largest count as zero: differences know no better.
RANK = 1e-9
# LU is believed while the rest J dx + r is below this part of r.
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
