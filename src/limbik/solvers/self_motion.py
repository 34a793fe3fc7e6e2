"""Self-motion manifolds in a list of postures (configurations): one member of each is listed and flagged as a family.

A 6-joint arm has at most 16 isolated configurations per pose, so a longer list indicates a self-motion. Two configurations belong
to one manifold if the straight line between them, projected onto the pose by Newton steps at every point, connects them.
"""

import numpy as np
import numpy.typing as npt

from limbik._core import Answers, Kernel, pose_error
from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array

# Lists up to this length are not examined: the check would take longer than the solution of most targets.
ISOLATED = 8
# Points between two postures, and Newton steps at each.
POINTS, STEPS = 8, 4
# Largest correction of a point on the line [rad or m], and its tolerances at the pose [m, rad].
NEAR, REACHED = 0.3, 1e-6
# A singular value below this part of the largest indicates a possible self-motion.
SINGULAR = 1e-6


def without_family_members(answers: Answers, kernel: Kernel, revolute: npt.NDArray[np.bool_], scale: float) -> Answers:
    """Return answers with one flagged posture for each self-motion manifold."""
    if len(answers) <= ISOLATED:
        return answers
    q, T = answers.q, answers.target
    weights = np.where(revolute, 1.0, scale)
    J = kernel.jacobian(q) * weights
    J[:, :3] /= scale
    least = np.linalg.svd(J, compute_uv=False)
    moving = least[:, -1] <= SINGULAR * least[:, 0] if J.shape[2] >= 6 else np.zeros(len(q), np.bool_)
    if np.count_nonzero(moving) < 2:
        return answers
    kept: list[int] = []
    families: list[bool] = []
    for k in range(len(q)):
        same = [
            i
            for i, other in enumerate(kept)
            if moving[k] and moving[other] and _connected(kernel, T, q[other], q[k], revolute, scale)
        ]
        if same:
            families[same[0]] = True
        else:
            kept.append(k)
            families.append(bool(answers.families[k]))
    if len(kept) == len(q):
        return answers
    count = f"{len(kept)} posture{'' if len(kept) == 1 else 's'}"
    why = f"{count} by {answers.method}, {sum(families)} of them on a self-motion manifold each (`family`); there may be more"
    return Answers(q[kept], answers.branches[kept], families, answers.doubled[kept], answers.position_error[kept],
                   answers.rotation_error[kept], None, int(answers.status), T, answers.method, answers.outside, why)  # fmt: skip


def _connected(kernel: Kernel, T: Array, a: Array, b: Array, revolute: npt.NDArray[np.bool_], scale: float) -> bool:
    """Return whether a self-motion connects two configurations, by Newton steps from points on the line between them."""
    difference = np.where(revolute, wrap(b - a), b - a)
    weights = np.where(revolute, 1.0, scale)
    for share in np.linspace(0.0, 1.0, POINTS + 1)[1:-1]:
        on_line = a + share * difference
        q = on_line.copy()
        for _ in range(STEPS):
            pose, J = kernel.forward_jacobian(q)
            error = np.asarray(pose_error(pose, T))
            J = J * weights
            J[:3] /= scale
            q = q + weights * np.linalg.pinv(J, rcond=1e-5) @ (error / np.r_[np.full(3, scale), np.ones(3)])
        error = np.asarray(pose_error(kernel.forward(q), T))
        near = bool((np.abs((q - on_line) / weights) <= NEAR).all())
        if not (near and np.linalg.norm(error[:3]) <= REACHED * scale and np.linalg.norm(error[3:]) <= REACHED):
            return False
    return True
