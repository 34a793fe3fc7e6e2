"""A figure holds a box: one hand has a target on the box, the other has a target relative to the first hand."""

import numpy as np
from scene import BLUE, INK, ORANGE, Scene, align, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)
# y is up, z forward, x to its left. The frame of a hand is at the wrist, its palm looks along z, its fingers point along -y.
figure = lk.load("human")
standing = figure.clamp(np.zeros(figure.n))

BOX = np.array([0.36, 0.24, 0.30])  # wide, high, deep [m]
PALM = np.array([0.0, -0.09, 0.03])  # the middle of a palm, from the wrist
centre_from_left = PALM + [0, 0, BOX[0] / 2]
# The right palm faces the left one across the box: rotated by 180 degrees about the fingers.
T_left_right = np.diag([-1.0, 1.0, -1.0, 1.0])
T_left_right[2, 3] = BOX[0] + 2 * PALM[2]


def hold(centre, seed):
    """Return an answer that holds the box at a position. The palms face each other; the hands may rotate about their normal."""
    return figure.solve(
        [
            lk.Pose("leftFoot", figure.forward(standing, "leftFoot")),
            lk.Pose("rightFoot", figure.forward(standing, "rightFoot")),
            lk.Position("leftHand", centre, at=centre_from_left),
            lk.Axis("leftHand", (-1, 0, 0), axis=(0, 0, 1)),
            lk.Pose("rightHand", T_left_right, relative_to="leftHand"),
            lk.LookAt("head", centre, at=(0, 0.1, 0.1), range=np.radians(5)),
            lk.Balance(SUPPORT, margin=0.02),
            lk.Posture(standing, weight=0.3),
        ],
        seed=seed,
    )


def soles():
    """Return the corners of both soles on the ground."""
    corners = np.array([(x, 0, z) for x in (-0.035, 0.035) for z in (-0.06, 0.2)])
    feet = (figure.forward(standing, name)[:3, 3] * [1, 0, 1] for name in ("leftFoot", "rightFoot"))
    return np.concatenate([foot + corners for foot in feet])


SUPPORT = soles()
places = {
    "on the ground": (0, 0.14, 0.42),
    "at the chest": (0, 1.05, 0.45),
    "over the head, to the left": (0.15, 1.75, 0.25),
}
drawing, axes = panels(3, (4.2, 5.6))
seed = standing
for panel, (label, centre) in zip(axes, places.items(), strict=True):
    answer = hold(centre, seed)
    seed = answer.q
    left, right = (figure.forward(seed, name) @ [*PALM, 1] for name in ("leftHand", "rightHand"))
    print(f"{label}: {answer.why}")
    print(f"  between the palms: {np.linalg.norm(left - right):.9f} m of {BOX[0]} m")
    scene = Scene(panel, up="y", look=(12, 52))
    scene.floor((-0.6, -0.45), (0.6, 0.75), 0.15)
    scene.body(figure, seed, BLUE)
    scene.box(centre, BOX, ORANGE)
    head = figure.forward(seed, "head") @ [0, 0.1, 0.1, 1]
    scene.line([head[:3], centre], INK, 1.2, ls=(0, (3, 3)))
    scene.show(label)
align(axes)
save(drawing, out / "two_hands_on_a_box.png")
