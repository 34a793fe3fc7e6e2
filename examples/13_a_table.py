"""An arm without closed form: all postures (configurations) by a search, and ten times faster by a table built once."""

from time import perf_counter

import numpy as np

import limbik as lk

arm = lk.load("jaco2")
print("jaco2:", arm.structure)
T = arm.forward(arm.sample(np.random.default_rng(0), 1000))
arm.solve_all(T[0])  # the first call makes a table of starts


def microseconds(chain: lk.Chain) -> float:
    """Return the time of all postures of a target [us]."""
    start = perf_counter()
    for target in T:
        chain.solve_all(target)
    return (perf_counter() - start) / len(T) * 1e6


print(f"  {arm.solve_all(T[0]).why}: {microseconds(arm):.0f} us")

# A small table, in a second or two; `limbik table build jaco2 -o jaco2.table` takes half a minute and misses less.
table = lk.build_table(arm, samples=200_000, bins=5)
quick = arm.with_table(table)
print(f"  {quick.solve_all(T[0]).why}: {microseconds(quick):.0f} us")
for answer in quick.solve_all(T[0]):
    print("   ", np.degrees(answer.q).round(1))

known = table.statistics["random postures found [%]"]
print(
    f"the table: {table.bytes / 1e3:.0f} KB, {table.statistics['sheets']} starts, {known:.2f} % of random postures found"
)
print("targets without a candidate in the table are solved by attempts:", {quick.solve(target).ok for target in T})

# In how many orientations can a point be reached?
found = lk.reach_map(quick, points=15, orientations=20)
x, z = np.unravel_index(found.share.argmax(), found.share.shape)
print(f"most orientations, {100 * found.share.max():.0f} %, at x = {found.x[x]:.2f} m, z = {found.z[z]:.2f} m")
