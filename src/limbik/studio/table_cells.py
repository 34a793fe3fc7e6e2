"""The cells of a look-up table (Kim and Tarokh's) in the vertical layer that contains the wrist, with their numbers of postures.

The studio builds a small table for this, in some seconds. If the last three axes intersect, its cells divide the positions of the
wrist. Other arms have cells over whole poses, with six coordinates, of which no layer can be drawn. An elbow swivel adds the
inclination as a fourth coordinate; the largest count over it is shown.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption
from limbik.formats.content.content import Content
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.solvers.table.build import build_table
from limbik.solvers.table.cells.design import look_up
from limbik.solvers.table.cells.level import read_grid
from limbik.solvers.table.cells.split import PLACE, split_of
from limbik.studio.limbs import MovedLimb, limb_of
from limbik.studio.motions import directions
from limbik.studio.session import Session

# The settings of a small table: samples per cell, cells along the reach, the range and cell size of the inclination [rad].
PER_CELL, PARTS, INCLINED_PARTS, INCLINATION, INCLINATION_SIDE = 24, 8, 6, (-np.pi, np.pi), np.pi / 3


@dataclass(frozen=True, eq=False)
class CellLayer:
    """A layer of cells, in the robot's base frame.

    centres: (k, 3) [m]. R: (3, 3), the orientation of the cells. counts: (k,), the postures of each cell. side [m]. present: the
    index of the wrist's cell, -1 if it is in none. miss: the distance of the table's closest configuration from the
    target [m], nan for none. cells: of the whole table.
    """

    centres: Array
    R: Array
    counts: npt.NDArray[np.int64]
    side: float
    present: int
    miss: float
    cells: int

    @property
    def text(self) -> str:
        """A legend of the layer."""
        own = f"the wrist's cell has {self.counts[self.present]}" if self.present >= 0 else "the wrist is in no cell"
        offer = "the table has no candidate here"
        if np.isfinite(self.miss):
            offer = f"the table's candidate here has an error of {1000 * self.miss:.1f} mm before refinement"
        most = self.counts.max(initial=0)
        return (
            f"{len(self.counts)} of {self.cells} cells, {1000 * self.side:.0f} mm wide; dark: one posture, yellow: {most}; "
            f"{own}; {offer}"
        )


def cell_layer(session: Session, frame: str) -> CellLayer:
    """Return the layer of cells that contains the wrist of a limb. Raises BadOption for limbs without such cells."""
    limb = limb_of(session.robot, frame)
    if limb is None:
        raise BadOption("this tip is not the end of a limb")
    content, split = small_table(session.robot, frame), split_of(limb.chain)
    q, T = session.q, limb.seen(session.robot, session.q, session.target(frame))
    wrist = T[:3, :3] @ split.centre + T[:3, 3]
    grid = read_grid(content.settings["levels"]["place"]["grid"])
    addresses = np.asarray(content.arrays["place.addresses"], np.int64)
    found = np.diff(content.arrays["place.first"])
    parts = grid.parts_of(addresses)[:, :PLACE]
    low, side = np.array(grid.low[:PLACE]), float(grid.side[0])
    own = np.floor((wrist - low) / side).astype(np.int64)
    T_base = session.robot.forward(q, limb.chain.base) if limb.chain.base != session.robot.base else np.eye(4)
    across = _across(T_base[:3, :3].T @ directions(session.robot)[0], wrist)
    layer = parts[:, across] == own[across]
    places, inverse_rows = np.unique(parts[layer], axis=0, return_inverse=True)
    counts = np.zeros(len(places), np.int64)
    np.maximum.at(counts, inverse_rows.ravel(), found[layer])
    centres = (low + (places + 0.5) * side) @ T_base[:3, :3].T + T_base[:3, 3]
    here = np.flatnonzero((places == own).all(axis=1))
    return CellLayer(
        centres, T_base[:3, :3], counts, side, int(here[0]) if len(here) else -1, _miss(limb, content, T),
        len(np.unique(parts, axis=0)),
    )  # fmt: skip


@lru_cache(maxsize=8)
def small_table(robot: Chain | Skeleton, frame: str) -> Content:
    """Return a small table of the limb that ends in a frame. Raises BadOption if its cells cannot be drawn."""
    limb = limb_of(robot, frame)
    assert limb is not None
    try:
        split = split_of(limb.chain)
    except BadOption:
        raise BadOption(
            f"'{robot.name}' has more than six joints and no elbow swivel: there is no table of cells for it"
        ) from None
    if split.whole:
        raise BadOption(
            f"the last three axes of '{robot.name}' do not intersect in a wrist: its cells are six-dimensional and "
            "cannot be drawn; try puma560 or iiwa7"
        )
    parts = INCLINED_PARTS if split.inclined else PARTS
    far = float(limb.chain.reach)
    more: dict[str, Any] = {"inclination": INCLINATION, "inclination_side": INCLINATION_SIDE} if split.inclined else {}
    return build_table(
        limb.chain, design="cells", per_cell=PER_CELL, per_record=PER_CELL, position_side=far / parts, **more
    )


def _across(up: Array, wrist: Array) -> int:
    """Return the horizontal axis in which the wrist is nearest to the base: the normal of the layer."""
    level = [k for k in range(PLACE) if k != int(np.argmax(np.abs(up)))]
    return min(level, key=lambda k: abs(float(wrist[k])))


def _miss(limb: MovedLimb, content: Content, T: Array) -> float:
    offers = np.array(look_up(content, limb.chain, T)["candidates"], float).reshape(-1, limb.chain.n)
    if not len(offers):
        return float("nan")
    return float(np.linalg.norm(limb.chain.forward(offers)[:, :3, 3] - T[:3, 3], axis=1).min())
