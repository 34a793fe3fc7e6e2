"""Transfer a posture between skeletons with the same frames but other joints or sizes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik._core import pose_error
from limbik.errors import BadOption, ShapeError
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.model.robots import is_robot

if TYPE_CHECKING:
    from limbik.robot.kinematic import Kinematic


def matched(figure: "Kinematic", other: "Kinematic", q: Any) -> Array:
    """Return the posture (configuration) of a figure with the frame orientations of another at q.

    Raises BadOption, ShapeError.
    """
    if not is_robot(other):
        raise BadOption(f"the source of the posture must be a skeleton, not a {type(other).__name__}")
    given = other.model.kernel.checked(q)
    if given.shape != (other.n,):
        raise ShapeError(f"q has shape {given.shape}, but '{other.name}' has n = {other.n} joint values")
    theirs = {v.joint.name: v for v in other.model.compiled.variables}
    poses = dict(zip(other.frames, other.model.forward_all(given), strict=True))
    out = np.zeros(figure.n)
    for v in figure.model.compiled.variables:
        joint, size = v.joint, v.joint.kind.size
        same = theirs.get(joint.name)
        if (
            same is not None
            and same.joint.kind is joint.kind
            and np.array_equal(same.joint.origin[:3, :3], joint.origin[:3, :3])
        ):
            out[v.first : v.first + size] = given[same.first : same.first + size]
        elif joint.kind is Kind.BALL and joint.parent in poses and joint.child in poses:
            rotation = np.eye(4)
            rotation[:3, :3] = (poses[joint.parent][:3, :3] @ joint.origin[:3, :3]).T @ poses[joint.child][:3, :3]
            out[v.first : v.first + 3] = pose_error(np.eye(4), rotation)[3:]
        else:
            raise BadOption(
                f"joint '{joint.name}' of '{figure.name}' is not in '{other.name}', and only ball joints can match frame "
                "orientations; use solve() with the poses of its frames"
            )
    return out
