"""Calibration: bone lengths and marker offsets that fit all frames.

The unknowns are the postures (configurations) q_k of some frames, a factor for each bone, and the offsets of markers in their
frames. Levenberg-Marquardt minimises

    sum_k sum_m w |m - p(q_k, s, o)|^2 + HELD |q_k - start|^2 + sum ((s - g) / SPREAD)^2 + sum ((o - o_0) / room)^2

The normal equations have an arrow matrix, since postures of different frames are coupled only through the sizes. The postures are
eliminated frame by frame (Schur complement), which leaves equations in the sizes only.

Frames that were smoothed over time are correlated; the priors are weighted by `repeats` to compensate. The priors hardly
affect observable parameters and determine the unobservable ones: the rotation of a frame at the end of a limb against its
markers (a rotation of the hand can be explained by offsets or by the wrist), and the lengths of bones beyond the last marker.
g is the common scale of the figure, the mean of the observable factors. The prior mean o_0 of an unknown offset is the middle
of its frame's bones. The weight HELD of the start is small, since a sum over all frames would otherwise outweigh the priors.
"""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Mask
from limbik.motion.capture import robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.postures import at_limit, errors
from limbik.motion.capture.resizing import Resizing

# The prior standard deviation of a bone's factor from that of the whole figure.
SPREAD = 0.06
# The prior standard deviation of a given offset, as a fraction of the figure's size: 5 cm on a human figure.
NEAR = 0.033
# The weight of the start postures [1/rad^2, 1/m^2], so small that all frames together have less weight than the priors.
HELD = 1e-3
# The factors of the damping after a step that decreases the cost, and after one that does not.
EASIER, HARDER = 0.4, 4.0
# The most steps, and the relative gain at which the iteration stops.
STEPS, LEAST_GAIN = 80, 1e-6
# The relative regularisation of the diagonal of equations that may be singular.
REGULARISATION = 1e-9


@dataclass(frozen=True, eq=False)
class Unknown:
    """The parameters to estimate: groups of bones with a common factor (bones, groups), and markers with a free offset.

    room: (markers, 3) the prior standard deviation of offsets [m]. repeats: the number of correlated frames that carry the
    information of one; the weight of the priors.
    """

    groups: Array
    free: Mask
    room: Array
    repeats: float = 1.0

    @property
    def least(self) -> float:
        """The smallest information about any size, from the priors [1/variance]."""
        return self.repeats * min(SPREAD**-2, float(self.room.max(initial=0.0) or SPREAD) ** -2)


def calibrate(
    sizable: Resizing,
    q: Array,
    measured: Array,
    unknown: Unknown,
    factors: Array,
    least: float,
    offsets: Array | None = None,
    steps: int = STEPS,
    gain: float = LEAST_GAIN,
) -> tuple[Body, Array, Array, float, Array]:
    """Return the calibrated body, the postures of the frames, the factors of the bones, the markers' noise [m], and the
    standard deviations of the factors.

    sizable: the body before any scaling; its offsets are the prior means. q: (frames, n) the start. least: the lower bound of
    the noise [m].
    """
    body = sizable.body
    nominal = body.offsets
    groups = unknown.groups
    share = np.maximum(groups.sum(axis=0), 1.0)
    s = (groups / share).T @ factors
    o = np.array(nominal if offsets is None else offsets)
    common = float(np.mean(factors)) if len(factors) else 1.0
    anchor = np.array(q)
    now = sizable.resized(_bone_factors(groups, s, factors), o)
    damping, sigma, q = 1e-3, 0.0, now.ranges.clamp(q)
    deviations, system = np.zeros(len(s)), None
    for _ in range(steps):
        pull, lengths = errors(now, q, measured)
        sigma = robust.noise(lengths, least)
        w = robust.weights(lengths, sigma)
        system = _System(now, body, q, pull, w, unknown, anchor, s - common, o - nominal)
        before = system.cost
        for _ in range(12):
            dq, ds, do = system.step(damping)
            trial_s, trial_o = np.clip(s + ds, 0.2 * common, 5.0 * common), o + do
            trial = sizable.resized(_bone_factors(groups, trial_s, factors), trial_o)
            trial_q = trial.ranges.clamp(trial.compiled.kernel.integrate(q, dq))
            pulled, _ = errors(trial, trial_q, measured)
            after = _cost(trial, trial_q, pulled, w, unknown, anchor, trial_s - common, trial_o - nominal)
            if after < before:
                break
            damping *= HARDER
        else:
            break
        now, q, s, o = trial, trial_q, trial_s, trial_o
        damping = max(damping * EASIER, 1e-9)
        observed = s[(groups.T @ body.beyond.sum(axis=1)) > 0] if len(s) else s
        common = float(np.mean(observed)) if len(observed) else common
        if before - after < gain * before:
            break
    if system is not None:
        deviations = system.deviations()
    factors = _bone_factors(groups, s, factors)
    now = body.resized(factors, o)
    _, lengths = errors(now, q, measured)
    return now, q, factors, robust.noise(lengths, least), groups @ deviations


def normal_arrow(body: Body, q: Array, w: Array, unknown: Unknown) -> tuple[Array, Array, Array]:
    """Return the blocks A (frames, n, n) and C (frames, n, sizes) of the normal equations at an estimate, and the Schur
    complement for the sizes.
    """
    count = unknown.groups.shape[1]
    still, nothing = np.zeros((*w.shape, 3)), np.zeros((w.shape[1], 3))
    system = _System(body, body, q, still, w, unknown, q, np.zeros(count), nothing)
    return system.A, system.C, system.left()


