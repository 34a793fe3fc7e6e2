"""A quick design of two stages without a use, for tests of builds."""

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from limbik.formats.content.content import Content


@dataclass(frozen=True)
class Draw:
    """Random postures, from a generator keyed by the piece. Some pieces fail first, in a way that is chosen."""

    arm: Any
    pieces: int
    rows: int
    seconds: float = 0.0
    nasty: str = ""
    mark: str = ""
    name: str = "draw"

    def make(self, piece, before):
        time.sleep(self.seconds)
        if piece == self.pieces - 1 and self.nasty:
            getattr(self, f"_{self.nasty}")()
        return {"q": self.arm.sample(np.random.default_rng([7, piece]), self.rows)}

    def join(self, parts, before):
        return {"q": np.concatenate([part["q"] for part in parts])}

    def _die_once(self):
        if not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def _die(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def _fail(self):
        raise ValueError("a piece that fails")


@dataclass(frozen=True)
class Place:
    """Where the tip is, for a share of what was drawn."""

    arm: Any
    pieces: int
    seconds: float = 0.0
    name: str = "place"

    def make(self, piece, before):
        time.sleep(self.seconds)
        share = np.array_split(before["q"], self.pieces)[piece]
        return {"p": np.array(self.arm.forward(share, threads=1)[:, :3, 3])}

    def join(self, parts, before):
        return {"q": before["q"], "p": np.concatenate([part["p"] for part in parts])}


@dataclass(frozen=True)
class Toy:
    """The plan."""

    arm: Any
    stages: tuple[Any, ...]
    settings: Mapping[str, Any]

    @property
    def identity(self):
        return {"design": "toy", "fingerprint": self.arm.fingerprint, "settings": self.settings}

    def finish(self, made):
        counts, edges = np.histogram(np.linalg.norm(made["p"], axis=1), 4)
        statistics = {"distance": {"edges": edges.tolist(), "counts": counts.tolist()}, "rows": len(made["q"])}
        return Content("toy", self.arm.name, self.arm.fingerprint, self.settings, statistics, dict(made))


def plan(arm, pieces: int = 6, rows: int = 50, seconds: float = 0.0, nasty: str = "", mark: str = ""):
    """Return the plan; its duration and its failures do not affect the result."""
    stages = (Draw(arm, pieces, rows, seconds, nasty, mark), Place(arm, pieces, seconds))
    return Toy(arm, stages, {"pieces": pieces, "rows": rows})


def look_up(content, arm, T):
    """Return the row with the closest position."""
    return {"row": int(np.argmin(np.linalg.norm(content.arrays["p"] - T[:3, 3], axis=1)))}


def plot(content, path):
    """Write text instead of a picture."""
    path.write_text(f"{len(content.arrays['q'])} rows")
