"""The standard deviations of joint positions for jointly estimated sizes and postures (configurations).

At the estimate the normal equations have arrow form: blocks A_k of postures, H of sizes, and C_k between them (see
`calibration`). With P_k = A_k^-1 and S = H - sum C_k^T P_k C_k, a joint position that moves by J dq + B ds has the covariance

    (B - J P C) S^-1 (B - J P C)^T + J P J^T

The first term is due to the sizes. It decreases with the number of frames; the bias of sizes due to noise
(`marker_smoothing`) does not, and it increases faster than the deviation: if bones hardly rotate, or a ball joint rotates
like a hinge, the joint centre drifts along the unobservable direction. So the covariance is computed from a few
representative frames with the measured noise, as if there were no others, and s + s (s / BIAS)^3 is reported for the standard
deviation s.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.capture.body import Body
from limbik.motion.capture.calibration import Unknown, normal_arrow

# The number of representative frames.
FRAMES = 24
# The deviation at which the bias is equally large, as a fraction of the figure's size: 15 mm on a human figure. It was
# measured on walks with known ground truth, of figures with hinges and with balls. MOST: the bias is at most this many
# deviations.
BIAS, MOST = 0.01, 5.0


def position_uncertainty(body: Body, q: Array, weights: Array, unknown: Unknown, span: float) -> dict[str, float]:
    """Return the position error of each frame with markers or at the end of a bone [m], along its worst direction.

    q: (frames, n). weights: (frames, markers), 0 for missing markers and outliers. The error is the median over frames with
    markers. span: the figure's size [m], an upper bound.
    """
    count = (weights > 0).sum(axis=1)
    full = np.flatnonzero(2 * count >= count.max())
    some = full[np.unique(np.linspace(0, len(full) - 1, min(len(full), FRAMES)).astype(int))]
    w, q = weights[some], q[some]
    A, C, S = normal_arrow(body, q, w, unknown)
    across = np.linalg.solve(A, C)
    values, vectors = np.linalg.eigh(S)
    root = vectors / np.sqrt(np.maximum(values, unknown.least))
    poses = body.compiled.kernel.forward_all(q)
    numbers = body.compiled.frame_numbers
    sizes = unknown.groups.shape[1]
    out: dict[str, float] = {}
    for link in body.places:
        J = body.compiled.kernel.jacobian(q, numbers[link])[:, :3]
        moving = {joint.name for joint in body.mechanism.ancestry(link)}
        B = np.zeros((len(q), 3, S.shape[0]))
        for k, bone in enumerate(body.bones):
            if sizes and bone.name in moving:
                vector = poses[:, numbers[bone.parent], :3, :3] @ bone.origin[:3, 3]
                B[..., :sizes] += vector[..., None] * unknown.groups[k]
        free = (B - J @ across) @ root
        cov = free @ free.transpose(0, 2, 1) + J @ np.linalg.solve(A, J.transpose(0, 2, 1))
        deviation = float(np.sqrt(np.median(np.maximum(np.linalg.eigvalsh(cov)[:, -1], 0.0))))
        out[link] = min(deviation * (1 + min((deviation / (BIAS * span)) ** 3, MOST)), span)
    return out
