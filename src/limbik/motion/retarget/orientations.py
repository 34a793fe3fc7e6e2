"""The bone orientations of a target figure from a source motion, and the joint values for them.

Two bones have the same orientation if R B agrees (`anatomical_frames.py`), so R_target = W R_source B_source B_target^T; W
rotates the source's world to the target's.

Trunks have different numbers of bones. Both are read as one curve from the hips (0) to the bone that carries neck and arms (1);
a target's bone takes the turn that the source has at its part of the curve, on the short arc between two of its bones. Where the
target has fewer, its last bone is then tilted until the shoulders lie in the direction in which the source's do. A neck
that the source lacks turns half way to the head. Other bones that it lacks stay as they are at rest.

Bones of figures that are built alike (`anatomical_frames.aligned`) take the source's turns as they are.

A forearm of a target may have a joint that turns it about itself, as a human's has; the source may leave that turn to the wrist,
as CMU's figures do, and a wrist can hardly do it. So there the turn of the hand about the forearm goes to the forearm.
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
from limbik.motion.retarget.chain_angles import Row, fit

# Shorter vectors have no direction [m].
SHORT = 1e-6
# Bones whose joints share a rotation.
_SHARING = ("spine", "chest", "upperChest", "neck", "head")


@dataclass(frozen=True, eq=False)
class Turns:
    """A source's motion as anatomical orientations. poses: (frames, its frames, 4, 4). W: from its world to the target's.

    same: bones that are the same in both.
    """

    source: Anatomy
    target: Anatomy
    poses: Array
    source_frames: dict[str, Array]
    target_frames: dict[str, Array]
    W: Array
    same: frozenset[str] = frozenset()

    def seen(self, bone: str) -> Array:
        """Return the anatomical orientation of a source's bone in the target's world, (frames, 3, 3)."""
        out: Array = self.W @ self.poses[:, self.source.number(bone), :3, :3] @ self.source_frames[bone]
        return out

    @cached_property
    def driven(self) -> dict[str, Array]:
        """The orientation that each bone of the target takes, {bone: (frames, 3, 3)}, parents first."""
        out: dict[str, Array] = {}
        for bone in self.target.names:
            if not self.target.has(bone):
                continue
            turned = self._of_bone(bone)
            if turned is not None:
                out[bone] = turned
        for side in SIDES:
            self._forearm(side, out)
        return {bone: A @ self.target_frames[bone].T for bone, A in out.items()}

    def _of_bone(self, bone: str) -> Array | None:
        mine, theirs = self.target.trunk, self.source.trunk
        if bone in mine:
            if not theirs:
                return None
            if bone == mine[-1] and 2 <= len(mine) < len(theirs):
                return self._leaning(theirs[1], theirs[-1])
            place = mine.index(bone) / max(len(mine) - 1, 1) * (len(theirs) - 1)
            low = min(int(place), len(theirs) - 1)
            share = place - low
            if share < 1e-9:
                return self.seen(theirs[low])
            return between(self.seen(theirs[low]), self.seen(theirs[low + 1]), share)
        if bone == "neck" and not self.source.has("neck") and self.source.has("head") and theirs:
            return between(self.seen(theirs[-1]), self.seen("head"), 0.5)
        if bone == "head" and not self.source.has("head") and self.source.has("neck"):
            return self.seen("neck")
        return self.seen(bone) if self.source.has(bone) else None

    def _leaning(self, first: str, last: str) -> Array:
        """Return how a trunk of few bones turns: as the last of many, tilted so that its shoulders lie where theirs do."""
        source = self.source
        tops = [b for b in ("leftUpperArm", "rightUpperArm") if source.has(b)]
        tops = tops if len(tops) == 2 else [b for b in ("neck", "head") if source.has(b)][:1]
        turned = self.seen(last)
        if not tops:
            return turned
        at_rest = np.mean([source.pose(b)[:3, 3] for b in tops], axis=0) - source.pose(first)[:3, 3]
        rest = self.source_frames[last].T @ source.local(last, at_rest)
        tip = np.mean([self.poses[:, source.number(b), :3, 3] for b in tops], axis=0)
        now = (tip - self.poses[:, source.number(first), :3, 3]) @ self.W.T
        if np.linalg.norm(at_rest) < SHORT or np.linalg.norm(now, axis=1).min() < SHORT:
            return turned
        return _onto(turned @ rest, now) @ turned

    def _forearm(self, side: str, out: dict[str, Array]) -> None:
        upper, lower, hand = (f"{side}{part}" for part in ("UpperArm", "LowerArm", "Hand"))
        if {lower, hand} <= self.same:
            return
        if not {upper, lower, hand} <= out.keys() or not _twists(self.target, upper, lower, hand):
            return
        forearm = out[lower]
        rest = self.target_frames[lower].T @ self._rest_turn(lower, hand) @ self.target_frames[hand]
        free = forearm.transpose(0, 2, 1) @ out[hand] @ rest.T
        x, _, _, w = np.moveaxis(quaternion_from_matrix(free), -1, 0)
        angle = np.unwrap(2 * np.arctan2(x, w))
        # The rotation closest to the identity.
        angle = angle - 2 * np.pi * np.round(np.median(angle) / (2 * np.pi))
        vectors = np.zeros((len(angle), 3))
        vectors[:, 0] = angle
        out[lower] = forearm @ matrix_from_vector(vectors)

    def _rest_turn(self, lower: str, hand: str) -> Array:
        out: Array = self.target.pose(lower)[:3, :3].T @ self.target.pose(hand)[:3, :3]
        return out


def _twists(body: Anatomy, upper: str, lower: str, hand: str) -> bool:
    """Return whether a joint of a body's forearm twists it."""
    along = body.pose(lower)[:3, :3] @ body.way(lower, hand)
    for k in body.between(upper, lower):
        joint = body.compiled.elements[k].joint
        if joint.kind.turns and abs(body.at_rest[joint.child][:3, :3] @ joint.axis @ along) >= TWISTING:
            return True
    return False


