"""A figure reaches forward, with and without keeping its centre of mass over its feet."""

import numpy as np
from scene import BLUE, GREEN, ORANGE, RED, Scene, align, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)
figure = lk.load("human")  # y up, z forward
standing = figure.clamp(np.zeros(figure.n))
feet = ("leftFoot", "rightFoot")
corners = np.array([(x, 0, z) for x, z in ((-0.035, -0.06), (0.035, -0.06), (0.035, 0.2), (-0.035, 0.2))])
soles = [figure.forward(standing, foot)[:3, 3] * [1, 0, 1] + corners for foot in feet]
support = np.concatenate(soles)
low, high = support.min(axis=0), support.max(axis=0)
ground = [(low[0], 0, low[2]), (high[0], 0, low[2]), (high[0], 0, high[2]), (low[0], 0, high[2])]  # between both feet

target = np.array([0.2, 0.55, 0.95])
reaching = [
    *(lk.Pose(foot, figure.forward(standing, foot)) for foot in feet),
    lk.Position("leftHand", target, at=(0, -0.15, 0)),
    lk.LookAt("head", target, at=(0, 0.1, 0.1), range=np.radians(10)),
    lk.Posture(standing),
]
cases = {"without Balance: it falls": reaching, "with Balance": [*reaching, lk.Balance(support, margin=0.03)]}

drawing, axes = panels(2, (5.4, 5.0))
for panel, (label, goals) in zip(axes, cases.items(), strict=True):
    answer = figure.solve(goals, seed=standing)
    q = answer.q
    centre = figure.model.centre_of_mass(q)
    below = centre * [1, 0, 1]
    spare = high[2] - below[2]
    inside = spare > 0
    print(f"{label}: {answer.why}")
    print(
        f"  the plumb line meets the ground {abs(spare):.3f} m {'behind' if inside else 'before'} the tips of the toes"
    )
    scene = Scene(panel, up="y", look=(14, 58))
    scene.floor((-0.6, -0.6), (0.6, 1.05), 0.15)
    scene.area(ground, GREEN, 0.25, edge=GREEN, back=True)
    scene.body(figure, q, BLUE)
    scene.line([centre, below], GREEN if inside else RED, 2.0, ls=(0, (3, 2)))
    scene.dot(centre, GREEN if inside else RED, 12)
    scene.dot(below, GREEN if inside else RED, 8)
    scene.dot(target, ORANGE, 10)
    scene.show(label)
align(axes)
save(drawing, out / "balance.png")
