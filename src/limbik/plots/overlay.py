"""A plot of many postures laid over each other, such as all solutions of a target. Needs the extra `plot`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadFile, one_line
from limbik.formats.source import need
from limbik.geometry.arrays import Array

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# {upward axis: coordinates drawn as (right, depth, up)}.
_SPACE = {"z": (0, 1, 2), "y": (0, 2, 1)}
# The size of a target's axes and the margin, as fractions of a panel's size.
_TRIAD, _ROOM = 0.09, 1.04
_AXES = ("#d1495b", "#2e8b57", "#2b6cb0")
_GROUND, _INK, _SCENERY = "#e3e8ee", "#1f2d3d", "#dde3ea"
# A legend with labels up to this length has two columns.
_SHORT_LABEL = 34
# Joints closer than this fraction of the reach are drawn at one point.
_DOT = 1e-6


@dataclass(frozen=True, eq=False)
class Stroke:
    """Some postures in one style.

    q: (k, n), or (n,). colour: one for all, or one for each row. label: the text in the legend, if any. style: "bold" for a
    main posture, "dashed" for an infeasible one, "fine" for one of many.
    """

    q: Array
    colour: Any
    label: str = ""
    style: str = "bold"


@dataclass(frozen=True, eq=False)
class Panel:
    """One arm and its strokes. up: its upward axis. look: (elevation, azimuth) of the view [deg].

    scenery: polylines (k, 3) behind the arm, in its base frame. floor: height of the ground [m]; None draws none.
    """

    arm: "Chain"
    target: Array
    strokes: Sequence[Stroke]
    title: str
    up: str = "z"
    look: tuple[float, float] = (18.0, -60.0)
    scenery: Sequence[Array] = field(default=())
    floor: float | None = None


def draw_over(panels: Sequence[Panel], path: Path, title: str) -> None:
    """Write a picture (.png, .svg or .pdf) with a panel for each arm. Raises MissingExtra or BadFile."""
    need("matplotlib", "plot", "drawing")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(6.2 * len(panels), 7.6), facecolor="white")
    for k, panel in enumerate(panels):
        axes = figure.add_axes((k / len(panels), 0.14, 1 / len(panels), 0.72), projection="3d")
        _fill(axes, panel)
        figure.text((k + 0.5) / len(panels), 0.875, panel.title, ha="center", fontsize=13, color=_INK)
    figure.suptitle(title, fontsize=19, color=_INK, y=0.965, fontweight="bold")
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise BadFile(f"cannot write the picture '{path}': {one_line(error)}; give a .png, .svg or .pdf") from None
    finally:
        pyplot.close(figure)


def limb(arm: "Chain", q: Array) -> Array:
    """Return the polyline (k, 3) of a posture: along each joint's axis, then to the next joint."""
    frames = dict(zip(arm.frames, arm.model.forward_all(q), strict=True))
    points = [frames[arm.base][:3, 3]]
    axis = np.zeros(3)
    for place, next_axis in _stations(arm, frames):
        along = axis * float(axis @ (place - points[-1]))
        if np.linalg.norm(along) > _DOT * arm.reach:
            points.append(points[-1] + along)
        if np.linalg.norm(place - points[-1]) > _DOT * arm.reach:
            points.append(place)
        axis = next_axis
    return np.array(points)


def _stations(arm: "Chain", frames: dict[str, Array]) -> list[tuple[Array, Array]]:
    """Return the position and axis of each joint, then of the tip."""
    out = []
    for element in arm.model.compiled.elements:
        T = frames[element.joint.child]
        out.append((T[:3, 3], T[:3, :3] @ element.joint.axis))
    return [*out, (frames[arm.tip][:3, 3], np.zeros(3))]


