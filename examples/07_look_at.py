"""A camera at the tip of an arm keeps looking at a point while it moves on an arc: two goals and a secondary objective."""

import numpy as np
from scene import BLUE, GREEN, INK, ORANGE, RED, Scene, align, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)

# The camera is 8 cm in front of the flange and looks along its z axis.
camera = np.eye(4)
camera[2, 3] = 0.08
arm = lk.load("panda").with_tool(camera)
rest = np.radians([0, -30, 0, -130, 0, 100, 45])

subject = np.array([0.60, 0.0, 0.12])
angles = np.radians(np.linspace(-80, 80, 61))
arc = subject + np.stack([-0.25 * np.cos(angles), 0.35 * np.sin(angles), 0.30 + 0 * angles], axis=1)

# Position and direction fix five of the seven degrees of freedom. A secondary objective determines the other two: stay near a
# comfortable posture (configuration).
watching, blind = [], []
q = q_blind = rest
for place in arc:
    answer = arm.solve([lk.Position(None, place), lk.LookAt(None, subject), lk.Posture(rest)], seed=q)
    assert answer.ok, answer.why
    q = answer.q
    watching.append(q)
    q_blind = arm.solve([lk.Position(None, place), lk.Posture(rest)], seed=q_blind).q
    blind.append(q_blind)


def off(q):
    """Return the angle between the camera's axis and the direction of the subject [deg]."""
    T = arm.forward(q)
    to_subject = subject - T[:3, 3]
    return np.degrees(np.arccos(np.clip(T[:3, 2] @ to_subject / np.linalg.norm(to_subject), -1, 1)))


print(answer.why)
for label, path in (("Position alone", blind), ("Position and LookAt", watching)):
    step = np.degrees(np.abs(np.diff(path, axis=0)).max())
    print(
        f"{label:20s} looks past the subject by up to {max(map(off, path)):5.2f} degrees; joint steps up to {step:.2f}"
    )

lens = lk.Capsule((0, 0, -0.05), (0, 0, -0.02), 0.025)
figure, axes = panels(2, (5.6, 4.4))
for panel, path, title in zip(axes, (blind, watching), ("Position alone", "Position and LookAt"), strict=True):
    scene = Scene(panel, look=(28, -66))
    scene.floor((-0.3, -0.6), (0.9, 0.6), 0.15)
    for k, alpha in ((0, 0.18), (60, 0.18), (38, 1.0)):
        scene.body(arm, path[k], BLUE, alpha)
        scene.shape(lens.moved(arm.forward(path[k])), INK, alpha)
    scene.line(arc, INK, 1.5, ls=(0, (4, 3)))
    for q in path[::6]:
        T = arm.forward(q)
        good = off(q) < 1
        scene.line([T[:3, 3], T[:3, 3] + 0.5 * T[:3, 2]], GREEN if good else RED, 1.2, alpha=0.75)
        scene.dot(T[:3, 3], GREEN if good else RED, 4)
    scene.dot(subject, ORANGE, 13)
    scene.show(title)
align(axes)
save(figure, out / "look_at.png")
