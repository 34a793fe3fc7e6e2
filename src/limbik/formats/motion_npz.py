"""Motion as NumPy arrays (.npz): q, times, the names of the columns, the robot it belongs to and its fingerprint.

Nothing is rounded and any times can be held, so this is the format in which work is kept that no other format can hold.
"""

import json
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadOption, LimbikError, one_line
from limbik.formats.bones import standing
from limbik.formats.gltf_mechanism import mechanism_from_json, mechanism_to_json
from limbik.formats.npz import NUMBERS, TEXTS, read_npz
from limbik.formats.replacing import replacing
from limbik.model.columns import column_names
from limbik.model.recording import Recording

_NEEDED = ("q", "times")
_TEXTS = ("names", "fingerprint", "interpolation", "robot")
# Characters of a robot's description past which it is none.
LONGEST_ROBOT = 2**24
MUSCLES = "its muscles were left out when it was written: an archive of motion holds links, joints and motion"


def write_motion_npz(recording: Recording, path: str | PathLike[str]) -> None:
    """Write a recording as NumPy arrays, with its robot but for muscles. Raises FileUnwritable."""
    robot = {
        "mechanism": mechanism_to_json(recording.mechanism),
        "base": recording.base,
        "tip": recording.tip,
        "muscles": len(recording.mechanism.muscles),
    }
    with replacing(Path(path), lasting=False) as file:
        np.savez(
            file,
            q=recording.q,
            times=recording.times,
            names=np.array(column_names(recording.compiled), dtype=np.str_),
            fingerprint=np.array(recording.compiled.fingerprint),
            interpolation=np.array(recording.interpolation),
            robot=np.array(json.dumps(robot)),
        )


def read_motion_npz(path: str | PathLike[str], like: Recording | None = None) -> Recording:
    """Return the motion in an archive, of the robot of `like`; None: of the robot that the archive holds.

    Raises FileUnreadable, BadFile, BadOption where neither is there, and what a Recording raises.
    """
    arrays = read_npz(Path(path), {**dict.fromkeys(_NEEDED, NUMBERS), **dict.fromkeys(_TEXTS, TEXTS)}, "motion")
    if missing := [name for name in _NEEDED if name not in arrays]:
        raise BadFile(f"'{path}' has no array '{missing[0]}'; motion is q (frames, n) and times (frames,)")
    own_robot = like is None
    like = _own(arrays.get("robot"), path) if like is None else like
    names = column_names(like.compiled)
    own = [str(name) for name in np.atleast_1d(arrays["names"]).ravel()] if "names" in arrays else names
    if own != names:
        raise BadFile(
            f"'{path}' moves {one_line(', '.join(own))}; '{like.mechanism.name}' has {one_line(', '.join(names))}"
        )
    if not own_robot and "fingerprint" in arrays and str(arrays["fingerprint"]) != like.compiled.fingerprint:
        raise BadFile(
            f"'{path}' was made for another robot than '{like.mechanism.name}', one with joints of the same names"
        )
    interpolation = str(arrays.get("interpolation", like.interpolation))
    return replace(like, q=arrays["q"], times=arrays["times"], interpolation=interpolation)


def _own(text: Any, path: str | PathLike[str]) -> Recording:
    """Return the robot of an archive in its zero posture."""
    if text is None:
        raise BadOption(f"'{path}' holds numbers alone: say whose they are, as in load_clip(path, robot=arm)")
    written = str(text)
    try:
        data = json.loads(written) if len(written) <= LONGEST_ROBOT else {}
        mechanism = mechanism_from_json(data["mechanism"])
        if mechanism is None:
            raise BadFile("no mechanism")
        notes = (MUSCLES,) if data.get("muscles") else ()
        return replace(standing(mechanism, data.get("base"), data.get("tip")), notes=notes)
    except (LimbikError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadFile(f"'{path}' describes a robot that cannot be read ({one_line(error)}): give robot=") from None
