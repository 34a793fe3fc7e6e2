"""The collision shapes of a model: their distances from obstacles, and unknown collision geometry."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from limbik.errors import BadOption, UnknownFrame, shown, suggest
from limbik.goals.clearance import Clearance, Obstacles, gap, no_shape
from limbik.goals.unchecked import Unchecked, listed, listed_pairs, named
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model


class Distance(float):
    """A distance [m], a float that also names the unchecked links."""

    unchecked: Unchecked

    def __new__(cls, value: float, unchecked: Unchecked) -> Self:
        """Return a number with the unchecked links."""
        made = super().__new__(cls, value)
        made.unchecked = unchecked
        return made

    def __repr__(self) -> str:
        return f"{float(self)!r} ({self.unchecked})" if self.unchecked else repr(float(self))

    __str__ = __repr__

    def __getnewargs__(self) -> tuple[float, Unchecked]:  # type: ignore[override]
        return float(self), self.unchecked


def unchecked_of(model: Model) -> Unchecked:
    """Return the links and pairs of links whose collisions are not checked."""
    return model.derived(_unchecked)


def _unchecked(model: Model) -> Unchecked:
    return Clearance().unchecked(model)


def clearance(model: Model, q: Any, obstacles: Obstacles = ()) -> Distance:
    """Return the least distance of any link from any obstacle [m], as `limbik.collision.clearance` documents."""
    goal = Clearance(obstacles, self_collision=False)
    if not model.shapes:
        raise BadOption(no_shape(model))
    poses = model.kernel.forward_all(model.kernel.checked(q))
    placed = [(link, shape.moved(poses[model.compiled.frame_numbers[link]])) for link, shape in model.shapes]
    left_out = goal.unchecked(model)
    gaps = (
        gap(shape, obstacle)
        for link, shape in placed
        for k, obstacle in enumerate(goal.obstacles)
        if (link, k) not in left_out.still
    )
    return Distance(min(gaps, default=math.inf), left_out)


def with_shapes(mechanism: Mechanism, shapes: Mapping[str, Any]) -> Mechanism:
    """Return a mechanism in which links have other shapes. Raises BadOption, UnknownFrame."""
    given = Clearance(shapes=shapes).shapes or {}
    known = tuple(link.name for link in mechanism.links)
    for name in given:
        if name not in known:
            raise UnknownFrame(f"no link {shown(name)} in '{mechanism.name}'; {suggest(str(name), known)}")
    links = (
        replace(link, shapes=given[link.name], unread=(), covers=()) if link.name in given else link
        for link in mechanism.links
    )
    return replace(mechanism, links=tuple(links))


def shape_notes(model: Model) -> tuple[str, ...]:
    """Return notes on unknown or inexact collision shapes, one sentence each."""
    return model.derived(_notes)


def _notes(model: Model) -> tuple[str, ...]:
    notes, left_out = [], unchecked_of(model)
    if unread := left_out.unread:
        notes.append(
            f"the collision geometry of {listed(unread)} is unknown or incomplete: answers about obstacles do not "
            "cover them; collision.with_shapes adds shapes."
        )
    if outside := left_out.outside:
        notes.append(f"joints outside this chain move {listed(outside)}: answers about obstacles do not cover them.")
    if covered := model.covered:
        notes.append(f"shapes larger than their link, which cannot prove a collision: {named(covered)}.")
    if pairs := left_out.pairs:
        notes.append(f"pairs not checked, because they touch in the home posture: {listed_pairs(pairs)}.")
    return tuple(notes)
