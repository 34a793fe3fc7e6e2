"""Picking: approach, grasp, lift, carry round an obstacle, place, leave. One trajectory of a redundant arm, planned at once."""

import numpy as np
from matplotlib import pyplot
from scene import BLUE, GREEN, ORANGE, PALE, RED, Scene, out_folder, save

import limbik as lk
from limbik.geometry.se3 import from_rpy

out = out_folder(__doc__)
arm = lk.load("panda")


def down(x, y, z, turn=0.0):
    """Return a pose with the gripper pointing down."""
    return from_rpy((x, y, z), (np.pi, 0, np.radians(turn)))


above, grasp = down(0.45, -0.35, 0.35), down(0.45, -0.35, 0.15)
over, place, leave = down(0.5, 0.35, 0.4, 90), down(0.5, 0.35, 0.15, 90), down(0.5, 0.35, 0.35, 90)

phases = {
    "approach": lk.Path.line(above, grasp).with_speed(0.15),
    "grasp": lk.Path.stay(grasp, 0.4),
    "lift": lk.Path.line(grasp, above).with_speed(0.2),
    "carry": lk.Path.arc(above, (0.55, 0.0, 0.62), over).with_speed(0.4),
    "lower": lk.Path.line(over, place).with_speed(0.15),
    "release": lk.Path.stay(place, 0.4),
    "leave": lk.Path.line(place, leave).with_speed(0.25),
}
path = sum(list(phases.values())[1:], start=phases["approach"])
clip = arm.follow(path, acceleration=6.0)
print(clip.why)
print(f"{len(clip.jumps)} jumps; inside the limits: {bool(arm.within_limits(clip.q).all())}")
ends = np.cumsum([p.duration for p in phases.values()])
moments = np.interp(ends, clip.places, clip.times)
for (name, part), end in zip(phases.items(), moments, strict=True):
    print(f"  {name:9s} {part.length:5.2f} m, over at {end:5.2f} s")

figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.8), layout="constrained", width_ratios=(1, 1.25))
scene = Scene(left, look=(22, -35))
scene.floor((-0.2, -0.6), (0.8, 0.6), 0.2)
scene.box((0.5, 0.0, 0.2), (0.2, 0.12, 0.4), PALE)
scene.box((0.45, -0.35, 0.04), (0.07, 0.07, 0.08), ORANGE)
scene.box((0.5, 0.35, 0.04), (0.07, 0.07, 0.08), GREEN)
for share, colour in ((0.16, "#9db8d6"), (0.55, BLUE), (0.86, "#9db8d6")):
    q = clip.q[int(share * (len(clip) - 1))]
    points = np.array([arm.forward(q, frame)[:3, 3] for frame in arm.frames])
    scene.line(points, colour, 7)
scene.line(arm.forward(clip.q)[:, :3, 3], RED, 2)
scene.words((0.45, -0.35, 0.0), "from here", (0, -16))
scene.words((0.5, 0.35, 0.0), "to there", (0, -16))
scene.show("over the box")
right.plot(clip.times, np.degrees(clip.q), lw=1.5, label=[f"joint {k + 1}" for k in range(arm.n)])
for k, (name, begin, end) in enumerate(zip(phases, [0.0, *moments[:-1]], moments, strict=True)):
    right.axvspan(begin, end, color=PALE, alpha=0.4 if k % 2 else 0.15, lw=0)
    right.text(
        (begin + end) / 2,
        1.0,
        name,
        rotation=60,
        ha="left",
        va="bottom",
        fontsize=8.5,
        transform=right.get_xaxis_transform(),
    )
right.set(xlabel="time [s]", ylabel="joints [degrees]", xlim=(0, clip.times[-1]))
right.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=9)
save(figure, out / "picking.png")
