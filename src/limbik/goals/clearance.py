"""Least distances of links from obstacles, and from each other."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from limbik._core import solid_distance
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number
from limbik.geometry.se3 import inverse
from limbik.goals.goal import Goal, Spec
from limbik.goals.unchecked import Unchecked, listed
from limbik.model.body import Body
from limbik.model.joint import Kind
from limbik.model.model import Model, flat
from limbik.model.shape import SHAPES, Shape, solid

# The types of obstacles.
Obstacles = Shape | Iterable[Shape]

# Margin added to the required distance, relative to half the span: also the tolerance of the goal.
CUSHION = 1e-3
# Bound of rounding, relative to the unit of length.
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Clearance(Goal):
    """Links are at least `distance` [m] from obstacles (Sphere, Capsule or Box in the base frame) and from each other.

    self_collision: whether pairs of links are checked too, except neighbours and pairs that touch in the home posture
    (configuration); pairs that are closer than `distance` there must keep half of that distance. shapes: {link:
    [Sphere, Capsule or Box, ...]} in the frame of the link, replacing the model's own. Links without shapes are not
    checked: `answer.unchecked` names links whose shapes were not read, and pairs left out because they touch at home. A
    link that does not move and touches an obstacle (a foot on a table) is not checked against it and is named too.
    """

    obstacles: Any = ()
    distance: float = 0.0
    self_collision: bool = True
    shapes: Any = None

    without: ClassVar[tuple[str, ...]] = ("range", "relative_to", "tolerance")

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.obstacles, SHAPES):
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

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        bodies = self.bodies(model)
        cushion = CUSHION * model.length
        if not bodies:
            raise BadOption(f"Clearance: {no_shape(model)}")
        pairs, apart = self._pairs(model, bodies, cushion) if self.self_collision else ((), ())
        (weight,) = self.each(self.weight, "weight")
        part = (1.0, 1.0, weight, cushion, self.distance + cushion, math.inf)
        rows = flat(body.numbers for body in bodies)
        aims = flat(solid(obstacle) for obstacle in self.obstacles)
        moving = sum(body.element >= 0 for body in bodies)
        count = moving * len(self.obstacles) + len(pairs) // 2
        return Spec("clearance", (rows, len(self.obstacles), pairs, apart, part), aims, (cushion,) * count, cushion)

    def unchecked(self, model: Model) -> Unchecked:
        """Return the links and pairs of links that this goal does not check."""
        unread = tuple(link for link in model.unread if link not in (self.shapes or ()))
        outside = model.outside if self.obstacles or self.self_collision else ()
        return Unchecked(
            unread, outside, self._touching(model) if self.self_collision else (), self._fixed_contacts(model)
        )

    def bodies(self, model: Model) -> tuple[Body, ...]:
        """Return the shapes that this goal checks."""
        if self.shapes is None:
            return model.bodies
        for link in self.shapes:
            model.frame_index(link)
        return tuple(model.body(link, shape) for link, given in self.shapes.items() for shape in given)

    def exact(self, model: Model) -> "Clearance":
        """Return the same goal without shapes larger than their links: a violation is then a real collision."""
        if not any(body.covers for body in self.bodies(model)):
            return self
        own: dict[str, list[Shape]] = {}
        for link in model.mechanism.links:
            if link.name in model.compiled.frames:
                covers = link.covers or ("",) * len(link.shapes)
                own[link.name] = [shape for shape, word in zip(link.shapes, covers, strict=True) if not word]
        return replace(self, shapes={link: shapes for link, shapes in own.items() if shapes})

    def _fixed_contacts(self, model: Model) -> tuple[tuple[str, int], ...]:
        """Return the fixed links, and the obstacles closer to them than the required distance."""
        fixed = [body for body in self.bodies(model) if body.element < 0] if self.obstacles else []
        found = (
            (body.link, k)
            for body in fixed
            for k, obstacle in enumerate(self.obstacles)
            if gap(body.shape, obstacle) <= self.distance + ROUNDING * model.length
        )
        return tuple(dict.fromkeys(found))

    def _touching(self, model: Model) -> tuple[tuple[str, str], ...]:
        bodies, least = self.bodies(model), 2 * CUSHION * model.length
        gaps = _gaps_at_home(model, bodies, own=self.shapes is None)
        return tuple(dict.fromkeys((bodies[i].link, bodies[j].link) for i, j, here in gaps if here <= least))

    def _pairs(
        self, model: Model, bodies: tuple[Body, ...], cushion: float
    ) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Return the indices of the bodies to check, in pairs, and the required distance of each pair [m].

        Pairs within one rigid part, of neighbours, and pairs that touch at home are left out. For a pair closer than
        `distance` at home, half of its distance there is required: otherwise the goal might exclude every posture.
        """
        pairs: list[int] = []
        apart: list[float] = []
        for i, j, here in _gaps_at_home(model, bodies, own=self.shapes is None):
            if here > 2 * cushion:
                pairs += [i, j]
                apart.append(min(self.distance, here / 2) + cushion)
        return tuple(pairs), tuple(apart)


def no_shape(model: Model) -> str:
    """Return the error text for a mechanism without collision shapes."""
    unread = f"; the collision geometry of {listed(model.unread)} is not known" if model.unread else ""
    return (
        f"no link of '{model.compiled.name}' has a collision shape{unread}; add some: "
        "lk.collision.with_shapes(arm, {link: [lk.Capsule(...)]})"
    )


def _shapes(given: Any, what: str) -> tuple[Shape, ...]:
    try:
        shapes = (given,) if isinstance(given, SHAPES) else tuple(given)
    except TypeError:
        shapes = (None,)
    if not all(isinstance(shape, SHAPES) for shape in shapes):
        raise BadOption(f"Clearance: {what} must be lk.Sphere, lk.Capsule or lk.Box objects; got {shown(given)}")
    return shapes


# The indices of two bodies, and their distance at home [m].
Gap = tuple[int, int, float]


def _gaps_at_home(model: Model, bodies: tuple[Body, ...], *, own: bool) -> tuple[Gap, ...]:
    """Return the pairs of bodies that are neither in one rigid part nor neighbours. own: bodies of the model, cached."""
    if own and "gaps at home" in model.remembered:
        found: tuple[Gap, ...] = model.remembered["gaps at home"]
        return found
    home = model.compiled.kernel.forward_all(model.ranges.home)
    numbers, frames = model.compiled.frame_numbers, model.compiled.frames
    placed = [solid(body.shape.moved(home[numbers[body.link]] @ inverse(frames[body.link][1]))) for body in bodies]
    found = tuple(
        (i, j, solid_distance(placed[i], placed[j]))
        for i in range(len(bodies))
        for j in range(i + 1, len(bodies))
        if not _adjacent(model, bodies[i], bodies[j])
    )
    if own:
        model.remembered["gaps at home"] = found
    return found


def _adjacent(model: Model, one: Body, other: Body) -> bool:
    """Return whether two bodies belong to one rigid part, or to two parts connected by a joint.

    Fixed bodies beside the base (a table, a wall) are not neighbours of the first moving link; a floating link has
    none.
    """
    if one.element == other.element:
        return True
    for child, parent in ((one, other), (other, one)):
        if child.element < 0:
            continue
        element = model.compiled.elements[child.element]
        if element.parent == parent.element:
            joint = element.joint
            return joint.kind is not Kind.FLOATING and (
                parent.element >= 0 or parent.link in (joint.parent, joint.child)
            )
    return False


def gap(one: Shape, other: Shape) -> float:
    """Return the signed distance of two shapes [m]; negative: the penetration depth."""
    return solid_distance(solid(one), solid(other))
