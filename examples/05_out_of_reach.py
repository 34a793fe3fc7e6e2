"""Targets that cannot be reached: the status, the closest configuration, its error, one sentence."""

import numpy as np

import limbik as lk

arm = lk.load("ur5")
T = np.array(arm.forward(arm.home + 0.5))

far = T.copy()
far[:3, 3] *= 3
hollow = T.copy()
hollow[:3, 3] = [0.0, 0.0, 0.1]
tight = arm.with_limits(arm.home - 0.2, arm.home + 0.2)

for label, robot, target in [
    ("too far", arm, far),
    ("inside the hollow", arm, hollow),
    ("beyond narrow limits", tight, T),
]:
    answer = robot.solve(target)
    print(f"{label}: {answer.status.name}")
    print(f"  {answer.why}")
    print(f"  closest configuration {answer.q.round(3)}, inside the limits: {robot.within_limits(answer.q)}")

# `valid` is your own check of a posture (configuration), for example a collision test.
answer = arm.solve(T, valid=lambda q: q[1] > 0)
print("with a check of your own:", answer.status.name, answer.q.round(3))
