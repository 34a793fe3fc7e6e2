"""Keep an elbow away from a wall: a plane with one free side for the elbow, or clearance for every link."""

import math

import numpy as np
from scene import BLUE, INK, ORANGE, PALE, RED, Scene, align, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)
arm = lk.load("iiwa7")
ELBOW = "link4"
# The tool points down beside a wall. The seed is a posture (configuration) whose elbow is inside the wall.
T = np.array([[1.0, 0, 0, 0.52], [0, -1, 0, 0], [0, 0, -1, 0.35], [0, 0, 0, 1]])
seed = np.radians([49, 80, 79, 96, 79, -100, -49])

# The face of the wall is at y = 0.22. For Clearance the wall is a row of posts behind its face.
WALL, RADIUS = 0.22, 0.05
posts = [lk.Capsule((x, WALL + RADIUS, -0.2), (x, WALL + RADIUS, 1.2), RADIUS) for x in np.arange(-0.5, 1.0, 0.05)]

cases = {
    "Pose alone": [lk.Pose(None, T)],
    "Plane: elbow joint 10 cm away": [
        lk.Pose(None, T),
        lk.Plane(ELBOW, (0, WALL, 0), (0, -1, 0), range=(0.10, math.inf)),
    ],
    "Clearance: every link 5 cm away": [lk.Pose(None, T), lk.Clearance(posts, distance=0.05, self_collision=False)],
}


def room(shape):
    """Return the signed distance of a shape from the wall [m]; negative inside."""
    if isinstance(shape, lk.Box):
        return WALL - max(y for _, y, _ in shape.corners)
    ends = [shape.centre] if isinstance(shape, lk.Sphere) else [shape.start, shape.end]
    return WALL - max(y for _, y, _ in ends) - shape.radius


figure, axes = panels(3, (4.4, 4.4))
for panel, (label, goals) in zip(axes, cases.items(), strict=True):
    answer = arm.solve(goals, seed=seed)
    elbow = arm.forward(answer.q, ELBOW)[:3, 3]
    links = [shape.moved(arm.forward(answer.q, frame)) for frame, shape in arm.model.shapes]
    nearest = min(map(room, links))
    print(f"{label}: {answer.why}")
    print(f"  from the wall: elbow joint {WALL - elbow[1]:.3f} m, nearest link {nearest:.3f} m")
    scene = Scene(panel, look=(24, -32))
    scene.floor((-0.35, -0.4), (0.7, WALL), 0.155)
    scene.area([(-0.35, WALL, 0), (0.7, WALL, 0), (0.7, WALL, 0.9), (-0.35, WALL, 0.9)], PALE, 0.5, PALE, back=True)
    for link in links:
        scene.shape(link, RED if room(link) < 0 else BLUE)
    scene.line([elbow, (elbow[0], WALL, elbow[2])], INK, 2, ls=(0, (3, 2)))
    scene.dot(elbow, ORANGE, 9)
    scene.show(f"{label}\nnearest link: {100 * nearest:.0f} cm")
align(axes)
save(figure, out / "elbow_from_a_wall.png")
