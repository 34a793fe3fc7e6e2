"""Plots of a clip: joint values over time, and postures side by side. Needs the extra `plot`."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, UnknownJoint, shown, suggest
from limbik.geometry.arrays import Array
from limbik.plots.robot import bones
from limbik.plots.style import BONE, COLOURS, GRID, TEXT, begin, save, tidy

if TYPE_CHECKING:
    from limbik.motion.clip import Clip

# The most curves per panel.
MOST_CURVES = 8
# {upward axis: candidates for the horizontal coordinate of a film}; the one with the wider motion is used.
_ACROSS = {"z": (0, 1), "y": (0, 2)}


def plot_joints(clip: "Clip", path: Path, joints: Sequence[str] | None) -> None:
    """Write a picture of joint values over time [degrees, m]; without `joints`, of those that move most.

    Raises MissingExtra, UnknownJoint, BadOption, BadFile.
    """
    pyplot = begin()
    if joints is not None and (isinstance(joints, str | bytes) or not isinstance(joints, Iterable)):
        raise BadOption(
            f"joints={shown(joints)}: give names of joint values, as in joints=['{clip.robot.joint_names[0]}']"
        )
    chosen = _moving_most(clip) if joints is None else [_number(clip, name) for name in joints]
    if not chosen:
        raise BadOption("joints= is empty: name at least one joint")
    prismatic = np.array([not _is_angle(clip, k) for k in chosen])
    panels = [k for k in (False, True) if (prismatic == k).any()]
    figure, axes = pyplot.subplots(len(panels), 1, figsize=(9, 3.6 * len(panels)), squeeze=False, sharex=True)
    for panel, linear in zip(axes[:, 0], panels, strict=True):
        for place, k in enumerate(k for k, s in zip(chosen, prismatic, strict=True) if s == linear):
            colour, style = COLOURS[place % len(COLOURS)], "-" if place < len(COLOURS) else "--"
            values = clip.q[:, k] if linear else np.degrees(clip.q[:, k])
            panel.plot(clip.times, values, style, color=colour, lw=1.6, label=clip.robot.joint_names[k])
        for frame in clip.jumps:
            panel.axvline(clip.times[frame], color=TEXT, lw=0.8, ls=":")
        panel.set_ylabel("displacement [m]" if linear else "angle [degrees]")
        panel.legend(fontsize=8, ncols=4, loc="upper center", bbox_to_anchor=(0.5, 1.25), frameon=False)
        tidy(panel)
    axes[-1, 0].set_xlabel("time [s]")
    figure.suptitle(f"{clip.robot.name}: {len(clip)} frames, {clip.duration:.3g} s", fontsize=10, y=0.995)
    figure.tight_layout(rect=(0, 0, 1, 0.97))
    save(figure, path)


def plot_film(clip: "Clip", path: Path, count: int) -> None:
    """Write `count` postures side by side, in the plane of the largest motion. Raises MissingExtra, BadOption, BadFile."""
    pyplot = begin()
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 100:
        raise BadOption(f"count={shown(count)}: give a number of postures from 1 to 100")
    times = np.linspace(clip.times[0], clip.times[-1], count)
    drawn = [bones(clip.robot, q) for q in clip.at(times)]
    everything = np.concatenate([segment for segments in drawn for segment in segments] or [np.zeros((1, 3))])
    up = "xyz".index(clip.robot.model.mechanism.up)
    across = max(_ACROSS["xyz"[up]], key=lambda k: float(np.ptp(everything[:, k])))
    step = _step(drawn, across)
    low, high = float(everything[:, up].min()), float(everything[:, up].max())
    wide, tall = step * count, max(high - low, 1e-6)
    size = min(max(2.4 * wide / tall, 4.0), 16.0)
    figure, panel = pyplot.subplots(figsize=(size, size * tall / wide + 0.9))
    for k, segments in enumerate(drawn):
        middle = _middle(segments, across)
        for segment in segments:
            panel.plot(segment[:, across] - middle + k * step, segment[:, up], color=BONE, lw=2, solid_capstyle="round")
        panel.text(k * step, low - 0.06 * tall, f"{times[k]:.2f} s", ha="center", va="top", fontsize=8, color=TEXT)
    panel.axhline(low, color=GRID, lw=1, zorder=0)
    panel.set(xlim=(-0.6 * step, (count - 0.4) * step), ylim=(low - 0.16 * tall, high + 0.05 * tall))
    panel.set_aspect("equal")
    panel.axis("off")
    figure.suptitle(
        f"{clip.robot.name}, {clip.duration:.3g} s, view along {'xyz'[3 - up - across]}", fontsize=9, color=TEXT
    )
    figure.tight_layout()
    save(figure, path)


def _middle(segments: list[Array], across: int) -> float:
    points = np.concatenate(segments)[:, across] if segments else np.zeros(1)
    return float((points.min() + points.max()) / 2)


def _step(drawn: list[list[Array]], across: int) -> float:
    """Return the distance between two postures of a film: the width of the widest and a margin."""
    widths = [float(np.ptp(np.concatenate(segments)[:, across])) for segments in drawn if segments]
    return 1.15 * max(widths, default=1.0) or 1.0


def _moving_most(clip: "Clip") -> list[int]:
    spread = np.ptp(clip.q, axis=0)
    order = sorted(range(clip.robot.n), key=lambda k: (-math.floor(spread[k] * 1e9), k))
    return sorted(order[:MOST_CURVES])


def _is_angle(clip: "Clip", k: int) -> bool:
    """Return whether value k of q is an angle."""
    name = clip.robot.joint_names[k]
    if name.rpartition(".")[2] in ("px", "py", "pz"):
        return False
    joint: Any = clip.robot.model.mechanism.joint_of.get(name)
    return joint is None or joint.kind.is_revolute


def _number(clip: "Clip", name: str) -> int:
    if name not in clip.robot.joint_names:
        raise UnknownJoint(
            f"no joint value {shown(name)} in '{clip.robot.name}'; {suggest(name, clip.robot.joint_names)}"
        )
    return clip.robot.joint_names.index(name)
