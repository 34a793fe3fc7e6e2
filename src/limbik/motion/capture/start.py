"""The start of a fit: the figure at rest, rotated and shifted to the markers in every frame.

The rotation is the best fit of the markers of the figure at rest to the measured ones (Kabsch: by the SVD of their covariance).
This needs a floating root; a figure with a fixed root starts at rest.
"""

import warnings

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import vector_from_matrix
from limbik.model.joint import Kind
from limbik.motion.capture.body import Body

# Markers whose extent differs from the figure's by this factor are in another unit.
WRONG_UNIT = 8.0
# A marker farther from the median of all markers than this multiple of the figure's size belongs to another object.
STRAY = 4.0


def without_strays(body: Body, measured: Array, ratio: float) -> Array:
    """Return the markers; those that are too far from the others are NaN. ratio: see `size_ratio`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # frames without any marker have no centre
        middle = np.nanmedian(measured, axis=1, keepdims=True)
    away = np.sqrt(((measured - middle) ** 2).sum(axis=-1))
    stray = np.nan_to_num(away, nan=0.0) > STRAY * body.span * max(ratio, 1.0)
    return np.where(stray[..., None], np.nan, measured)


def size_ratio(body: Body, measured: Array) -> float:
    """Return the ratio of the markers' extent to that of the figure at rest (medians of distances from the centre).

    Raises BadOption if the unit must be wrong.
    """
    seen = np.isfinite(measured[..., 0])
    full = seen.sum(axis=1) >= max(0.8 * seen.sum(axis=1).max(), 2)
    rest = np.broadcast_to(body.positions(body.rest[None]), measured.shape)[full]
    clouds = []
    for points in (measured[full], np.where(seen[full, :, None], rest, np.nan)):
        away = points - np.nanmedian(points, axis=1, keepdims=True)
        clouds.append(float(np.nanmedian(np.sqrt(np.nansum(away**2, axis=-1)) + np.where(seen[full], 0.0, np.nan))))
    ratio = clouds[0] / clouds[1] if clouds[1] > 0 else 1.0
    if not 1 / WRONG_UNIT < ratio < WRONG_UNIT:
        guess = "mm" if 300 < ratio < 3000 else "cm" if 30 < ratio < 300 else None
        remedy = "pass the right unit= to Markers (--unit on the command line)"
        if guess:
            remedy = f"are the markers in {guess}? Pass unit='{guess}' to Markers (--unit {guess} on the command line)"
        raise BadOption(
            f"the markers spread over {clouds[0]:.3g} m where those of '{body.mechanism.name}' spread over {clouds[1]:.3g} m, "
            f"{ratio:.3g} times as much: {remedy}"
        )
    return ratio


def placed_at_rest(body: Body, measured: Array) -> Array:
    """Return the postures (configurations) of the figure at rest, placed on the markers of each frame, (frames, n).

    Frames with fewer than three markers take the pose of the closest frame with more.
    """
    q = np.tile(body.rest, (len(measured), 1))
    first = body.compiled.variables[0] if body.compiled.variables else None
    if first is None or first.joint.kind is not Kind.FLOATING:
        return q
    rest = body.positions(body.rest[None])[0]
    seen = np.isfinite(measured[..., 0])
    good = np.flatnonzero(seen.sum(axis=1) >= 3)
    if not len(good):
        return q
    count = seen[good].sum(axis=1)[:, None]
    world = np.where(seen[good][..., None], measured[good], 0.0)
    own = np.where(seen[good][..., None], rest, 0.0)
    to, at = world.sum(axis=1) / count, own.sum(axis=1) / count
    cross = np.einsum("fmi,fmj->fij", np.where(seen[good][..., None], world - to[:, None], 0.0), own - at[:, None])
    u, _, vt = np.linalg.svd(cross)
    u[:, :, 2] *= np.sign(np.linalg.det(u @ vt))[:, None]
    R = u @ vt
    # With the joint at zero the child is at T_world_child. The joint's motion X solves T_world_child X = A T_world_child,
    # where A is the motion of the figure from rest to the markers.
    T_world_child = body.compiled.kernel.forward_all(_grounded(body))[body.compiled.frame_numbers[first.joint.child]]
    rotated = R @ T_world_child[:3, :3]
    place = np.einsum("fij,fj->fi", R, T_world_child[:3, 3] - at) + to
    own_place = (place - T_world_child[:3, 3]) @ T_world_child[:3, :3]
    start = first.first
    q[good, start : start + 3] = own_place
    q[good, start + 3 : start + 6] = vector_from_matrix(T_world_child[:3, :3].T @ rotated)
    nearest = good[np.abs(np.arange(len(q))[:, None] - good[None]).argmin(axis=1)]
    return np.asarray(q[nearest])


def _grounded(body: Body) -> Array:
    """Return the rest posture with the floating root at zero."""
    q = np.array(body.rest)
    start = body.compiled.variables[0].first
    q[start : start + 6] = 0.0
    return q
