"""The width and length of the trunk, from the sensors at shoulders and hips.

The link of a pair of limbs has the mean rotation of their sensors. The mean vector between the limbs' roots in that link gives
their distance. Between two such links, L below and U above, with the joint between them at a t in L and the middle of the upper
pair at b c in U,   m_U - m_L = R_L (a t - c_L) + R_U b c   in every frame: a linear least squares problem for a and b. They are
kept near the factor of the trunk's width if the trunk never bends, since then only a sum is observable.
"""

from collections.abc import Sequence

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Joint
from limbik.model.mechanism import Mechanism

# The weight that keeps the factors of lengths together, relative to one frame.
TIE = 0.1


def mean_rotations(rotations: Sequence[Array]) -> Array:
    """Return the mean rotation of each frame; NaN ones are ignored; NaN if there are no others."""
    stack = np.stack(rotations)
    total = np.nansum(stack, axis=0)
    none = np.isnan(stack).any(axis=(-1, -2)).all(axis=0)
    total[none] = np.eye(3)
    u, _, vt = np.linalg.svd(total)
    u[..., 2] *= np.sign(np.linalg.det(u @ vt))[..., None]
    out: Array = u @ vt
    out[none] = np.nan
    return out


def with_translations(mechanism: Mechanism, places: dict[str, Array]) -> Mechanism:
    """Return a mechanism with other translations of some joints' origins, {joint: (3,)}."""

    def changed(joint: Joint) -> Joint:
        if joint.name not in places:
            return joint
        origin = np.array(joint.origin)
        origin[:3, 3] = places[joint.name]
        return joint.moved_to(origin=origin)

    return mechanism.replaced(changed(joint) for joint in mechanism.joints)


def pair_sizes(roots: dict[str, tuple[Joint, Array]]) -> tuple[dict[str, Array], Array, float]:
    """Return the positions of a pair of limbs on their link, the link's rotations, and its width relative to the figure's.

    roots: {limb: (its first joint, poses of its sensor (frames, 4, 4))}, two of them.
    """
    (one, first), (other, second) = roots.values()
    R = mean_rotations([S[:, :3, :3] @ joint.origin[:3, :3].T for joint, S in roots.values()])
    apart = np.nanmedian(np.einsum("fji,fj->fi", R, first[:, :3, 3] - second[:, :3, 3]), axis=0)
    own = one.origin[:3, 3] - other.origin[:3, 3]
    width = float(np.linalg.norm(apart) / np.linalg.norm(own))
    middle = 0.5 * (one.origin[:3, 3] + other.origin[:3, 3])
    return {one.name: middle + 0.5 * apart, other.name: middle - 0.5 * apart}, R, width


def trunk_lengths(
    between: Array, lower: Array, upper: Array, joint: Array, middle: Array, width: float
) -> tuple[float, float]:
    """Return the factors a and b of the joint's position (3,) in the lower link and of the upper pair's middle (3,) in the
    upper one.

    between: (frames, 3) from the lower link's origin to the middle of the upper pair. lower, upper: rotations (frames, 3, 3).
    """
    rows = np.stack([lower @ joint, upper @ middle], axis=-1)
    good = np.isfinite(rows).all(axis=(1, 2)) & np.isfinite(between).all(axis=1)
    if not good.any():
        return width, width
    A, b = rows[good].reshape(-1, 2), between[good].reshape(-1)
    hold = TIE * np.linalg.norm(A, axis=0).max() / np.sqrt(good.sum()) * np.eye(2)
    a = np.linalg.lstsq(np.concatenate([A, hold]), np.concatenate([b, hold @ [width, width]]), rcond=None)[0]
    return float(np.clip(a[0], 0.3 * width, 3 * width)), float(np.clip(a[1], 0.3 * width, 3 * width))
