"""The signed distance of points from collision shapes, written from the definition of each shape."""

import numpy as np

import limbik as lk


def depth(shape, points):
    """Return the signed distance of points (N, 3) from a shape [m]; negative inside."""
    if isinstance(shape, lk.Box):
        out = np.abs((points - shape.centre) @ np.array(shape.rotation)) - np.array(shape.sides) / 2
        return np.linalg.norm(np.maximum(out, 0), axis=1) + np.minimum(out.max(axis=1), 0)
    start, end = (
        np.array(p) for p in ((shape.centre,) * 2 if isinstance(shape, lk.Sphere) else (shape.start, shape.end))
    )
    along = end - start
    t = np.clip((points - start) @ along / max(float(along @ along), 1e-300), 0, 1)
    return np.linalg.norm(points - (start + t[:, None] * along), axis=1) - shape.radius
