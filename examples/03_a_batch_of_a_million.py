"""Solve a million poses on all cores and verify each one."""

import sys
from time import perf_counter

import numpy as np

import limbik as lk

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000

arm = lk.load("ur5")
targets = arm.forward(arm.sample(np.random.default_rng(0), COUNT))
arm.solve(targets[0])

start = perf_counter()
batch = arm.solve_batch(targets)
seconds = perf_counter() - start

print(batch)
print(f"{COUNT / seconds / 1e6:.2f} million poses a second")
print("largest position error:", batch.position_error.max(), "m; inside the limits:", arm.within_limits(batch.q).all())
print("row 7 is the single solve to the last bit:", (batch.q[7] == arm.solve(targets[7]).q).all())
