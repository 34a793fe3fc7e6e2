"""Limbs of two ball joints with an elbow between, and targets that need the ball joints at the bounds of their ranges."""

from itertools import product

import numpy as np
from scipy.spatial.transform import Rotation

import limbik as lk

# The bounds that a ball joint is at: (swing, twist).
EDGES = tuple(product((False, True), repeat=2))


def limb(rng: np.random.Generator) -> lk.Chain:
    """Return a shoulder, an elbow and a wrist with random ranges, 0.3 m apart."""
    up = np.eye(4)
    up[2, 3] = 0.3

    def ball(name: str, parent: str, child: str, origin: np.ndarray) -> lk.model.Joint:
        swing, twist = rng.uniform(0.4, 1.5, 2)
        return lk.model.Joint(
            name, lk.model.Kind.BALL, parent, child, origin=origin, swing=swing, twist=(-twist, twist)
        )

    elbow = lk.model.Joint(
        "elbow", lk.model.Kind.REVOLUTE, "arm", "fore", origin=up, axis=np.array([0, 1.0, 0]), lower=0.0, upper=2.5
    )
    joints = (ball("shoulder", "base", "arm", np.eye(4)), elbow, ball("wrist", "fore", "hand", up))
    links = tuple(lk.model.Link(name) for name in ("base", "arm", "fore", "hand"))
    return lk.Chain(lk.model.Mechanism("limb", links, joints))


def posture(arm: lk.Chain, rng: np.random.Generator, edges: list[tuple[bool, bool]]) -> np.ndarray:
    """Return a posture whose ball joints are at the given bounds (swing, twist) of their ranges."""
    q = arm.sample(rng, 1)[0]
    balls = [(k, joint) for k, joint in zip((0, 4), arm.model.mechanism.joints[::2], strict=True)]
    for (first, joint), (at_swing, at_twist) in zip(balls, edges, strict=True):
        swing = joint.swing if at_swing else joint.swing * np.sqrt(rng.uniform())
        twist = rng.choice(joint.twist) if at_twist else rng.uniform(*joint.twist)
        direction = rng.uniform(0, 2 * np.pi)
        tilt = Rotation.from_rotvec(swing * np.array([np.cos(direction), np.sin(direction), 0.0]))
        q[first : first + 3] = (tilt * Rotation.from_rotvec([0, 0, twist])).as_rotvec()
    return q


def edge_targets(arm: lk.Chain, rng: np.random.Generator, each: int) -> np.ndarray:
    """Return `each` targets for every combination of bounds of the two ball joints."""
    return arm.forward([posture(arm, rng, [one, two]) for one in EDGES for two in EDGES for _ in range(each)])