def _bone_factors(groups: Array, s: Array, factors: Array) -> Array:
    """Return the factor of every bone: that of its group, or the given one without a group."""
    out: Array = np.where(groups.sum(axis=1) > 0, groups @ s, factors)
    return out


def _cost(body: Body, q: Array, pull: Array, w: Array, unknown: Unknown, anchor: Array, ds: Array, do: Array) -> float:
    off = body.compiled.kernel.difference(anchor, q)
    sizes = float((ds**2).sum()) / SPREAD**2 + float(((do / unknown.room) ** 2).sum())
    return float((w * (pull * pull).sum(axis=-1)).sum()) + HELD * float((off * off).sum()) + unknown.repeats * sizes


class _System:
    """The normal equations at one estimate, with their arrow matrix."""

    def __init__(
        self,
        now: Body,
        body: Body,
        q: Array,
        pull: Array,
        w: Array,
        unknown: Unknown,
        anchor: Array,
        ds: Array,
        do: Array,
    ) -> None:
        frames, markers = w.shape
        groups, free = unknown.groups, unknown.free
        self.free, self.bones, self.markers = free, groups.shape[1], markers
        n, count, loose = now.n, groups.shape[1], 3 * int(free.sum())
        J, R = now.marker_jacobians(q)
        D = (now.bone_jacobians(q, body.bones) @ groups).reshape(frames, 3 * markers, count)
        off = now.compiled.kernel.difference(anchor, q)
        self.A, g = now.normal_equations(q, pull, w)
        self.A[:, range(n), range(n)] += HELD
        self.g = g - HELD * off
        # An offset moves only its own marker: its columns are the rows of that marker, rotated by R.
        wJ = w[..., None, None] * J
        self.C = np.empty((frames, n, count + loose))
        self.C[..., :count] = wJ.reshape(frames, 3 * markers, n).transpose(0, 2, 1) @ D
        own = wJ[:, free].transpose(0, 1, 3, 2) @ R[:, free]
        self.C[..., count:] = own.transpose(0, 2, 1, 3).reshape(frames, n, loose)
        force = w[..., None] * pull
        wD = np.repeat(w, 3, axis=1)[..., None] * D
        self.H = np.zeros((count + loose, count + loose))
        self.H[:count, :count] = wD.reshape(frames * 3 * markers, count).T @ D.reshape(frames * 3 * markers, count)
        meeting = np.einsum("fmij,fmik->mjk", R[:, free], wD.reshape(frames, markers, 3, count)[:, free])
        self.H[count:, :count] = meeting.reshape(loose, count)
        self.H[:count, count:] = meeting.reshape(loose, count).T
        self.H[range(count, count + loose), range(count, count + loose)] = np.repeat(w[:, free].sum(axis=0), 3)
        prior = unknown.repeats * np.concatenate([np.full(count, SPREAD**-2), unknown.room[free].reshape(-1) ** -2])
        self.repeats = unknown.repeats
        self.H += np.diag(prior)
        self.least = float(prior.min(initial=SPREAD**-2))
        rotated = np.einsum("fmij,fmi->mj", R[:, free], force[:, free])
        self.h = np.concatenate([D.reshape(frames * 3 * markers, count).T @ force.reshape(-1), rotated.reshape(-1)])
        self.h -= prior * np.concatenate([ds, do[free].reshape(-1)])
        fixed = at_limit(now.ranges.lower, now.ranges.upper, q, self.g)
        self.A[fixed] = 0.0
        self.A.transpose(0, 2, 1)[fixed] = 0.0
        frame, number = np.nonzero(fixed)
        self.A[frame, number, number] = 1.0
        self.g = np.where(fixed, 0.0, self.g)
        self.C[fixed] = 0.0
        self.cost = _cost(now, q, pull, w, unknown, anchor, ds, do)

    def left(self) -> Array:
        """Return the matrix of the sizes after elimination of the postures (Schur complement)."""
        n = self.A.shape[1]
        A = np.array(self.A)
        A[:, range(n), range(n)] *= 1 + REGULARISATION  # with few markers, some directions are unobservable
        flat = self.C.reshape(-1, self.H.shape[0])
        S: Array = self.H - flat.T @ np.linalg.solve(A, self.C).reshape(flat.shape)
        return S

    def deviations(self) -> Array:
        """Return the marginal standard deviation of the factor of each group of bones."""
        if not self.bones:
            return np.zeros(0)
        S = self.left()
        # Rounding may make an unobservable direction slightly negative; the prior is its lower bound.
        values, vectors = np.linalg.eigh(S)
        out: Array = np.sqrt(self.repeats * (vectors**2 / np.maximum(values, self.least)).sum(axis=1))[: self.bones]
        return out

    def step(self, damping: float) -> tuple[Array, Array, Array]:
        """Return the steps of postures, groups of bones and offsets."""
        n = self.A.shape[1]
        A = np.array(self.A)
        A[:, range(n), range(n)] *= 1 + damping
        solved = np.linalg.solve(A, np.concatenate([self.C, self.g[..., None]], axis=-1))
        across, alone = solved[..., :-1], solved[..., -1]
        count = self.H.shape[0]
        d = np.zeros(count)
        if count:
            flat = self.C.reshape(-1, count)
            S = self.H + damping * np.diag(np.diag(self.H)) - flat.T @ across.reshape(-1, count)
            d = np.linalg.solve(S, self.h - flat.T @ alone.reshape(-1))
        dq = alone - across @ d
        do = np.zeros((self.markers, 3))
        do[self.free] = d[self.bones :].reshape(-1, 3)
        return dq, d[: self.bones], do
