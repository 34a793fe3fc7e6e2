"""Identification of the joints of a limb: three degrees of freedom at its root, one at its elbow, its wrist, held joints.

The search starts at the end and goes towards the base. Joints whose axes pass through the end change its orientation
alone: they are the wrist. The next joint moves the end: the elbow, a hinge, or a ball that is used as one. Then the
root: the next ball, or three hinges whose axes intersect in a point. All other joints in between (a ball at the same
place, prismatic joints, mimic joints) keep their seed values. If the end is beyond its last joint (a tool, a
fingertip), its wrist is the last ball, or the last three hinges if their axes intersect.
"""

from dataclasses import dataclass

import numpy as np

from limbik.errors import BadModel, BadOption
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import inverse
from limbik.model.compiled import Compiled, Element
from limbik.model.joint import Kind

# Points closer than this, relative to the limb's size, coincide.
SAME_PLACE = 1e-9


@dataclass(frozen=True, eq=False)
class Parts:
    """The elements on the path from the base to the end, by number, and which of them are root, elbow and wrist.

    wrist: a ball, three hinges, or a twist and three hinges; empty if the joints cannot make every rotation of the end.
    meeting, wrist_point: (3,) where the axes of the root and of the wrist intersect, in the base frame with all joints
    at 0.
    """

    path: tuple[int, ...]
    root: tuple[int, ...]
    elbow: int
    wrist: tuple[int, ...]
    meeting: Array
    wrist_point: Array | None


def path_to(compiled: Compiled, frame: str) -> tuple[int, ...]:
    """Return the numbers of the elements from the base to a frame."""
    element, path = compiled.frames[frame][0], []
    while element >= 0:
        path.append(element)
        element = compiled.elements[element].parent
    return tuple(reversed(path))


