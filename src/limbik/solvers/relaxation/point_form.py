"""The network over points: trees of n segments in two or three dimensions, with ranges, variable lengths, forbidden regions.

The problem: find points whose segments have their lengths and whose clamped points are at their targets. Take every vector
between two of n + 1 points, and let each be the mean of its computations over all points k, V_ij = V_ik + V_kj (k = i and k = j
among them). Then V_ij = p_j - p_i with p_j the mean of V_kj over k: the network is n + 1 points. What a cycle changes are the
segments, rescaled to their lengths, and the clamped vectors; the next mean spreads these corrections:
    p_i <- p_i + (omega / (n + 1)) * (sum of the corrections of the segments and clamps that meet at i),
omega = 1 for the network itself. With three segments that is the linear network of the later papers with the weight d = 4
(vector_form.py; the two agree to rounding). Cost: O(n) a cycle.

It is a Jacobi iteration on the constraint graph; FABRIK is the corresponding Gauss-Seidel iteration. Its matrix is that of the
graph, so a step of 1 / (1 + the number of corrections that meet at a point) is stable at every point. It is the default. For a
chain it is a third, omega = (n + 1) / 3, which divides the number of cycles by n / 3.

With hinges and cones the network may rest where all corrections cancel but the ends are away from their targets: an equilibrium
balances corrections and does not minimise the distances. The joints of that posture (configuration) are then refined by damped
least squares (core/relaxation/segment_finish.hpp). If that does not converge, another start follows.

If the network rests away from its target, as a straight arm does whose target lies on its line, a nudge displaces its points
once. Pulls attract joints to their rest and fade from cycle to cycle, so that the targets are met in the end, near the least
cost.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from limbik._core import PointNetwork
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import LARGEST, Array, numbers
from limbik.model.shape import Sphere
from limbik.solvers.relaxation.aims import read_regions, read_targets
from limbik.solvers.relaxation.keeping import keeps_in_plane
from limbik.solvers.relaxation.random_postures import random_posture
from limbik.solvers.relaxation.relaxed import Relaxed, judged
from limbik.solvers.relaxation.segments import (
    above,
    from_zero,
    known_options,
    read_directions,
    read_lengths,
    read_parents,
    read_radius,
    read_rest,
    read_sockets,
    whole_number,
)
from limbik.solvers.relaxation.sockets import Ball, Hinge, Socket

# Most cycles, and the tolerance: the paper's 0.01, of the mean segment.
CYCLES, TOLERANCE = 2000, 0.01
# Cycles without progress until a nudge, and then until the end; least progress, a share of the error; the nudge, in segments.
PATIENCE, PROGRESS, NUDGE = 250, 1e-3, 1e-2
# Most refinement steps; random starts of further refinements in later attempts; most clamped points for which these are made.
FINISH, SCATTERED, FEW = 100, 8, 8
# Factor of a pull in each cycle.
FADING = 0.95
# Number of starts.
ATTEMPTS = 32
# Tolerance of lengths and ranges [of the longest segment, and rad].
EXACT = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class PointForm:
    """A tree of segments. Immutable; pickles by its parts.

    parents: the start point of each segment: 0 is the base, k the end of segment k (counted from 1); parents come
    first. lengths: of each segment, a number or (shortest, longest) [m]. sockets: a Ball or Hinge for each, or one for all.
    rest: (n, d) the directions of the segments at rest, the zero of cones, ranges and pulls; all along x by default.
    dimension: 2 or 3. radius: of the segments, for forbidden regions: one number or n.
    """

    parents: tuple[int, ...]
    lengths: tuple[tuple[float, float], ...]
    sockets: tuple[Socket, ...]
    rest: Array
    dimension: int
    radius: tuple[float, ...]

    def __init__(
        self,
        parents: Sequence[int],
        lengths: Sequence[Any],
        *,
        sockets: Socket | Sequence[Socket] = Ball(),  # noqa: B008 (frozen)
        rest: Any = None,
        dimension: int = 3,
        radius: Any = 0.0,
    ) -> None:
        if isinstance(dimension, bool) or not isinstance(dimension, int | np.integer) or dimension not in (2, 3):
            raise BadOption(f"dimension={shown(dimension)}: give 2 or 3")
        begins = read_parents(parents)
        n = len(begins)
        parts: dict[str, Any] = {
            "parents": begins,
            "lengths": read_lengths(lengths, n),
            "sockets": read_sockets(sockets, n),
            "rest": read_rest(rest, n, int(dimension)),
            "dimension": int(dimension),
            "radius": read_radius(radius, n),
            "_networks": {},
        }
        for name, value in parts.items():
            object.__setattr__(self, name, value)
        if self.dimension == 2 and any(
            isinstance(s, Hinge) and abs(abs(s.axis[2]) - 1.0) > EXACT for s in self.sockets
        ):
            raise BadOption("in two dimensions hinges rotate about z; leave the axis out")

    _networks: ClassVar[dict[tuple[int, ...], PointNetwork]]

    @classmethod
    def chain(cls, lengths: Sequence[Any], **options: Any) -> "PointForm":
        """Return a chain of segments. Options as those of PointForm. Raises subclasses of LimbikError."""
        known_options(options, cls.__init__, ("self", "parents", "lengths"))
        try:
            count = len(lengths)
        except TypeError:
            raise BadOption(
                f"lengths={shown(lengths)}: give the lengths of the segments, for example (1, 1, 1)"
            ) from None
        return cls(range(count), lengths, **options)

    @property
    def n(self) -> int:
        """The number of segments."""
        return len(self.parents)

    @property
    def leaves(self) -> tuple[int, ...]:
        """The points at which no segment starts."""
        return tuple(k for k in range(1, self.n + 1) if k not in self.parents)

    @property
    def size(self) -> float:
        """The mean of the longest lengths [m]."""
        return float(np.mean([high for _, high in self.lengths]))

    def posture(self, directions: Any = None) -> Array:
        """Return points (n + 1, d) from segment directions (n, d), at rest by default; each segment has its greatest length."""
        given = self.rest if directions is None else read_directions(directions, self.n, self.dimension, "directions")
        points = np.zeros((self.n + 1, self.dimension))
        for k, parent in enumerate(self.parents):
            points[k + 1] = points[parent] + self.lengths[k][1] * given[k]
        return points

    # ---- relaxation --------------------------------------------------------------------------------------------------

    def relax(
        self,
        targets: Mapping[int, Any] | Any,
        start: Any = None,
        *,
        tolerance: float | None = None,
        cycles: int = CYCLES,
        omega: float | None = None,
        free: Sequence[Sphere] = (),
        pull: float = 0.0,
        attempts: int = ATTEMPTS,
        finish: bool = True,
        record: bool = False,
    ) -> Relaxed:
        """Return a posture with clamped points at their targets, or the closest one found.

        targets: {point: position (d,)}, or one position if there is one end. start: points (n + 1, d), whose first is the base;
        None for the posture of rest. tolerance: the largest distance of a clamped point from its target [m]; by default a
        hundredth of the mean segment. cycles: most cycles of an attempt. omega: the relaxation factor; 1 for the network itself,
        less damps, more over-relaxes; None for the stable step of each point, which is (n + 1) / 3 for a chain. free: spheres
        that no segment may enter. pull: the initial strength of the pulls to rest, which fade. attempts: number of starts: the
        given one, then random postures inside the ranges. finish: whether least squares refine the joints if the network rests
        away from its targets. record: keep every state of the returned attempt.

        If the targets are not reached, `status` and `why` report it. Raises subclasses of LimbikError for misuse.
        """
        p = self._start(start)
        ends, wanted = read_targets(targets, self.n, self.dimension, self.leaves)
        base = p[0].copy()
        limit = TOLERANCE * self.size if tolerance is None else above(tolerance, "tolerance")
        regions = read_regions(free, base)
        count = whole_number(attempts, "attempts", 1)
        proof = self._proof(ends, wanted - base, limit)
        strength = from_zero(pull, "pull") if any(s.pull for s in self.sockets) else 0.0 * from_zero(pull, "pull")
        network, aims = self._network(ends), _flat(wanted - base)
        best: tuple[float, Any] | None = None
        for attempt in range(1 if proof else count):
            begin = p - base if attempt == 0 else self.sample(np.random.default_rng([attempt, self.n]))
            found = network.run(
                _flat(begin), aims, self._step(ends, omega), regions, cycles=whole_number(cycles, "cycles", 0), tolerance=limit,
                pull=strength, fading=FADING, patience=PATIENCE, progress=PROGRESS, kick=NUDGE, record=bool(record),
            )  # fmt: skip
            _, points, course, postures, _, ran, kicks, _, depth, reached = found
            steps, scattered = 0, SCATTERED if attempt and len(ends) <= FEW else 0
            if finish and not reached and not proof and cycles > 0:
                refined, states, steps, error, depth_refined = network.finish(
                    points, _flat(begin), aims, regions, steps=FINISH, tolerance=limit, scattered=scattered,
                    seed=attempt, record=bool(record),
                )  # fmt: skip
                error_before = float(np.linalg.norm(points[list(ends)] - aims, axis=1).max())
                if error + max(depth_refined, 0.0) < error_before + max(depth, 0.0):
                    points, depth, reached = refined, depth_refined, error <= limit and depth_refined <= 0.0
                    if record:
                        course, postures = np.concatenate([course, states]), np.concatenate([postures, states])
                else:
                    steps = 0
            points = points[:, : self.dimension]
            errors = np.linalg.norm(points[list(ends)] + base - wanted, axis=1)
            depth = depth if len(regions) else -1.0
            solved = bool(reached) and bool((errors <= limit * (1 + EXACT)).all()) and depth <= EXACT * self.size
            solved = solved and self.keeps(points)
            value = float(errors.max()) + max(depth, 0.0)
            if solved or best is None or value < best[0]:
                best = value, (points, errors, ran, kicks, steps, depth, course, postures, solved, attempt)
            if solved or cycles == 0:
                break
        assert best is not None
        points, errors, ran, kicks, steps, depth, course, postures, solved, attempt = best[1]
        status, why = judged(ends, errors, limit, solved, ran, kicks, steps, depth, attempt, count, proof)
        shape = (..., slice(0, self.dimension))
        return Relaxed(
            status, why, points + base, ends, errors, ran, kicks, steps, attempt, depth,
            course[shape] + base if len(course) else course[shape],
            postures[shape] + base if len(postures) else postures[shape],
        )  # fmt: skip

    def sample(self, rng: np.random.Generator) -> Array:
        """Return a random posture inside the ranges, (n + 1, d), the base at the origin."""
        if not isinstance(rng, np.random.Generator):
            raise BadOption("pass a numpy Generator, for example np.random.default_rng(0)")
        return random_posture(self.parents, self.lengths, self.sockets, self.rest, rng)

    def steps(
        self, targets: Mapping[int, Any] | Any, start: Any = None, *, cycles: int = CYCLES, **options: Any
    ) -> Iterator[Array]:
        """Yield the posture of every cycle of `relax`, (n + 1, d), the start first, with exact lengths and ranges."""
        known_options(options, self.relax, ("targets", "start", "cycles", "record"))
        return iter(self.relax(targets, start, cycles=cycles, record=True, **options).postures)

    def keeps(self, points: Any) -> bool:
        """Return whether a posture keeps every length and every range, to rounding."""
        p = self._start(points)
        p = p - p[0]
        far = np.linalg.norm(p[1:] - p[list(self.parents)], axis=1)
        low, high = np.array(self.lengths).T
        if not ((far >= low - EXACT * high.max()) & (far <= high + EXACT * high.max())).all():
            return False
        if not keeps_in_plane(p, self.parents, self.sockets, self.rest):
            return False
        again = self._network(()).run(
            _flat(p), np.zeros((0, 3)), np.zeros(self.n + 1), np.zeros((0, 4)), cycles=0, tolerance=0.0, pull=0.0,
            fading=FADING, patience=1, progress=PROGRESS, kick=0.0, record=False,
        )[1]  # fmt: skip
        return bool(np.abs(again[:, : self.dimension] - p).max() <= 1e-7 * high.max() * self.n)

    def _network(self, ends: tuple[int, ...]) -> PointNetwork:
        network = self._networks.get(ends)
        if network is None:
            rows: list[float] = []
            for k, parent in enumerate(self.parents):
                s = self.sockets[k]
                rest = [*self.rest[k].tolist(), *[0.0] * (3 - self.dimension)]
                hinge = isinstance(s, Hinge)
                code = 2 if hinge else 1 if s.cone < math.pi else 0  # type: ignore[union-attr]
                axis = s.axis if isinstance(s, Hinge) else (0.0, 0.0, 1.0)
                cone = math.pi if isinstance(s, Hinge) else s.cone
                low, high = (s.low, s.high) if isinstance(s, Hinge) else (-math.pi, math.pi)
                rows += [parent, *self.lengths[k], code, *rest, *axis, cone, low, high, s.pull, self.radius[k]]
            network = self._networks[ends] = PointNetwork(rows, list(ends), self.dimension == 2)
        return network

    def _step(self, ends: tuple[int, ...], omega: float | None) -> Array:
        """Return the step of each point, (n + 1,): omega / (n + 1), or 1 / (1 + the number of corrections that meet there)."""
        if omega is not None:
            given = above(omega, "omega")
            return np.full(self.n + 1, given / (self.n + 1))
        meeting = np.ones(self.n + 1)
        for k, parent in enumerate(self.parents):
            meeting[k + 1] += 1
            meeting[parent] += 1
        for end in ends:
            meeting[end] += 1
            meeting[0] += 1
        return 1.0 / meeting

    # ---- validation and proofs ---------------------------------------------------------------------------------------

    def _start(self, given: Any) -> Array:
        if given is None:
            return self.posture()
        points = numbers(given.points if isinstance(given, Relaxed) else given, "points must be numbers")
        if points.shape != (self.n + 1, self.dimension):
            raise ShapeError(f"points must have shape {(self.n + 1, self.dimension)}; got {points.shape}")
        if not np.isfinite(points).all() or np.abs(points).max() > LARGEST:
            raise NotFinite("points hold NaN, infinity or a number too large to compute with")
        return points

    def _proof(self, ends: tuple[int, ...], targets: Array, tolerance: float) -> str:
        """Return a sentence that proves a target out of reach by lengths; "" without a proof."""
        for end, target in zip(ends, targets, strict=True):
            far, (least, most) = float(np.linalg.norm(target)), self._reach(end)
            if far > most + tolerance or far < least - tolerance:
                return f"the target of point {end} is {far:.6g} from the base, and its segments allow {least:.6g} to {most:.6g}"
        return ""

    def _reach(self, end: int) -> tuple[float, float]:
        """Return the least and the greatest distance of a point from the base that its segments' lengths allow."""
        ranges = []
        point = end
        while point:
            ranges.append(self.lengths[point - 1])
            point = self.parents[point - 1]
        most = math.fsum(high for _, high in ranges)
        least = max(0.0, max(low - (most - high) for low, high in ranges))
        return least, most

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.parents, self.lengths, self.sockets, self.rest, self.dimension, self.radius)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointForm) and _key(self) == _key(other)

    def __hash__(self) -> int:
        return hash(_key(self))

    def __repr__(self) -> str:
        return f"<PointForm: {self.n} segments in {self.dimension} dimensions, ends {', '.join(map(str, self.leaves))}>"


def _key(form: PointForm) -> tuple[Any, ...]:
    return form.parents, form.lengths, form.sockets, form.rest.tobytes(), form.dimension, form.radius


def _restored(parents: Any, lengths: Any, sockets: Any, rest: Array, dimension: int, radius: Any) -> PointForm:
    return PointForm(parents, lengths, sockets=sockets, rest=rest, dimension=dimension, radius=radius)


def _flat(points: Array) -> Array:
    out = np.zeros((len(points), 3))
    out[:, : points.shape[1]] = points
    return out
