"""The computations of Cruse and Steinkühler's network, made from the triangles between the joints of a planar arm.

A planar arm of n segments is a polygon of n + 1 points, shoulder first, tip last. Any three of them are a triangle. Its sides are
distances and its corners angles, and each can be computed in several ways from the others; the network takes the mean of all.
For the paper's arm, n = 3, points O E W H. (Its figure 1 was not available; the names follow from its equations 1-6 and from its
count of 17 variables.)

  distances    L1 = OE, L2 = EW, L3 = WH given; D2 = OW, D1 = EH, R = OH variable
  angles       four at full corners, beta at E and gamma at W (interior: pi when straight), eps at O, delta at H (the name is
               ours), and two parts of each, cut by a diagonal: beta = beta1 + beta2 ...
  directions   alpha of the first segment, rho of R; alpha = rho + eps

Angles are signed: at corner j from the later point b to the earlier a, counted around the polygon from j, direction(j -> a) -
direction(j -> b). A convex arm that bends clockwise has all of them in (0, pi). Every equation holds modulo whole turns.

The paper prints the six equations of beta, (1)-(6); by the same pattern every angle x of a triangle with the others y, z has
  the law of cosines in its triangle                                      (1)
  the sum of its parts, or the whole less the other part                  (2); one for each point that is not in the triangle
  pi - (y + z), with y and z each taken directly or by its own (2)        (3)-(6); (1 + n - 2)^2 of them
and each distance the law of cosines in every triangle that it is a side of; alpha = rho + eps and rho = alpha - eps, also with
eps by its parts, and eps = alpha - rho. With n = 3 that is 12 * 6 + 1 + 3 * 2 + 2 + 2 = 83 computations of 17 variables.

"If the length of the limbs can be changed", a segment is a prismatic joint. Its length is then a variable like any other
distance, with a law of cosines in each of its triangles: two more computations for each such segment of the paper's arm.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations, product

# The names that the paper gives to distances (point, point) and to angles (corner, from, to) of three segments.
PAPER_DISTANCES = {(0, 3): "R", (0, 2): "D2", (1, 3): "D1"}
PAPER_ANGLES = {
    (0, 1, 3): "eps", (0, 1, 2): "eps1", (0, 2, 3): "eps2",
    (1, 2, 0): "beta", (1, 3, 0): "beta1", (1, 2, 3): "beta2",
    (2, 3, 1): "gamma", (2, 0, 1): "gamma1", (2, 3, 0): "gamma2",
    (3, 0, 2): "delta", (3, 0, 1): "delta1", (3, 1, 2): "delta2",
}  # fmt: skip
# The parts of the full corners in the paper's figure: gamma1 belongs to triangle OEW with gamma = gamma1 + gamma2.


class Rule(IntEnum):
    """How a computation works; the numbers are those of the core."""

    LINEAR = 0
    COSINE_ANGLE = 1
    COSINE_SIDE = 2


@dataclass(frozen=True)
class Computation:
    """One way to compute `target`: constant + sum of signs * terms, or the law of cosines with terms (a, b, c).

    For an angle c is the side opposite to it; for a side c is the angle opposite to it. instead: the number of the computation
    that replaces it if a or b is too short to divide by; -1 for none.
    """

    rule: Rule
    target: str
    terms: tuple[str, ...]
    signs: tuple[float, ...] = ()
    constant: float = 0.0
    instead: int = -1

    def __str__(self) -> str:
        if self.rule is Rule.LINEAR:
            parts = [f"{'-' if s < 0 else '+'} {t}" for s, t in zip(self.signs, self.terms, strict=True)]
            return f"{self.target} = {'pi ' if self.constant else ''}{' '.join(parts)}".replace("= + ", "= ")
        a, b, c = self.terms
        if self.rule is Rule.COSINE_ANGLE:
            return f"{self.target} = arccos(({a}^2 + {b}^2 - {c}^2) / (2 {a} {b}))"
        return f"{self.target} = sqrt({a}^2 + {b}^2 - 2 {a} {b} cos {c})"


@dataclass(frozen=True)
class Triangles:
    """The variables of an arm of n segments, in the order of their updates, and their computations.

    lengths: the names of the segments whose lengths are constants. angles: (corner, from, to) of each angle, by name. distances:
    (point, point) of each distance, by name, including segments.
    """

    n: int
    variables: tuple[str, ...]
    lengths: tuple[str, ...]
    angles: Mapping[str, tuple[int, int, int]]
    distances: Mapping[str, tuple[int, int]]
    computations: tuple[Computation, ...]

    @property
    def angular(self) -> tuple[bool, ...]:
        """Which variables are angles or directions."""
        return tuple(name not in self.distances for name in self.variables)

    @property
    def joints(self) -> tuple[str, ...]:
        """The names of the variables that are the arm's joint angles: alpha, then the interior angles."""
        return ("alpha", *(_angle_name(self.n, j, j + 1, j - 1) for j in range(1, self.n)))


def _angle_name(n: int, corner: int, start: int, end: int) -> str:
    if n == 3:
        return PAPER_ANGLES[corner, start, end]
    if start == corner + 1 and end == corner - 1:
        return "beta" if n == 2 else f"beta{corner}"
    if (corner, start, end) == (0, 1, n):
        return "eps"
    return f"angle{corner}_{start}_{end}"


