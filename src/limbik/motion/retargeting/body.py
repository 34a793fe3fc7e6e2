"""A figure with named bones, measured: which way each bone points, about which axis elbows and knees bend, where its soles are.

Two figures are compared by anatomical frames: for every bone a rotation B in its own frame whose columns mean the same in every
body. A bone of the one stands as a bone of the other when R B agrees, R being its orientation in the world. B's first column is
the bone's direction d, the second a side s, the third d x s:

- trunk (hips to head, collar bones): d is up and s to the left, in the rest posture. So their rest postures are taken as equal.
- upper and lower arms and legs: d leads to the next joint and s is the axis about which elbow or knee bends. A joint with one
  axis says so itself. A ball does not: there s is the mean of d x d' over a motion, d' being the direction of the lower bone;
  long bends count more. Where nothing bends enough, elbows bend forwards and knees backwards in the rest posture.
- hands: d leads to the fingers (where there are none, on along the lower arm at rest), s to the thumb (where there is none:
  forwards if the arm is held out at rest, palms down; outwards if it hangs, palms forward, the anatomical position).
- feet: s is up when the foot stands flat, d leads to the toes along the ground. Flat is how it stands in a motion where it
  stands; where no motion is known, in the rest posture. Rest postures of files may have rolled feet (CMU's have, by 20 degrees).

Directions do not depend on the rest posture, so it need not be a T-pose: it only has to stand upright.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.model.compiled import Compiled
from limbik.model.humanoid import Humanoid
from limbik.model.joint import Kind
from limbik.model.mechanism import Mechanism
from limbik.model.shape import Capsule
from limbik.model.transform import Array

TRUNK = ("hips", "spine", "chest", "upperChest")
SIDES = ("left", "right")
LIMBS = {"Arm": ("UpperArm", "LowerArm", "Hand"), "Leg": ("UpperLeg", "LowerLeg", "Foot")}
# A bend of less than this at all times tells no axis [rad], as the mean of its sine.
LEAST_BEND = 0.05
# An arm whose direction at rest has this much of down hangs.
HANGING = 0.7
# Two directions are parallel when the sine between them is less.
PARALLEL = 1e-3
# What a joint is that twists a bone: the cosine between its axis and the bone is at least this.
TWISTING = 0.9


@dataclass(frozen=True, eq=False)
class Body:
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
        """Return the three bones of an arm or a leg, or None where one is missing."""
        upper, lower, end = (side + part for part in LIMBS[kind])
        return (upper, lower, end) if self.has(upper, lower, end) else None

    def lengths(self, side: str, kind: str) -> tuple[float, float]:
        """Return the lengths of the two bones of a limb [m]."""
        upper, lower, end = (self.pose(side + part)[:3, 3] for part in LIMBS[kind])
        return float(np.linalg.norm(lower - upper)), float(np.linalg.norm(end - lower))

    def way(self, bone: str, to: str) -> Array:
        """Return the direction from a bone to the next joint, as the bone sees it; up the world where they coincide."""
        T, end = self.pose(bone), self.pose(to)[:3, 3]
        apart = end - T[:3, 3]
        length = np.linalg.norm(apart)
        return self.local(bone, apart / length if length > 0 else self.up)

    # ---- how elbows and knees bend -----------------------------------------------------------------------------------

    def between(self, above: str, below: str) -> list[int]:
        """Return the elements that move `below` against `above`, the first one first."""
        stop = self.compiled.frames[self.names[above]][0]
        at = self.compiled.frames[self.names[below]][0]
        found: list[int] = []
        while at >= 0 and at != stop:
            found.append(at)
            at = self.compiled.elements[at].parent
        return found[::-1]

    def hinge(self, side: str, kind: str) -> Array | None:
        """Return the axis of the one-axis joint that bends a limb, in the world at rest; None where a ball does.

        It points so that turning about it bends: the way in which the joint goes farther, the usual one where both are alike.
        """
        upper, lower = (side + part for part in LIMBS[kind][:2])
        along = self.pose(upper)[:3, :3] @ self.way(upper, lower)
        for element in (self.compiled.elements[k] for k in self.between(upper, lower)):
            joint = element.joint
            if not joint.kind.turns:
                continue
            axis = self.at_rest[joint.child][:3, :3] @ joint.axis
            if abs(axis @ along) >= TWISTING:
                continue
            low, high = joint.lower, joint.upper
            one_way = np.isfinite(high - low) and abs(low + high) > 0.5 * (high - low)
            sign = low + high if one_way else axis @ self.usual_axis(side, kind)
            return unit(axis - (axis @ along) * along) * (1.0 if sign >= 0 else -1.0)
        return None

    def usual_axis(self, side: str, kind: str) -> Array:
        """Return the axis in the world at rest about which an elbow bends forwards, or a knee backwards."""
        upper, lower = (side + part for part in LIMBS[kind][:2])
        along = self.pose(upper)[:3, :3] @ self.way(upper, lower)
        towards = self.forward if kind == "Arm" else -self.forward
        axis = np.cross(along, towards)
        if np.linalg.norm(axis) < PARALLEL:
            axis = np.cross(along, self.up)
        return unit(axis)

    def bend_axes(self, side: str, kind: str, poses: Array | None) -> tuple[Array, Array]:
        """Return the axis about which a limb bends, as the upper and as the lower bone see it.

        poses: (frames, all frames of the figure, 4, 4) of a motion, or None.
        """
        upper, lower, end = (side + part for part in LIMBS[kind])
        usual = self.usual_axis(side, kind)
        axis = self.hinge(side, kind)
        if axis is not None:
            return self.local(upper, axis), self.local(lower, axis)
        if poses is not None:
            R, S = (poses[:, self.number(bone), :3, :3] for bone in (upper, lower))
            bend = np.cross(R @ self.way(upper, lower), S @ self.way(lower, end))
            means = [np.einsum("fji,fj->i", turned, bend) / len(bend) for turned in (R, S)]
            if min(np.linalg.norm(mean) for mean in means) >= LEAST_BEND:
                return unit(means[0]), unit(means[1])
        return self.local(upper, usual), self.local(lower, usual)

    # ---- what columns mean the same in every body --------------------------------------------------------------------

    def frames(self, poses: Array | None = None, flat: Mapping[str, Array] | None = None) -> dict[str, Array]:
        """Return the anatomical frame of every bone as the bone sees it, {bone: (3, 3)}.

        poses: of a motion, to learn bends from. flat: for feet, the direction that is up when they stand, as the foot sees it.
        """
        upright = np.stack([self.up, self.left, np.cross(self.up, self.left)], -1)
        out: dict[str, Array] = {}
        for bone in self.names:
            if self.has(bone):
                out[bone] = self.pose(bone)[:3, :3].T @ upright
        for side in SIDES:
            for kind in LIMBS:
                if self.limb(side, kind) is None:
                    continue
                upper, lower, end = (side + part for part in LIMBS[kind])
                axes = self.bend_axes(side, kind, poses)
                out[upper] = frame(self.way(upper, lower), axes[0])
                out[lower] = frame(self.way(lower, end), axes[1])
            if self.has(f"{side}Hand"):
                self._hand(side, out)
            if self.has(f"{side}Foot"):
                self._foot(side, out, (flat or {}).get(f"{side}Foot"))
        return out

    def _hand(self, side: str, out: dict[str, Array]) -> None:
        hand = f"{side}Hand"
        knuckle = next((f"{side}{f}Proximal" for f in ("Middle", "Index", "Ring") if self._leads(hand, f"{side}{f}Proximal")), None)  # fmt: skip
        along = self.pose(hand)[:3, 3] - self.pose(f"{side}LowerArm")[:3, 3] if self.has(f"{side}LowerArm") else -self.up
        d = self.way(hand, knuckle) if knuckle else self.local(hand, unit(along))
        outward = self.left if side == "left" else -self.left
        world = self.pose(hand)[:3, :3] @ d
        to_thumb = self.local(hand, outward if world @ self.up < -HANGING else self.forward)
        thumb = self._thumb(side)
        if thumb is not None and np.linalg.norm(np.cross(d, thumb)) > 0.2:
            to_thumb = thumb
        out[hand] = frame(d, to_thumb - (to_thumb @ d) * d, second=True)
        for bone in out:
            if bone.startswith(side) and self.names.parent(bone) is not None and _is_finger(bone):
                out[bone] = self.pose(bone)[:3, :3].T @ self.pose(hand)[:3, :3] @ out[hand]

    def _leads(self, bone: str, to: str) -> bool:
        return self.has(to) and bool(np.linalg.norm(self.pose(to)[:3, 3] - self.pose(bone)[:3, 3]) > 0)

    def _thumb(self, side: str) -> Array | None:
        """Return the direction from the hand to the end of the thumb, as the hand sees it."""
        hand, first = f"{side}Hand", f"{side}ThumbMetacarpal"
        if not self.has(first):
            return None
        start = self.pose(hand)[:3, 3]
        ends = [self.names[b] for b in (first, f"{side}ThumbProximal", f"{side}ThumbDistal") if self.has(b)]
        ends += [j.child for j in self.mechanism.joints if j.parent in ends and j.child in self.at_rest]
        apart = self.at_rest[ends[-1]][:3, 3] - start
        return self.local(hand, unit(apart)) if np.linalg.norm(apart) > 0 else None

    def _foot(self, side: str, out: dict[str, Array], flat: Array | None) -> None:
        foot, toes = f"{side}Foot", f"{side}Toes"
        up = self.local(foot, self.up) if flat is None else unit(flat)
        ahead = self.local(foot, self.forward)
        if self._leads(foot, toes):
            to_toes = self.way(foot, toes)
            if np.linalg.norm(np.cross(to_toes, up)) > 0.3:
                ahead = to_toes
        out[foot] = frame(ahead - (ahead @ up) * up, up)
        if self.has(toes):
            out[toes] = self.pose(toes)[:3, :3].T @ self.pose(foot)[:3, :3] @ out[foot]

    # ---- soles -------------------------------------------------------------------------------------------------------

    def sole(self, side: str, turned: Array) -> tuple[Array, Array]:
        """Return points of a foot's sole as the foot sees it, the heel first, the ball or tip on which it rolls off last.

        turned: the foot's anatomical frame. The second result is where its toes turn, or the same tip: (k, 3), (3,).
        """
        foot, toes = f"{side}Foot", f"{side}Toes"
        up, ahead = turned[:, 1], turned[:, 0]
        name = self.names[foot]
        ends = [
            (np.asarray(end), shape.radius)
            for link in self.mechanism.links
            if link.name == name
            for shape in link.shapes
            if isinstance(shape, Capsule)
            for end in (shape.start, shape.end)
        ]
        T = self.pose(foot)
        below = [self.at_rest[j.child][:3, 3] for j in self.mechanism.joints if self._hangs(j.child, name)]
        hanging = [T[:3, :3].T @ (p - T[:3, 3]) for p in below]
        depth = min([float(p @ up) - r for p, r in ends] + [float(p @ up) for p in hanging], default=0.0)
        depth = min(depth, 0.0)
        ways = [float(p @ ahead) for p, _ in ends] + [float(p @ ahead) for p in hanging] + [0.0]
        heel = min(ways) * ahead + depth * up
        tip = max(ways) * ahead + depth * up
        if self._leads(foot, toes):
            pivot = T[:3, :3].T @ (self.pose(toes)[:3, 3] - T[:3, 3])
            return np.stack([heel, (pivot @ ahead) * ahead + depth * up]), pivot
        return np.stack([heel, tip]), tip

    def _hangs(self, link: str, on: str) -> bool:
        return link in self.at_rest and any(j.parent == on for j in self.mechanism.ancestry(link))

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


def frame(d: Array, s: Array, *, second: bool = False) -> Array:
    """Return the frame whose first column is along d and second near s; second: where s has no part across d, any across."""
    d = unit(d)
    across = s - (s @ d) * d
    if np.linalg.norm(across) < PARALLEL:
        across = np.eye(3)[np.argmin(np.abs(d))]
        across = across - (across @ d) * d
    across = unit(across)
    return np.stack([d, across, np.cross(d, across)], -1)


def _is_finger(bone: str) -> bool:
    return any(name in bone for name in ("Thumb", "Index", "Middle", "Ring", "Little"))
