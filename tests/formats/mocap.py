"""Clips for the tests of formats: generated ones, and real ones if their folder exists."""

import os
from pathlib import Path

import numpy as np
import pytest

# The folder of real clips: beside the repository, or given by the variable LIMBIK_MOCAP.
FOLDER = Path(os.environ.get("LIMBIK_MOCAP", Path(__file__).parents[3] / "shared" / "data" / "mocap"))
REAL = sorted(FOLDER.glob("*.bvh")) if FOLDER.is_dir() else []
needs_mocap = pytest.mark.skipif(
    not REAL, reason=f"no motion capture in {FOLDER}; set LIMBIK_MOCAP to a folder of .bvh files"
)

ORDERS = ("Zrotation Yrotation Xrotation", "Zrotation Xrotation Yrotation", "Xrotation Yrotation Zrotation",
          "Yrotation Zrotation Xrotation", "Xrotation Zrotation Yrotation", "Yrotation Xrotation Zrotation")  # fmt: skip
POSITIONS = "Xposition Yposition Zposition"


def generated(
    rng: np.random.Generator, joints: int = 12, frames: int = 20, orders: tuple[str, ...] = ORDERS, turn: float = 8.0
) -> str:
    """Return the text of a figure with random motion: a tree with End Sites, each joint with its own channel order."""
    children: list[list[int]] = [[] for _ in range(joints)]
    for k in range(1, joints):
        children[int(rng.integers(max(0, k - 4), k))].append(k)
    out, channels = ["HIERARCHY"], []

    def node(k: int, tabs: str) -> None:
        chosen = orders[int(rng.integers(len(orders)))]
        names = f"{POSITIONS} {chosen}" if k == 0 else chosen
        channels.extend(names.split())
        out.append(f"{tabs}{'JOINT' if k else 'ROOT'} joint{k}\n{tabs}{{")
        offset = rng.normal(size=3) * 10  # a root's too: its position channels take its place
        out.append(
            f"{tabs}\tOFFSET {' '.join(f'{x:.5f}' for x in offset)}\n{tabs}\tCHANNELS {len(names.split())} {names}"
        )
        for child in children[k]:
            node(child, tabs + "\t")
        if not children[k]:
            out.append(f"{tabs}\tEnd Site\n{tabs}\t{{\n{tabs}\t\tOFFSET 0 {rng.uniform(1, 5):.4f} 0\n{tabs}\t}}")
        out.append(f"{tabs}}}")

    node(0, "")
    values = np.cumsum(rng.normal(size=(frames, len(channels))) * turn, axis=0)
    out.append(f"MOTION\nFrames: {frames}\nFrame Time: .0083333")
    out.extend(" ".join(f"{x:.4f}" for x in row) for row in values)
    return "\n".join(out) + "\n"


def written(folder: Path, text: str, name: str = "clip.bvh") -> Path:
    """Return the path of a file with this text."""
    path = folder / name
    path.write_bytes(text.encode())
    return path
