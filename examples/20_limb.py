"""A two-bone limb: the pole for its elbow, the swivels inside the joint limits, a soft reach."""

import math

import numpy as np
from scene import BLUE, GREEN, INK, ORANGE, PALE, RED, Scene, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)
figure = lk.load("human")
arm = figure.limb("leftHand")
standing = figure.clamp(np.zeros(figure.n))
print(arm)

# A position in front of the chest, and a pose of the hand there with the elbow a little outwards.
place = np.array([0.28, 1.22, 0.38])
hand = np.eye(4)
hand[:3, :3] = figure.forward(arm.solve(place, swivel=0.6, seed=standing).q, "leftHand")[:3, :3]
hand[:3, 3] = place
everywhere = np.linspace(-math.pi, math.pi, 181)


def draw(panel, target, title):
    """Draw the figure, the circle of the elbow with its admissible arcs, and the arm at the middle of the longest arc."""
    arcs = arm.swivel_ranges(target, seed=standing)
    low, high = max(arcs, key=lambda arc: arc[1] - arc[0])
    answer = arm.solve(target, swivel=0.5 * (low + high), seed=standing)
    words = ", ".join(f"{math.degrees(a):.0f} to {math.degrees(b):.0f}" for a, b in arcs)
    print(f"{title}: swivels {words} degrees; {answer.why}")
    scene = Scene(panel, up="y", look=(14, 25))
    for frame, shape in figure.model.shapes:
        own = frame.startswith("left") and ("Arm" in frame or "Hand" in frame)
        if "Leg" not in frame and "Foot" not in frame:
            scene.shape(shape.moved(figure.forward(answer.q, frame)), BLUE if own else PALE)
    circle = arm.solve_batch(np.tile(place, (len(everywhere), 1)), swivels=everywhere, seeds=standing, limits=False)
    scene.line(circle.elbow, RED, 2.5, ls=(0, (2, 2)))
    for a, b in arcs:
        some = np.linspace(a, b, 60)
        kept = arm.solve_batch(np.tile(place, (60, 1)), swivels=some, seeds=standing, limits=False)
        scene.line(kept.elbow, GREEN, 5)
    scene.dot(answer.elbow, ORANGE, 9)
    scene.dot(place, RED, 8)
    scene.show(title)
    return answer


picture, (left, right) = panels(2, (4.4, 4.2))
draw(left, place, "position of the hand alone")
answer = draw(right, hand, "position and orientation")
for panel in (left, right):
    panel.set(xlim=(-0.42, 0.42), ylim=(0.98, 1.76))
save(picture, out / "limb_swivels.png")

# The pole, the line and the plane of a limb; and the effect of a soft reach.
picture, (left, right) = panels(2, (4.6, 3.9))
bones = lk.Limb(0.33, 0.26)
pole, target = np.array([0.12, -0.1, 0.42]), np.array([0.08, -0.45, 0.02])
bent = bones.solve(target, pole=pole)
scene = Scene(left, up="y", look=(14, 38))
scene.area([(0, 0, 0), pole, target], ORANGE, 0.18, back=True)
turns = bones.solve_batch(np.tile(target, (121, 1)), swivels=np.linspace(-math.pi, math.pi, 121))
scene.line(turns.elbow, GREEN, 2, ls=(0, (2, 2)))
scene.line([(0, 0, 0), target], INK, 1.2, ls=(0, (4, 3)))
scene.line([bent.elbow, pole], ORANGE, 1.5, ls=(0, (4, 3)))
for a, b in (((0, 0, 0), bent.elbow), (bent.elbow, target)):
    scene.shape(lk.Capsule(tuple(a), tuple(b), 0.022), BLUE)
for point, colour, name, shift in (
    ((0, 0, 0), INK, "root", (24, -2)),
    (bent.elbow, BLUE, "elbow", (-30, -16)),
    (target, RED, "target", (0, -18)),
    (pole, ORANGE, "pole", (0, 10)),
):
    scene.dot(point, colour, 8)
    scene.words(point, name, shift)
scene.show("the elbow points to the pole")

length = bones.upper + bones.lower
x = np.linspace(0.8 * length, 1.5 * length, 400)
reach = {"exact": {}, "soft=0.1": {"soft": 0.1}, "stretch=0.25": {"stretch": 0.25}}
for (name, options), colour in zip(reach.items(), (INK, BLUE, ORANGE), strict=True):
    batch = bones.solve_batch(x[:, None] * [[0, -1, 0]], directions=(0, 0, 1), **options)
    right.plot(x / length, -batch.end[:, 1] / length, c=colour, lw=2.2, label=name)
right.axhline(1, c=PALE, lw=1, zorder=0)
right.set(xlabel="distance of the target (of the length)", ylabel="distance of the tip")
right.set_title("distance of the tip", fontsize=12, color=INK)
right.legend(frameon=False, loc="lower right")
right.spines[["top", "right"]].set_visible(False)
save(picture, out / "limb_pole.png")

# From joints to handles and back, and a blend half way.
handles = arm.match_ik(answer.q)
again = arm.match_fk(handles, seed=answer.q)
half = arm.blend(standing, answer.q, 0.5)
print(f"joint values after the round trip by handles differ by {np.abs(again.q - answer.q).max():.0e} rad")
print("half way the hand is at", np.round(figure.forward(half, "leftHand")[:3, 3], 3))
