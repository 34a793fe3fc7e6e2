"""A change of link frames: the same motion with every link's frame rotated, or mirrored, by a matrix of its own.

With an orthogonal matrix L_k for each link, the poses relative to the base 0 become T'_k = L_0^-1 T_k L_k. A joint from p to c
then has
    origin' = L_p^-1 origin L_c,
and its motion M becomes L_c^-1 M L_c. Vectors v of the motion become L_c^T v. Rotation vectors and revolute axes w are
pseudovectors and become det(L_c) L_c^T w. All L must have the same determinant, so that every T' contains a rotation. The
inverse change has the matrices L^T.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.model.joint import Joint, Kind, Link
from limbik.model.mechanism import Mechanism
from limbik.model.muscle import Attachment, Muscle
from limbik.model.recording import Recording
from limbik.model.shape import Box, Shape, Sphere, rotation_rows


@dataclass(frozen=True, eq=False)
class Relabelling:
    """The matrix L (3, 3) of each named link; other links keep their frames. up: the upward axis of the new mechanism."""

    frames: Mapping[str, Array]
    up: str

    def __post_init__(self) -> None:
        signs = {round(float(np.linalg.det(L))) for L in self.frames.values()}
        if len(signs) > 1 or not signs <= {1, -1}:
            raise BadOption("the matrices of frames must be all rotations, or all reflections")

    def inverse(self, up: str) -> "Relabelling":
        """Return the inverse change. up: the upward axis of the original mechanism."""
        return Relabelling({name: L.T for name, L in self.frames.items()}, up)

    def frame(self, link: str) -> Array:
        """Return the matrix of a link, (3, 3)."""
        found = self.frames.get(link)
        return np.eye(3) if found is None else found

    def mechanism(self, mechanism: Mechanism) -> Mechanism:
        """Return a mechanism with the new frames."""
        return replace(
            mechanism,
            links=tuple(self._link(link) for link in mechanism.links),
            joints=tuple(self._joint(joint) for joint in mechanism.joints),
            muscles=tuple(self._muscle(muscle) for muscle in mechanism.muscles),
            up=self.up,
        )

    def recording(self, recording: Recording) -> Recording:
        """Return a recording with the new frames."""
        q = recording.q.copy()
        for variable in recording.compiled.variables:
            joint, at = variable.joint, variable.first
            L = self.frame(joint.child)
            sign = round(float(np.linalg.det(L)))
            if joint.kind is Kind.FLOATING:
                q[:, at : at + 3] = recording.q[:, at : at + 3] @ L
                at += 3
            if joint.kind.size > 1:
                q[:, at : at + 3] = sign * recording.q[:, at : at + 3] @ L
        changed = self.mechanism(recording.mechanism)
        return replace(recording, mechanism=changed, q=q + 0.0, written=None)

    def _joint(self, joint: Joint) -> Joint:
        before, after = self.frame(joint.parent), self.frame(joint.child)
        sign = round(float(np.linalg.det(after)))
        origin = np.eye(4)
        origin[:3, :3] = before.T @ joint.origin[:3, :3] @ after
        origin[:3, 3] = before.T @ joint.origin[:3, 3]
        axis = after.T @ joint.axis * (sign if joint.kind.is_revolute else 1)
        low, high = joint.twist
        twist = (low, high) if sign > 0 else (-high, -low)
        return joint.moved_to(origin=origin + 0.0, axis=axis + 0.0, twist=twist)

    def _link(self, link: Link) -> Link:
        L = self.frame(link.name)
        return replace(
            link, centre_of_mass=_through(L, link.centre_of_mass), shapes=tuple(_shape(L, s) for s in link.shapes)
        )

    def _muscle(self, muscle: Muscle) -> Muscle:
        path = tuple(Attachment(a.link, _through(self.frame(a.link), a.xyz)) for a in muscle.path)
        return replace(muscle, path=path)


def _through(L: Array, point: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a point of a link in the link's new frame."""
    x, y, z = (L.T @ np.array(point) + 0.0).tolist()
    return x, y, z


def _shape(L: Array, shape: Shape) -> Shape:
    if isinstance(shape, Sphere):
        return replace(shape, centre=_through(L, shape.centre))
    if isinstance(shape, Box):
        R = L.T @ np.array(shape.rotation)
        if np.linalg.det(R) < 0:
            R[:, 0] *= -1  # a box is its own mirror image
        return replace(shape, centre=_through(L, shape.centre), rotation=rotation_rows(R))
    return replace(shape, start=_through(L, shape.start), end=_through(L, shape.end))
