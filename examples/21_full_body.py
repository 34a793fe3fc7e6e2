"""A whole body with pins: a hand is dragged, the feet stay. The same solver moves people of any size, and a dog."""

from time import perf_counter

import numpy as np
from scene import BLUE, GREEN, INK, ORANGE, PALE, RED, Scene, align, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)


def relaxed(figure):
    """Return a standing posture with the joints a little bent."""
    q = figure.clamp(np.zeros(figure.n))
    bent = {"UpperArm_z": 0.15, "LowerArm_x": 0.35, "UpperLeg_x": 0.1, "LowerLeg_x": 0.2, "Foot_x": 0.1}
    for side in ("left", "right"):
        for joint, angle in bent.items():
            q[figure.joint_names.index(side + joint)] = angle
    return q


# Figures: of any size and proportions, and of four legs.
people = {
    "1.75 m": lk.human(),
    "a child of 1.1 m": lk.human(1.1, head=1.5, legs=0.85),
    "1.9 m, legs=1.2": lk.human(1.9, legs=1.2),
    "broad: spine (1.3, 1, 1.2)": lk.human(1.75, proportions={"spine": (1.3, 1, 1.2)}, arms=1.1, mass=95),
    "quadruped": lk.load("quadruped"),
}
picture, axes = panels(len(people), (2.3, 4.0))
for panel, (title, figure) in zip(axes, people.items(), strict=True):
    four_legged = figure.name == "quadruped"
    scene = Scene(panel, up="y", look=(8, -72) if four_legged else (8, 20))
    scene.floor((-0.4, -0.4), (0.4, 0.4), 0.2)
    scene.body(
        figure, figure.clamp(np.zeros(figure.n)) if four_legged else relaxed(figure), ORANGE if four_legged else BLUE
    )
    scene.show()
    panel.set_title(title, fontsize=9.5, color=INK)
align(axes)
save(picture, out / "figures.png")

# Pins: both feet are planted, the gaze follows the hand, the other hand is free.
figure = lk.human()
body = lk.Body(
    figure,
    [lk.Planted("leftFoot"), lk.Planted("rightFoot"), lk.Pin("leftHand", rotation=0), lk.Gaze("head", tolerance=0.01)],
    stiffness={"spine": 3.0},
    balance=0.02,
)
pose = body.at(relaxed(figure))
start = pose.targets["leftHand"]
stations = {
    "at rest": start,
    "to the ground": (0.2, 0.2, 0.55),
    "high": (0.35, 1.95, 0.25),
    "out of reach": (0.4, 1.5, 1.25),
}
picture, axes = panels(len(stations), (2.7, 4.2))
hand, seconds, steps = np.array(start), [], []
for panel, (title, point) in zip(axes, stations.items(), strict=True):
    scene = Scene(panel, up="y", look=(10, 62))
    scene.floor((-0.4, -0.4), (0.4, 0.8), 0.2)
    path = np.linspace(hand, point, 91)[1:]
    trace = []
    for k, place in enumerate(path):
        began = perf_counter()
        after = pose.drag({"leftHand": place, "gaze": place})
        seconds.append(perf_counter() - began)
        steps.append(np.abs(figure.model.difference(pose.q, after.q))[6:].max())
        pose = after
        trace.append(pose.forward("leftHand")[:3, 3])
        if k in (29, 59) and title != "at rest":
            scene.body(figure, pose.q, PALE, 0.35)
    hand = np.array(point)
    scene.body(figure, pose.q)
    scene.line(trace, RED, 1.2)
    scene.dot(point, ORANGE if pose.met["leftHand"] else RED)
    for foot in ("leftFoot", "rightFoot"):
        scene.dot(pose.forward(foot)[:3, 3], GREEN, 6)
    scene.show(title)
    print(f"{title:14s} {pose.why}")
    assert pose.met["leftFoot"] and pose.met["rightFoot"]
align(axes)
print(f"a frame takes {1e6 * np.median(seconds):.0f} us; the largest joint step is {max(steps):.3f} rad")
save(picture, out / "pins_dragged.png")

# A trot: diagonal paws swing together while the others are on the ground.
dog = lk.load("quadruped")
paws = [f"{side}{end}Paw" for side in ("left", "right") for end in ("Front", "Hind")]
pins = [*(lk.Pin(paw, rotation=0) for paw in paws), lk.Pin("hips", position=0.3, rotation=0.3), lk.Gaze("head")]
body = lk.Body(dog, pins, stiffness={"chest": 20.0})
pose = body.at(np.zeros(dog.n))
ground = {paw: pose.targets[paw] for paw in paws}
CYCLE = 36
picture, axes = panels(4, (3.0, 2.7))
for k in range(3 * CYCLE):
    targets = {"gaze": (0.3, 0.7, 2.0)}
    for paw in paws:
        phase = k / CYCLE + (0.5 if paw in ("leftFrontPaw", "rightHindPaw") else 0.0)
        swing = np.sin(2 * np.pi * phase)
        targets[paw] = ground[paw] + [0, 0.07 * max(swing, 0.0), -0.09 * np.cos(2 * np.pi * phase)]
    pose = pose.drag(targets)
    assert pose.ok
    panel, rest = divmod(k - 2 * CYCLE, CYCLE // 4)
    if panel >= 0 and rest == 0:
        scene = Scene(axes[panel], up="y", look=(8, -72))
        scene.floor((-0.3, -0.6), (0.3, 0.6), 0.2)
        scene.body(dog, pose.q, ORANGE)
        for paw in paws:
            scene.dot(targets[paw], GREEN if targets[paw][1] <= ground[paw][1] + 1e-9 else RED, 5)
        scene.show(f"{panel / 4:.2f} of a stride")
align(axes)
save(picture, out / "trot.png")
