"""An example of every kind of goal that a posture (configuration) meets, on any mechanism: for the tests of goals."""

from collections.abc import Callable
from typing import Any

import numpy as np
from conftest import Rng

import limbik as lk
from limbik.goals.plan import make_plan
from limbik.solvers.many_goals import plans

Body = lk.Chain | lk.Skeleton
Maker = Callable[[Body, str, str | None, np.ndarray, Rng], lk.Goal]


def relative_pose(body: Body, frame: str, observer: str | None, q: np.ndarray) -> np.ndarray:
    """Return the pose of a frame relative to another."""
    T = body.forward(q, frame)
    return T if observer is None else np.linalg.inv(body.forward(q, observer)) @ T


def unit(rng: Rng) -> np.ndarray:
    """Return a random direction."""
    x = rng.normal(size=3)
    return x / np.linalg.norm(x)


def _pose(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    return lk.Pose(frame, relative_pose(body, frame, observer, q), relative_to=observer)


def _point(body: Body, frame: str, observer: str | None, q: np.ndarray, at: np.ndarray) -> np.ndarray:
    T = relative_pose(body, frame, observer, q)
    return T[:3, :3] @ at + T[:3, 3]


def _position(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    at = rng.normal(scale=0.1, size=3)
    return lk.Position(frame, _point(body, frame, observer, q, at), at=at, relative_to=observer)


def _orientation(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    return lk.Orientation(frame, relative_pose(body, frame, observer, q)[:3, :3], relative_to=observer)


def _axis(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    axis = unit(rng)
    return lk.Axis(frame, relative_pose(body, frame, observer, q)[:3, :3] @ axis, axis=axis, relative_to=observer)


def _look_at(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    axis, at = unit(rng), rng.normal(scale=0.1, size=3)
    point = _point(body, frame, observer, q, at + rng.uniform(0.5, 2) * axis)
    return lk.LookAt(frame, point, axis=axis, at=at, relative_to=observer)


def _plane(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    normal, at = unit(rng), rng.normal(scale=0.1, size=3)
    across = np.cross(normal, unit(rng))
    return lk.Plane(frame, _point(body, frame, observer, q, at) + across, normal, at=at, relative_to=observer)


def _line(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    along, at = unit(rng), rng.normal(scale=0.1, size=3)
    point = _point(body, frame, observer, q, at) + rng.normal() * along
    return lk.Line(frame, point, along, at=at, relative_to=observer)


def _distance(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    at, centre = rng.normal(scale=0.1, size=3), rng.normal(size=3)
    far = float(np.linalg.norm(_point(body, frame, observer, q, at) - centre))
    return lk.Distance(frame, centre, far, at=at, relative_to=observer)


def _posture(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    return lk.Posture(q, weight=0.5)


def _limit_centre(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    return lk.LimitCentre(weight=0.1)


def _manipulability(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    return lk.Manipulability(frame, part=("both", "position", "rotation")[rng.integers(3)])


def centre_of_mass(body: Body, q: np.ndarray) -> np.ndarray:
    """Return the centre of mass, directly from the definition."""
    weighted, total = np.zeros(3), 0.0
    for link in body.model.mechanism.links:
        if link.name in body.frames and link.mass > 0:
            T = body.forward(q, link.name)
            weighted = weighted + link.mass * (T[:3, :3] @ link.centre_of_mass + T[:3, 3])
            total += link.mass
    return weighted / total


def _balance(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    centre = centre_of_mass(body, q)
    ring = [centre + 0.3 * np.array([np.cos(a), np.sin(a), 0]) for a in np.linspace(0, 2 * np.pi, 6)[:5]]
    if body.model.mechanism.up == "y":
        ring = [centre + 0.3 * np.array([np.cos(a), 0, np.sin(a)]) for a in np.linspace(0, 2 * np.pi, 6)[:5]]
    points = np.array(ring)
    if observer is not None:
        T = np.linalg.inv(body.forward(q, observer))
        points = points @ T[:3, :3].T + T[:3, 3]
    return lk.Balance(points, relative_to=observer)


def _clearance(body: Body, frame: str, observer: str | None, q: np.ndarray, rng: Rng) -> lk.Goal:
    """Return the clearance of a frame, which has the only shapes, from obstacles close to it."""
    p = body.forward(q, frame)[:3, 3]
    far = p + 0.3 * unit(rng)
    obstacles = [lk.Sphere(far, 0.1), lk.Capsule(far, far + unit(rng) * 0.01, 0.05)]
    shapes = {frame: [lk.Sphere((0, 0, 0), 0.05), lk.Capsule((0, 0, 0), (0, 0, 0.02), 0.03)]}
    return lk.Clearance(obstacles, distance=0.05, shapes=shapes, self_collision=False)


EXAMPLES: dict[str, Maker] = {
    "Pose": _pose,
    "Position": _position,
    "Orientation": _orientation,
    "Axis": _axis,
    "LookAt": _look_at,
    "Plane": _plane,
    "Line": _line,
    "Distance": _distance,
    "Posture": _posture,
    "LimitCentre": _limit_centre,
    "Manipulability": _manipulability,
    "Balance": _balance,
    "Clearance": _clearance,
}


def fits(kind: str, body: Body) -> bool:
    """Return whether a mechanism has what a goal needs: masses, or joints with two limits."""
    if kind == "Balance":
        return any(link.mass > 0 for link in body.model.mechanism.links)
    if kind == "LimitCentre":
        return bool(np.any(np.isfinite(body.lower) & np.isfinite(body.upper)))
    return True


def example(kind: str, body: Body, q: np.ndarray, rng: Rng, frame: str | None = None, observer: Any = None) -> lk.Goal:
    """Return a goal of a kind that q meets."""
    moving = [name for name in body.frames if name != body.base]
    return EXAMPLES[kind](body, frame or moving[rng.integers(len(moving))], observer, q, rng)


def missing(body: Body, goals: tuple[lk.Goal, ...], q: np.ndarray) -> np.ndarray:
    """Return the errors of goals at a posture, as the core measures them."""
    plan = make_plan(goals, body.model)
    return plans(body.model).solver(plan.key, limits=True, frozen=()).look(plan.aims, q)[0]
