"""Keep computed motion: if a file cannot be written in its format, write .npz beside it, which can hold any motion.

Some failures are known only after the computation: unevenly spaced frames for .bvh, numbers beyond float32 for .glb, a full disk.
"""

import itertools
import tempfile
from os import PathLike
from pathlib import Path
from typing import Any

from limbik.errors import FileUnwritable, LimbikError, one_line
from limbik.formats.motion_npz import write_motion_npz
from limbik.model.recording import Recording
from limbik.motion.saving import save_recording

# The longest message of a failure [characters].
LONGEST = 300


def save_or_keep(recording: Recording, path: str | PathLike[str], **options: Any) -> None:
    """Write a recording like `save_recording`; if that fails, keep it as .npz.

    Raises FileUnwritable with the reason and the location of the motion.
    """
    try:
        save_recording(recording, path, **options)
    except (LimbikError, OSError, MemoryError) as error:
        kept = _kept(recording, Path(path))
        home = f"the motion was saved to '{kept}' instead, for limbik.load_clip and limbik convert"
        what = home if kept is not None else "and the motion could not be saved elsewhere"
        raise FileUnwritable(f"'{path}' was not written: {one_line(error, LONGEST)}; {what}") from None


def _kept(recording: Recording, path: Path) -> Path | None:
    """Write a recording beside a path, else to the temporary folder, without overwriting; return its path."""
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
