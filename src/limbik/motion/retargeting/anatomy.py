"""A figure with named bones, measured in its rest posture: where its joints stand, which way it looks, how long its limbs are."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.model.compiled import Compiled
from limbik.model.humanoid import Humanoid
from limbik.model.joint import Kind
from limbik.model.mechanism import Mechanism
from limbik.model.transform import Array

TRUNK = ("hips", "spine", "chest", "upperChest")
SIDES = ("left", "right")
LIMBS = {"Arm": ("UpperArm", "LowerArm", "Hand"), "Leg": ("UpperLeg", "LowerLeg", "Foot")}
# Two directions are parallel when the sine between them is less.
PARALLEL = 1e-3


@dataclass(frozen=True, eq=False)
class Anatomy:
    """A mechanism, its q seen by `compiled`, which frames are which bones, and a rest posture."""

    mechanism: Mechanism
    compiled: Compiled
    names: Humanoid
    rest: Array

    @cached_property
    def up(self) -> Array:
        """The direction away from the ground."""
        return np.eye(3)["xyz".index(self.mechanism.up)]

    @cached_property
    def at_rest(self) -> dict[str, Array]:
        """The pose of every frame in the rest posture."""
        poses = self.compiled.kernel.forward_all(self.rest)
        return dict(zip(self.compiled.frames, poses, strict=True))

    def has(self, *bones: str) -> bool:
        """Tell whether all these bones are there."""
        return all(bone in self.names and self.names[bone] in self.compiled.frames for bone in bones)

    def number(self, bone: str) -> int:
        """Return the number of a bone's frame."""
        return self.compiled.frame_numbers[self.names[bone]]  # type: ignore[attr-defined, no-any-return]

    def pose(self, bone: str) -> Array:
        """Return the pose of a bone at rest."""
        return self.at_rest[self.names[bone]]

    def local(self, bone: str, vector: Array) -> Array:
        """Return a direction of the world at rest as the bone sees it."""
        out: Array = self.pose(bone)[:3, :3].T @ vector
        return out

    @cached_property
    def left(self) -> Array:
        """The direction to the figure's left at rest, level."""
        for part in ("UpperLeg", "UpperArm", "LowerLeg", "Foot", "Hand"):
            if self.has(f"left{part}", f"right{part}"):
                apart = self.pose(f"left{part}")[:3, 3] - self.pose(f"right{part}")[:3, 3]
                level = apart - (apart @ self.up) * self.up
                if np.linalg.norm(level) > PARALLEL * np.linalg.norm(apart):
                    return unit(level)
        return np.eye(3)[0 if self.mechanism.up == "y" else 1]

    @cached_property
    def forward(self) -> Array:
        """The direction in which the figure looks at rest."""
        return np.cross(self.left, self.up)

    @cached_property
    def trunk(self) -> tuple[str, ...]:
        """The bones from the hips to what carries neck and arms."""
        return tuple(bone for bone in TRUNK if self.has(bone))

    def limb(self, side: str, kind: str) -> tuple[str, str, str] | None:
        """Return the three bones of an arm or a leg, or None where one is missing or has no length."""
        upper, lower, end = (side + part for part in LIMBS[kind])
        if not self.has(upper, lower, end) or min(self.lengths(side, kind)) <= 0:
            return None
        return upper, lower, end

    def lengths(self, side: str, kind: str) -> tuple[float, float]:
        """Return the lengths of the two bones of a limb [m]."""
        upper, lower, end = (self.pose(side + part)[:3, 3] for part in LIMBS[kind])
        return float(np.linalg.norm(lower - upper)), float(np.linalg.norm(end - lower))

    def leads(self, bone: str, to: str) -> bool:
        """Tell whether a bone is there and stands elsewhere than another."""
        return self.has(to) and bool(np.linalg.norm(self.pose(to)[:3, 3] - self.pose(bone)[:3, 3]) > 0)

    def way(self, bone: str, to: str) -> Array:
        """Return the direction from a bone to the next joint, as the bone sees it; up the world where they coincide."""
        T, end = self.pose(bone), self.pose(to)[:3, 3]
        apart = end - T[:3, 3]
        length = np.linalg.norm(apart)
        return self.local(bone, apart / length if length > 0 else self.up)

    def movers(self, first: str, end: str) -> list[int]:
        """Return the elements that move a limb, from what carries its first bone to its end; a floating joint never."""
        carrier = self.names.parent(first)
        found = self.between(carrier, end) if carrier is not None and self.has(carrier) else self.between(None, end)
        return [k for k in found if self.compiled.elements[k].joint.kind is not Kind.FLOATING]

    def between(self, above: str | None, below: str) -> list[int]:
        """Return the elements that move `below` against `above`, or against the base, the first one first."""
        stop = -1 if above is None else self.compiled.frames[self.names[above]][0]
        at = self.compiled.frames[self.names[below]][0]
        found: list[int] = []
        while at >= 0 and at != stop:
            found.append(at)
            at = self.compiled.elements[at].parent
        return found[::-1]

    @cached_property
    def floating(self) -> int:
        """The element that moves the hips freely; -1 where none does."""
        if not self.trunk or self.trunk[0] != "hips":
            return -1
        at = self.compiled.frames[self.names["hips"]][0]
        while at >= 0:
            if self.compiled.elements[at].joint.kind is Kind.FLOATING:
                return at
            at = self.compiled.elements[at].parent
        return -1


def unit(vector: Array) -> Array:
    """Return a vector of length 1 in the same direction."""
    out: Array = vector / np.linalg.norm(vector)
    return out
