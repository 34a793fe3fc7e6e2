"""A plot of a retargeted clip: the source above, the result below, seen from the right, with standing feet marked.

Needs the extra `plot`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.model.humanoid import Humanoid
from limbik.model.joint import Kind
from limbik.model.shape import Capsule
from limbik.plots.style import BONE, GRID, TEXT, begin, save

if TYPE_CHECKING:
    from limbik.motion.clip import Clip
    from limbik.motion.retarget.retargeted import Retargeted

# Colours of left, right, other segments, and standing feet.
LEFT, RIGHT, STANDING = "#d55e00", "#0072b2", "#009e73"
# The most postures in a plot.
MOST = 40


def plot_retargeted(result: "Retargeted", path: Path, count: int) -> None:
    """Write the picture. Raises MissingExtra, BadOption, BadFile."""
    pyplot = begin()
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST:
        raise BadOption(f"count={shown(count)}: give a number of postures from 1 to {MOST}")
    clips = (result.source, result.clip)
    names = (result.source_bones, result.bones)
    frames = np.unique(np.linspace(result.first_shown, len(result) - 1, count).round().astype(int))
    rows = [_row(clip, bones, frames) for clip, bones in zip(clips, names, strict=True)]
    points = [np.concatenate([segment for posture in row for segment, _ in posture]) for row in rows]
    step = 1.12 * max(float(np.ptp(np.concatenate([s for s, _ in posture])[:, 0])) for row in rows for posture in row)
    tall = [max(float(p[:, 1].max()), 1e-6) for p in points]
    wide = 0.95 * len(frames) * step
    size = min(max(2.2 * wide / max(tall), 5.0), 15.0)
    high = sum(tall) * size / wide + 1.1
    figure, panels = pyplot.subplots(2, 1, figsize=(size, high), height_ratios=tall)
    for panel, row, clip, top in zip(panels, rows, clips, tall, strict=True):
        _strip(panel, row, step, top, clip)
    _mark(panels[1], result, rows[1], frames, step)
    for k, frame in enumerate(frames):
        panels[1].text(
            k * step, -0.07 * tall[1], f"{result.times[frame]:.2f} s", ha="center", va="top", fontsize=8, color=TEXT
        )
    title = (
        f"'{clips[0].robot.name}' above, '{clips[1].robot.name}' below; left orange, right blue; green: standing foot"
    )
    figure.suptitle(title, fontsize=9, color=TEXT)
    figure.tight_layout()
    save(figure, path)


def _row(clip: "Clip", bones: Humanoid, frames: np.ndarray) -> list[list[tuple[Array, str]]]:
    """Return the segments of each posture in forward and upward coordinates [m], centred at 0, with their colours."""
    poses = clip.robot.model.forward_all(clip.q[frames])
    number = {name: k for k, name in enumerate(clip.robot.frames)}
    up = np.eye(3)["xyz".index(clip.robot.model.mechanism.up)]
    ahead = _ahead(clip, bones, up)
    sides = _sides(clip, bones)
    out = []
    for T in poses:
        segments = []
        for joint in clip.robot.model.mechanism.joints:
            if joint.kind is Kind.FLOATING or joint.parent not in number or joint.child not in number:
                continue
            ends = T[[number[joint.parent], number[joint.child]], :3, 3]
            segments.append((ends @ np.stack([ahead, up], -1), sides[joint.child]))
        parents = {joint.parent for joint in clip.robot.model.mechanism.joints}
        for name, shape in clip.robot.model.shapes:
            if isinstance(shape, Capsule) and name not in parents:
                pose = T[number[name]]
                ends = np.stack([shape.start, shape.end]) @ pose[:3, :3].T + pose[:3, 3]
                segments.append((ends @ np.stack([ahead, up], -1), sides[name]))
        middle = np.array([np.mean([s[:, 0].mean() for s, _ in segments]), 0.0])
        out.append([(segment - middle, colour) for segment, colour in segments])
    return out


def _ahead(clip: "Clip", bones: Humanoid, up: Array) -> Array:
    """Return the mean horizontal direction in which a figure faces."""
    for part in ("UpperLeg", "UpperArm"):
        if f"left{part}" in bones and f"right{part}" in bones:
            ends = [clip.forward(bones[f"{side}{part}"])[:, :3, 3] for side in ("left", "right")]
            ahead = np.cross((ends[0] - ends[1]).mean(axis=0), up)
            if np.linalg.norm(ahead) > 0:
                out: Array = ahead / np.linalg.norm(ahead)
                return out
    return np.array([1.0, 0.0, 0.0])


def _sides(clip: "Clip", bones: Humanoid) -> dict[str, str]:
    """Return the colour of every link, by the side of the nearest bone towards the root."""
    mechanism = clip.robot.model.mechanism
    out = {}
    for link in mechanism.links:
        near = [link.name, *(joint.parent for joint in reversed(mechanism.ancestry(link.name)))]
        bone = next((b for b in map(bones.bone, near) if b is not None), "")
        out[link.name] = LEFT if bone.startswith("left") else RIGHT if bone.startswith("right") else BONE
    return out


def _strip(panel: Any, row: list[list[tuple[Array, str]]], step: float, top: float, clip: "Clip") -> None:
    for k, posture in enumerate(row):
        for segment, colour in sorted(posture, key=lambda part: part[1] == LEFT):
            panel.plot(segment[:, 0] + k * step, segment[:, 1], color=colour, lw=2, solid_capstyle="round")
    panel.axhline(0, color=GRID, lw=1, zorder=0)
    panel.set(xlim=(-0.55 * step, (len(row) - 0.45) * step), ylim=(-0.14 * top, 1.04 * top))
    panel.set_aspect("equal")
    panel.axis("off")


def _mark(
    panel: Any, result: "Retargeted", row: list[list[tuple[Array, str]]], frames: np.ndarray, step: float
) -> None:
    """Draw a bar under every standing foot: thick for a flat foot, thin for a rolling one."""
    for side, colour in (("left", LEFT), ("right", RIGHT)):
        for bone, width in ((f"{side}Toes", 1.5), (f"{side}Foot", 4.0)):
            for contact in result.contacts.get(bone, ()):
                for k, frame in enumerate(frames):
                    if contact.start <= frame <= contact.end:
                        own = [s for s, c in row[k] if c == colour]
                        low = min(own, key=lambda s: float(s[:, 1].mean()))
                        ends = np.array([low[:, 0].min(), low[:, 0].max()]) + k * step
                        panel.plot(ends, [-0.02, -0.02], color=STANDING, lw=width, solid_capstyle="butt")
