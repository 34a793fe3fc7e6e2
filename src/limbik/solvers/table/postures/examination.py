"""What a table of postures is worth: it is asked for postures that it was not shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.solvers.table.content import Content
from limbik.solvers.table.layout import Arrays
from limbik.solvers.table.lookup_chain import Arm, lookup_chain
from limbik.solvers.table.postures.settings import Settings

# Questions in a piece, and pieces. Their numbers come after all that may be shown.
QUESTIONS, PIECES, FIRST = 2500, 4, 2**33
# A posture this near is the one that was asked for [rad, or parts of the scale].
SAME = 1e-5
# Edges of the histogram of position errors [m].
EDGES = (0.0, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 10.0)
PERCENT = 100.0


@dataclass(frozen=True)
class Examine:
    """Ask the table for postures that were not shown, and count."""

    arm: Arm
    settings: Settings
    name: str = "examining"
    pieces: int = PIECES

    def make(self, piece: int, before: Arrays) -> Arrays:
        from limbik.solvers.table.postures.design import candidates

        chain = lookup_chain(self.arm)
        arrays = {name: np.ascontiguousarray(before[name]) for name in ("nodes", "begin", "models")}
        content = Content("postures", self.arm.name, self.arm.fingerprint, self.settings.as_json(), {}, arrays)
        solver = chain.solver(candidates(content, self.arm))
        redundant = len(chain.low) > 6
        turns = np.array([v.joint.kind.turns for v in self.arm._compiled.variables])
        asked = self.settings.teacher(chain).draw(FIRST + piece * QUESTIONS, QUESTIONS)
        targets = self.arm.forward(asked)
        found, offered, postures = 0, 0, 0
        counts = np.zeros(len(EDGES) - 1, np.int64)
        for q, T in zip(asked, targets, strict=True):
            near = solver.look_up(T)
            offered += len(near)
            if len(near):
                errors = np.linalg.norm(self.arm.forward(near)[:, :3, 3] - T[:3, 3], axis=1)
                counts += np.histogram(np.clip(errors, 0, EDGES[-1]), EDGES)[0]
            answers = solver.solve_all(T, None).q
            postures += len(answers)
            gap = answers - q
            gap = np.where(turns, np.remainder(gap + np.pi, 2 * np.pi) - np.pi, gap / chain.scale)
            found += bool(len(answers)) if redundant else bool(len(gap) and np.abs(gap).max(axis=1).min() < SAME)
        return {"questions": np.array([QUESTIONS, found, offered, postures], np.int64), "errors": counts}

    def join(self, parts: Sequence[Arrays], before: Arrays) -> Arrays:
        made = [dict(part) for part in parts]
        return {
            **before,
            "questions": np.sum([part["questions"] for part in made], axis=0),
            "errors": np.sum([part["errors"] for part in made], axis=0),
        }


def statistics_of(made: Arrays, settings: Settings) -> Mapping[str, Any]:
    """Return what people want to know of a table."""
    questions, found, offered, postures = (int(x) for x in made["questions"])
    shown, learnt, late = (int(x) for x in made["counts"])
    return {
        "postures found, of those not shown [%]": PERCENT * found / questions,
        "candidates of a target": offered / questions,
        "postures of a target": postures / questions,
        "cells": int(np.prod(settings.bins)),
        "leaves": len(made["begin"]) - 1,
        "sheets": int(made["begin"][-1]),
        "postures shown": shown,
        "postures learnt": learnt,
        "learnt among the last half [%]": PERCENT * late / max(1, shown - shown // 2),
        "position error of candidates [m]": {"edges": list(EDGES), "counts": made["errors"].tolist()},
    }
