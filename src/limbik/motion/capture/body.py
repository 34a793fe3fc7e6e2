"""A figure with markers on it: where they are, and how they move with joints, bone lengths and offsets.

A marker m with the offset o in the frame f stands at p = x_f + R_f o. With J_f (6, n) the frame's velocity per joint
velocity and a = R_f o, the marker's is [I, -[a]x] J_f. The normal equations of postures do without (`composite`).

A bone is a joint that stands away from the one that carries it: its length is the length of the joint's origin t, and a factor s
on it moves every marker beyond by R_parent t ds. What stands before the first moving joint is no bone.
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

# A joint nearer than this to the one that carries it makes no bone [m].
SHORTEST_BONE = 1e-6
# How far markers are beside bones, and how far from the last joint of a limb, as parts of the figure's size: 7 and 15 cm on a
# human figure.
FLESH, ENDS = 0.045, 0.1
# Frames that are computed together: their Jacobians stay in the processor's cache and memory stays small.
TOGETHER = 128


@dataclass(frozen=True, eq=False)
class Body:
    """A mechanism, the frames that its markers are on (`on`, one for each marker), and the offsets (markers, 3) in them [m]."""

    mechanism: Mechanism
    base: str
    tip: str | None
    on: tuple[str, ...]
    offsets: Array

    @cached_property
    def compiled(self) -> Compiled:
        """The mechanism ready for computing."""
        whole = self.tip is None
        return compile_mechanism(self.mechanism, self.base, self.base if whole else str(self.tip), whole_tree=whole)

    @cached_property
    def ranges(self) -> Ranges:
        """The ranges of q."""
        return Ranges(self.compiled)

    @property
    def n(self) -> int:
        """How many numbers q has."""
        return self.compiled.n

    @cached_property
    def rest(self) -> Array:
        """The zero posture, or what is nearest to it inside the ranges."""
        return self.ranges.clamp(np.zeros(self.n))

    @cached_property
    def groups(self) -> tuple[tuple[int, Array], ...]:
        """For each frame with markers: its number, and which markers they are."""
        numbers = self.compiled.frame_numbers
        kept = dict.fromkeys(self.on)
        return tuple((numbers[f], np.array([k for k, g in enumerate(self.on) if g == f])) for f in kept)

    @cached_property
    def columns(self) -> Columns | None:
        """Which markers each number of q moves."""
        return columns(self.compiled, self.on)

    @cached_property
    def bones(self) -> tuple[Joint, ...]:
        """The joints whose origin is a bone."""
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
        """(bones, markers) which markers a bone carries."""
        carried = {f: {joint.name for joint in self.mechanism.ancestry(f)} for f in dict.fromkeys(self.on)}
        return np.array([[bone.name in carried[f] for f in self.on] for bone in self.bones]).reshape(-1, len(self.on))

    @cached_property
    def halfway(self) -> Array:
        """(markers, 3) the middle of the bones that a marker's frame carries: where it is most likely, nothing being known."""
        middles = {f: 0.5 * np.mean(ways, axis=0) if ways else np.zeros(3) for f, ways in self._ways.items()}
        return np.array([middles[f] for f in self.on])

    @cached_property
    def around(self) -> Array:
        """(markers, 3) how far from there it may be, nothing being known, along the axes of its frame [m].

        Markers are on the skin: beside bones by what flesh there is, and along them anywhere. Where a figure ends, in a
        hand, a foot or a head, its size is not known.
        """
        room = {}
        for f, ways in self._ways.items():
            apart = np.ptp([np.zeros(3), *ways], axis=0)
            room[f] = 0.5 * apart + FLESH * self.span if ways else np.full(3, ENDS * self.span)
        return np.array([room[f] for f in self.on])

    @cached_property
    def _ways(self) -> dict[str, list[Array]]:
        """The bones that each frame with markers carries."""
        return {f: [bone.origin[:3, 3] for bone in self.bones if bone.parent == f] for f in dict.fromkeys(self.on)}

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The frames whose places count: those with markers, and those that bones end at."""
        return tuple(dict.fromkeys([*self.on, *(bone.child for bone in self.bones)]))

    @cached_property
    def untold(self) -> tuple[Joint, ...]:
        """The bones with no marker on the link that carries them, nor on them or beyond."""
        return tuple(
            bone for k, bone in enumerate(self.bones) if not self.beyond[k].any() and bone.parent not in self.on
        )

    @cached_property
    def span(self) -> float:
        """How large the resting figure is: the diagonal of the box around its frames [m]."""
        poses = self.compiled.kernel.forward_all(self.rest)[:, :3, 3]
        return max(float(np.linalg.norm(np.ptp(poses[1:] if len(poses) > 1 else poses, axis=0))), 1e-9)

    def resized(self, factors: Array, offsets: Array) -> "Body":
        """Return this body with its bones multiplied by (bones,) factors and other offsets."""
        return replace(self, mechanism=resized(self.mechanism, self.bones, factors), offsets=offsets)

    # ---- many postures at once ---------------------------------------------------------------------------------------

    def positions(self, q: Array) -> Array:
        """Return where the markers are, (frames, n) -> (frames, markers, 3)."""
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
        """Return how markers move with q (frames, markers, 3, n), and with their offsets (frames, markers, 3, 3)."""
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

    def bone_ways(self, q: Array, bones: Sequence[Joint]) -> Array:
        """Return how markers move with factors on the lengths that `bones` have, (frames, markers, 3, bones)."""
        poses = self.compiled.kernel.forward_all(q)
        numbers = self.compiled.frame_numbers
        D = np.zeros((len(q), len(self.on), 3, len(bones)))
        for k, bone in enumerate(bones):
            way = poses[:, numbers[bone.parent], :3, :3] @ bone.origin[:3, 3]
            D[..., k] = way[:, None] * self.beyond[k][None, :, None]
        return D


def crossing(a: Array) -> Array:
    """Return the matrices [a]x with [a]x v = a x v, (..., 3) -> (..., 3, 3)."""
    out = np.zeros((*a.shape, 3))
    out[..., 0, 1], out[..., 0, 2] = -a[..., 2], a[..., 1]
    out[..., 1, 0], out[..., 1, 2] = a[..., 2], -a[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -a[..., 1], a[..., 0]
    return out


def resized(mechanism: Mechanism, bones: Sequence[Joint], factors: Array) -> Mechanism:
    """Return a mechanism with some bones multiplied; the shapes and centres of mass of a link go with the bones it carries."""
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
    carrier = {joint.child: joint for joint in mechanism.joints}

    def size(link: str) -> float:
        if link in across:
            return float(np.mean(across[link]))
        while link in carrier:
            if carrier[link].name in factor:
                return factor[carrier[link].name]
            link = carrier[link].parent
        return 1.0

    links = tuple(link.scaled(size(link.name)) for link in mechanism.links)
    return mechanism.replaced((changed(joint) for joint in mechanism.joints), links)
