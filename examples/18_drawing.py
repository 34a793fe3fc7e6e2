"""An arm draws a flower on a tilted board: one closed curve, with the pen perpendicular to the board."""

import numpy as np
from matplotlib import pyplot
from scene import BLUE, INK, ORANGE, PALE, RED, Scene, out_folder, save

import limbik as lk
from limbik.geometry.se3 import from_rpy

out = out_folder(__doc__)
arm = lk.load("ur5").with_tool(from_rpy((0, 0, 0.12), (0, 0, 0)))  # a pen

# The board stands before the arm, tilted by 35 degrees; its z axis points out of it.
board = from_rpy((0.0, 0.55, 0.30), (np.radians(35), 0, 0))
turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
radius = 0.13 + 0.05 * np.cos(5 * turn)
flower = np.stack([radius * np.cos(turn), radius * np.sin(turn), 0 * turn], axis=1)
pen_down = from_rpy((0, 0, 0), (np.pi, 0, 0))[:3, :3]  # the pen looks into the board

path = lk.Path.spline(flower, rotation=pen_down, closed=True).moved(board).with_speed(0.15)
print(path)
clip = arm.follow(path, acceleration=4.0, closed=True)
print(clip.why)
print(f"farthest from the curve {1e9 * clip.position_error.max():.3f} nm")
print(f"it ends at its first configuration: {np.allclose(clip.q[0], clip.q[-1])}")
twice = arm.follow(path.repeated(3), acceleration=4.0)
print(f"three rounds: {twice.ok}, {len(twice.jumps)} jumps")

figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.8), layout="constrained", width_ratios=(1, 1.25))
scene = Scene(left, look=(24, -28))
scene.floor((-0.4, -0.3), (0.5, 0.9), 0.2)
corners = np.array([(-0.24, -0.24, -0.004), (0.24, -0.24, -0.004), (0.24, 0.24, -0.004), (-0.24, 0.24, -0.004)])
scene.area(corners @ board[:3, :3].T + board[:3, 3], "#f4efe3", edge=INK)
drawn = arm.forward(clip.q)[:, :3, 3]
now = int(0.62 * len(clip))
points = np.array([arm.forward(clip.q[now], frame)[:3, 3] for frame in arm.frames])
for a, b, width in zip(points[:-1], points[1:], np.linspace(13, 5, len(points) - 1), strict=True):
    scene.line([a, b], BLUE, width, front=True)
for point in points[1:-1]:
    scene.dot(point, PALE, 6)
scene.line(drawn[: now + 1], RED, 2.2)
scene.line(drawn[now:], PALE, 1.2)
scene.dot(drawn[now], ORANGE, 6)
scene.show("the arm, part of the way")
right.plot(clip.times, np.degrees(clip.q), lw=1.5, label=[name.removesuffix("_joint") for name in arm.joint_names])
right.set(xlabel="time [s]", ylabel="joints [degrees]", title="smooth joint trajectories, from rest to rest")
right.grid(alpha=0.3)
right.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=9)
save(figure, out / "drawing.png")