def _onto(a: Array, b: Array) -> Array:
    """Return the shortest rotations from directions a to b, (frames, 3) -> (frames, 3, 3)."""
    axis = np.cross(a, b)
    sine = np.linalg.norm(axis, axis=1, keepdims=True)
    angle = np.arctan2(sine, (a * b).sum(axis=1, keepdims=True))
    return matrix_from_vector(np.divide(axis * angle, sine, out=np.zeros_like(axis), where=sine > 0))


def between(A: Array, B: Array, share: float) -> Array:
    """Return the spherical interpolation from A to B at a fraction, (frames, 3, 3)."""
    vectors = vector_from_matrix(A.transpose(0, 2, 1) @ B)
    return A @ matrix_from_vector(share * vectors)


def angles(turns: Turns, ranges: Ranges) -> Array:
    """Return the joint values for the driven orientations of the target's bones, as far as the limits allow, (frames, n).

    Bones are solved outwards: later bones compensate for earlier ones at a limit. The position of floating hips stays 0. Joints
    that no bone drives stay at rest.
    """
    return turned_as(turns.target, turns.driven, len(turns.poses), ranges)


def turned_as(body: Anatomy, orientations: Mapping[str, Array], count: int, ranges: Ranges) -> Array:
    """Return the joint values for bone orientations {bone: (frames, 3, 3)}, parents first; as in `angles`."""
    compiled = body.compiled
    q = np.repeat(ranges.clamp(body.rest)[None], count, axis=0)
    world: dict[int, Array] = {-1: np.broadcast_to(np.eye(3), (count, 3, 3))}
    for bone, wanted in orientations.items():
        element, mount = compiled.frames[body.names[bone]]
        chain: list[int] = []
        at = element
        while at not in world:
            chain.append(at)
            at = compiled.elements[at].parent
        row = Row(compiled, tuple(reversed(chain)), mount[:3, :3])
        base = world[at]
        if chain:
            fit(row, base.transpose(0, 2, 1) @ wanted, q, ranges, shared=bone in _SHARING)
        for k, number in enumerate(row.elements):
            base = base @ row.mount(k) @ row.turns(k, q)
            world[number] = base
    return q
