"""A torch along the normal of a seam: its spin is left free, so the arm can weld more of the seam."""

import numpy as np
from scene import BLUE, GREEN, INK, PALE, RED, Scene, align, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)

# A bent torch: its tip is 28 cm in front of the flange and 10 cm beside its axis, and its wire points 35 degrees to the side.
c, s = np.cos(np.radians(35)), np.sin(np.radians(35))
torch = np.array([[c, 0, s, 0.10], [0, 1, 0, 0], [-s, 0, c, 0.28], [0, 0, 0, 1]])
arm = lk.load("ur5").with_tool(torch)

# The seam runs along a ridge; the torch points down on it, against the normal.
y = np.linspace(-1.0, 1.0, 61)
seam = np.stack([0.45 + 0.12 * np.cos(2.2 * y), y, 0.05 + 0 * y], axis=1)
tangent = np.gradient(seam, axis=0)
tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
down = np.array([0.0, 0.0, -1.0])


def pose(point, along):
    """Return the pose with the torch down and its x along the seam."""
    T = np.eye(4)
    T[:3, :3] = np.column_stack([along, np.cross(down, along), down])
    T[:3, 3] = point
    return T


def weld(goals_at):
    """Return a posture (configuration) for each point of the seam, or None; each solve starts from the one before."""
    found, seed = [], None
    for k in range(len(seam)):
        answer = arm.solve(goals_at(k), seed=seed)
        found.append(answer.q if answer.ok else None)
        seed = answer.q if answer.ok else seed
    return found


cases = {
    "x along the seam": weld(lambda k: [lk.Pose(None, pose(seam[k], tangent[k]))]),
    "free spin": weld(lambda k: [lk.Position(None, seam[k]), lk.Axis(None, down)]),
    "and a cone of 10 degrees": weld(lambda k: [lk.Position(None, seam[k]), lk.Axis(None, down, range=np.radians(10))]),
}
for label, found in cases.items():
    bar = "".join("·" if q is None else "█" for q in found)
    print(f"{label:25s} {bar} {100 * np.mean([q is not None for q in found]):3.0f} %")

figure, axes = panels(3, (4.5, 2.9))
for panel, (label, found) in zip(axes, cases.items(), strict=True):
    scene = Scene(panel, look=(34, -4))
    scene.floor((-0.3, -1.05), (0.75, 1.05), 0.15)
    scene.shape(lk.Capsule((0, 0, 0), (0, 0, 0.05), 0.075), PALE)
    welded = [q for q in found if q is not None]
    for q, alpha in ((welded[0], 0.2), (welded[-1], 0.2), (welded[len(welded) // 2], 1.0)):
        scene.body(arm, q, BLUE, alpha)
        flange, tip = arm.forward(q, arm.frames[-2])[:3, 3], arm.forward(q)
        scene.line([flange, tip[:3, 3] - 0.12 * tip[:3, 2], tip[:3, 3]], INK, 3.5, alpha=max(alpha, 0.4))
    for k in range(len(seam) - 1):
        bad = found[k] is None or found[k + 1] is None
        scene.line(seam[k : k + 2], RED if bad else GREEN, 4)
    scene.show(f"{label}: {100 * len(welded) / len(seam):.0f} %")
align(axes)
save(figure, out / "welding_axis.png")
