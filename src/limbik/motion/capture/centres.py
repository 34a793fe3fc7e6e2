"""Joint centres from markers without a model: the point that is fixed in both of two neighbouring bones.

Three markers on a bone determine its pose in every frame (Kabsch), without a model. The centre of the joint between two bones has
constant coordinates c in one and d in the other:

    R_p c + t_p = R_c d + t_c     in every frame.

These equations are linear in c and d (compare Gamage and Lasenby 2002), so they have no local minima. Fits that start from the
figure at rest with unknown offsets do have local minima. If the bones hardly rotate, or only about one axis, a weak prior keeps c
and d near their markers. The figure is fitted to the centres, whose offsets are zero; the postures (configurations) of this fit
determine the offsets of the markers.
"""

from dataclasses import replace

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.model.ranges import Mask
from limbik.motion.capture.body import SHORTEST_BONE, Body
from limbik.motion.capture.calibration import Unknown, calibrate
from limbik.motion.capture.postures import anchor_of, fit_with_neighbours
from limbik.motion.capture.resizing import Resizing
from limbik.motion.capture.start import placed_at_rest

# The prior deviations of a centre between its two bones, and from its bone's markers, as fractions of the figure's size.
NEAR, AWAY = 0.005, 0.1
# The fewest markers that determine the pose of a bone, and the fewest centres for a start.
BODY, FEWEST = 3, 4
# Markers are collinear and determine no pose if the ratio of their second singular value to the first is not above this.
LINE = 0.05
# The weight of a marker with a guessed offset relative to a centre, and the number of updates of the guesses.
LESS, ROUNDS = 0.3, 3


def has_all_centres(body: Body, centres: dict[str, Array]) -> bool:
    """Return whether every bone with markers, except the root, has a centre."""
    return len(centres) >= max(FEWEST, len(set(body.on)) - 1)


def start_from_centres(
    body: Body, found: dict[str, Array], measured: Array, groups: Array, free: Mask
) -> tuple[Array, Array, Array] | None:
    """Return start postures (frames, n), offsets and bone factors, or None with too few centres.

    A limb without centres stays at rest, and its offsets are meaningless: another start may be better (`has_all_centres`).

    found: the joint centres. measured: (frames, markers, 3). groups: the groups of bones with a common factor. free: the markers
    with unknown offsets.
    """
    if len(found) < FEWEST:
        return None
    links = tuple(found)
    points = np.stack([found[link] for link in links], axis=1)
    frame_seen = np.isfinite(points[..., 0]).sum(axis=1)
    if frame_seen.min() < BODY:
        return None
    inner = replace(body, on=links, offsets=np.zeros((len(links), 3)))
    span = body.span
    w = np.where(np.isfinite(points[..., 0]), (NEAR * span) ** -2, 0.0)
    q = placed_at_rest(inner, points)
    q, _ = fit_with_neighbours(inner, q, points, w, anchor_of(inner, q), 40)
    factors = np.ones(len(body.bones))
    together = (groups.sum(axis=1, keepdims=True) > 0).astype(np.float64)[:, : int(groups.any())]
    none, room = np.zeros(len(links), dtype=bool), np.full((len(links), 3), AWAY * span)
    for stage in (together, groups):
        if stage.shape[1]:
            _, q, factors, _, _ = calibrate(
                Resizing(inner), q, points, Unknown(stage, none, room), factors, NEAR * span, gain=1e-3
            )
    both = replace(body, on=(*links, *body.on), offsets=np.concatenate([inner.offsets, body.offsets]))
    sized = both.resized(factors, both.offsets)
    every = np.concatenate([points, measured], axis=1)
    weights = np.where(np.isfinite(every[..., 0]), (NEAR * span) ** -2, 0.0)
    weights[:, len(links) :] *= LESS**2
    for _ in range(ROUNDS):
        offsets = _offsets(sized, q, every, len(links))
        offsets[len(links) :] = np.where(free[:, None], offsets[len(links) :], body.offsets)
        sized = replace(sized, offsets=offsets)
        q, _ = fit_with_neighbours(sized, q, every, weights, anchor_of(sized, q), 15)
    return q, sized.offsets[len(links) :], factors


