"""Compute the bone orientations of a target figure from a source motion, and the joint values for them.

Two bones have the same orientation if R B agrees (`anatomical_frames.py`), so R_target = W R_source B_source B_target^T, where W
is the rotation from the source's world to the target's.

Trunks have different numbers of bones. Each trunk is parametrised from the hips (0) to the parent of neck and arms (1). A bone of
the target takes the source's orientation at its own parameter, interpolated (slerp) between two bones. If the target has fewer
bones, its last one is then tilted so that the shoulders are in the same direction from the trunk's base as the source's. If the
source has no neck, the target's takes the orientation half-way between trunk and head. Other bones that the source lacks stay at
rest.

If the two figures have the same structure (`anatomical_frames.matched_frames`), all bones take the source's orientations
directly.

The target's forearm may have a joint that twists it, as a human forearm has. The source may leave this twist to the wrist, as
figures of CMU do, although the target's wrist can hardly twist. So the twist of the hand about the forearm is assigned to the
forearm.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_vector, quaternion_from_matrix, vector_from_matrix
from limbik.model.ranges import Ranges
from limbik.motion.retarget.anatomical_frames import TWISTING
from limbik.motion.retarget.anatomy import SIDES, Anatomy
from limbik.motion.retarget.chain_angles import SerialJoints, fit

# Shorter vectors determine no direction [m].
SHORT = 1e-6
# Bones whose ball joints share a rotation evenly.
_SHARING = ("spine", "chest", "upperChest", "neck", "head")


@dataclass(frozen=True, eq=False)
class OrientationTransfer:
    """The transfer of bone orientations from a source to a target.

    poses: (frames, all frames of the source, 4, 4). source_frames, target_frames: {bone: anatomical frame (3, 3)}. W: the
    rotation from the source's world to the target's. same: the bones whose orientations are copied.
    """

    source: Anatomy
    target: Anatomy
    poses: Array
    source_frames: dict[str, Array]
    target_frames: dict[str, Array]
    W: Array
    same: frozenset[str] = frozenset()

    def source_orientation(self, bone: str) -> Array:
        """Return the anatomical orientation of a source's bone in the target's world, (frames, 3, 3)."""
        out: Array = self.W @ self.poses[:, self.source.frame_index(bone), :3, :3] @ self.source_frames[bone]
        return out

    @cached_property
    def driven(self) -> dict[str, Array]:
        """The orientation that each driven bone of the target should have, {bone: (frames, 3, 3)}, parents first."""
        out: dict[str, Array] = {}
        for bone in self.target.names:
            if not self.target.has(bone):
                continue
            orientation = self._of_bone(bone)
            if orientation is not None:
                out[bone] = orientation
        for side in SIDES:
            self._forearm(side, out)
        return {bone: A @ self.target_frames[bone].T for bone, A in out.items()}

    def _of_bone(self, bone: str) -> Array | None:
        mine, theirs = self.target.trunk, self.source.trunk
        if bone in mine:
            if not theirs:
                return None
            if bone == mine[-1] and 2 <= len(mine) < len(theirs):
                return self._tilted_trunk(theirs[1], theirs[-1])
            place = mine.index(bone) / max(len(mine) - 1, 1) * (len(theirs) - 1)
            low = min(int(place), len(theirs) - 1)
            share = place - low
            if share < 1e-9:
                return self.source_orientation(theirs[low])
            return slerp(self.source_orientation(theirs[low]), self.source_orientation(theirs[low + 1]), share)
        if bone == "neck" and not self.source.has("neck") and self.source.has("head") and theirs:
            return slerp(self.source_orientation(theirs[-1]), self.source_orientation("head"), 0.5)
        if bone == "head" and not self.source.has("head") and self.source.has("neck"):
            return self.source_orientation("neck")
        return self.source_orientation(bone) if self.source.has(bone) else None

    def _tilted_trunk(self, first: str, last: str) -> Array:
        """Return the orientation of the last bone of a shorter trunk, (frames, 3, 3).

        It is that of the source's last bone, tilted so that the shoulders are in the same direction from the trunk's base.
        """
        source = self.source
        tops = [b for b in ("leftUpperArm", "rightUpperArm") if source.has(b)]
        tops = tops if len(tops) == 2 else [b for b in ("neck", "head") if source.has(b)][:1]
        orientation = self.source_orientation(last)
        if not tops:
            return orientation
        at_rest = np.mean([source.pose(b)[:3, 3] for b in tops], axis=0) - source.pose(first)[:3, 3]
        rest = self.source_frames[last].T @ source.local(last, at_rest)
        tip = np.mean([self.poses[:, source.frame_index(b), :3, 3] for b in tops], axis=0)
        now = (tip - self.poses[:, source.frame_index(first), :3, 3]) @ self.W.T
        if np.linalg.norm(at_rest) < SHORT or np.linalg.norm(now, axis=1).min() < SHORT:
            return orientation
        return _shortest_rotation(orientation @ rest, now) @ orientation

    def _forearm(self, side: str, out: dict[str, Array]) -> None:
        """Assign the twist of a hand to the forearm, if a joint of the target's forearm twists it."""
        upper, lower, hand = (f"{side}{part}" for part in ("UpperArm", "LowerArm", "Hand"))
        if {lower, hand} <= self.same:
            return
        if not {upper, lower, hand} <= out.keys() or not _twists(self.target, upper, lower, hand):
            return
        forearm = out[lower]
        rest = self.target_frames[lower].T @ self._rest_rotation(lower, hand) @ self.target_frames[hand]
        free = forearm.transpose(0, 2, 1) @ out[hand] @ rest.T
        x, _, _, w = np.moveaxis(quaternion_from_matrix(free), -1, 0)
        angle = np.unwrap(2 * np.arctan2(x, w))
        # The 2-pi copy closest to zero.
        angle = angle - 2 * np.pi * np.round(np.median(angle) / (2 * np.pi))
        vectors = np.zeros((len(angle), 3))
        vectors[:, 0] = angle
        out[lower] = forearm @ matrix_from_vector(vectors)

    def _rest_rotation(self, lower: str, hand: str) -> Array:
        out: Array = self.target.pose(lower)[:3, :3].T @ self.target.pose(hand)[:3, :3]
        return out


