"""A standing body: ankle, knee and hip, with the centre of mass as tip; one network controls height and balance.

Cruse and Steinkühler end their paper with this idea: "equilibrium control and control of leg movement are not separate". Any
variable can be an input: the height alone, height and displacement, a fixed knee, a range of the displacement. The previous
state determines what the inputs leave free.
"""

import numpy as np
from matplotlib.axes import Axes
from scene import BLUE, GREEN, INK, ORANGE, PALE, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)
# shank, thigh, and from the hip to the centre of mass of the whole body [m]; q: ankle from the ground, knee, hip
SHANK, THIGH, RISE = 0.44, 0.44, 0.16
rows = [(length, 0, 0, 0, "revolute", *np.radians(limits)) for length, limits in
        ((SHANK, (45, 110)), (THIGH, (0, 140)), (RISE, (-130, 10)))]  # fmt: skip
body = lk.Chain.from_dh(rows, name="standing body")
network = lk.relaxation.Mmc(body, branch="nearest")
upright = np.radians([85.0, 8.0, -6.0])
print(f"{network}: {', '.join(network.network.variables)}")

TASKS = {
    "down and up: x = 0.02, y given": [{"x": 0.02, "y": y} for y in (1.02, 0.9, 0.78, 0.66)],
    "sway: y = 0.95, x given": [{"x": x, "y": 0.95} for x in (-0.05, 0.02, 0.09, 0.16)],
    "y given, x from -0.06 to 0.14": [{"x": (-0.06, 0.14), "y": y} for y in (1.02, 0.9, 0.78, 0.66)],
    "a stiff knee: x = 0.05, knee 3°": [{"x": 0.05, "y": lk.relaxation.AtLeast(0.8), "joint2": np.radians(3.0)}],
}
FOOT = np.array([(-0.07, 0.0), (0.19, 0.0)])


def figure(axes: Axes, points: np.ndarray, colour: str, alpha: float = 1.0) -> None:
    """Draw a body: foot, shank, thigh, a trunk and a head along the last segment, and its centre of mass."""
    ankle = np.array([0.0, 0.07])
    p = points + ankle
    up = (p[3] - p[2]) / np.linalg.norm(p[3] - p[2])
    neck, head = p[2] + 0.5 * up, p[2] + 0.66 * up
    line = {"color": colour, "alpha": alpha, "solid_capstyle": "round"}
    axes.plot(*(FOOT + (0, 0.015)).T, lw=6, **line)
    axes.plot([0.0, ankle[0]], [0.02, ankle[1]], lw=6, **line)
    axes.plot(*p[:3].T, lw=8, solid_joinstyle="round", **line)
    axes.plot(*np.array([p[2], neck]).T, lw=13, **line)
    axes.plot(*head, "o", ms=15, color=colour, alpha=alpha, mew=0)
    axes.plot(*p[:3].T, "o", ms=5, color="white", alpha=alpha, mew=0)
    axes.plot(*p[3], "o", ms=8, color=ORANGE, mec=INK, mew=1.0, zorder=5)


picture, axes = panels(len(TASKS), (3.1, 4.4))
for panel, (title, wanted) in zip(axes, TASKS.items(), strict=True):
    state = network.complete(wanted[0], upright)
    print(f"{title}")
    panel.axhline(0, color=PALE, lw=2, zorder=0)
    panel.axvspan(*FOOT[:, 0], color=GREEN, alpha=0.10, lw=0)
    for k, inputs in enumerate(wanted):
        state = network.complete(inputs, state)
        ankle, knee, hip = np.degrees(state.q)
        print(
            f"  x = {state['x']:+.3f}, y = {state['y']:.3f}: ankle {ankle:.0f}, knee {knee:.0f}, hip {hip:.0f} degrees"
        )
        print(f"    {state.why}")
        assert state.ok and -0.07 < state["x"] < 0.19
        last = k == len(wanted) - 1
        figure(panel, state.points, BLUE if last else PALE, 1.0 if last else 0.8)
    panel.set_title(title, fontsize=10, color=INK)
    panel.set_aspect("equal")
    panel.set(xlim=(-0.62, 0.62), ylim=(-0.06, 1.72))
    panel.set_axis_off()

fallen = network.complete({"x": 0.0, "y": 1.3}, upright)
print(f"too high: {fallen.status.name}, {fallen.why}")
leaning = network.complete(
    {"x": 0.05, "y": 0.85}, upright, costs={"joint1": np.radians(80), "joint2": np.radians(20), "joint3": 0.0}
)
assert not fallen.ok and leaning.ok
print(f"the cheapest posture at (0.05, 0.85): {np.degrees(leaning.q).round(1)} degrees")
picture.supxlabel("orange: centre of mass, which is the tip; green: over the foot", fontsize=9, color=INK)
save(picture, out / "standing_body.png")
