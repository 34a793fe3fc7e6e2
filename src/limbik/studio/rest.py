"""The initial posture: a figure's zero posture, or an arm's home, changed a little if home is singular.

Many arms are stretched out at home, where they cannot move in every direction and all their postures are one. Such an arm
begins near home at the most dexterous of some fixed draws: the greatest least singular value of its Jacobian, lengths counted
in reaches, with the tip high and in front and nothing below the ground.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton

# Below this smallest singular value an arm is singular [lengths in reaches].
DEAD_END = 0.02
# Draws, their seed, and how far from home they go: part of the way to the limits, and an angle [rad].
DRAWS, SEED, PART, ANGLE = 1000, 7, 0.7, 1.6
# What counts beside dexterity: each radian of the joint that moves most costs; the tip is worth seeing, high and in front, up to
# these parts of the reach.
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
