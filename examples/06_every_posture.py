"""Every posture (configuration) that reaches a target: the branches of an arm, and the swivel ranges of its elbow."""

import numpy as np

import limbik as lk

# Six joints: at most eight postures, each with a branch number that it keeps along any motion that meets no singularity.
puma = lk.load("puma560")
T = puma.forward([0.3, -0.5, 0.4, 0.2, 0.8, 0.1])
print("puma560:", puma.structure)
every = puma.solve_all(T, limits=False)
for answer in every:
    kept = "inside the limits" if puma.within_limits(answer.q) else "outside"
    print(f"  {answer.branch} {puma.branch_names[answer.branch]}: {np.degrees(answer.q).round(1)} {kept}")
print(" ", puma.solve_all(T).why)
print("  one branch by its number:", puma.solve(T, branch=int(puma.solve_all(T).branches[-1])).q.round(3))

# A human elbow bends one way only: of eight postures one is inside the joint limits.
human = lk.load("human_arm_6")
T = human.forward(human.home)
print("human_arm_6:", human.solve_all(T).why)
for answer in human.solve_all(T):
    print(f"  {human.branch_names[answer.branch]}: {np.degrees(answer.q).round(1)}")

# Seven joints: the tip stays fixed while the elbow swings. The ranges are computed, not sampled.
iiwa = lk.load("iiwa7")
T = iiwa.forward([0.4, 0.7, -0.3, -1.5, 0.2, 0.9, 0.1])
print("iiwa7: feasible swivels in degrees")
for branch, ranges in iiwa.swivel_ranges(T).items():
    print(f"  {iiwa.branch_names[branch]}:", [np.degrees(arc).round(1).tolist() for arc in ranges])
best = max(iiwa.solve_all(T, swivel="limits"), key=lambda a: np.minimum(a.q - iiwa.lower, iiwa.upper - a.q).min())
print("  farthest from the limits:", np.degrees(best.q).round(1))
low, high = next(ranges for ranges in iiwa.swivel_ranges(T).values() if ranges)[0]
for swivel in np.linspace(low, high, 4):
    answers = iiwa.solve_all(T, swivel=swivel)
    error = np.abs(iiwa.forward(answers.q) - T).max()
    print(f"  swivel {np.degrees(swivel):7.2f}: {len(answers)} postures, largest difference to the target {error:.0e}")

# Many targets at once, on all cores.
batch = puma.solve_all_batch(puma.forward(puma.sample(np.random.default_rng(0), 10_000)))
print(batch, "mean", batch.count.mean().round(2))
