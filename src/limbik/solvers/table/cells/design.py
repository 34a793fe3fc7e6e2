"""Kim & Tarokh's table: cells, a few solutions in each, and a small model for every solution.

M. Kim and M. Tarokh, Information-based Inverse Kinematics Modeling for Animation and Robotics. The build has one stage
per level, whose pieces are blocks of cells; with coverage="random" a first stage samples the joints.
docs/tables_paper.md lists what the paper leaves open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from limbik._core import Candidates
from limbik.errors import BadOption
from limbik.formats.content.content import Content
from limbik.solvers.building.stage import Arrays, Plan, Stage
from limbik.solvers.table.cells.coverage import MIDDLE_ANGLE
from limbik.solvers.table.cells.fitting import place_level, turn_level
from limbik.solvers.table.cells.grid import ROUNDING, Addresses, Grid
from limbik.solvers.table.cells.level import ARRAYS, Model, model_as_json
from limbik.solvers.table.cells.opened import opened
from limbik.solvers.table.cells.samples import Samples
from limbik.solvers.table.cells.sampling import Valid, drawn, first_numbers, generator
from limbik.solvers.table.cells.settings import (
    SCOUTS,
    Settings,
    first_grid,
    first_model,
    settings_for,
    turn_grid,
    turn_model,
)
from limbik.solvers.table.cells.split import PLACE, Split
from limbik.solvers.table.examination import Examine, statistics_of
from limbik.solvers.table.filter import name_of
from limbik.solvers.table.lookup_chain import Arm, lookup_chain

DESIGN = "cells"
# Number of postures on which a predicate is evaluated to identify it.
PREDICATE_SAMPLES = 4096
# Cells per piece.
PLACE_CELLS, TURN_CELLS = 512, 4096
# Largest number of cells of a grid whose cells are enumerated.
MOST_CELLS = 2**27


@dataclass
class Draw:
    """The stage that samples random postures for all cells of the first level."""

    split: Split
    settings: Settings
    valid: Valid | None
    name: str = "samples"
    pieces: int = 1

    def make(self, piece: int, before: Arrays) -> Arrays:
        """Return the samples."""
        s = self.settings
        samples, report = drawn(
            self.split,
            first_grid(self.split, s),
            per_cell=s.per_cell,
            share=s.share,
            seed=s.seed,
            convention=s.convention,
            valid=self.valid,
        )
        order = np.argsort(samples.address, kind="stable")
        numbers = [report["drawn"], report["share_full"]]
        return {
            "address": samples.address[order],
            "u": samples.u[order],
            "q": samples.q[order],
            "sampling": np.array(numbers),
        }

    def join(self, parts: Sequence[Arrays], before: Arrays) -> Arrays:
        """Return the only part."""
        return parts[0]


@dataclass
class Cells:
    """The stage that makes the records of one level, "place" or "turn" (orientation); a piece is a block of cells."""

    split: Split
    settings: Settings
    valid: Valid | None
    name: str
    addresses: Addresses
    per_piece: int

    def __post_init__(self) -> None:
        self.pieces = max(1, -(-len(self.addresses) // self.per_piece))

    def make(self, piece: int, before: Arrays) -> Arrays:
        """Return the records of a block."""
        block = self.addresses[piece * self.per_piece : (piece + 1) * self.per_piece]
        if self.name == "turn":
            level = turn_level(self.split, self.settings, block, self.valid)
        else:
            level = place_level(self.split, self.settings, self._samples(before, block), block, self.valid)
        return {name: getattr(level, name) for name in ARRAYS}

    def _samples(self, before: Arrays, block: Addresses) -> Samples | None:
        if "address" not in before:
            return None
        address = np.asarray(before["address"], dtype=np.int64)
        low, high = np.searchsorted(address, [block[0], block[-1] + 1]) if len(block) else (0, 0)
        u, q = (np.asarray(before[name][low:high], dtype=float) for name in ("u", "q"))
        return Samples(address[low:high], u, q, np.full(high - low, -1))

    def join(self, parts: Sequence[Arrays], before: Arrays) -> Arrays:
        """Return the records of all blocks together with the arrays of the previous stage."""
        counts = np.concatenate([np.diff(part["first"]) for part in parts])
        kept = {name: array for name, array in before.items() if name.startswith("place.") or name == "sampling"}
        joined = {name: np.concatenate([part[name] for part in parts]) for name in ARRAYS if name != "first"}
        joined["first"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return kept | {f"{self.name}.{name}": np.ascontiguousarray(array) for name, array in joined.items()}


@dataclass
class CellsPlan:
    """The plan of a table of cells."""

    split: Split
    settings: Settings
    valid: Valid | None = None

    def __post_init__(self) -> None:
        split, s, valid = self.split, self.settings, self.valid
        stages: list[Stage] = []
        if s.coverage == "random" or split.whole:
            stages.append(Draw(split, s, valid))
        stages.append(Cells(split, s, valid, "place", within_reach(split, s), PLACE_CELLS))
        if not split.whole and s.wrist == "cells":
            stages.append(Cells(split, s, valid, "turn", turns_there_are(split, s), TURN_CELLS))
        names = tuple(f"{level}.{name}" for level in ("place", "turn") for name in ARRAYS)
        stages.append(Examine(split.arm, DESIGN, self._described(), names))
        self.stages: Sequence[Stage] = stages

    @property
    def identity(self) -> Mapping[str, Any]:
        """Design, fingerprint and settings."""
        named = name_of(self.valid, self.split.model.sample(generator(0), PREDICATE_SAMPLES))
        chain = {"design": DESIGN, "fingerprint": self.split.model.fingerprint}
        return chain | {"settings": self.settings.as_json() | {"valid": named}}

    def finish(self, made: Arrays) -> Content:
        """Return the table."""
        arrays = {name: array for name, array in made.items() if "." in name}
        split = self.split
        settings = self._described()
        statistics: dict[str, Any] = statistics_of(made) | {
            f"{name}_{what}": len(arrays[f"{name}.{array}"])
            for name in settings["levels"]
            for what, array in (("cells", "addresses"), ("records", "kinds"))
        }
        if "sampling" in made:
            statistics |= {"drawn": int(made["sampling"][0]), "share_full": float(made["sampling"][1])}
        return Content(DESIGN, split.model.name, split.model.fingerprint, settings, statistics, arrays)

    def _described(self) -> dict[str, Any]:
        """Return the settings with the grid and the model of each level, as JSON values."""
        split, s = self.split, self.settings
        levels: dict[str, Any] = {"place": _described(first_grid(split, s), first_model(split, s))}
        if not split.whole and s.wrist == "cells":
            levels["turn"] = _described(turn_grid(split, s), turn_model(split, s))
        return dict(self.identity["settings"]) | {"levels": levels}


def _described(grid: Grid, model: Model) -> dict[str, Any]:
    return {"grid": grid.as_json(), "model": model_as_json(model)}


def within_reach(split: Split, s: Settings) -> Addresses:
    """Return the cells that the wrist may reach: those that intersect a sphere about the base.

    The radius of the sphere is the largest distance of the wrist over many random postures, plus the diagonal of a cell
    as a margin for postures that were not sampled.
    """
    grid = first_grid(split, s)
    addresses = _every(grid)
    places = first_numbers(split, split.model.sample(generator(0), SCOUTS), s.convention)[:, :PLACE]
    side = np.array(grid.side[:PLACE])
    radius = np.linalg.norm(places, axis=1).max() + np.linalg.norm(side)
    corner = grid.corner(addresses)[:, :PLACE]
    nearest = np.clip(0.0, corner, corner + side)
    return np.asarray(addresses[np.linalg.norm(nearest, axis=1) <= radius])


def _every(grid: Grid) -> Addresses:
    """Return all addresses. Raises BadOption if there are too many for the memory."""
    if grid.cells > MOST_CELLS:
        raise BadOption(f"{grid.cells:.3g} cells are more than a table can have ({MOST_CELLS:.3g}): use a larger side")
    return np.arange(grid.cells, dtype=np.int64)


def turns_there_are(split: Split, s: Settings) -> Addresses:
    """Return the orientation cells that contain orientations: half of the cells lie outside the middle angle's range."""
    grid = turn_grid(split, s)
    addresses = _every(grid)
    corner = grid.corner(addresses)[:, split.joints + 1]
    low, high = MIDDLE_ANGLE[s.convention]
    met = (corner < high - ROUNDING) & (corner + s.euler_side > low + ROUNDING)
    return np.asarray(addresses[met])


