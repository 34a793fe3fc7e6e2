"""Layers over the scene: muscles with their lengths, the reach map of the tip, and the cells of a look-up table."""

import itertools
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.robot.chain import Chain
from limbik.studio.page.colours import INK, VERMILION, css
from limbik.studio.page.layer_toggle import Drawn, LayerToggle
from limbik.studio.page.solids import cube
from limbik.studio.page.turning import quaternions
from limbik.studio.reach_plane import ReachPlane, reach_plane
from limbik.studio.table_cells import CellLayer, cell_layer

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The drawn fraction of a cell's side, so that the robot stays visible between cells.
PART = 0.22
# The size of a dot of the map, as a fraction of the spacing.
DOT = 0.6
# The colours of the smallest and largest values: blue to yellow, which colour-blind people can distinguish (cividis).
_FEW, _MANY = np.array([0, 52, 110.0]), np.array([253, 231, 55.0])


class LayersPanel:
    """The layers that can be shown over the robot."""

    always = True

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        robot = desk.session.robot
        self._muscles: Any = None
        self._lengths: Any = None
        if isinstance(robot, Chain) and robot.model.compiled.muscles:
            self._lengths = gui.add_html("")
            pieces = muscle_segments(robot, desk.session.q)
            if len(pieces):
                self._muscles = desk.scene.add_line_segments(
                    "/base/muscles", points=pieces, colors=VERMILION, line_width=5.0
                )
        LayerToggle(
            desk, "map", "Reach map", "Reachable points of the tip in a vertical plane through the base or the shoulder",
            lambda: reach_plane(desk.session, desk.tip), self._draw_map,
        )  # fmt: skip
        LayerToggle(
            desk, "cells", "Table cells", "Build a small look-up table and draw its cells around the wrist",
            lambda: cell_layer(desk.session, desk.tip), self._draw_cells,
        )  # fmt: skip

    def refresh(self, live: bool) -> None:
        """Update the muscles and their lengths."""
        robot = self._desk.session.robot
        if self._lengths is None or not isinstance(robot, Chain):
            return
        q = self._desk.session.q
        if self._muscles is not None:
            self._muscles.points = muscle_segments(robot, q)
        lengths, (low, high) = robot.muscles.lengths(q), robot.muscles.ranges
        rows = []
        for name, length, a, b in zip(robot.muscles.names, lengths, low, high, strict=True):
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

    def _draw_map(self, found: ReachPlane) -> Drawn:
        cloud = self._desk.scene.add_point_cloud(
            "/base/map",
            found.points.astype(np.float32),
            shades(found.share / found.share.max()),
            point_size=DOT * found.spacing,
            point_shape="circle",
        )
        return [cloud], found.text

    def _draw_cells(self, found: CellLayer) -> Drawn:
        scene, handles = self._desk.scene, []
        box = cube(PART * found.side)
        rotation = quaternions(found.R).astype(np.float32)
        most = max(int(found.counts.max(initial=1)), 2)
        handles.append(
            scene.add_batched_meshes_simple(
                "/base/cells",
                box.vertices.astype(np.float32),
                box.faces,
                np.tile(rotation, (len(found.centres), 1)),
                found.centres.astype(np.float32),
                batched_colors=shades((found.counts - 1) / (most - 1)),
                lod="off",
                cast_shadow=False,
                receive_shadow=False,
            )
        )
        if found.present >= 0:
            corners = cube(found.side).vertices @ found.R.T + found.centres[found.present]
            edges = np.array([corners[[a, b]] for a, b in itertools.combinations(range(8), 2) if (a ^ b) in (1, 2, 4)])
            handles.append(
                scene.add_line_segments("/base/cell", points=edges.astype(np.float32), colors=INK, line_width=2.0)
            )
        return handles, found.text


def shades(share: Any) -> Any:
    """Return colours from dark to yellow for shares (k,) from 0 to 1, (k, 3)."""
    return (_FEW + np.asarray(share)[:, None] * (_MANY - _FEW)).astype(np.uint8)


def muscle_segments(robot: Chain, q: Any) -> Any:
    """Return the line segments of all muscles, (segments, 2, 3) [m]."""
    poses = dict(zip(robot.frames, robot.model.forward_all(q), strict=True))
    pieces = []
    for muscle in robot.model.compiled.muscles:
        points = [
            poses[a.link][:3, :3] @ np.array(a.xyz) + poses[a.link][:3, 3] for a in muscle.path if a.link in poses
        ]
        pieces += [np.stack([p, r]) for p, r in itertools.pairwise(points)]
    return np.array(pieces, np.float32).reshape(-1, 2, 3)
