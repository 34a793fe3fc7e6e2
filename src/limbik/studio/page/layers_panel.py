"""Layers over the scene: muscles with their lengths, and where the tip gets to, in how many orientations."""

import itertools
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import LimbikError
from limbik.robot.chain import Chain
from limbik.robot.reachability import reach_map
from limbik.studio.limbs import limb_of
from limbik.studio.page.colours import VERMILION, css
from limbik.studio.page.skin import size_of

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The map's points along each side, and orientations tried at each: a second's work.
POINTS, ORIENTATIONS = 41, 40
# The colours of the map from little to much: blue to yellow, which colour-blind people can tell apart (cividis).
_FEW, _MANY = np.array([0, 52, 110.0]), np.array([253, 231, 55.0])


class LayersPanel:
    """What can be laid over the robot."""

    always = True

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        robot = desk.session.robot
        self._muscles: Any = None
        self._lengths: Any = None
        if isinstance(robot, Chain) and robot.muscles:
            self._lengths = gui.add_html("")
            pieces = muscle_segments(robot, desk.session.q)
            if len(pieces):
                self._muscles = desk.scene.add_line_segments(
                    "/base/muscles", points=pieces, colors=VERMILION, line_width=5.0
                )
        self._map = gui.add_checkbox("Reach map", False, hint="Where the tip gets to, in a plane through the base")
        self._map.on_update(self._toggle)
        self._about = gui.add_html("")
        self._cloud: Any = None

    def refresh(self, live: bool) -> None:
        """Let the muscles follow the arm."""
        robot = self._desk.session.robot
        if self._lengths is None or not isinstance(robot, Chain):
            return
        q = self._desk.session.q
        if self._muscles is not None:
            self._muscles.points = muscle_segments(robot, q)
        lengths, (low, high) = robot.muscle_lengths(q), robot.muscle_ranges
        rows = []
        for name, length, a, b in zip(robot.muscle_names, lengths, low, high, strict=True):
            out = not a - 1e-9 <= length <= b + 1e-9
            ends = f"{1000 * a:.0f} to {1000 * b:.0f}" if np.isfinite([a, b]).all() else "any"
            sign = f'<b style="color:{css(VERMILION)}">▲</b>' if out else ""
            rows.append(
                f"<tr><td>{escape(name)}</td><td>{1000 * length:.1f} mm</td><td>{ends}</td><td>{sign}</td></tr>"
            )
        self._lengths.content = (
            '<div data-limbik="muscles" style="font-size:.76rem;padding:.2rem .6rem"><table style="width:100%">'
            f"<tr><th align=left>muscle</th><th align=left>length</th><th align=left>range [mm]</th><th></th></tr>{''.join(rows)}"
            "</table></div>"
        )

    def _toggle(self, event: Any) -> None:
        if not event.target.value:
            if self._cloud is not None:
                self._cloud.remove()
                self._cloud = None
            self._say("")
            return
        self._say("working ...")
        try:
            self._draw()
        except LimbikError as error:
            self._say(str(error))

    def _draw(self) -> None:
        desk = self._desk
        robot = desk.session.robot
        limb = limb_of(robot, desk.tip)
        if limb is None:
            self._say("this tip has no limb of its own")
            return
        found = reach_map(limb.chain, POINTS, ORIENTATIONS)
        x, z = np.meshgrid(found.x, found.z, indexing="ij")
        there = found.share > 0
        points = np.stack([x, np.full_like(x, found.y), z], -1)[there]
        T = robot.forward(desk.session.q, limb.chain.base) if limb.chain.base != robot.base else np.eye(4)
        shades = _FEW + (found.share[there] / found.share.max())[:, None] * (_MANY - _FEW)
        with desk.lock:
            self._cloud = desk.scene.add_point_cloud(
                "/base/map",
                (points @ T[:3, :3].T + T[:3, 3]).astype(np.float32),
                shades.astype(np.uint8),
                point_size=0.02 * size_of(robot),
                point_shape="circle",
            )
        self._say(f"dark: few of {found.orientations} orientations, yellow: up to {100 * found.share.max():.0f} %")

    def _say(self, text: str) -> None:
        self._about.content = f'<div style="font-size:.78rem;padding:.2rem .6rem">{escape(text)}</div>'


def muscle_segments(robot: Chain, q: Any) -> Any:
    """Return the straight pieces of all muscles, (pieces, 2, 3) [m]."""
    poses = dict(zip(robot.frames, robot.forward_all(q), strict=True))
    pieces = []
    for muscle in robot.muscles:
        points = [
            poses[a.link][:3, :3] @ np.array(a.xyz) + poses[a.link][:3, 3] for a in muscle.path if a.link in poses
        ]
        pieces += [np.stack([p, r]) for p, r in itertools.pairwise(points)]
    return np.array(pieces, np.float32).reshape(-1, 2, 3)
