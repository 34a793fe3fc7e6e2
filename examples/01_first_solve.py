"""Solve for a pose of a robot's tip, and check the answer by forward kinematics."""

import numpy as np

import limbik as lk

arm = lk.load("panda")

# A pose to reach: 40 cm in front, 50 cm up, the flange pointing down.
T = np.array([[1.0, 0, 0, 0.4], [0, -1, 0, 0.0], [0, 0, -1, 0.5], [0, 0, 0, 1]])

answer = arm.solve(T)
print(answer)
print(answer.why)
print("degrees:", np.degrees(answer.q).round(2))
print("difference to the target:", np.abs(arm.forward(answer.q) - T).max())
