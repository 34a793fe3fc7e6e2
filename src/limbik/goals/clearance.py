"""Links kept apart from obstacles, and from each other."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from limbik._core import segment_distance
from limbik.errors import BadOption, shown
from limbik.goals.goal import Goal, Spec
from limbik.goals.subject import Subject, as_capsule, flat
from limbik.model.shape import Capsule, Sphere
from limbik.model.transform import inverse, number

# How much farther than asked for bodies are pushed, as a part of half the span: what may then be missing is this much.
CUSHION = 1e-3


@dataclass(frozen=True, eq=False, repr=False)
class Clearance(Goal):
    """No link comes nearer than `distance` [m] to an obstacle, a Sphere or Capsule in the base frame, or to another link.

    self_collision: keep links from each other as well; links next to each other, and those that touch in the home posture,
    are left out, and those that are nearer there than `distance` are kept at half of what they have. shapes: {link: [Sphere or
    Capsule, ...]} in the frame of the link, in the place of the model's own.
    """

    obstacles: Any = ()
    distance: float = 0.0
    self_collision: bool = True
    shapes: Any = None

    without: ClassVar[tuple[str, ...]] = ("range", "relative_to", "tolerance")

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.obstacles, Sphere | Capsule):
            object.__setattr__(self, "obstacles", (self.obstacles,))
        object.__setattr__(self, "obstacles", _shapes(self.obstacles, "obstacles"))
        if not isinstance(self.self_collision, bool):
            raise BadOption(f"Clearance: self_collision={shown(self.self_collision)} must be True or False")
        distance = number(self.distance, "Clearance: the distance")
        if not (math.isfinite(distance) and distance >= 0):
            raise BadOption(f"Clearance: distance={shown(self.distance)} must be finite and not below 0")
        object.__setattr__(self, "distance", distance)
        if self.shapes is not None:
            if not isinstance(self.shapes, Mapping):
                raise BadOption(f"Clearance: shapes must be {{link: [shape, ...]}}; got {shown(self.shapes)}")
            object.__setattr__(self, "shapes", {k: _shapes(v, f"shapes of {k!r}") for k, v in self.shapes.items()})

    def spec(self, subject: Subject) -> Spec:
        """Return the goal for a mechanism."""
        bodies = subject.bodies if self.shapes is None else _own_bodies(subject, self.shapes)
        cushion = CUSHION * subject.length
        pairs, apart = _pairs(subject, bodies, self.distance, cushion) if self.self_collision else ((), ())
        if not bodies:
            raise BadOption(
                f"Clearance: no link of '{subject.compiled.name}' has a shape; give shapes={{link: [lk.Capsule(...)]}}"
            )
        (weight,) = self._each(self.weight, "weight")
        part = (1.0, 1.0, weight, cushion, self.distance + cushion, math.inf)
        rows = flat((float(element), *_numbers(capsule)) for _, element, capsule in bodies)
        aims = flat(_numbers(as_capsule(obstacle)) for obstacle in self.obstacles)
        count = len(bodies) * len(self.obstacles) + len(pairs) // 2
        return Spec("clearance", (rows, len(self.obstacles), pairs, apart, part), aims, (cushion,) * count, cushion)


def _shapes(given: Any, what: str) -> tuple[Sphere | Capsule, ...]:
    try:
        shapes = (given,) if isinstance(given, Sphere | Capsule) else tuple(given)
    except TypeError:
        shapes = (None,)
    if not all(isinstance(shape, Sphere | Capsule) for shape in shapes):
        raise BadOption(f"Clearance: {what} must be lk.Sphere or lk.Capsule objects; got {shown(given)}")
    return shapes


def _numbers(capsule: Capsule) -> tuple[float, ...]:
    return (*capsule.start, *capsule.end, capsule.radius)


Body = tuple[str, int, Capsule]


def _own_bodies(subject: Subject, shapes: Mapping[str, tuple[Sphere | Capsule, ...]]) -> tuple[Body, ...]:
    out: list[Body] = []
    for link, given in shapes.items():
        subject.frame(link)
        element, T = subject.compiled.frames[link]
        out += [(link, element, as_capsule(shape).moved(T)) for shape in given]
    return tuple(out)


def _pairs(
    subject: Subject, bodies: tuple[Body, ...], distance: float, cushion: float
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the bodies to be kept from each other, two by two, and how far apart each two.

    Not those of one rigid part or of neighbours, nor those that touch at home. Two that are nearer at home than asked for are
    kept at half of what they have there: a distance that the arm's own build does not allow would forbid every posture.
    """
    home = subject.compiled.kernel.forward_all(subject.ranges.home)
    elements = subject.compiled.elements
    numbers = subject.compiled.frame_numbers
    placed = []
    for link, _, capsule in bodies:
        T_link = subject.compiled.frames[link][1]
        placed.append(capsule.moved(home[numbers[link]] @ inverse(T_link)))
    pairs: list[int] = []
    apart: list[float] = []
    for i, (_, a, _) in enumerate(bodies):
        for j in range(i + 1, len(bodies)):
            b = bodies[j][1]
            neighbours = a == b or (a >= 0 and elements[a].parent == b) or (b >= 0 and elements[b].parent == a)
            here = 0.0 if neighbours else gap(placed[i], placed[j])
            if here > 2 * cushion:
                pairs += [i, j]
                apart.append(min(distance, here / 2) + cushion)
    return tuple(pairs), tuple(apart)


def gap(one: Sphere | Capsule, other: Sphere | Capsule) -> float:
    """Return how far two shapes are apart [m]; negative where they overlap."""
    a, b = as_capsule(one), as_capsule(other)
    return segment_distance(a.start, a.end, b.start, b.end) - a.radius - b.radius
