"""The frames of the joints of a robot at zero, as a table and as a picture. In a Denavit-Hartenberg table z is a joint's axis."""

from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from limbik.errors import BadFile
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.plots.robot import bones
from limbik.plots.style import begin, save
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton

# The length of a drawn axis and the distance between frames with one origin, as fractions of the picture's size.
LENGTH, ASIDE = 0.11, 0.3
# Origins nearer than this part of the picture's size count as one.
SAME_PLACE = 1e-6
COLOURS = {"x": "#d1495b", "y": "#2e8b57", "z": "#1f6fb2"}
BONE = "#9db4ce"
# The coordinates (right, depth, up) of the view, by the axis that points up.
VIEWS = {"z": (0, 1, 2), "y": (2, 0, 1)}


def joint_frames(body: Chain | Skeleton) -> dict[str, Array]:
    """Return the frame of each moving joint by its name, then that of each tip, (4, 4) each, at the zero posture."""
    q = np.zeros(body.n)
    poses = dict(zip(body.frames, body.model.forward_all(q), strict=True))
    found = {
        joint.name: poses[joint.child]
        for joint in body.model.mechanism.joints
        if joint.kind is not Kind.FIXED and joint.child in poses
    }
    tips = [body.tip] if isinstance(body, Chain) else list(body.tips)
    return found | {tip: poses[tip] for tip in tips}


def as_table(body: Chain | Skeleton) -> Table:
    """Return a table of the frames: the origin [m] and the directions of the axes."""
    table = Table("frame of", "origin [m]", "x", "y", "z", box=None, header_style="bold")
    for name, T in joint_frames(body).items():
        table.add_row(name, _row(T[:3, 3]), *(_row(T[:3, k]) for k in range(3)))
    return table


def as_json(body: Chain | Skeleton) -> dict[str, Any]:
    """Return the frames for scripts: a matrix (4, 4) by name."""
    return {name: T.tolist() for name, T in joint_frames(body).items()}


def _row(v: Array) -> str:
    return " ".join(f"{x + 0.0:.4g}" if abs(x) > 1e-9 else "0" for x in v)


def draw_frames(body: Chain | Skeleton, path: Path) -> None:
    """Write a picture of the frames on the bones; those with one origin stand side by side. Raises MissingExtra or BadFile."""
    pyplot = begin()
    if path.is_dir():
        raise BadFile(f"cannot write the picture '{path}': it is a directory; give a file name in it, such as arm.png")
    pick = list(VIEWS[body.model.mechanism.up])
    q = np.zeros(body.n)
    segments = bones(body, q)
    frames = joint_frames(body)
    everything = np.concatenate([*segments, [T[:3, 3] for T in frames.values()]])
    low, high = everything.min(axis=0), everything.max(axis=0)
    size = max(float((high - low).max()), 1e-6)

    figure = pyplot.figure(figsize=(9, 9))
    panel = figure.add_subplot(projection="3d")
    for segment in segments:
        panel.plot(*segment[:, pick].T, color=BONE, lw=3, solid_capstyle="round")
    aside = np.zeros(3)
    aside[pick[0]] = ASIDE * size
    seen: list[Array] = []
    for name, T in frames.items():
        place = T[:3, 3]
        before = sum(bool(np.abs(place - other).max() <= SAME_PLACE * size) for other in seen)
        seen.append(place)
        shown = place + before * aside
        if before:
            panel.plot(*np.stack([place, shown])[:, pick].T, color="#bbbbbb", lw=0.8, ls=":")
        for axis, (letter, colour) in enumerate(COLOURS.items()):
            end = shown + LENGTH * size * T[:3, axis]
            panel.plot(*np.stack([shown, end])[:, pick].T, color=colour, lw=2)
            panel.text(*end[pick], letter, color=colour, fontsize=7)
        panel.text(*(shown - [0.0, 0.03 * size, 0.0])[pick], f"  {name}", fontsize=8, color="#333333", va="top")
    centre, half = (low + high) / 2, size / 2 * 1.1
    spans = [(centre[k] - half, centre[k] + half) for k in pick]
    labels = [f"{'xyz'[k]} [m]" for k in pick]
    panel.set(xlim=spans[0], ylim=spans[1], zlim=spans[2], xlabel=labels[0], ylabel=labels[1], zlabel=labels[2])
    panel.set_box_aspect((1, 1, 1), zoom=1.2)
    panel.view_init(18, -60)
    figure.suptitle(f"{body.model.mechanism.title or body.name}: frames of the joints at zero", fontsize=11)
    figure.text(
        0.5, 0.02, "dotted: frames with one origin, drawn side by side", ha="center", fontsize=8, color="#555555"
    )
    save(figure, path)
