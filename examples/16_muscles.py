"""Arms driven by muscles: lengths for a point, configurations from lengths, and where muscle ranges allow joint solutions."""

from dataclasses import replace

import numpy as np
from scene import BLUE, GREEN, INK, ORANGE, RED, Scene, align, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)
arm = lk.load("maximum_one")
point = np.array([-0.10, 0.40, -0.20])

answer = arm.muscles.solve_lengths(point)
print(answer.why)
for name, length in answer.by_name.items():
    print(f"  {name:14} {100 * length:6.2f} cm")
found = arm.muscles.posture_from_lengths(answer.lengths[[0, 1, 3, 5]])  # pectoralis, deltoid, supraspinatus, biceps
print(found.why + ":", [np.degrees(q).round(1).tolist() for q in found.q])
print(arm.muscles.posture_from_lengths({**answer.by_name, "triceps": 0.26}).why)
print(arm.muscles.solve_lengths([0.3, 0.6, 0.3]).why)

limb = lk.load("human_upper_limb")
reached = limb.muscles.solve_lengths(np.array([-0.05, 0.38, -0.18]))
print("human limb:", reached.why)


def draw(panel, robot, q, aim, title):
    """Draw an arm with its muscles: green in the middle of their ranges, red at an end; pulleys are not drawn."""
    scene = Scene(panel, look=(14, 30))
    scene.body(robot, q, BLUE, alpha=0.55)
    low, high = robot.muscles.ranges
    off = np.abs(2 * (robot.muscles.lengths(q) - low) / (high - low) - 1)
    for muscle, part in zip(robot.muscles, off, strict=True):
        frames = [robot.forward(q, p.link) for p in muscle.path]
        places = [T[:3, :3] @ np.array(p.xyz) + T[:3, 3] for T, p in zip(frames, muscle.path, strict=True)]
        if places:
            scene.line(places, GREEN if part < 0.5 else ORANGE if part < 0.85 else RED, 3.0)
            for place in (places[0], places[-1]):
                scene.dot(place, INK, 3)
    scene.dot(aim, ORANGE, 9)
    scene.show(title)


figure, axes = panels(2, (5.0, 4.6))
draw(axes[0], arm, answer.q, point, "MaximumOne: three muscles of the shoulder, the biceps")
draw(axes[1], limb, reached.q, reached.target, "a human upper limb of fifteen muscles")
align(axes)
save(figure, out / "muscle_arms.png")

# Where do solutions in joint space stay admissible in muscle space? Everywhere with the catalogue's geometric extremes, which
# exclude nothing. With muscles that contract less:
narrow = []
for m in arm.muscles:
    middle = 0.5 * (m.lower + m.upper)
    half = min(0.5 * (m.upper - m.lower), 0.2 * middle)
    narrow.append(replace(m, lower=middle - half, upper=middle + half, actuator=None))
maps = {"geometric extremes": arm, "muscles of 20 % either way": arm.with_muscles(narrow)}
figure, axes = panels(2, (4.6, 4.2))
for panel, (label, robot) in zip(axes, maps.items(), strict=True):
    chart = robot.muscles.map("yz", at=-0.05, points=81)
    parts = ", ".join(f"{part} {100 * share:.0f} %" for part, share in chart.summary.items())
    print(f"{label}: joint-space solutions admissible at {parts} of the points")
    sides = (chart.across[0], chart.across[-1], chart.up[0], chart.up[-1])
    image = panel.imshow(100 * chart.share.T, origin="lower", extent=sides, vmin=0, vmax=100)
    panel.plot(0, 0, "+", color=INK, ms=10)
    panel.set(xlabel="y [m], forward", ylabel="z [m]", title=label)
figure.colorbar(image, ax=axes, label="of the swivels [%]")
save(figure, out / "muscle_map.png")
