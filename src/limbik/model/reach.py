"""How far the tip can get from the first joint: a bound that no posture exceeds.

A point on a joint's axis belongs to both links that meet there, so the distance between points chosen on consecutive
axes never changes, and the sum of these distances bounds the tip's. The bound is tightest where the sum is least. The
sum of distances is convex in the positions along the axes; each sweep sets one point to the best place between its
neighbours, which is where the straight line through the unfolded picture crosses the axis.
"""

import math

import numpy as np

from limbik.model.compiled import Compiled
from limbik.model.joint import Kind
from limbik.model.transform import Array

# Sweeps over the axes: more change the bound by less than a millionth on every arm of the catalogue.
SWEEPS = 60


def reach(compiled: Compiled, tip: str) -> float:
    """Return the bound [m]. Unlimited slides and floating joints count as 0."""
    element, T_element_tip = compiled.frames[tip]
    path: list[int] = []
    while element >= 0:
        path.append(element)
        element = compiled.elements[element].parent
    path.reverse()
    if not path:
        return 0.0
    # The zero posture is as good as any: only distances between neighbours count, and postures do not change them.
    points: list[Array] = []
    axes: list[Array | None] = []
    travel = 0.0
    T = np.eye(4)
    for index in path:
        e = compiled.elements[index]
        T = T @ e.mount
        points.append(T[:3, 3].copy())
        axes.append(T[:3, 2].copy() if e.joint.kind.turns else None)
        if e.joint.kind is Kind.PRISMATIC:
            driver = e.variable.joint
            ends = [abs(e.multiplier * x + e.offset) for x in (driver.lower, driver.upper) if math.isfinite(x)]
            travel += max(ends, default=0.0)
    points.append((T @ T_element_tip)[:3, 3])
    axes.append(None)
    for _ in range(SWEEPS):
        for k, axis in enumerate(axes):
            if axis is None:
                continue
            before = points[k - 1] if k > 0 else points[k + 1]
            points[k] = _between(points[k], axis, before, points[k + 1])
    return travel + float(sum(np.linalg.norm(b - a) for a, b in zip(points, points[1:], strict=False)))


def _between(point: Array, axis: Array, a: Array, b: Array) -> Array:
    """Return the point on the line that makes the way from a to b over it shortest."""
    sa, sb = axis @ (a - point), axis @ (b - point)
    ha = float(np.linalg.norm(a - point - sa * axis))
    hb = float(np.linalg.norm(b - point - sb * axis))
    share = 0.5 if ha + hb == 0.0 else ha / (ha + hb)
    return np.asarray(point + (sa + share * (sb - sa)) * axis)
