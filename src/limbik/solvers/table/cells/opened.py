"""Open a table of cells for look-up: its levels go to the core, which checks every index."""

from typing import Any

import numpy as np

from limbik._core import CellTable, Kernel
from limbik.errors import BadFile, BadOption, one_line
from limbik.formats.content.content import Content
from limbik.solvers.building.stage import Arrays
from limbik.solvers.table.cells.level import ARRAYS, Level, read_grid, read_model
from limbik.solvers.table.cells.settings import settings_for
from limbik.solvers.table.cells.split import PLACE, WRIST, Split
from limbik.solvers.table.lookup_chain import Arm


def table_of(
    split: Split, kernel: Kernel, place: Level, turn: Level | None, convention: str, *, by_index: bool = False
) -> CellTable:
    """Return the look-up table of the core for given levels. Raises BadFile for inconsistent arrays."""
    corner = np.abs(place.grid.corner(place.addresses)[:, :PLACE])
    far = np.linalg.norm(np.maximum(corner, corner + np.array(place.grid.side[:PLACE])), axis=1)
    return CellTable(
        kernel,
        place.compiled(by_index=by_index),
        None if turn is None else turn.compiled(by_index=by_index),
        whole=split.whole,
        inclined=split.inclined,
        zyz=convention == "zyz",
        centre=[0.0] * PLACE if split.whole else split.centre.tolist(),
        wrist_axes=(np.eye(WRIST) if split.whole else split.wrist_axes).ravel().tolist(),
        middle=[0.0] * PLACE,
        radius=float(far.max(initial=0.0)),
        home=split.model.ranges.home.tolist(),
        turning=split.turning.tolist(),
    )


def opened(content: Content, arm: Arm, kernel: Kernel, *, by_index: bool = False) -> tuple[CellTable, list[Level]]:
    """Return the look-up table of the core, and its levels. Raises BadFile for inconsistent arrays."""
    settings = content.settings
    try:
        levels = settings["levels"]
        split, chosen = settings_for(arm, {k: v for k, v in settings.items() if k not in ("levels", "valid")})
        read = [read_level(content.arrays, levels[name], name, split) for name in ("place", "turn") if name in levels]
        turn = read[1] if len(read) > 1 else None
        with np.errstate(all="ignore"):
            return table_of(split, kernel, read[0], turn, chosen.convention, by_index=by_index), read
    except BadFile:
        raise
    except (BadOption, LookupError, TypeError, AttributeError, ValueError, ArithmeticError, MemoryError) as error:
        raise BadFile(f"the table of cells is inconsistent or incomplete: {one_line(error)}") from None


def read_level(arrays: Arrays, described: Any, name: str, split: Split) -> Level:
    """Return one level from a table's arrays; the core checks them when the level is compiled."""
    joints = WRIST if name == "turn" else split.joints
    found: dict[str, Any] = {each: arrays[f"{name}.{each}"] for each in ARRAYS}
    return Level(read_grid(described["grid"]), read_model(described["model"]), joints, **found)
