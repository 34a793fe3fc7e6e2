"""How far the tip can get: bounds that no posture exceeds, from the shortest way over the joint axes.

`core/geometry/reach.hpp` has the argument. A joint that slides adds its travel; unlimited slides and floating joints add nothing.
"""

import math
from dataclasses import dataclass

import numpy as np

from limbik._core import shortest_way
from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.joint import Kind

# Sweeps over the axes: more change the bound by less than a millionth on every arm of the catalogue.
SWEEPS = 60


@dataclass(frozen=True)
class Reach:
    """Two bounds on the tip [m].

    from_base: its distance from the origin of the base frame. span: its distance from `centre`, the best point on the
    first axis, which is the size of the arm itself, wherever it stands.
    """

    from_base: float
    span: float
    centre: tuple[float, float, float]


def reach(compiled: Compiled, tip: str) -> Reach:
    """Return both bounds."""
    element, T_element_tip = compiled.frames[tip]
    path: list[int] = []
    while element >= 0:
        path.append(element)
        element = compiled.elements[element].parent
    path.reverse()
    # The zero posture is as good as any: only distances between neighbours count, and postures do not change them.
    rows: list[Array] = [np.zeros(7)]
    travel = 0.0
    T = np.eye(4)
    for index in path:
        e = compiled.elements[index]
        T = T @ e.mount
        rows.append(np.array([*T[:3, 3], *T[:3, 2], float(e.joint.kind.turns)]))
        if e.joint.kind is Kind.PRISMATIC:
            driver = e.variable.joint
            ends = [abs(e.multiplier * x + e.offset) for x in (driver.lower, driver.upper) if math.isfinite(x)]
            travel += max(ends, default=0.0)
    rows.append(np.array([*(T @ T_element_tip)[:3, 3], 0, 0, 1, 0.0]))
    table = np.array(rows)
    span, centre = shortest_way(table[1:], SWEEPS)
    return Reach(travel + shortest_way(table, SWEEPS)[0], travel + span, centre)
