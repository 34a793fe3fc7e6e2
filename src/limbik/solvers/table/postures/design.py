"""Tables of postures (configurations): cells fitted incrementally to random postures that the look-up misses.

The symmetries of the first and the last joints reduce a target (`core/table/reduction.hpp`): two coordinates remain for an arm
with a revolute base joint and a spherical wrist, four for an arm whose last joint is revolute. Cells over these coordinates hold
a model of the middle joints for each sheet of solutions. Fitting is incremental (`core/table/table_builder.hpp`): a sample that
look-up and Newton's method do not reproduce is added. No classification is needed, and all chains are treated alike. Candidates
of the table are corrected by Newton's method, the other side of each fold is tried, and all are verified
(`core/table/chain_polish.hpp`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import PostureTable
from limbik.errors import BadFile
from limbik.formats.content.content import Content
from limbik.formats.content.layout import Arrays
from limbik.solvers.building.stage import Stage
from limbik.solvers.table.examination import Examine, statistics_of
from limbik.solvers.table.filter import Valid, name_of, passed
from limbik.solvers.table.lookup_chain import Arm, lookup_chain
from limbik.solvers.table.postures.settings import TOLERANCE, Settings, settings_for

NAME = "postures"
ARRAYS = ("nodes", "begin", "models")
# Number of postures on which a predicate is evaluated to identify it.
PREDICATE_SAMPLES = 4096
# Samples per piece of the first stage, and largest number of pieces of the second.
SAMPLES_PER_PIECE, FITTING_PIECES = 250_000, 96


@dataclass(frozen=True)
class Draw:
    """The stage that samples postures and assigns them to cells."""

    arm: Arm
    settings: Settings
    valid: Valid | None = None
    name: str = "drawing postures"

    @property
    def pieces(self) -> int:
        return -(-self.settings.samples // SAMPLES_PER_PIECE)

    def make(self, piece: int, before: Arrays) -> Arrays:
        s = self.settings
        first = piece * SAMPLES_PER_PIECE
        count = min(SAMPLES_PER_PIECE, s.samples - first)
        builder = s.builder(lookup_chain(self.arm.model))
        numbers = np.arange(first, first + count, dtype=np.uint32)
        cells = builder.cells(list(s.bins), list(s.low), list(s.high), first, count)
        if self.valid is not None:
            kept = passed(self.valid, builder.draw(first, count))
            numbers, cells = numbers[kept], cells[kept]
        return {"numbers": numbers, "cells": cells}

    def join(self, parts: Sequence[Arrays], before: Arrays) -> Arrays:
        """Return the postures of each cell: numbers[begin[k]:begin[k + 1]]."""
        pairs = [(part["numbers"], part["cells"]) for part in parts]
        numbers, cells = (np.concatenate([pair[k] for pair in pairs]) for k in (0, 1))
        order = np.argsort(cells, kind="stable")
        counts = np.bincount(cells, minlength=int(np.prod(self.settings.bins)))
        return {"begin": np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), "numbers": numbers[order]}


@dataclass(frozen=True)
class FitCells:
    """The stage that fits the models of the cells."""

    arm: Arm
    settings: Settings
    name: str = "fitting cells"

    @property
    def pieces(self) -> int:
        return min(FITTING_PIECES, int(np.prod(self.settings.bins)))

    def make(self, piece: int, before: Arrays) -> Arrays:
        s = self.settings
        begin = before["begin"]
        cells = len(begin) - 1
        first, last = piece * cells // self.pieces, (piece + 1) * cells // self.pieces
        own = begin[first : last + 1]
        numbers = np.ascontiguousarray(before["numbers"][own[0] : own[-1]])
        builder = s.builder(lookup_chain(self.arm.model))
        built = builder.build_cells(
            list(s.bins), list(s.low), list(s.high), np.ascontiguousarray(own - own[0]), numbers
        )
        names = ("roots", "parts", "sheets", "models")
        return {**dict(zip(names, built[:4], strict=True)), "counts": np.array(built[4:], np.int64)}

    def join(self, parts: Sequence[Arrays], before: Arrays) -> Arrays:
        """Return the tree with consecutive numbers of leaves and divided cells."""
        made = [dict(part) for part in parts]
        cells = sum(len(part["roots"]) for part in made)
        roots, divided, leaves = [], [], 0
        offset = cells
        for part in made:
            roots.append(_renumbered(part["roots"], leaves, offset))
            divided.append(_renumbered(part["parts"], leaves, offset))
            leaves += len(part["sheets"])
            offset += len(part["parts"])
        sheets = np.concatenate([part["sheets"] for part in made])
        return {
            "nodes": np.concatenate([*roots, *divided]).astype(np.int32),
            "begin": np.concatenate([[0], np.cumsum(sheets)]).astype(np.uint32),
            "models": np.concatenate([part["models"] for part in made]).astype(np.float32),
            "counts": np.sum([part["counts"] for part in made], axis=0),
        }


def _renumbered(nodes: npt.NDArray[Any], leaves: int, offset: int) -> npt.NDArray[np.int64]:
    """Return the nodes of a piece with the numbers of the whole table: leaves from 0, divided cells after the roots."""
    wide = nodes.astype(np.int64)
    return np.where(wide >= 0, wide + leaves, wide - offset)


@dataclass(frozen=True)
class PosturePlan:
    """The plan of a chain's table of postures."""

    arm: Arm
    settings: Settings
    valid: Valid | None = None

    @property
    def stages(self) -> Sequence[Stage]:
        return (
            Draw(self.arm, self.settings, self.valid),
            FitCells(self.arm, self.settings),
            Examine(self.arm, NAME, self.settings.as_json(), ARRAYS),
        )

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"design": NAME, "fingerprint": self.arm.model.fingerprint, "settings": self.settings.as_json()}

    def finish(self, made: Arrays) -> Content:
        arrays = {name: made[name] for name in ARRAYS}
        processed, added, late = (int(x) for x in made["counts"])
        statistics = {
            **statistics_of(made),
            "cells": int(np.prod(self.settings.bins)),
            "leaves": len(made["begin"]) - 1,
            "sheets": int(made["begin"][-1]),
            "postures processed": processed,
            "postures added": added,
            "added among the last half [%]": 100 * late / max(1, processed - processed // 2),
        }
        model = self.arm.model
        return Content(NAME, model.name, model.fingerprint, self.settings.as_json(), statistics, arrays)


def plan(
    arm: Arm,
    *,
    samples: int | None = None,
    bins: int | list[int] | None = None,
    order: int | None = None,
    deepest: int | None = None,
    tolerance: float = TOLERANCE,
    seed: int = 0,
    valid: Valid | None = None,
) -> PosturePlan:
    """Return the plan of a chain's table.

    samples: number of random postures. bins: cells along each coordinate. order: of the polynomials, 0 to 2. deepest:
    how often a cell may be divided if the error of its polynomials exceeds tolerance, relative to the chain's length.
    seed: of the samples. valid: a predicate on q (k, n) for the postures that the table may hold (natural,
    collision-free ...). Raises BadOption.
    """
    chain = lookup_chain(arm.model)
    rng = np.random.default_rng(0)
    name = name_of(valid, rng.uniform(chain.low, chain.high, (PREDICATE_SAMPLES, len(chain.low))))
    return PosturePlan(arm, settings_for(chain, samples, bins, order, deepest, tolerance, seed, name), valid)


def candidates(content: Content, arm: Arm) -> PostureTable:
    """Return the table in the form of the core. Raises BadFile for inconsistent arrays."""
    chain, s, arrays = lookup_chain(arm.model), content.settings, content.arrays
    try:
        return PostureTable(
            chain.kernel, chain.scale, [int(x) for x in s["bins"]], [float(x) for x in s["low"]], [float(x) for x in s["high"]],
            int(s["order"]), arrays["nodes"], arrays["begin"], arrays["models"],
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(f"the table of '{content.robot}' is incomplete or inconsistent: {error}") from None


def look_up(content: Content, arm: Arm, T: Any) -> dict[str, Any]:
    """Return the reduced coordinates and the candidates of a target [rad, m]."""
    chain = lookup_chain(arm.model)
    found = chain.solver(candidates(content, arm)).look_up(T)
    return {"numbers": chain.layout.reduced(T), "candidates": found.tolist()}


def plot(content: Content, path: Path) -> None:
    """Write a picture: the number of sheets in each cell, and the errors of the candidates."""
    from limbik.solvers.table.postures.picture import draw

    draw(content, path)
