"""Teleoperation at 1 kHz: the target moves, stops, leaves the reach, passes a singularity and returns."""

from time import perf_counter

import numpy as np
from matplotlib import pyplot
from scene import BLUE, INK, ORANGE, PALE, RED, out_folder, save

import limbik as lk

out = out_folder(__doc__)
arm = lk.load("ur5")
DT = 1e-3
start = np.radians([-20, -100, 110, -100, -90, 0])
T0 = arm.forward(start)

# Phases of the target: name, end [s], position relative to the start [m], tilt about x [deg]. At about 90 degrees the axes 4 and
# 6 of the wrist are almost aligned.
PHASES = [
    ("moves", 2.0, (0.10, 0.35, 0.15), 0),
    ("stops", 3.0, (0.10, 0.35, 0.15), 0),
    ("leaves the reach", 6.0, (0.10, 0.90, 0.15), 0),
    ("comes back", 9.0, (0.00, -0.05, 0.10), 0),
    ("passes a singularity", 13.0, (0.00, -0.05, 0.10), 140),
    ("returns", 17.0, (0.00, 0.00, 0.00), 0),
    ("rests", 18.0, (0.00, 0.00, 0.00), 0),
]
ends = [0.0, *(end for _, end, _, _ in PHASES)]
places = np.array([(0, 0, 0, 0), *((*place, np.radians(tilt)) for _, _, place, tilt in PHASES)])


def target(t):
    """Return the target pose at a time; it moves smoothly from one position to the next."""
    k = int(np.searchsorted(ends, t, side="right"))
    x = (t - ends[k - 1]) / (ends[k] - ends[k - 1])
    *place, tilt = places[k - 1] + (places[k] - places[k - 1]) * x**3 * (10 - 15 * x + 6 * x * x)
    c, s = np.cos(tilt), np.sin(tilt)
    T = np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]]) @ T0
    T[:3, 3] = T0[:3, 3] + place
    return T


times = np.arange(0, ends[-1] - DT / 2, DT)
steps, taken, q = [], [], start
for T in map(target, times):
    began = perf_counter()
    steps.append(arm.track(q, T, DT))
    taken.append(perf_counter() - began)
    q = steps[-1].q
error = np.array([(1e3 * step.position_error, np.degrees(step.rotation_error)) for step in steps])
share = 100 * np.array([step.velocity for step in steps]) / arm.velocity
inside = arm.within_limits(np.array([step.q for step in steps]))

figure, (above, below) = pyplot.subplots(2, 1, figsize=(11, 5.6), sharex=True, layout="constrained")
for k, (label, end, *_) in enumerate(PHASES):
    now = (times >= ends[k]) & (times < end)
    off = "{:7.3f} mm and {:6.3f} degrees".format(*error[now].max(axis=0))
    print(f"{label:21s} off by up to {off}; the fastest joint at {np.abs(share[now]).max():3.0f} % of its speed")
    for panel in (above, below):
        panel.axvspan(ends[k], end, color=PALE, alpha=0.35 if k % 2 else 0.12, lw=0)
    above.text((ends[k] + end) / 2, 4e2, label, ha="center", fontsize=9.5, color=INK)
jumps = (np.abs(np.diff(share, axis=0)) > 50).any(axis=1).sum()
print(
    f"inside the limits in all {len(steps)} steps: {inside.all()}; of these {jumps} change a speed by more than half its limit"
)
print(f"a step takes {1e6 * np.median(taken):.0f} us, 99 of 100 at most {1e6 * np.quantile(taken, 0.99):.0f} us")
above.set_prop_cycle(color=[BLUE, ORANGE])
above.plot(times, error + 1e-6, lw=1.6, label=["position [mm]", "rotation [degrees]"])
below.plot(times, share, lw=1.0, label=[f"joint {k + 1}" for k in range(arm.n)])
below.hlines([-100, 100], 0, ends[-1], colors=RED, lw=1.2, ls="--")
above.set(yscale="log", ylim=(1e-6, 3e3), ylabel="off the target")
below.set(ylim=(-110, 150), ylabel="speed [% of the limit]", xlabel="time [s]", xlim=(0, ends[-1]))
above.legend(loc="center", bbox_to_anchor=(0.54, 0.76), frameon=False)
below.legend(loc="upper left", ncol=6, frameon=False, fontsize=8.5)
save(figure, out / "teleoperation.png")
