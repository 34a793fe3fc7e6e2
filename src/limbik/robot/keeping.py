"""Finished work is kept: what cannot be written as asked is written beside it as NumPy arrays, which hold any motion.

Motion may turn out not to fit its format only when it is there: frames that are not evenly spaced into .bvh, numbers that float32
does not hold into .glb, a disk that is full by then.
"""

import itertools
import tempfile
from os import PathLike
from pathlib import Path
from typing import Any

from limbik.errors import FileUnwritable, LimbikError, one_line
from limbik.formats.motion_npz import write_motion_npz
from limbik.model.recording import Recording
from limbik.robot.saving import save_recording

# What is told of a failure [characters].
LONGEST = 300


def save_or_keep(recording: Recording, path: str | PathLike[str], **options: Any) -> None:
    """Write a recording as `save_recording` does; where that fails, keep it as .npz.

    Raises FileUnwritable, whose sentence says why it failed and where the motion is.
    """
    try:
        save_recording(recording, path, **options)
    except (LimbikError, OSError, MemoryError) as error:
        kept = _kept(recording, Path(path))
        home = f"the motion is kept in '{kept}', which limbik.load_clip and limbik convert read"
        what = home if kept is not None else "nor could the motion be kept anywhere"
        raise FileUnwritable(f"'{path}' was not written: {one_line(error, LONGEST)}; {what}") from None


def _kept(recording: Recording, path: Path) -> Path | None:
    """Write a recording beside a path, else among temporary files, over nothing that is there; return where it is."""
    for folder in (path.parent, Path(tempfile.gettempdir())):
        for k in itertools.count(1):
            kept = folder / (f"{path.stem}.npz" if k == 1 else f"{path.stem}_{k}.npz")
            try:
                if kept.exists() or kept == path:
                    continue
                write_motion_npz(recording, kept)
            except (LimbikError, OSError, ValueError):
                break
            return kept
    return None
