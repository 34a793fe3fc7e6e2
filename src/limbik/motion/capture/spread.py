"""How sure the places of joints are, sizes and postures being unknown together.

At the estimate the normal equations are an arrow: postures A_k, sizes H, and C_k between them (see `calibration`). With
P_k = A_k^-1 and S = H - sum C_k^T P_k C_k, a joint whose place moves by J dq + B ds has the covariance

    (B - J P C) S^-1 (B - J P C)^T + J P J^T

The first part is what the sizes leave. It shrinks as frames grow in number; the bias that noise gives to sizes (`calming`)
does not, and grows faster than the spread: where bones hardly turn, or a ball joint turns like a hinge, the joint
slides along what nothing tells, to where errors happen to be least. So few frames with the noise as measured stand for all, and
s + s (s / BIAS)^3 is reported for the deviation s.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.capture.body import Body
from limbik.motion.capture.calibration import Unknown, normal_arrow

# Frames that stand for all.
FRAMES = 24
# The deviation at which the bias is as large, as a part of the figure's size: 15 mm on a human figure; measured on walks with
# markers whose truth is known, of hinged and of ball-jointed figures. It is at most so many deviations.
BIAS, MOST = 0.01, 5.0


def place_spread(body: Body, q: Array, weights: Array, unknown: Unknown, span: float) -> dict[str, float]:
    """Return how far the place of each frame that bones end at or markers are on may be off [m], along its worst direction.

    q: (frames, n). weights: (frames, markers), 0 for markers that tell nothing. The usual one: the median over frames that
    show markers. span: the
    figure's size [m]; nothing is farther off.
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
        carried = {joint.name for joint in body.mechanism.ancestry(link)}
        B = np.zeros((len(q), 3, S.shape[0]))
        for k, bone in enumerate(body.bones):
            if sizes and bone.name in carried:
                way = poses[:, numbers[bone.parent], :3, :3] @ bone.origin[:3, 3]
                B[..., :sizes] += way[..., None] * unknown.groups[k]
        free = (B - J @ across) @ root
        cov = free @ free.transpose(0, 2, 1) + J @ np.linalg.solve(A, J.transpose(0, 2, 1))
        deviation = float(np.sqrt(np.median(np.maximum(np.linalg.eigvalsh(cov)[:, -1], 0.0))))
        out[link] = min(deviation * (1 + min((deviation / (BIAS * span)) ** 3, MOST)), span)
    return out