def _offsets(body: Body, q: Array, measured: Array, fixed: int) -> Array:
    """Return the offsets for given postures, as medians over frames; the first `fixed` stay the same."""
    poses = body.compiled.kernel.forward_all(q)
    out = np.array(body.offsets)
    for number, of in body.groups:
        T = poses[:, number]
        own = np.einsum("fji,fmj->fmi", T[:, :3, :3], measured[:, of] - T[:, None, :3, 3])
        seen = np.isfinite(own[..., 0]).any(axis=0) & (of >= fixed)
        out[of[seen]] = np.nanmedian(own[:, seen], axis=0)
    return out


def joint_centres(body: Body, measured: Array) -> dict[str, Array]:
    """Return the positions of joint centres between bones with markers, by frame name, (frames, 3) each."""
    numbers = dict(zip(dict.fromkeys(body.on), (of for _, of in body.groups), strict=True))
    poses = {link: pose for link, of in numbers.items() if (pose := _rigid(measured[:, of])) is not None}
    out: dict[str, Array] = {}
    for link in poses:
        parent_bone = _parent_bone(body, link, poses)
        if parent_bone is None:
            continue
        (R_p, t_p, own_p), (R_c, t_c, own_c) = poses[parent_bone], poses[link]
        good = np.isfinite(t_p[:, 0]) & np.isfinite(t_c[:, 0])
        if good.sum() < BODY:
            continue
        rows = np.concatenate([R_p[good], -R_c[good]], axis=2).reshape(-1, 6) / (NEAR * body.span)
        right = (t_c[good] - t_p[good]).reshape(-1) / (NEAR * body.span)
        hold = np.eye(6) / (AWAY * body.span)
        c = np.linalg.lstsq(
            np.concatenate([rows, hold]), np.concatenate([right, hold @ np.concatenate([own_p, own_c])]), rcond=None
        )[0]
        views = np.stack([R_p @ c[:3] + t_p, R_c @ c[3:] + t_c])
        there = np.isfinite(views[..., 0])
        total = np.where(there[..., None], views, 0.0).sum(axis=0)
        count = there.sum(axis=0)[:, None]
        out[link] = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return out


def _rigid(points: Array) -> tuple[Array, Array, Array] | None:
    """Return the rotations (frames, 3, 3) and translations (frames, 3) of a rigid body of markers, NaN if too few are visible,
    and its centroid; None if the markers determine no pose.
    """
    seen = np.isfinite(points[..., 0])
    best = int(seen.sum(axis=1).argmax())
    has = seen[best]
    shape = np.where(has[:, None], points[best], 0.0)
    extent = np.linalg.svd(shape[has] - shape[has].mean(axis=0), compute_uv=False) if has.sum() >= BODY else np.zeros(2)
    if extent[1] <= LINE * extent[0]:
        return None
    use = (seen & has)[..., None]
    count = use.sum(axis=1)
    world, own = np.where(use, points, 0.0), np.where(use, shape, 0.0)
    to, at = world.sum(axis=1) / np.maximum(count, 1), own.sum(axis=1) / np.maximum(count, 1)
    cross = np.einsum("fmi,fmj->fij", np.where(use, world - to[:, None], 0.0), own - at[:, None])
    u, _, vt = np.linalg.svd(cross)
    u[:, :, 2] *= np.sign(np.linalg.det(u @ vt))[:, None]
    R = u @ vt
    t = to - np.einsum("fij,fj->fi", R, at)
    gone = count[:, 0] < BODY
    R[gone], t[gone] = np.nan, np.nan
    return R, t, shape[has].mean(axis=0)


def _parent_bone(body: Body, link: str, bodies: object) -> str | None:
    """Return the next bone with markers towards the root, if all joints between rotate about the link's origin; else None."""
    for joint in reversed(body.mechanism.ancestry(link)):
        if joint.kind not in (Kind.REVOLUTE, Kind.CONTINUOUS, Kind.BALL, Kind.FIXED):
            return None
        if joint.parent in bodies:  # type: ignore[operator]
            return joint.parent
        if np.linalg.norm(joint.origin[:3, 3]) > SHORTEST_BONE:
            return None
    return None
