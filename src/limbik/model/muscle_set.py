"""Muscles made ready for the compiled core: points by frame, pulleys by the number of q that they follow."""

import math

import numpy as np

from limbik._core import MuscleSet
from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.muscle import Muscle

# Where an elbow with a swivel of 0 points, by the upward axis.
_DOWN = {"z": [0.0, 0.0, -1.0], "y": [0.0, -1.0, 0.0]}


def make_muscle_set(compiled: Compiled, lower: Array, upper: Array, size: float, up: str) -> MuscleSet:
    """Return the muscles of a chain for computing. lower, upper: the joint limits to keep. size: of the arm [m]."""
    elements = {e.joint.name: e for e in compiled.elements}
    points, pulleys, rest = [], [], []
    for muscle in compiled.muscles:
        points.append([x for p in muscle.path for x in (float(compiled.frame_numbers[p.link]), *p.xyz)])
        own = muscle.rest
        rows: list[float] = []
        for pulley in muscle.pulleys:
            element = elements[pulley.joint]
            rows += [float(element.variable.first), pulley.radius * element.multiplier]
            own += pulley.radius * element.offset
        pulleys.append(rows)
        rest.append(own)
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