class Finder:
    """The search for the parts of one limb."""

    def __init__(self, compiled: Compiled, end: str, upper: str | None, lower: str | None) -> None:
        self.compiled, self.end = compiled, end
        self.path = path_to(compiled, end)
        self.poses: dict[int, Array] = {}
        T = np.eye(4)
        for e in self.path:
            T = T @ compiled.elements[e].placement
            self.poses[e] = T
        self.place = (T @ compiled.frames[end][1])[:3, 3] if self.path else np.zeros(3)
        ends = [self.poses[e][:3, 3] for e in self.path] + [self.place]
        self.near = SAME_PLACE * max((float(np.linalg.norm(a - self.place)) for a in ends), default=0.0)
        used = [e.variable.joint.name for e in compiled.elements]
        self.single = {name for name in used if used.count(name) == 1}
        self.upper, self.lower = upper, lower

    def element(self, e: int) -> Element:
        return self.compiled.elements[e]

    def may_move(self, e: int) -> bool:
        """Return whether the limb may move this joint: a revolute or ball joint that no other joint mimics or drives."""
        x = self.element(e)
        own = x.multiplier == 1.0 and x.offset == 0.0 and x.variable.joint.name == x.joint.name
        return own and x.joint.name in self.single and (x.joint.kind.is_revolute or x.joint.kind is Kind.BALL)

    def is_ball(self, e: int) -> bool:
        return self.element(e).joint.kind is Kind.BALL

    def passes(self, e: int, point: Array) -> bool:
        """Return whether a joint rotates about a point: a ball centred there, or a hinge whose axis passes through it."""
        off = point - self.poses[e][:3, 3]
        if not self.is_ball(e):
            off = off - (off @ self.poses[e][:3, 2]) * self.poses[e][:3, 2]
        return bool(np.linalg.norm(off) <= self.near)

    def meeting(self, three: list[int]) -> Array | None:
        """Return the point in which three hinge axes intersect; None for parallel axes or none in common."""
        A, b = np.zeros((3, 3)), np.zeros(3)
        for e in three:
            T = self.poses[e]
            P = np.eye(3) - np.outer(T[:3, 2], T[:3, 2])
            A, b = A + P, b + P @ T[:3, 3]
        if np.linalg.eigvalsh(A)[0] < SAME_PLACE:
            return None
        point = np.asarray(np.linalg.solve(A, b), np.float64)
        first_two = abs(self.poses[three[0]][:3, 2] @ self.poses[three[1]][:3, 2])
        last_two = abs(self.poses[three[1]][:3, 2] @ self.poses[three[2]][:3, 2])
        fits = all(self.passes(e, point) for e in three) and max(first_two, last_two) < 1 - SAME_PLACE
        return point if fits else None

    def find(self) -> Parts:
        """Return the parts. Raises BadModel with what the mechanism has instead, and BadOption for links off the path."""
        links = [self.element_of(name) for name in (self.upper, self.lower)]
        wrist: list[int] = []
        k = len(self.path)
        while k and (not self.may_move(self.path[k - 1]) or self.passes(self.path[k - 1], self.place)):
            if links[1] == self.path[k - 1]:
                break
            if self.may_move(self.path[k - 1]):
                wrist.insert(0, self.path[k - 1])
            k -= 1
        if not self.wrist_of(wrist) and (found := self.last_group(links[1])) is not None:
            try:
                return self.above(*found, links)
            except BadModel:
                pass  # no limb above this group: the lower bone ends at the end itself
        return self.above(wrist, self.place if wrist else None, k, links)

    def last_group(self, lower: int | None) -> tuple[list[int], Array, int] | None:
        """Return the last ball, or the last three hinges if they intersect; their point; and their index on the path."""
        last = [e for e in self.path if self.may_move(e)]
        if not last or last[-1] == lower:
            return None
        if self.is_ball(last[-1]):
            return [last[-1]], self.poses[last[-1]][:3, 3], self.path.index(last[-1])
        three = last[-3:]
        if len(three) < 3 or any(map(self.is_ball, three)) or (point := self.meeting(three)) is None:
            return None
        return three, point, self.path.index(three[0])

    def above(self, wrist: list[int], point: Array | None, k: int, links: list[int | None]) -> Parts:
        """Return the parts whose elbow and root are among the first k elements of the path."""
        rest = [e for e in self.path[:k] if self.may_move(e)]
        if links[1] is not None:
            rest = rest[: rest.index(links[1]) + 1] if links[1] in rest else []
        if not rest:
            raise BadModel(self.no_limb("no joint that moves its end"))
        elbow = rest.pop()
        if self.is_ball(elbow):  # of several balls at one point the first
            while rest and self.is_ball(rest[-1]) and self.same(rest[-1], elbow) and links[1] is None:
                elbow = rest.pop()
        if links[0] is not None:
            rest = rest[: rest.index(links[0]) + 1] if links[0] in rest else []
        if not rest:
            raise BadModel(self.no_limb(f"no joint above '{self.element(elbow).joint.name}'"))
        if self.is_ball(rest[-1]):
            root, meeting = rest[-1:], self.poses[rest[-1]][:3, 3]
        else:
            root = rest[-3:]
            found = None if len(root) < 3 or any(map(self.is_ball, root)) else self.meeting(root)
            if found is None or not self.together(root):
                names = ", ".join(self.element(e).joint.name for e in root)
                raise BadModel(self.no_limb(f"no ball and no three hinges that meet at its root (there: {names})"))
            meeting = found
        return Parts(self.path, tuple(root), elbow, tuple(self.wrist_of(wrist)), meeting, point)

    def together(self, root: list[int]) -> bool:
        """Return whether some elements are consecutive on the path."""
        first = self.path.index(root[0])
        return list(self.path[first : first + len(root)]) == root

    def same(self, e: int, other: int) -> bool:
        return bool(np.linalg.norm(self.poses[e][:3, 3] - self.poses[other][:3, 3]) <= self.near)

    def wrist_of(self, found: list[int]) -> list[int]:
        """Return the joints that orient the end; the first of several balls; none if they cannot make every rotation."""
        balls = [e for e in found if self.is_ball(e)]
        if balls:
            return balls[:1]
        hinges = found
        if len(hinges) > 4:
            return hinges[-3:]
        if len(hinges) >= 3 and (self.meeting(hinges[-3:]) is None or not self.together(hinges[-3:])):
            return []
        if len(hinges) == 4 and not self.together(hinges):
            return hinges[1:]
        return hinges if len(hinges) in (3, 4) else []

    def element_of(self, link: str | None) -> int | None:
        """Return the element on the path whose joint moves a link. Raises BadOption."""
        if link is None:
            return None
        e = self.compiled.frames[link][0] if link in self.compiled.frames else -2
        if e not in self.path:
            raise BadOption(f"'{link}' is not on the path to '{self.end}'; name links between its base and its end")
        return e

    def no_limb(self, what: str) -> str:
        return (
            f"'{self.compiled.name}' has no two-bone limb that ends at '{self.end}': {what}; a limb has a ball or three "
            f"hinges at its root and a hinge or ball at its elbow (name them by upper= and lower=)"
        )


def local(T: Array, point: Array) -> Array:
    """Return a point in the coordinates of frame T."""
    return np.asarray((inverse(T) @ np.append(point, 1.0))[:3])
