"""The initial posture: a figure's zero posture, or an arm's home, or a regular posture near it if home is singular.

Many arms are stretched at home, where they cannot move in every direction and their solutions coincide. Such an arm starts at the
best of some fixed random draws near home. The score is the smallest singular value of the Jacobian, with lengths in units of the
reach, plus terms for a tip that is high and in front, minus a term for the distance from home. No frame may be below the ground.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton

# Below this smallest singular value an arm counts as singular [lengths in reaches].
DEAD_END = 0.02
# The number of draws, their seed, and their largest distance from home: a fraction of that to the limits, and an angle [rad].
DRAWS, SEED, PART, ANGLE = 1000, 7, 0.7, 1.6
# The weights of the score beside dexterity: the distance from home per radian, and the position of the tip, which counts up to a
# height and a forward distance [reaches].
AWAY, LIFT, HIGH, OUT = 0.08, 0.6, 0.35, 0.5


def rest_of(robot: Chain | Skeleton) -> Array:
    """Return the initial posture, (n,)."""
    if isinstance(robot, Skeleton):
        return np.array(robot.clamp(np.zeros(robot.n)))
    home = np.array(robot.home)
    if robot.n < 2 or not 0 < robot.reach < np.inf or dexterity(robot, home[None])[0] > DEAD_END:
        return home
    swing = np.minimum(PART * (robot.upper - robot.lower) / 2, ANGLE)
    swing = np.where(np.isfinite(swing), swing, ANGLE)
    draws = robot.clamp(home + np.random.default_rng(SEED).uniform(-1, 1, (DRAWS, robot.n)) * swing)
    upward = "xyz".index(robot.model.mechanism.up)
    heights = robot.model.forward_all(draws)[:, 1:, upward, 3].min(axis=1)
    lowest = min(0.0, float(robot.model.forward_all(home)[:, upward, 3].min()))
    places = robot.forward(draws)[:, :3, 3] / robot.reach
    shown = np.minimum(places[:, upward], HIGH) + np.minimum(places[:, (upward + 1) % 3], OUT)
    worth = dexterity(robot, draws) - AWAY * np.abs(draws - home).max(axis=1) + LIFT * shown
    worth = np.where(heights >= lowest - 1e-9, worth, -np.inf)
    best = int(np.argmax(worth))
    return draws[best] if np.isfinite(worth[best]) else home


def dexterity(robot: Chain, q: Array) -> Array:
    """Return the smallest singular value of the Jacobian at postures (k, n), up to its generic rank."""
    J = np.array(robot.jacobian(q))
    J[:, :3] /= robot.reach
    values = np.linalg.svd(J, compute_uv=False)
    return np.asarray(values[:, rank(robot) - 1])


def rank(robot: Chain) -> int:
    """Return the generic rank of the Jacobian: the largest at some postures."""
    J = np.array(robot.jacobian(robot.sample(np.random.default_rng(SEED), 16)))
    J[:, :3] /= robot.reach
    return max(int((np.linalg.svd(J, compute_uv=False) > 1e-6).sum(axis=1).max()), 1)