def _twists(body: Anatomy, upper: str, lower: str, hand: str) -> bool:
    """Return whether a revolute joint of a body's forearm twists it."""
    along = body.pose(lower)[:3, :3] @ body.bone_direction(lower, hand)
    for k in body.elements_between(upper, lower):
        joint = body.compiled.elements[k].joint
        if joint.kind.is_revolute and abs(body.at_rest[joint.child][:3, :3] @ joint.axis @ along) >= TWISTING:
            return True
    return False


def _shortest_rotation(a: Array, b: Array) -> Array:
    """Return the shortest rotations from directions a to b, (frames, 3) -> (frames, 3, 3)."""
    axis = np.cross(a, b)
    sine = np.linalg.norm(axis, axis=1, keepdims=True)
    angle = np.arctan2(sine, (a * b).sum(axis=1, keepdims=True))
    return matrix_from_vector(np.divide(axis * angle, sine, out=np.zeros_like(axis), where=sine > 0))


def slerp(A: Array, B: Array, share: float) -> Array:
    """Return the spherical interpolation from A to B at a fraction, (frames, 3, 3) each."""
    vectors = vector_from_matrix(A.transpose(0, 2, 1) @ B)
    return A @ matrix_from_vector(share * vectors)


def joint_values(orientations: OrientationTransfer, ranges: Ranges) -> Array:
    """Return the joint values for the driven orientations of the target's bones, as far as the limits allow, (frames, n).

    Bones are solved from the root outwards, so outer bones compensate for inner ones at a limit. The position of floating hips
    stays 0. Joints that no bone drives stay at rest.
    """
    return joint_values_of(orientations.target, orientations.driven, len(orientations.poses), ranges)


def joint_values_of(body: Anatomy, orientations: Mapping[str, Array], count: int, ranges: Ranges) -> Array:
    """Return the joint values for bone orientations {bone: (frames, 3, 3)}, parents first; as in `joint_values`."""
    compiled = body.compiled
    q = np.repeat(ranges.clamp(body.rest)[None], count, axis=0)
    world: dict[int, Array] = {-1: np.broadcast_to(np.eye(3), (count, 3, 3))}
    for bone, wanted in orientations.items():
        element, placement = compiled.frames[body.names[bone]]
        chain: list[int] = []
        at = element
        while at not in world:
            chain.append(at)
            at = compiled.elements[at].parent
        joints = SerialJoints(compiled, tuple(reversed(chain)), placement[:3, :3])
        base = world[at]
        if chain:
            fit(joints, base.transpose(0, 2, 1) @ wanted, q, ranges, shared=bone in _SHARING)
        for k, number in enumerate(joints.elements):
            base = base @ joints.placement(k) @ joints.rotation(k, q)
            world[number] = base
    return q