def _distance_name(n: int, a: int, b: int) -> str:
    if b - a == 1:
        return f"L{b}"
    if (a, b) == (0, n):
        return "R"
    return PAPER_DISTANCES[a, b] if n == 3 else f"D{a}_{b}"


def segment_names(n: int) -> tuple[str, ...]:
    """Return the names of the lengths of n segments: L1, L2 ..."""
    return tuple(f"L{k}" for k in range(1, n + 1))


def triangles(n: int, free: Sequence[str] = ()) -> Triangles:
    """Return the network of an arm with n segments, n from 2. free: the segments whose lengths are variables, by name."""
    distances = {_distance_name(n, a, b): (a, b) for a, b in combinations(range(n + 1), 2)}
    angles: dict[str, tuple[int, int, int]] = {}
    for triangle in _in_order(n):
        for corner, start, end in _corners(triangle):
            angles[_angle_name(n, corner, start, end)] = (corner, start, end)
    lengths = tuple(name for name in segment_names(n) if name not in free)
    sides = tuple(name for name in distances if name not in lengths)
    order = (*angles, *sorted(sides, key=lambda name: (name == "R", distances[name])), "alpha", "rho")
    rows: list[Computation] = []
    for name in order:
        made = list(_computations(n, name, angles, distances))
        instead = len(rows) + 1 if len(made) > 1 and made[1].rule is Rule.LINEAR and n > 2 else -1
        rows += [
            Computation(c.rule, c.target, c.terms, c.signs, c.constant, instead) if c.rule is Rule.COSINE_ANGLE else c
            for c in made
        ]
    return Triangles(n, order, lengths, angles, distances, tuple(rows))


def _in_order(n: int) -> Iterator[tuple[int, int, int]]:
    """Yield the triangles; those of three segments as T1 (O E W), T2 (O W H), T3 (E W H), T4 (O E H)."""
    if n == 3:
        yield from ((0, 1, 2), (0, 2, 3), (1, 2, 3), (0, 1, 3))
    else:
        yield from combinations(range(n + 1), 3)


def _corners(triangle: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield the angles of a triangle: (corner, from, to)."""
    a, b, c = triangle
    yield from ((a, b, c), (b, c, a), (c, a, b))


def _parts(n: int, corner: int, start: int, end: int) -> Iterator[tuple[tuple[str, float], ...]]:
    """Yield an angle by every other point: as the sum of its parts, or as a whole less the other part."""

    def place(point: int) -> int:
        return (point - corner) % (n + 1)

    for m in range(n + 1):
        if m in (corner, start, end):
            continue
        if place(m) < place(start):
            yield (_angle_name(n, corner, m, end), 1.0), (_angle_name(n, corner, m, start), -1.0)
        elif place(m) < place(end):
            yield (_angle_name(n, corner, start, m), 1.0), (_angle_name(n, corner, m, end), 1.0)
        else:
            yield (_angle_name(n, corner, start, m), 1.0), (_angle_name(n, corner, end, m), -1.0)


def _computations(
    n: int, name: str, angles: Mapping[str, tuple[int, int, int]], distances: Mapping[str, tuple[int, int]]
) -> Iterator[Computation]:
    """Yield every computation of a variable."""
    if name in distances:
        yield from _of_distance(n, name, distances[name])
        return
    if name in ("alpha", "rho"):
        sign, other = (1.0, "rho") if name == "alpha" else (-1.0, "alpha")
        for form in ((("eps", 1.0),), *_parts(n, 0, 1, n)):
            yield _linear(name, ((other, 1.0), *((term, sign * s) for term, s in form)))
        return
    corner, start, end = angles[name]
    near, far = _side(n, corner, start), _side(n, corner, end)
    yield Computation(Rule.COSINE_ANGLE, name, (near, far, _side(n, start, end)))
    for form in _parts(n, corner, start, end):
        yield _linear(name, form)
    for y, z in product(_forms(n, (start, end, corner)), _forms(n, (end, corner, start))):
        yield _linear(name, tuple((term, -s) for term, s in (*y, *z)), math.pi)
    if name == "eps":
        yield _linear(name, (("alpha", 1.0), ("rho", -1.0)))


def _forms(n: int, angle: tuple[int, int, int]) -> Iterator[tuple[tuple[str, float], ...]]:
    """Yield an angle directly, then by its parts."""
    yield ((_angle_name(n, *angle), 1.0),)
    yield from _parts(n, *angle)


def _of_distance(n: int, name: str, ends: tuple[int, int]) -> Iterator[Computation]:
    a, b = ends
    for m in range(n + 1):
        if m not in ends:
            corner = next(c for c in _corners(tuple(sorted((a, b, m)))) if c[0] == m)  # type: ignore[arg-type]
            yield Computation(Rule.COSINE_SIDE, name, (_side(n, a, m), _side(n, b, m), _angle_name(n, *corner)))


def _side(n: int, a: int, b: int) -> str:
    return _distance_name(n, min(a, b), max(a, b))


def _linear(target: str, terms: tuple[tuple[str, float], ...], constant: float = 0.0) -> Computation:
    return Computation(Rule.LINEAR, target, tuple(t for t, _ in terms), tuple(s for _, s in terms), constant)
