"""A figure with named bones in its rest posture (configuration): bone positions, facing direction, and lengths of limbs."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.humanoid import Humanoid
from limbik.model.joint import Kind
from limbik.model.mechanism import Mechanism

TRUNK = ("hips", "spine", "chest", "upperChest")
SIDES = ("left", "right")
LIMBS = {"Arm": ("UpperArm", "LowerArm", "Hand"), "Leg": ("UpperLeg", "LowerLeg", "Foot")}
# Two directions are parallel if the sine of the angle between them is below this.
PARALLEL = 1e-3
# A figure is upright if the cosine between its height and up is at least this.
UPRIGHT = 0.7


@dataclass(frozen=True, eq=False)
class Anatomy:
    """A mechanism with its compiled form, the frames of its bones, and a rest posture.

    recorded: whether the rest posture is a frame of a motion, in which arms hang naturally, not in the anatomical position.
    """

    mechanism: Mechanism
    compiled: Compiled
    names: Humanoid
    rest: Array
    recorded: bool = False

    @cached_property
    def up(self) -> Array:
        """The direction away from the ground."""
        out: Array = np.eye(3)["xyz".index(self.mechanism.up)]
        return out

    @cached_property
    def at_rest(self) -> dict[str, Array]:
        """The pose of every frame in the rest posture, by name."""
        poses = self.compiled.kernel.forward_all(self.rest)
        return dict(zip(self.compiled.frames, poses, strict=True))

    def has(self, *bones: str) -> bool:
        """Return whether all these bones exist."""
        return all(bone in self.names and self.names[bone] in self.compiled.frames for bone in bones)

    def frame_index(self, bone: str) -> int:
        """Return the index of a bone's frame."""
        return self.compiled.frame_numbers[self.names[bone]]

    def pose(self, bone: str) -> Array:
        """Return the pose of a bone at rest."""
        return self.at_rest[self.names[bone]]

    def local(self, bone: str, vector: Array) -> Array:
        """Return a direction of the world at rest in the bone's frame."""
        out: Array = self.pose(bone)[:3, :3].T @ vector
        return out

    @cached_property
    def upright(self) -> Array:
        """The direction from the feet to the head at rest: up, or the closest axis if the figure is not upright.

        URDF files are z-up, but the height of a figure with a fixed base may be along y.
        """
        low = [b for b in ("leftFoot", "rightFoot", "leftLowerLeg", "rightLowerLeg", "hips") if self.has(b)][:2]
        high = [
            b for b in ("head", "neck", "leftUpperArm", "rightUpperArm", "upperChest", "chest", "spine") if self.has(b)
        ][:2]
        if not low or not high:
            return self.up
        ends = [np.mean([self.pose(bone)[:3, 3] for bone in bones], axis=0) for bones in (low, high)]
        tall = ends[1] - ends[0]
        length = np.linalg.norm(tall)
        if length <= 0 or tall @ self.up >= UPRIGHT * length:
            return self.up
        axis = int(np.argmax(np.abs(tall)))
        out: Array = np.sign(tall[axis]) * np.eye(3)[axis]
        return out

    @cached_property
    def left(self) -> Array:
        """The horizontal direction to the figure's left at rest."""
        for part in ("UpperLeg", "UpperArm", "LowerLeg", "Foot", "Hand"):
            if self.has(f"left{part}", f"right{part}"):
                apart = self.pose(f"left{part}")[:3, 3] - self.pose(f"right{part}")[:3, 3]
                level = apart - (apart @ self.upright) * self.upright
                if np.linalg.norm(level) > PARALLEL * np.linalg.norm(apart):
                    return unit(level)
        return np.roll(np.abs(self.upright), 2)

    @cached_property
    def forward(self) -> Array:
        """The direction in which the figure faces at rest."""
        return np.cross(self.left, self.upright)

    @cached_property
    def trunk(self) -> tuple[str, ...]:
        """The bones from the hips to the parent of neck and arms."""
        return tuple(bone for bone in TRUNK if self.has(bone))

    def limb(self, side: str, kind: str) -> tuple[str, str, str] | None:
        """Return the three bones of an arm or a leg, or None if one is missing or has no length."""
        upper, lower, end = (side + part for part in LIMBS[kind])
        if not self.has(upper, lower, end) or min(self.lengths(side, kind)) <= 0:
            return None
        return upper, lower, end

    def lengths(self, side: str, kind: str) -> tuple[float, float]:
        """Return the lengths of the two bones of a limb [m]."""
        upper, lower, end = (self.pose(side + part)[:3, 3] for part in LIMBS[kind])
        return float(np.linalg.norm(lower - upper)), float(np.linalg.norm(end - lower))

    def has_direction(self, bone: str, to: str) -> bool:
        """Return whether the bone `to` exists at another position than `bone`."""
        return self.has(to) and bool(np.linalg.norm(self.pose(to)[:3, 3] - self.pose(bone)[:3, 3]) > 0)

    def bone_direction(self, bone: str, to: str) -> Array:
        """Return the direction from a bone to another, in the bone's frame; up if they coincide."""
        T, end = self.pose(bone), self.pose(to)[:3, 3]
        apart = end - T[:3, 3]
        length = np.linalg.norm(apart)
        return self.local(bone, apart / length if length > 0 else self.up)

    def moving_elements(self, first: str, end: str) -> list[int]:
        """Return the elements that move a limb, from the parent of its first bone to its end, without a floating joint."""
        parent = self.names.parent(first)
        found = self.elements_between(parent if parent is not None and self.has(parent) else None, end)
        return [k for k in found if self.compiled.elements[k].joint.kind is not Kind.FLOATING]

    def elements_between(self, above: str | None, below: str) -> list[int]:
        """Return the elements between `above` (or the base) and `below`, in order."""
        stop = -1 if above is None else self.compiled.frames[self.names[above]][0]
        at = self.compiled.frames[self.names[below]][0]
        found: list[int] = []
        while at >= 0 and at != stop:
            found.append(at)
            at = self.compiled.elements[at].parent
        return found[::-1]

    @cached_property
    def floating(self) -> int:
        """The index of the floating element that moves the hips; -1 for none."""
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
