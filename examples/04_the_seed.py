"""A pose has several postures (configurations); the seed selects one, including its whole turns (2-pi copies)."""

import numpy as np

import limbik as lk

arm = lk.load("puma560")
q = np.radians([20, -60, 30, 40, 50, -30])
T = arm.forward(q)

for label, seed in {
    "no seed: the middle of every range": None,
    "0.1 rad from the posture we came from": q + 0.1,
    "the arm facing backward, elbow down": np.radians([-120, -120, -200, -120, 40, 0]),
}.items():
    answer = arm.solve(T, seed=seed)
    print(f"{label:40s} {np.degrees(answer.q).round(1)}   {answer.why}")

# Find all postures one by one: `valid` refuses those that are known.
known = []
while (answer := arm.solve(T, valid=lambda x: all(np.abs(x - k).max() > 1e-3 for k in known))).ok:
    known.append(answer.q)
print(f"{len(known)} postures inside the limits were found")

# Tracking: the last answer is the next seed, and nothing jumps.
seed, steps = q, []
for x in np.linspace(0, 0.1, 50):
    moved = T.copy()
    moved[0, 3] += x
    answer = arm.solve(moved, seed=seed)
    steps.append(np.abs(answer.q - seed).max())
    seed = answer.q
print(f"50 steps along a line: the largest joint step is {np.degrees(max(steps)):.2f} degrees")
