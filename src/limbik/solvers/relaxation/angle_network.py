"""The network of angles and distances: settings, the state of a posture (configuration), and runs of cycles in the core.

A cycle sets every variable to the mean of its computations (triangles.py), without its own value. Inputs are clamped: their
feedback is replaced by the given value (paper, section 3). Guards, as in the paper: square roots of negative numbers are 0;
arguments of arc cosines are clipped to [-1, 1]; if a side in a denominator is shorter than 0.1 (for segments of length 1; here
relative to the mean segment), the sum of parts replaces the law of cosines.

Parallel update: all variables from the previous state, as in the paper. Sequential update, the default: each from the current
values, which halves the cycles and ends the oscillations. The principal value of the arc cosine cannot represent an arm that
bends back; `branch="nearest"` also allows the negative value if that is closer, but converges less reliably otherwise.

Lengths of segments may be variables too (prismatic joints). A posture is then given by its joint angles, followed by these
lengths: its coordinates.

A posture is a fixed point: all computations then agree. reference.py is the same cycle in plain Python.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from limbik._core import AngleNetwork as Kernel
from limbik.errors import BadOption, shown
from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.settings import MEANS, Settings
from limbik.solvers.relaxation.triangles import Triangles, segment_names, triangles

# The outcomes of a run, with the numbers of the core.
SETTLED, CYCLES, LOST = range(3)
# Largest number of segments: the computations grow with its fifth power.
MOST_SEGMENTS = 7


@dataclass(frozen=True, eq=False)
class Run(Record):
    """A run of cycles. states: (k + 1, variables), the start first; change: (k,) the largest of each cycle.

    end: SETTLED (converged), CYCLES (limit reached) or LOST (diverged). disagreement: the largest deviation of a computation from
    the last state [rad, or mean segments].
    """

    states: Array
    change: Array
    end: int
    disagreement: float


@lru_cache(maxsize=32)
def _triangles(n: int, free: tuple[str, ...]) -> Triangles:
    return triangles(n, free)


class AngleNetwork:
    """The network for an arm with segments of these lengths [m].

    free: the segments whose lengths are variables, by name, and their ranges [m]; `lengths` holds usual values of theirs. made:
    other computations than those of `triangles`.
    """

    def __init__(
        self,
        lengths: Sequence[float],
        settings: Settings = Settings(),  # noqa: B008 (frozen)
        *,
        free: Mapping[str, Range] | None = None,
        made: Triangles | None = None,
    ) -> None:
        if not 2 <= len(lengths) <= MOST_SEGMENTS:
            raise BadOption(
                f"a network of angles takes 2 to {MOST_SEGMENTS} segments, not {len(lengths)}; use PointForm for more"
            )
        if not all(math.isfinite(x) and x > 0 for x in lengths):
            raise BadOption(f"segments must be longer than 0; got {shown(list(lengths))}")
        self.lengths = tuple(float(x) for x in lengths)
        self.settings = settings
        names = segment_names(len(self.lengths))
        self.free = tuple(name for name in names if name in (free or {}))
        own = [Range(length, length) for length in self.lengths]
        self.spans = tuple((free or {}).get(name, span) for name, span in zip(names, own, strict=True))
        self.triangles = _triangles(len(self.lengths), self.free) if made is None else made
        for row in (*settings.removed, *settings.noisy):
            if row >= len(self.triangles.computations):
                raise BadOption(f"no computation number {row}; there are {len(self.triangles.computations)}")

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in the order of a state."""
        return self.triangles.variables

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the variables that determine a posture: the joint angles, then the lengths that are variables."""
        return (*self.triangles.joints, *self.free)

    @property
    def longest(self) -> float:
        """The length of the stretched arm with every segment at its longest [m]."""
        return math.fsum(span.high for span in self.spans)

    @property
    def scales(self) -> Array:
        """The unit of each coordinate: 1 rad for angles, the mean segment for lengths [m]."""
        return np.array([1.0] * len(self.lengths) + [self.unit] * len(self.free))

    @property
    def unit(self) -> float:
        """The mean segment [m], the internal unit of length: scaled arms behave alike."""
        return math.fsum(self.lengths) / len(self.lengths)

    @property
    def least_side(self) -> float:
        """The shortest side that is used as a denominator [m]."""
        return self.settings.guard * self.unit

    @cached_property
    def units(self) -> Array:
        """The unit of each variable inside the core."""
        return np.where(self.triangles.angular, 1.0, self.unit)

    @cached_property
    def _kernel(self) -> Kernel:
        place = {name: k for k, name in enumerate((*self.variables, *self.triangles.lengths))}
        rows: list[float] = []
        for c in self.triangles.computations:
            terms = [place[t] for t in c.terms] + [0] * (4 - len(c.terms))
            signs = [*c.signs, *[0.0] * (4 - len(c.signs))]
            rows += [float(c.rule), place[c.target], c.constant, len(c.terms), *terms, *signs]
        instead = [c.instead for c in self.triangles.computations]
        constants = [self.lengths[int(name[1:]) - 1] / self.unit for name in self.triangles.lengths]
        return Kernel(rows, instead, list(self.triangles.angular), constants)

    @cached_property
    def _marks(self) -> tuple[str, str]:
        count = len(self.triangles.computations)

        def marks(rows: tuple[int, ...]) -> str:
            held = set(rows)
            return "".join("\1" if k in held else "\0" for k in range(count)) if held else ""

        return marks(self.settings.removed), marks(self.settings.noisy)

    def run(
        self,
        start: Array,
        clamped: Array,
        low: Array | None = None,
        high: Array | None = None,
        *,
        cycles: int,
        tolerance: float = 0.0,
        first_cycle: int = 0,
    ) -> Run:
        """Return the states of a run of cycles. clamped: a value for each variable, NaN for free ones.

        low, high: bounds of free variables. It ends when no change exceeds the tolerance in two cycles [rad, or mean segments].
        """
        s, m, units = self.settings, len(self.variables), self.units
        removed, noisy = self._marks
        states, change, end, disagreement = self._kernel.run(
            start / units,
            clamped / units,
            np.full(m, -np.inf) if low is None else low / units,
            np.full(m, np.inf) if high is None else high / units,
            removed=removed,
            noisy=noisy,
            cycles=cycles,
            tolerance=tolerance,
            parallel=s.update == "parallel",
            mean=MEANS.index(s.mean),
            nearest=s.branch == "nearest",
            least_side=float(s.guard),
            damping=float(s.damping),
            noise=float(s.noise),
            seed=int(s.seed),
            first_cycle=first_cycle,
        )
        return Run(states * units, change, end, disagreement)

    def disagreement(self, state: Array) -> float:
        """Return the largest deviation of computations from a state [rad, and mean segments]: 0 for a posture."""
        return self._kernel.disagreement(
            state / self.units, self.settings.branch == "nearest", float(self.settings.guard)
        )

    # ---- postures ----------------------------------------------------------------------------------------------------

    def points(self, directions: Array, lengths: Array | None = None) -> Array:
        """Return the points of an arm whose segments point in these directions [rad], (..., n) -> (..., n + 1, 2).

        lengths: (..., n) of the segments; None for the usual ones.
        """
        used = np.array(self.lengths) if lengths is None else lengths
        segments = np.stack([np.cos(directions), np.sin(directions)], -1) * used[..., None]
        start = np.zeros((*segments.shape[:-2], 1, 2))
        return np.concatenate([start, np.cumsum(segments, -2)], -2)

    def points_at(self, joints: Array) -> Array:
        """Return the points of postures given by their coordinates, (..., coordinates) -> (..., n + 1, 2)."""
        return self.points(self.directions(joints), self.lengths_at(joints))

    def lengths_at(self, joints: Array) -> Array:
        """Return the lengths of the segments of postures, (..., coordinates) -> (..., n)."""
        given = np.asarray(joints, np.float64)
        n = len(self.lengths)
        out = np.broadcast_to(np.array(self.lengths), (*given.shape[:-1], n)).copy()
        for k, name in enumerate(self.free):
            out[..., int(name[1:]) - 1] = given[..., n + k]
        return out

    def directions(self, joints: Array) -> Array:
        """Return segment directions from coordinates (alpha, then interior angles), (..., coordinates) -> (..., n)."""
        bends = np.array(joints, np.float64)[..., : len(self.lengths)]
        bends[..., 1:] -= math.pi
        return np.cumsum(bends, -1)

    def state(self, joints: Array) -> Array:
        """Return the whole state of a posture: coordinates (alpha, beta, gamma ...), (coordinates,) -> (variables,).

        Interior joint angles lie in [0, 2 pi), other angles in (-pi, pi]; alpha stays as it is given.
        """
        joints = np.asarray(joints, np.float64)
        p = self.points_at(joints)
        out = np.empty(len(self.variables))
        interior = set(self.triangles.joints)
        for k, name in enumerate(self.variables):
            if name == "alpha":
                out[k] = joints[0]
            elif name == "rho":
                out[k] = math.atan2(p[-1, 1], p[-1, 0])
            elif name in self.free:
                out[k] = joints[self.coordinates.index(name)]
            elif name in self.triangles.distances:
                a, b = self.triangles.distances[name]
                out[k] = math.hypot(*(p[b] - p[a]))
            else:
                corner, start, end = self.triangles.angles[name]
                to, fro = p[start] - p[corner], p[end] - p[corner]
                angle = math.atan2(fro[0] * to[1] - fro[1] * to[0], float(fro @ to))
                out[k] = angle % TURN if name in interior else angle
        return out

    def begin(self, joints: Array) -> Array:
        """Return the state of a posture from which the network starts.

        With principal arc cosines all angles but the joint angles are made positive, also those of an arm that crosses itself.
        """
        state = self.state(joints)
        if self.settings.branch == "principal":
            for k, name in enumerate(self.variables):
                if name in self.triangles.angles and name not in self.triangles.joints:
                    state[k] = abs(state[k])
        return state

    def joints(self, state: Array) -> Array:
        """Return the coordinates of a state: alpha, then the interior angles, then the lengths that are variables."""
        return np.array([state[self.variables.index(name)] for name in self.coordinates])
