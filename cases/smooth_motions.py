"""Random smooth motions of an arm inside its limits; their tip paths are feasible by construction."""

import numpy as np
from scipy.interpolate import PchipInterpolator

import limbik as lk

# Frames of a motion, and their rate [1/s].
FRAMES, RATE = 501, 100.0
# The largest speed of a motion relative to the joint's limit, and the limit of joints without one [rad/s].
PART, SPEED = 0.8, 3.0
# The distance of a posture at a limit from it [rad], and the largest angle of a joint that makes an arm singular [rad].
AT_LIMIT, SINGULAR = 1e-3, 0.02


def smooth_motion(arm: lk.Chain, rng: np.random.Generator, kind: int) -> np.ndarray:
    """Return postures inside the limits, (FRAMES, n).

    kind 0: sines; 1: curves through random postures; 2: curves that touch limits; 3: curves through postures with a straight
    wrist, elbow or shoulder.
    """
    low, high = np.maximum(arm.lower, -2 * np.pi), np.minimum(arm.upper, 2 * np.pi)
    t = np.linspace(0.0, 1.0, FRAMES)
    if kind == 0:
        middle = rng.uniform(low, high)
        room = np.minimum(middle - low, high - middle)
        size = room * rng.uniform(0.3, 1.0, arm.n)
        size = np.minimum(size, 1.5)
        q = middle + size * np.sin(2 * np.pi * (rng.uniform(0.3, 1.6, arm.n) * t[:, None] + rng.uniform(0, 1, arm.n)))
    else:
        knots = [rng.uniform(low, high)]
        for _ in range(4):
            knots.append(np.clip(knots[-1] + rng.uniform(-1.5, 1.5, arm.n), low, high))
        points = np.array(knots)
        if kind == 2:
            for k in range(len(points)):
                j = rng.integers(arm.n)
                points[k, j] = low[j] + AT_LIMIT if points[k, j] < 0.5 * (low[j] + high[j]) else high[j] - AT_LIMIT
        if kind == 3:
            straight = [j for j in range(1, arm.n - 1) if low[j] < 0 < high[j]]
            for k in range(len(points)):
                j = straight[rng.integers(len(straight))]
                points[k, j] = rng.uniform(-SINGULAR, SINGULAR)
        q = PchipInterpolator(np.linspace(0.0, 1.0, len(points)), points)(t)
    return np.clip(_slowed(arm, q), arm.lower, arm.upper)


def _slowed(arm: lk.Chain, q: np.ndarray) -> np.ndarray:
    """Return the part of a motion, from its start, that the joints can do in the same time within their speeds."""
    most = PART * np.where(np.isfinite(arm.velocity), arm.velocity, SPEED) / RATE
    quick = float((np.abs(np.diff(q, axis=0)) / most).max())
    if quick <= 1.0:
        return q
    part = np.linspace(0.0, (len(q) - 1) / quick, len(q))
    return np.stack([PchipInterpolator(np.arange(len(q)), q[:, j])(part) for j in range(arm.n)], axis=1)
