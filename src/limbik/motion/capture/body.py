"""A figure with markers: their positions and Jacobians by joint values, bone lengths and offsets.

A marker m with the offset o in the frame f is at p = x_f + R_f o. With the frame's Jacobian J_f (6, n) and a = R_f o, the
marker's Jacobian is [I, -[a]x] J_f. The normal equations of postures do not need it (`composite`).

A bone is a joint with a non-zero translation t from its parent; its length is |t|. A change ds of its factor s moves every marker
further out by R_parent t ds. Translations before the first moving joint are not bones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled, compile_mechanism
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism
from limbik.model.ranges import Ranges
from limbik.motion.capture.composite import Columns, columns, composite_equations

# Joints closer than this to their parent are not bones [m].
SHORTEST_BONE = 1e-6
# The prior distances of markers from bones, and from the last joint of a limb, as fractions of the figure's size: 7 and 15 cm
# on a human figure.
FLESH, ENDS = 0.045, 0.1
# Frames per batch, so that the Jacobians stay in the cache.
TOGETHER = 128


@dataclass(frozen=True, eq=False)
class Body:
    """A mechanism with markers: the frame of each marker (`on`), and the offsets (markers, 3) in these frames [m]."""

    mechanism: Mechanism
    base: str
    tip: str | None
    on: tuple[str, ...]
    offsets: Array

    @cached_property
    def compiled(self) -> Compiled:
        """The compiled mechanism."""
        whole = self.tip is None
        return compile_mechanism(self.mechanism, self.base, self.base if whole else str(self.tip), whole_tree=whole)

    @cached_property
    def ranges(self) -> Ranges:
        """The ranges of q."""
        return Ranges(self.compiled)

    @property
    def n(self) -> int:
        """The number of joint values."""
        return self.compiled.n

    @cached_property
    def rest(self) -> Array:
        """The zero posture, clamped to the ranges."""
        return self.ranges.clamp(np.zeros(self.n))

    @cached_property
    def groups(self) -> tuple[tuple[int, Array], ...]:
        """For each frame with markers: its index, and the indices of its markers."""
        numbers = self.compiled.frame_numbers
        kept = dict.fromkeys(self.on)
        return tuple((numbers[f], np.array([k for k, g in enumerate(self.on) if g == f])) for f in kept)

    @cached_property
    def columns(self) -> Columns | None:
        """The markers that each joint value moves."""
        return columns(self.compiled, self.on)

    @cached_property
    def bones(self) -> tuple[Joint, ...]:
        """The joints whose origins define bones."""
        frames = self.compiled.frames
        return tuple(
            joint
            for joint in self.mechanism.joints
            if joint.child in frames
            and joint.parent in frames
            and self._moves(joint.parent)
            and np.linalg.norm(joint.origin[:3, 3]) > SHORTEST_BONE
        )

    def _moves(self, link: str) -> bool:
        return any(joint.kind is not Kind.FIXED for joint in self.mechanism.ancestry(link))

    @cached_property
    def beyond(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """(bones, markers) whether a bone moves a marker."""
        moving = {f: {joint.name for joint in self.mechanism.ancestry(f)} for f in dict.fromkeys(self.on)}
        return np.array([[bone.name in moving[f] for f in self.on] for bone in self.bones]).reshape(-1, len(self.on))

    @cached_property
    def halfway(self) -> Array:
        """(markers, 3) the middle of the bones of a marker's frame: the prior mean of an unknown offset."""
        middles = {
            f: 0.5 * np.mean(vectors, axis=0) if vectors else np.zeros(3) for f, vectors in self._bone_vectors.items()
        }
        return np.array([middles[f] for f in self.on])

    @cached_property
    def around(self) -> Array:
        """(markers, 3) the prior standard deviation of an unknown offset, along the axes of its frame [m].

        Markers are on the skin, at a distance from the bones and anywhere along them. The size of end segments (hand, foot,
        head) is unknown.
        """
        room = {}
        for f, vectors in self._bone_vectors.items():
            apart = np.ptp([np.zeros(3), *vectors], axis=0)
            room[f] = 0.5 * apart + FLESH * self.span if vectors else np.full(3, ENDS * self.span)
        return np.array([room[f] for f in self.on])

    @cached_property
    def _bone_vectors(self) -> dict[str, list[Array]]:
        """The bone vectors of each frame with markers."""
        return {f: [bone.origin[:3, 3] for bone in self.bones if bone.parent == f] for f in dict.fromkeys(self.on)}

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The frames whose positions are assessed: those with markers, and the ends of bones."""
        return tuple(dict.fromkeys([*self.on, *(bone.child for bone in self.bones)]))

    @cached_property
    def unobserved(self) -> tuple[Joint, ...]:
        """The bones without a marker on the parent link, on the bone, or further out."""
        return tuple(
            bone for k, bone in enumerate(self.bones) if not self.beyond[k].any() and bone.parent not in self.on
        )

    @cached_property
    def span(self) -> float:
        """The size of the figure at rest: the diagonal of the bounding box of its frames [m]."""
        poses = self.compiled.kernel.forward_all(self.rest)[:, :3, 3]
        return max(float(np.linalg.norm(np.ptp(poses[1:] if len(poses) > 1 else poses, axis=0))), 1e-9)

    def resized(self, factors: Array, offsets: Array) -> "Body":
        """Return this body with its bones multiplied by (bones,) factors and other offsets."""
        return replace(self, mechanism=resized(self.mechanism, self.bones, factors), offsets=offsets)

    # ---- many postures at once ---------------------------------------------------------------------------------------

    def positions(self, q: Array) -> Array:
        """Return the positions of the markers, (frames, n) -> (frames, markers, 3)."""
        poses = self.compiled.kernel.forward_all(q)
        return self._positions(poses)

    def _positions(self, poses: Array) -> Array:
        p = np.empty((len(poses), len(self.on), 3))
        for number, of in self.groups:
            T = poses[:, number]
            p[:, of] = T[:, None, :3, 3] + self.offsets[of] @ T[:, :3, :3].transpose(0, 2, 1)
        return p

    def normal_equations(self, q: Array, pull: Array, weights: Array) -> tuple[Array, Array]:
        """Return J^T W J (frames, n, n) and J^T W r (frames, n) of r = pull (frames, markers, 3), weights (frames, markers)."""
        A, g = np.empty((len(q), self.n, self.n)), np.empty((len(q), self.n))
        for start in range(0, len(q), TOGETHER):
            part = slice(start, start + TOGETHER)
            if self.columns is None:
                J = self.marker_jacobians(q[part])[0].reshape(len(q[part]), -1, self.n)
                wJ = (np.repeat(weights[part], 3, axis=1)[..., None] * J).transpose(0, 2, 1)
                A[part], g[part] = wJ @ J, (wJ @ pull[part].reshape(len(J), -1, 1))[..., 0]
                continue
            poses = self.compiled.kernel.forward_all(q[part])
            A[part], g[part] = composite_equations(
                self.compiled, self.columns, poses, q[part], self._positions(poses), pull[part], weights[part]
            )
        return A, g

    def marker_jacobians(self, q: Array) -> tuple[Array, Array]:
        """Return the marker Jacobians by q (frames, markers, 3, n), and by offsets (frames, markers, 3, 3)."""
        kernel = self.compiled.kernel
        poses = kernel.forward_all(q)
        J = np.empty((len(q), len(self.on), 3, self.n))
        R = np.empty((len(q), len(self.on), 3, 3))
        for number, of in self.groups:
            moved = kernel.jacobian(q, number)
            R[:, of] = poses[:, None, number, :3, :3]
            a = self.offsets[of] @ poses[:, number, :3, :3].transpose(0, 2, 1)
            J[:, of] = moved[:, None, :3] - crossing(a) @ moved[:, None, 3:]
        return J, R

    def bone_jacobians(self, q: Array, bones: Sequence[Joint]) -> Array:
        """Return the marker Jacobians by the length factors of `bones`, (frames, markers, 3, bones)."""
        poses = self.compiled.kernel.forward_all(q)
        numbers = self.compiled.frame_numbers
        D = np.zeros((len(q), len(self.on), 3, len(bones)))
        for k, bone in enumerate(bones):
            vector = poses[:, numbers[bone.parent], :3, :3] @ bone.origin[:3, 3]
            D[..., k] = vector[:, None] * self.beyond[k][None, :, None]
        return D


def crossing(a: Array) -> Array:
    """Return the matrices [a]x with [a]x v = a x v, (..., 3) -> (..., 3, 3)."""
    out = np.zeros((*a.shape, 3))
    out[..., 0, 1], out[..., 0, 2] = -a[..., 2], a[..., 1]
    out[..., 1, 0], out[..., 1, 2] = a[..., 2], -a[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -a[..., 1], a[..., 0]
    return out


def resized(mechanism: Mechanism, bones: Sequence[Joint], factors: Array) -> Mechanism:
    """Return a mechanism with scaled bones; shapes and centres of mass of a link scale with its bones."""
    factor = {bone.name: float(by) for bone, by in zip(bones, factors, strict=True)}

    def changed(joint: Joint) -> Joint:
        if joint.name not in factor:
            return joint
        origin = np.array(joint.origin)
        origin[:3, 3] *= factor[joint.name]
        return joint.moved_to(origin=origin)

    across: dict[str, list[float]] = {}
    for bone in bones:
        across.setdefault(bone.parent, []).append(factor[bone.name])
    parent_joint = {joint.child: joint for joint in mechanism.joints}

    def size(link: str) -> float:
        if link in across:
            return float(np.mean(across[link]))
        while link in parent_joint:
            if parent_joint[link].name in factor:
                return factor[parent_joint[link].name]
            link = parent_joint[link].parent
        return 1.0

    links = tuple(link.scaled(size(link.name)) for link in mechanism.links)
    return mechanism.replaced((changed(joint) for joint in mechanism.joints), links)
