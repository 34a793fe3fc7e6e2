"""A plot of a mechanism: bones and joint axes, with a few other postures behind. Needs the extra `plot`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadFile
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.model.robots import is_arm, is_figure
from limbik.model.shape import Capsule
from limbik.plots.style import begin, save

if TYPE_CHECKING:
    from limbik.robot.chain import Chain
    from limbik.robot.kinematic import Kinematic
    from limbik.robot.skeleton import Skeleton

# The number of faint postures behind the main one, and their random seed.
GHOSTS = 6
GHOST_SEED = 7
# The length of a drawn axis, as a fraction of the plot's size.
AXIS_LENGTH = 0.045

_BONE, _GHOST, _REVOLUTE, _PRISMATIC, _TIP = "#1f3a5f", "#9db4ce", "#d1495b", "#2e8b57", "#edae49"

# {upward axis: coordinates (right, depth, up) of the 3D view, and (right, up) of the front view}.
_VIEWS = {"z": ((0, 1, 2), (0, 2)), "y": ((2, 0, 1), (0, 1))}


def draw(body: "Chain | Skeleton", path: Path) -> None:
    """Write a picture (.png, .svg or .pdf) of a robot or figure. Raises MissingExtra or BadFile."""
    pyplot = begin()
    if path.is_dir():
        raise BadFile(f"cannot write the picture '{path}': it is a directory; give a file name in it, such as arm.png")
    space, front = _VIEWS[body.model.mechanism.up]
    names = "xyz"
    postures = _postures(body)
    drawn = [bones(body, q) for q in postures]
    axes_drawn = _axes(body, postures[-1])
    everything = np.concatenate([segment for segments in drawn for segment in segments] or [np.zeros((1, 3))])
    low, high = everything.min(axis=0), everything.max(axis=0)
    centre, half = (low + high) / 2, max(float((high - low).max()) / 2, 1e-6) * 1.05
    length = AXIS_LENGTH * 2 * half

    figure = pyplot.figure(figsize=(12, 6))
    in_space = figure.add_axes((0.0, 0.04, 0.52, 0.86), projection="3d")
    from_front = figure.add_axes((0.60, 0.12, 0.37, 0.74))
    for panel, pick in ((in_space, list(space)), (from_front, list(front))):
        _scene(panel, pick, drawn, axes_drawn, _tips(body, postures[-1]), length)
    spans = [(centre[k] - half, centre[k] + half) for k in range(3)]
    labels = [f"{name} [m]" for name in names]
    in_space.set(xlim=spans[space[0]], ylim=spans[space[1]], zlim=spans[space[2]])
    in_space.set(xlabel=labels[space[0]], ylabel=labels[space[1]], zlabel=labels[space[2]])
    in_space.set_box_aspect((1, 1, 1), zoom=0.92)
    in_space.view_init(20, -58)
    from_front.set(xlim=spans[front[0]], ylim=spans[front[1]], xlabel=labels[front[0]], ylabel=labels[front[1]])
    from_front.set_aspect("equal")
    from_front.grid(color="#dddddd")
    from_front.set_title("from the front", fontsize=9)
    about = f"; {body.structure}" if is_arm(body) else ""
    title = f"{body.model.mechanism.title or body.name}: {body.n} joint values, reach {body.reach:.3g} m{about}"
    figure.suptitle(title, fontsize=11, wrap=True)
    key = "red: revolute axes    green: prismatic axes    yellow: tips    pale: other postures"
    figure.text(0.5, 0.015, key, ha="center", fontsize=8, color="#555555")
    save(figure, path)


def _postures(body: "Chain | Skeleton") -> list[Array]:
    """Return the postures to draw, the main one last: an arm at home, a figure at rest; floating joints stay fixed."""
    main = body.home if is_arm(body) else body.clamp(np.zeros(body.n))
    others = body.sample(np.random.default_rng(GHOST_SEED), GHOSTS)
    for v in body.model.compiled.variables:
        if v.joint.kind is Kind.FLOATING:
            others[:, v.first : v.first + 6] = main[v.first : v.first + 6]
    if is_figure(body):
        others = main + 0.25 * (others - main)
    return [*others, main]


def bones(body: "Kinematic", q: Array) -> list[Array]:
    """Return a segment (2, 3) per joint, between the frames that it joins, and the capsules of the last links."""
    frames = dict(zip(body.frames, body.model.forward_all(q), strict=True))
    segments = []
    for joint in body.model.mechanism.joints:
        if joint.parent in frames and joint.child in frames and joint.kind is not Kind.FLOATING:
            ends = np.stack([frames[joint.parent][:3, 3], frames[joint.child][:3, 3]])
            if np.ptp(ends, axis=0).max() > 0:
                segments.append(ends)
    parents = {joint.parent for joint in body.model.mechanism.joints}
    for name, shape in body.model.shapes:
        if isinstance(shape, Capsule) and name not in parents:
            T = frames[name]
            segments.append(np.stack([shape.start, shape.end]) @ T[:3, :3].T + T[:3, 3])
    return segments


def _axes(body: "Kinematic", q: Array) -> list[tuple[Array, Array, bool]]:
    """Return (point, direction, prismatic) of each joint with one axis."""
    frames = dict(zip(body.frames, body.model.forward_all(q), strict=True))
    found = []
    for e in body.model.compiled.elements:
        T = frames[e.joint.child]
        if e.joint.kind.size == 1:
            found.append((T[:3, 3], T[:3, :3] @ e.joint.axis, e.joint.kind is Kind.PRISMATIC))
    return found


def _tips(body: "Chain | Skeleton", q: Array) -> list[Array]:
    names = body.model.tips
    return [body.forward(q, name)[:3, 3] for name in names]


def _scene(
    panel: Any,
    pick: list[int],
    drawn: list[list[Array]],
    axes: list[tuple[Array, Array, bool]],
    tips: list[Array],
    length: float,
) -> None:
    """Draw everything into one panel, in the given coordinates."""
    for k, segments in enumerate(drawn):
        last = k == len(drawn) - 1
        style = {"color": _BONE, "lw": 4.0} if last else {"color": _GHOST, "lw": 1.2, "alpha": 0.6}
        for segment in segments:
            panel.plot(*segment[:, pick].T, solid_capstyle="round", **style)
    for point, direction, prismatic in axes:
        ends = np.stack([point - length * direction, point + length * direction])
        panel.plot(*ends[:, pick].T, color=_PRISMATIC if prismatic else _REVOLUTE, lw=1.6)
        panel.scatter(*point[pick], color=_PRISMATIC if prismatic else _REVOLUTE, s=12, zorder=4)
    for tip in tips:
        panel.scatter(*tip[pick], color=_TIP, s=42, zorder=5, edgecolors=_BONE, linewidths=0.8)
