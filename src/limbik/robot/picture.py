"""A drawing of a mechanism: its bones and joint axes at home, a few other postures behind it. Needs the extra `plot`."""

from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile
from limbik.formats.source import need
from limbik.model.joint import Kind
from limbik.model.transform import Array
from limbik.robot.chain import Chain
from limbik.robot.kinematic import Kinematic

# Postures drawn faintly behind the home posture, and the seed they come from.
GHOSTS = 5
GHOST_SEED = 7
# A drawn axis is this part of the picture's size.
AXIS_LENGTH = 0.07

_BONE, _GHOST, _AXIS, _SLIDE, _TIP = "#1f3a5f", "#9db4ce", "#d1495b", "#2e8b57", "#edae49"


def draw(body: Kinematic, path: Path) -> None:
    """Write a picture (.png, .svg or .pdf) of a robot or figure. Raises MissingExtra or BadFile."""
    need("matplotlib", "plot", "drawing")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(11, 6.2), constrained_layout=True)
    home = body.home
    postures = [*body.sample(np.random.default_rng(GHOST_SEED), GHOSTS), home]
    lines = [_bones(body, np.asarray(q)) for q in postures]
    points = np.concatenate([segment for segment in lines[-1]] or [np.zeros((1, 3))])
    everything = np.concatenate([segment for drawn in lines for segment in drawn] or [np.zeros((1, 3))])
    centre = (everything.min(axis=0) + everything.max(axis=0)) / 2
    half = max(float((everything.max(axis=0) - everything.min(axis=0)).max()) / 2, 1e-6) * 1.05
    for position, (elevation, turn, title) in enumerate(((22, -55, ""), (0, -90, "from the front")), start=1):
        axes = figure.add_subplot(1, 2, position, projection="3d")
        _scene(axes, body, lines, home, points, half)
        axes.view_init(elevation, turn)
        if position == 2:
            axes.set_proj_type("ortho")
        axes.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half),
                 zlim=(centre[2] - half, centre[2] + half), xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", title=title)  # fmt: skip
        axes.set_box_aspect((1, 1, 1))
    title = body.mechanism.title or body.name
    about = f"reach {body.reach:.3g} m" + (f"; {body.structure}" if isinstance(body, Chain) else "")
    figure.suptitle(f"{title}: {body.n} joint values, {about}", fontsize=11)
    figure.text(0.5, 0.01, "red: axes that turn; green: axes that slide; yellow: tips; pale: other postures", ha="center", fontsize=8)
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise BadFile(f"cannot write the picture '{path}': {error}; use a name that ends in .png, .svg or .pdf") from None
    finally:
        pyplot.close(figure)


def _bones(body: Kinematic, q: Array) -> list[Array]:
    """Return a segment (2, 3) per joint between the frames that it joins, and from the base on."""
    frames = dict(zip(body.frames, body.forward_all(q), strict=True))
    segments = []
    for joint in body.mechanism.joints:
        if joint.parent in frames and joint.child in frames:
            ends = np.stack([frames[joint.parent][:3, 3], frames[joint.child][:3, 3]])
            if np.ptp(ends, axis=0).max() > 0:
                segments.append(ends)
    return segments


def _scene(axes: Any, body: Kinematic, lines: list[list[Array]], home: Array, points: Array, half: float) -> None:
    for k, drawn in enumerate(lines):
        last = k == len(lines) - 1
        for segment in drawn:
            axes.plot(*segment.T, color=_BONE if last else _GHOST, lw=3.0 if last else 1.0, alpha=1.0 if last else 0.6,
                      solid_capstyle="round")  # fmt: skip
    frames = dict(zip(body.frames, body.forward_all(home), strict=True))
    length = AXIS_LENGTH * 2 * half
    for e in body._compiled.elements:
        T = frames[e.joint.child] if e.joint.child in frames else frames[e.joint.parent]
        if e.joint.kind.size == 1:
            direction = T[:3, :3] @ e.joint.axis * length
            ends = np.stack([T[:3, 3] - direction, T[:3, 3] + direction])
            axes.plot(*ends.T, color=_SLIDE if e.joint.kind is Kind.PRISMATIC else _AXIS, lw=1.6)
        axes.scatter(*T[:3, 3], color=_AXIS if e.joint.kind.turns else _SLIDE, s=14, depthshade=False)
    tips = [body.tip] if isinstance(body, Chain) else getattr(body, "tips", ())
    for tip in tips:
        axes.scatter(*frames[tip][:3, 3], color=_TIP, s=40, depthshade=False, zorder=5)