def _fill(axes: Any, panel: Panel) -> None:
    pick = list(_SPACE[panel.up])
    sign = np.array([1.0, -1.0, 1.0]) if panel.up == "y" else np.ones(3)  # keeps the drawing right-handed

    def shown(points: Array) -> Array:
        return np.asarray(points)[..., pick] * sign

    limbs = [(stroke, [limb(panel.arm, q) for q in np.atleast_2d(stroke.q)]) for stroke in panel.strokes]
    everything = shown(
        np.concatenate([p for _, lines in limbs for p in lines] + [np.asarray(s) for s in panel.scenery])
    )
    low, high = everything.min(axis=0), everything.max(axis=0)
    if panel.floor is not None:
        low[2] = min(low[2], panel.floor)
    centre, half = (low + high) / 2, float((high - low).max()) / 2 * _ROOM

    axes.set_proj_type("persp", focal_length=1.6)
    axes.set_axis_off()
    axes.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half))
    axes.set_zlim(centre[2] - half, centre[2] + half)
    axes.set_box_aspect((1, 1, 1), zoom=1.42)
    axes.view_init(*panel.look)
    axes.computed_zorder = False
    if panel.floor is not None:
        _ground(axes, half, panel.floor)
    for line in panel.scenery:
        axes.plot(*shown(line).T, color=_SCENERY, lw=9, solid_capstyle="round", solid_joinstyle="round", zorder=2)
    for stroke, lines in sorted(limbs, key=lambda entry: list(_STYLES).index(entry[0].style)):
        for k, points in enumerate(lines):
            colour = stroke.colour[k] if isinstance(stroke.colour, np.ndarray) else stroke.colour
            label = stroke.label if k == 0 and stroke.label else None
            _limb(axes, shown(points), colour, label, stroke.style)
    _triad(axes, panel.target, shown, 2 * half * _TRIAD)
    longest = max((len(stroke.label) for stroke in panel.strokes), default=0)
    if longest:
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.04), ncol=2 if longest <= _SHORT_LABEL else 1,
                    frameon=False, fontsize=10, handlelength=2.6)  # fmt: skip


# Styles of strokes, from back to front; _JOINTS: the size of the joints.
_STYLES: dict[str, dict[str, Any]] = {
    "fine": {"lw": 1.5, "alpha": 0.55, "zorder": 3},
    "dashed": {"lw": 2.4, "alpha": 0.8, "zorder": 4, "ls": (0, (2.0, 1.4))},
    "bold": {"lw": 6.0, "zorder": 5},
}
_JOINTS = {"dashed": 22, "bold": 46}


def _limb(axes: Any, points: Array, colour: Any, label: str | None, style: str) -> None:
    if style == "bold":
        axes.plot(*points.T, color="white", lw=9.5, solid_capstyle="round", solid_joinstyle="round", zorder=4.5)
    look = {"solid_capstyle": "round", "solid_joinstyle": "round", "color": colour, "label": label} | _STYLES[style]
    axes.plot(*points.T, **look)
    if style in _JOINTS:
        rim = {"color": "white", "edgecolors": [colour], "linewidths": 1.8, "s": _JOINTS[style], "depthshade": False}
        axes.scatter(*points.T, zorder=6, **rim)


def _ground(axes: Any, half: float, height: float) -> None:
    """Draw the ground: rings and spokes around the base."""
    turn = np.linspace(0, 2 * np.pi, 90)
    look = {"color": _GROUND, "lw": 1.0, "zorder": 1}
    for radius in np.linspace(0.15, 0.6, 4) * half:
        axes.plot(radius * np.cos(turn), radius * np.sin(turn), height, **look)
    ends = np.array([-0.6, 0.6]) * half
    for angle in np.linspace(0, np.pi, 6, endpoint=False):
        axes.plot(ends * np.cos(angle), ends * np.sin(angle), [height] * 2, **look)


def _triad(axes: Any, T: Array, shown: Any, length: float) -> None:
    for k, colour in enumerate(_AXES):
        ends = shown(np.stack([T[:3, 3], T[:3, 3] + length * T[:3, k]]))
        axes.plot(*ends.T, color=colour, lw=2.6, solid_capstyle="round", zorder=7)
    axes.scatter(*shown(T[:3, 3]), color="#edae49", edgecolors=_INK, s=70, linewidths=1.2, zorder=8)
