"""The room that chains and skeletons take up: how far it is from obstacles, and which parts of it are not known."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

from limbik.errors import BadOption, UnknownFrame, shown, suggest
from limbik.goals.clearance import Clearance, Obstacles, gap, no_shape
from limbik.goals.unchecked import Unchecked, listed, listed_pairs, named
from limbik.model.mechanism import Mechanism
from limbik.robot.kinematic import Kinematic


class Distance(float):
    """A distance [m] that says which links it does not speak of. Everywhere else it is the number."""

    unchecked: Unchecked

    def __new__(cls, value: float, unchecked: Unchecked) -> Self:
        """Return a number with the links that it leaves out."""
        made = super().__new__(cls, value)
        made.unchecked = unchecked
        return made

    def __repr__(self) -> str:
        return f"{float(self)!r} ({self.unchecked})" if self.unchecked else repr(float(self))

    __str__ = __repr__

    def __getnewargs__(self) -> tuple[float, Unchecked]:  # type: ignore[override]
        return float(self), self.unchecked


class Colliding(Kinematic):
    """A mechanism whose links take up room."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of the file found and how it was settled, one sentence each; then what is not known of the shapes."""
        return (*self.model.mechanism.notes, *self._shape_notes)

    @property
    def unchecked_links(self) -> tuple[str, ...]:
        """The links that answers about obstacles do not speak of.

        Their collision geometry, or part of it, is not there or was not read (a mesh ...), or joints outside this chain move
        them. `with_shapes` gives them shapes.
        """
        return self._unchecked.links

    @property
    def unchecked_pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of links that are not kept from each other because they touch in the home posture.

        Links that a joint connects are not listed: they are never looked at.
        """
        return self._unchecked.pairs

    def with_shapes(self, shapes: Mapping[str, Any]) -> Self:
        """Return a copy in which links have other shapes: {link: one Sphere, Capsule or Box, or several, in the link's frame}.

        They stand in the place of the link's own and of what was not read of it. Raises BadOption, UnknownFrame.
        """
        given = Clearance(shapes=shapes).shapes or {}
        known = {link.name for link in self.model.mechanism.links}
        for name in given:
            if name not in known:
                raise UnknownFrame(f"no link {shown(name)} in '{self.name}'; {suggest(str(name), tuple(known))}")
        links = (
            replace(link, shapes=given[link.name], unread=(), covers=()) if link.name in given else link
            for link in self.model.mechanism.links
        )
        return self._with_mechanism(replace(self.model.mechanism, links=tuple(links)))

    def clearance(self, q: Any, obstacles: Obstacles = ()) -> Distance:
        """Return the least distance of any link from any obstacle [m]; negative inside one, infinite where there are none.

        `.unchecked` names the links that it leaves out because their collision geometry was not read, and those that do not move
        and stand in an obstacle. Raises BadOption where no link has a shape.
        """
        goal = Clearance(obstacles, self_collision=False)
        if not self.shapes:
            raise BadOption(no_shape(self.model))
        poses = self.model.kernel.forward_all(self.model.kernel.checked(q))
        placed = [(link, shape.moved(poses[self.model.compiled.frame_numbers[link]])) for link, shape in self.shapes]
        unchecked = goal.unchecked(self.model)
        gaps = (
            gap(shape, obstacle)
            for link, shape in placed
            for k, obstacle in enumerate(goal.obstacles)
            if (link, k) not in unchecked.still
        )
        return Distance(min(gaps, default=math.inf), unchecked)

    @abstractmethod
    def _with_mechanism(self, mechanism: Mechanism) -> Self:
        """Return the same chain or skeleton of another mechanism."""

    @cached_property
    def _unchecked(self) -> Unchecked:
        return Clearance().unchecked(self.model)

    @cached_property
    def _shape_notes(self) -> tuple[str, ...]:
        notes = []
        if unread := self._unchecked.unread:
            notes.append(
                f"the collision geometry of {listed(unread)} is not known, or not all of it: answers about obstacles do not "
                "hold for them; with_shapes gives them shapes."
            )
        if outside := self._unchecked.outside:
            notes.append(
                f"joints outside this chain move {listed(outside)}: answers about obstacles do not hold for them."
            )
        if covered := self.model.covered:
            notes.append(
                f"shapes that are larger than the link, and so prove nothing to be in the way: {named(covered)}."
            )
        if pairs := self._unchecked.pairs:
            notes.append(f"not kept from each other, because they touch in the home posture: {listed_pairs(pairs)}.")
        return tuple(notes)
