"""A two-bone limb: the positions of elbow and tip for a target of the tip and a pole for the elbow.

Root, elbow and tip form a triangle with known sides: two bones and the distance D from root to target. It exists if
|upper - lower| <= D <= upper + lower. The elbow may then be anywhere on a circle about the line from root to target. A
pole selects one point: a point that the elbow points to, so that root, tip and pole define the plane in which the limb
bends. A swivel does the same by an angle: the rotation of the elbow about the line, right-handed, from a direction
`zero`. (The swivel as a control for animators: D. Tolani, A. Goswami, N. I. Badler, Real-time inverse kinematics
techniques for anthropomorphic limbs, Graphical Models 62, 2000.)

If pole, root and target are collinear the plane is undefined; `previous=` keeps the earlier one
(core/two_bone/bend_plane.hpp).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik._core import solve_two_bones, two_bone_rotations
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import LARGEST, Array, frozen, number, numbers, vector
from limbik.solvers.all_postures import thread_count
from limbik.solvers.two_bone.answer import LimbAnswer, LimbBatch, frames_of, status_of
from limbik.solvers.two_bone.stretch import checked_soft, checked_stretch

# Largest cosine between perpendicular directions.
ACROSS = 1e-9


@dataclass(frozen=True)
class ElbowAim:
    """The desired elbow direction in the form of the core.

    pole: a point or a direction, or the zero of the swivel. swivel: angles [rad]. is_point: whether `pole` is a point.
    """

    pole: Any = None
    swivel: Any = None
    is_point: bool = True


class Limb:
    """Two bones with a joint between them. Immutable. `figure.limb("leftHand")` returns one with the figure's joints.

    upper, lower: lengths [m]. root: (3,) the position of the first joint [m]. rest: the direction of both bones at
    rest. axis: the axis of the elbow, perpendicular to rest; a bend moves the elbow towards rest x axis, which is the
    zero of the swivel. The defaults are those of a leg that hangs down with the knee forward, y up and z forward. A
    target counts as reached within 1e-8 of the bones' length.
    """

    def __init__(
        self, upper: float, lower: float, *, root: Any = (0, 0, 0), rest: Any = (0, -1, 0), axis: Any = (1, 0, 0)
    ) -> None:
        """Raise BadOption for a negative length, a rest of length 0 or an axis that is not perpendicular to it."""
        lengths = number(upper, "the upper bone"), number(lower, "the lower bone")
        for what, length in zip(("upper", "lower"), lengths, strict=True):
            if not 0 <= length <= LARGEST:
                raise BadOption(f"the {what} bone is {length:g} m long; give a length of 0 or more")
        r, k = _unit(rest, "the rest of a limb"), _unit(axis, "the axis of a limb")
        if abs(float(r @ k)) > ACROSS:
            raise BadOption(f"the axis {k.tolist()} of a limb must be perpendicular to its rest direction {r.tolist()}")
        self._set(lengths=lengths, root=vector(root, "the root of a limb"), rest=r, axis=k, zero=frozen(np.cross(r, k)))

    def _set(self, **parts: object) -> None:
        for name, part in parts.items():
            object.__setattr__(self, f"_{name}", part)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Limb is immutable: '{name}' cannot be set; make a new Limb")

    _lengths: tuple[float, float]
    _root: Array
    _rest: Array
    _axis: Array
    _zero: Array

    # ---- what it is --------------------------------------------------------------------------------------------------

    @property
    def upper(self) -> float:
        """The length of the upper bone [m]."""
        return self._lengths[0]

    @property
    def lower(self) -> float:
        """The length of the lower bone [m]."""
        return self._lengths[1]

    @property
    def zero(self) -> Array:
        """(3,) the direction of the elbow at swivel 0, before projection perpendicular to the line from root to tip."""
        return self._zero

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (*self._lengths, self._root.tobytes(), self._rest.tobytes(), self._axis.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_limb, (*self._lengths, self._root, self._rest, self._axis)

    def __repr__(self) -> str:
        return f"Limb(upper={self.upper:g}, lower={self.lower:g})"

    # ---- what it does ------------------------------------------------------------------------------------------------

    def solve(
        self, target: Any, pole: Any = None, swivel: Any = None, *, direction: Any = None, previous: Any = None,
        soft: float = 0.0, stretch: Any = 0.0,
    ) -> LimbAnswer:  # fmt: skip
        """Return the positions of elbow and tip for a target, (3,) [m], verified: the bones keep their lengths.

        Give at most one of: pole, a point that the elbow points to; direction, in which it points; swivel, its angle
        [rad]. Without any, the plane of `previous` is kept (an earlier answer, or a direction of the elbow), else the
        elbow points to `zero`. soft: the last part of the length, from 0 to below 1, in which the tip slows down and
        stays behind the target; the status is then COMPROMISE. stretch: by which factor the bones may lengthen beyond
        1, such as 0.5, or a Stretch. Raises NotFinite, ShapeError, NotNumeric, BadOption.
        """
        point = vector(target, "the target")
        batch = self._rows(point[None], self._elbow_aim(pole, swivel, direction, 1), previous, soft, stretch, 1)
        return LimbBatch(batch, status_of(batch, sum(self._lengths)), np.zeros(1), self.zero)[0]

    def solve_batch(
        self, targets: Any, poles: Any = None, swivels: Any = None, *, directions: Any = None, roots: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, threads: int | None = None,
    ) -> LimbBatch:  # fmt: skip
        """Return the answers to many targets, (N, 3); every other argument is one for all targets or has N rows.

        Row i equals `solve` of that row. roots: (N, 3) the root of each limb [m]. threads: as in `Chain.solve_batch`.
        """
        points = np.asarray(targets) if type(targets) is np.ndarray else numbers(targets, "targets must be numbers")
        if points.ndim != 2 or points.shape[1] != 3:
            raise ShapeError(f"targets have shape (N, 3); got {points.shape}; one target goes to solve")
        aim = self._elbow_aim(poles, swivels, directions, len(points))
        rows = self._rows(points, aim, previous, soft, stretch, thread_count(threads), roots)
        return LimbBatch(rows, status_of(rows, sum(self._lengths)), np.zeros(len(rows)), self.zero)

    def swivel_ranges(self, target: Any) -> list[tuple[float, float]]:
        """Return the swivels at which the limb reaches a target: the whole circle, or none if it is out of reach."""
        return [(-math.pi, math.pi)] if self.solve(target).ok else []

    def turns(self, answer: LimbAnswer | LimbBatch, *, roll: str = "hinge", roots: Any = None) -> Array:
        """Return the rotations of the bones from rest: (2, 3, 3), upper then lower, or (N, 2, 3, 3) for a batch.

        roll: "hinge" keeps the elbow's axis perpendicular to both bones; "least" rotates each bone by the smallest
        angle, without twist.
        """
        if roll not in ("hinge", "least"):
            raise BadOption(f"roll={shown(roll)} is not known; use 'hinge' or 'least'")
        root = self._root if roots is None else roots
        single = isinstance(answer, LimbAnswer)
        rows = packed(answer)[None] if isinstance(answer, LimbAnswer) else answer.rows
        turns = two_bone_rotations(root, rows, self._rest.tolist(), self._axis.tolist(), roll == "least")
        return turns[0] if single else turns

    # ---- how -----------------------------------------------------------------------------------------------------------

    def _elbow_aim(self, pole: Any, swivel: Any, direction: Any, count: int) -> ElbowAim:
        return elbow_aim(pole, swivel, direction, self.zero, count)

    def _rows(
        self, points: Array, aim: ElbowAim, previous: Any, soft: Any, stretch: Any, threads: int, roots: Any = None
    ) -> Array:
        a, b = self._lengths
        lengths = np.array([a, b, abs(a - b), a + b])
        root = self._root if roots is None else roots
        return core_rows(root, points, lengths, aim, previous, self.zero, soft, stretch, threads)


def elbow_aim(pole: Any, swivel: Any, direction: Any, zero: Any, count: int) -> ElbowAim:
    """Return the desired elbow direction. Raises BadOption if it is given twice."""
    given = [name for name, x in (("pole", pole), ("swivel", swivel), ("direction", direction)) if x is not None]
    if len(given) > 1:
        raise BadOption(f"{' and '.join(given)} both set the elbow direction; give one of them")
    if swivel is None:
        return ElbowAim(direction if pole is None else pole, None, pole is not None)
    angles = numbers(swivel, "the swivel must be an angle, or one for each target")
    if not np.isfinite(angles).all():
        raise NotFinite("the swivel holds NaN or infinity")
    if angles.shape not in ((), (count,)):
        raise ShapeError(f"the swivel must be one angle or {count}; got shape {angles.shape}")
    return ElbowAim(zero, np.ascontiguousarray(angles.reshape(-1, 1)) if angles.ndim else angles.reshape(1), False)


def core_rows(
    roots: Any,
    points: Any,
    lengths: Array,
    aim: ElbowAim,
    previous: Any,
    rest: Array,
    soft: Any,
    stretch: Any,
    threads: int,
) -> Array:
    """Solve limbs for many targets; return the core's rows, (N, 16), with the columns of answer.py.

    lengths: upper, lower, and the least and greatest distance from root to tip [m], (4,) or (N, 4). rest: (3,) the
    direction of the elbow if nothing else determines it.
    """
    limits = checked_stretch(stretch)
    earlier = frames_of(previous)
    if earlier is not None:
        earlier = numbers(earlier, "previous must be an answer of this limb, or a direction of three numbers")
        if earlier.ndim and earlier.shape[-1] == 3:
            size = np.linalg.norm(earlier, axis=-1, keepdims=True)
            unit = np.divide(earlier, size, out=np.zeros_like(earlier), where=np.isfinite(size) & (size > 0))
            unit = np.where(np.isfinite(size), unit, np.nan)
            earlier = np.concatenate([np.zeros_like(unit), unit], axis=-1)
    return solve_two_bones(
        roots, points, lengths, aim.pole, aim.swivel, earlier, rest.tolist(), aim.is_point, checked_soft(soft),
        limits.start, limits.most, threads,
    )  # fmt: skip


def packed(answer: LimbAnswer) -> Array:
    """Return an answer as a row of the core."""
    parts = [answer.elbow, answer.end, answer.line, answer.side]
    return np.concatenate([*parts, [answer.position_error, answer.stretched, answer.bend, float(int(answer.marks))]])


def _unit(given: Any, what: str) -> Array:
    v = vector(given, what)
    greatest = float(np.abs(v).max())
    if not greatest > 0:
        raise BadOption(f"{what} is {v.tolist()}, which is zero and has no direction")
    v = v / greatest
    return frozen(v / np.linalg.norm(v))


def restore_limb(upper: float, lower: float, root: Array, rest: Array, axis: Array) -> Limb:
    """Return a limb from its pickled parts."""
    return Limb(upper, lower, root=root, rest=rest, axis=axis)
