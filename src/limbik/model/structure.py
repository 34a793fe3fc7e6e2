"""The geometry report of a chain: parallel axes, intersecting axes, three axes that meet in one point.

It is derived from the fixed poses between neighbouring joints, so it holds in every posture (configuration): the relation of two
neighbouring axes is constant, three axes that meet in one point always do (a spherical wrist or shoulder), and a run of parallel
axes stays parallel. Axes are numbered from 1, as in textbooks.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled, Element
from limbik.model.joint import Kind

# Two axes at a smaller angle are parallel [rad]: the error of pi/2 with twelve printed digits, with a margin. A right angle
# written as 1.5708 is off by 4e-6 rad, and is not one.
PARALLEL_ANGLE = 1e-8
# Two axes intersect if their distance is less than this part of the reach.
MEETING_DISTANCE = 1e-8


@dataclass(frozen=True)
class Neighbours:
    """The relation of axis `first` and the next axis.

    angle: between their directions, 0 to pi/2 [rad]. distance: between the two lines [m]. meeting_on_first, meeting_on_second:
    the point of each axis that is nearest to the other, as its coordinate along the axis from the joint's origin [m]; None if the
    axes are parallel.
    """

    first: int
    angle: float
    distance: float
    parallel: bool
    intersecting: bool
    meeting_on_first: float | None
    meeting_on_second: float | None

    @property
    def perpendicular(self) -> bool:
        """Whether the axes are at a right angle."""
        return abs(self.angle - math.pi / 2) <= PARALLEL_ANGLE


@dataclass(frozen=True)
class Structure:
    """The geometry report of a chain; `str()` describes it in one line.

    kinds: one letter for each joint: R revolute, P prismatic, S ball, F floating. neighbours: the relations of neighbouring
    revolute and prismatic axes. spherical: triples of axes that meet in one point. parallel: runs of parallel axes. balls: the
    ball joints. closed_form: a description of the closed form.
    """

    kinds: str
    neighbours: tuple[Neighbours, ...]
    spherical: tuple[tuple[int, int, int], ...]
    parallel: tuple[tuple[int, ...], ...]
    balls: tuple[int, ...]
    closed_form: str

    @property
    def spherical_wrist(self) -> bool:
        """Whether the last three axes meet in one point."""
        return any(triple[2] == len(self.kinds) for triple in self.spherical)

    @property
    def spherical_shoulder(self) -> bool:
        """Whether the first three axes meet in one point."""
        return any(triple[0] == 1 for triple in self.spherical)

    def __str__(self) -> str:
        parts: list[str] = []
        if self.spherical_shoulder:
            parts.append("spherical shoulder")
        if self.spherical_wrist:
            parts.append("spherical wrist")
        inner = [t for t in self.spherical if t[0] != 1 and t[2] != len(self.kinds)]
        parts += [f"axes {_listed(t)} meet in one point" for t in inner]
        parts += [f"axes {_listed(run)} parallel" for run in self.parallel]
        met = {pair for t in self.spherical for pair in ((t[0], t[1]), (t[1], t[2]))}
        meeting = [(p.first, p.first + 1) for p in self.neighbours if p.intersecting and not p.parallel]
        parts += [f"axes {a}, {b} intersecting" for a, b in meeting if (a, b) not in met]
        coincident = [(p.first, p.first + 1) for p in self.neighbours if p.intersecting and p.parallel]
        parts += [f"axes {a}, {b} on one line" for a, b in coincident]
        parts += [f"joint {k} a ball" for k in self.balls]
        return "; ".join([*(parts or ["no parallel or intersecting neighbours"]), self.closed_form])


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def analyse(compiled: Compiled, tip: str, reach: float, closed_form: str) -> Structure:
    """Return the geometry report of the chain to `tip`. reach: of the chain [m]. closed_form: its description."""
    path: list[Element] = []
    index = compiled.frames[tip][0]
    while index >= 0:
        path.append(compiled.elements[index])
        index = path[-1].parent
    path.reverse()
    letters = {Kind.REVOLUTE: "R", Kind.CONTINUOUS: "R", Kind.PRISMATIC: "P", Kind.BALL: "S", Kind.FLOATING: "F"}
    kinds = "".join(letters[e.joint.kind] for e in path)
    pairs = tuple(
        _relate(k + 1, path[k + 1].placement, kinds[k : k + 2], reach)
        for k in range(len(path) - 1)
        if kinds[k] in "RP" and kinds[k + 1] in "RP"
    )
    return Structure(
        kinds=kinds,
        neighbours=pairs,
        spherical=_spherical(pairs, reach),
        parallel=_parallel_runs(pairs),
        balls=tuple(k + 1 for k, letter in enumerate(kinds) if letter == "S"),
        closed_form=closed_form,
    )


def _relate(first: int, T_first_second: Array, kinds: str, reach: float) -> Neighbours:
    """Return the relation of the z axes of two frames. A prismatic axis is only a direction, so it does not intersect others."""
    direction, point = T_first_second[:3, 2], T_first_second[:3, 3]
    sine = float(np.hypot(direction[0], direction[1]))
    angle = math.atan2(sine, abs(float(direction[2])))
    parallel = sine <= PARALLEL_ANGLE
    near = MEETING_DISTANCE * reach
    if parallel:
        distance = float(np.hypot(point[0], point[1]))
        on_first = on_second = None
    else:
        normal = np.array([-direction[1], direction[0], 0.0]) / sine
        distance = abs(float(normal @ point))
        on_second = -float(direction[0] * point[0] + direction[1] * point[1]) / sine**2
        on_first = float(point[2]) + on_second * float(direction[2])
    intersecting = kinds == "RR" and distance <= near
    return Neighbours(first, angle, distance, parallel, intersecting, on_first, on_second)


def _spherical(pairs: tuple[Neighbours, ...], reach: float) -> tuple[tuple[int, int, int], ...]:
    """Return the triples of neighbouring axes that meet in one point."""
    found = []
    for a, b in pairwise(pairs):
        if b.first != a.first + 1 or not (a.intersecting and b.intersecting) or a.parallel or b.parallel:
            continue
        assert a.meeting_on_second is not None and b.meeting_on_first is not None
        if abs(a.meeting_on_second - b.meeting_on_first) <= MEETING_DISTANCE * reach:
            found.append((a.first, a.first + 1, a.first + 2))
    return tuple(found)


def _parallel_runs(pairs: tuple[Neighbours, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the longest runs of two or more parallel neighbouring axes."""
    runs: list[list[int]] = []
    for p in pairs:
        if not p.parallel:
            continue
        if runs and runs[-1][-1] == p.first:
            runs[-1].append(p.first + 1)
        else:
            runs.append([p.first, p.first + 1])
    return tuple(tuple(run) for run in runs)
