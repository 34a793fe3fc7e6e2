"""A pose has several postures; the seed says which one you get, and a whole turn counts."""

import numpy as np

import limbik as lk

arm = lk.load("puma560")
q = np.radians([20, -60, 30, 40, 50, -30])
T = arm.forward(q)

for label, seed in {
    "no seed (the middle of every range)": None,
    "near the elbow-up posture": q + 0.1,
    "near the elbow-down posture": np.radians([20, -120, -210, 40, 50, -30]),
    "shoulder on the other side": np.radians([-160, -60, 30, 40, 50, -30]),
}.items():
    answer = arm.solve(T, seed=seed)
    print(f"{label:40s} {np.degrees(answer.q).round(1)}   {answer.why}")

# Tracking: the last answer is the next seed, and nothing jumps.
seed, steps = q, []
for x in np.linspace(0, 0.1, 50):
    moved = T.copy()
    moved[0, 3] += x
    answer = arm.solve(moved, seed=seed)
    steps.append(np.abs(answer.q - seed).max())
    seed = answer.q
print(f"50 steps along a line: the largest joint step is {np.degrees(max(steps)):.2f} degrees")
