"""Evaluation of a table: the last stage of every design looks up random postures (configurations) that it was not made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.formats.content.content import Content
from limbik.formats.content.layout import Arrays
from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.table.lookup_chain import Arm, LookupChain, lookup_chain

# Targets per piece, and pieces.
QUERIES, PIECES = 2500, 4
# The key of the random numbers, which no design uses.
KEY = 0x6578616D
# A posture this close counts as the original one [rad, or relative to the scale].
SAME = 1e-5
# Edges of the histogram of position errors [m].
EDGES = (0.0, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 10.0)
PERCENT = 100.0
# Chains with more joints are redundant: any posture counts as the original one.
POSE_JOINTS = 6


@dataclass(frozen=True)
class Examine:
    """The stage that looks up random targets and counts what the table finds.

    settings: for the design's `candidates`. arrays: the names of the table's arrays.
    """

    arm: Arm
    design: str
    settings: Mapping[str, Any]
    arrays: tuple[str, ...]
    name: str = "examining"
    pieces: int = PIECES

    def make(self, piece: int, before: Arrays) -> Arrays:
        from limbik.solvers.table.designs import design_named

        model = self.arm.model
        chain = lookup_chain(model)
        arrays = {name: np.ascontiguousarray(before[name]) for name in self.arrays if name in before}
        content = Content(self.design, model.name, model.fingerprint, self.settings, {}, arrays)
        solver = chain.solver(design_named(self.design).candidates(content, self.arm))
        drawn = _drawn(chain, piece)
        found, offered, postures = 0, 0, 0
        counts = np.zeros(len(EDGES) - 1, np.int64)
        for q, T in zip(drawn, model.kernel.forward(drawn), strict=True):
            near = solver.look_up(T)
            offered += len(near)
            if len(near):
                errors = np.linalg.norm(model.kernel.forward(near)[:, :3, 3] - T[:3, 3], axis=1)
                counts += np.histogram(np.clip(errors, 0, EDGES[-1]), EDGES)[0]
            answers = solver.solve_all(T, None).q
            postures += len(answers)
            found += _is_among(model, chain, answers, q)
        return {"queries": np.array([QUERIES, found, offered, postures], np.int64), "errors": counts}

    def join(self, parts: Sequence[Arrays], before: Arrays) -> Arrays:
        made = [dict(part) for part in parts]
        return {
            **before,
            "queries": np.sum([part["queries"] for part in made], axis=0),
            "errors": np.sum([part["errors"] for part in made], axis=0),
        }


def _drawn(chain: LookupChain, piece: int) -> Array:
    rng = np.random.Generator(np.random.Philox(key=[KEY, piece]))
    return rng.uniform(chain.low, chain.high, (QUERIES, len(chain.low)))


def _is_among(model: Model, chain: LookupChain, answers: Array, q: Array) -> bool:
    if not len(answers) or len(q) > POSE_JOINTS:
        return bool(len(answers))
    revolute = np.array([v.joint.kind.is_revolute for v in model.compiled.variables])
    gap = np.where(revolute, wrap(answers - q), (answers - q) / chain.scale)
    return bool(np.abs(gap).max(axis=1).min() < SAME)


def statistics_of(made: Arrays) -> dict[str, Any]:
    """Return the statistics of the table from the result of the last stage."""
    queries, found, offered, postures = (int(x) for x in made["queries"])
    return {
        "random postures found [%]": PERCENT * found / queries,
        "candidates of a target": offered / queries,
        "postures of a target": postures / queries,
        "position error of candidates [m]": {"edges": list(EDGES), "counts": made["errors"].tolist()},
    }