def plan(arm: Arm, valid: Valid | None = None, **settings: Any) -> Plan:
    """Return the plan of a chain's table of cells. settings: see `Settings`; valid: a predicate on postures.

    Raises BadOption for unknown or invalid settings.
    """
    split, chosen = settings_for(arm, settings)
    return CellsPlan(split, chosen, valid)


def defaults() -> dict[str, Any]:
    """Return the settings with their defaults; None if the default depends on the chain."""
    return {f.name: None if f.default is MISSING else f.default for f in fields(Settings)}


def built(plan: Plan) -> Content:
    """Build a small table in memory."""
    made: Arrays = {}
    for stage in plan.stages:
        made = stage.join([stage.make(piece, made) for piece in range(stage.pieces)], made)
    return plan.finish(made)


def candidates(content: Content, arm: Any) -> Candidates:
    """Return the table in the form of the core. Raises BadFile for inconsistent arrays."""
    return opened(content, arm, lookup_chain(arm.model).kernel)[0].offers


def look_up(content: Content, arm: Any, T: Any) -> dict[str, Any]:
    """Return the unverified postures of a target's cell [rad, m]."""
    return {"candidates": opened(content, arm, lookup_chain(arm.model).kernel)[0].candidates(T).tolist()}


def plot(content: Content, path: Path) -> None:
    """Write a picture: the number of solutions in each cell of a slice, and the errors of the candidates."""
    from limbik.solvers.table.cells.picture import draw

    draw(content, path)
