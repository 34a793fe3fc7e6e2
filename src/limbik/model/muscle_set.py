"""Muscles in the form of the core: points by frame index, pulleys by index in q."""

import math

import numpy as np

from limbik._core import MuscleSet
from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.muscle import Muscle

# The elbow's direction at swivel 0, by the upward axis.
_DOWN = {"z": [0.0, 0.0, -1.0], "y": [0.0, -1.0, 0.0]}


def make_muscle_set(compiled: Compiled, lower: Array, upper: Array, size: float, up: str) -> MuscleSet:
    """Return the muscles of a chain for the core. lower, upper: the joint limits. size: of the arm [m]."""
    elements = {e.joint.name: e for e in compiled.elements}
    points, pulleys, rest = [], [], []
    for muscle in compiled.muscles:
        points.append([x for p in muscle.path for x in (float(compiled.frame_numbers[p.link]), *p.xyz)])
        constant = muscle.rest
        rows: list[float] = []
        for pulley in muscle.pulleys:
            element = elements[pulley.joint]
            rows += [float(element.variable.first), pulley.radius * element.multiplier]
            constant += pulley.radius * element.offset
        pulleys.append(rows)
        rest.append(constant)
    return MuscleSet(
        compiled.kernel,
        points,
        pulleys,
        rest,
        [m.lower for m in compiled.muscles],
        [m.upper for m in compiled.muscles],
        lower.tolist(),
        upper.tolist(),
        size if 0 < size < math.inf else 1.0,
        _DOWN[up],
    )


def ranges_of(muscles: tuple[Muscle, ...]) -> tuple[Array, Array]:
    """Return the least and greatest lengths, (m,) each [m]."""
    return np.array([m.lower for m in muscles]), np.array([m.upper for m in muscles])
