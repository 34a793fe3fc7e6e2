"""Arms with muscles for the tests: the catalogue's two, and random ones with a shoulder, an elbow and muscles anywhere."""

from dataclasses import replace

import numpy as np

import limbik as lk

LIMITS = ((-2.5, -2.0, -2.6, -2.4), (2.2, 2.4, 2.0, 2.8))
# Which bodies the straight muscles of a random arm join: 0 is the base, 3 the upper arm, 4 the forearm.
JOINED = ((0, 3), (0, 3), (0, 4), (3, 4))


def shoulder_elbow(rng, *, mixed=False):
    """Three axes that intersect at any angles, an elbow anywhere, straight muscles and a pulley; `mixed` adds a bent muscle."""
    axes = rng.normal(size=(4, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    shoulder = 0.1 * rng.normal(size=3)
    elbow = shoulder + 0.3 * rng.normal(size=3)
    home = np.eye(4)
    home[:3, 3] = elbow + 0.3 * rng.normal(size=3)
    screws = [np.r_[a, -np.cross(a, p)] for a, p in zip(axes, (shoulder,) * 3 + (elbow,), strict=True)]
    arm = lk.Chain.from_screws(screws, home, lower=LIMITS[0], upper=LIMITS[1])
    links = [link.name for link in arm.model.mechanism.links]
    q = arm.sample(rng, 400)

    def point():
        return tuple(0.15 * rng.normal(size=3))

    muscles = []
    for k, (a, b) in enumerate(JOINED):
        free = lk.muscle.Muscle(f"m{k}", [(links[a], point()), (links[b], point())])
        low, high = np.quantile(arm.with_muscles([free]).muscles.lengths(q)[:, 0], (0.1, 0.85))
        muscles.append(replace(free, lower=float(low), upper=float(high)))
    muscles.append(lk.muscle.Muscle("pulley", (), [(arm.joint_names[2], 0.03)], 0.2, 0.16, 0.24))
    if mixed:
        way = [(links[0], point()), (links[3], point()), (links[4], point())]
        muscles.append(lk.muscle.Muscle("mixed", way, [(arm.joint_names[1], 0.01)], 0.1, 0.05, 5.0))
    return arm.with_muscles(muscles)


def narrowed(arm, rng, most=0.45):
    """The arm with every range cut at both ends by a random part."""
    muscles = []
    for m in arm.muscles:
        span = m.upper - m.lower
        lower, upper = m.lower + most * rng.random() * span, m.upper - most * rng.random() * span
        muscles.append(replace(m, lower=lower, upper=upper, actuator=None))
    return arm.with_muscles(muscles)


BALL = """
name = "ball_arm"
[[joint]]
name = "shoulder"
kind = "ball"
parent = "body"
child = "upper"
swing_deg = 80
twist_deg = [-60, 60]
[[joint]]
name = "elbow"
parent = "upper"
child = "fore"
xyz = [0, 0, -0.3]
axis = [1, 0, 0]
lower_deg = 0
upper_deg = 150
[[joint]]
name = "slide"
kind = "prismatic"
parent = "fore"
child = "rod"
axis = [0, 0, -1]
lower = 0.2
upper = 0.35
[[joint]]
name = "follow"
parent = "rod"
child = "tip"
axis = [0, 1, 0]
mimic = { joint = "elbow", multiplier = -0.5, offset = 0.1 }
[[muscle]]
name = "shoulder_muscle"
origin = { link = "body", xyz = [0.1, 0, 0] }
insertion = { link = "upper", xyz = [0, 0, -0.1] }
lower = 0.05
upper = 0.18
[[muscle]]
name = "long"
origin = { link = "body", xyz = [0, 0.1, 0] }
via = [{ link = "upper", xyz = [0, 0.03, -0.2] }]
insertion = { link = "rod", xyz = [0, 0.02, 0.1] }
pulley = [{ joint = "follow", radius = 0.02 }, { joint = "slide", radius = 0.5 }]
lower = 0.1
upper = 0.9
"""
