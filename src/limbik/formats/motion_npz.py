"""Motion as NumPy arrays (.npz): q, times, the names of the values of q, the robot and its fingerprint.

Numbers are exact and times arbitrary. So a motion that another format cannot represent is saved in this one.
"""

import json
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadOption, LimbikError, one_line
from limbik.formats.bones import zero_recording
from limbik.formats.gltf_mechanism import mechanism_from_json, mechanism_to_json
from limbik.formats.npz import NUMBERS, TEXTS, read_npz
from limbik.formats.replacing import replacing
from limbik.model.columns import column_names
from limbik.model.recording import Recording

_NEEDED = ("q", "times")
_TEXTS = ("names", "fingerprint", "interpolation", "robot")
# The longest description of a robot [characters].
LONGEST_ROBOT = 2**24
MUSCLES = "muscles were left out when the file was written: .npz files contain links, joints and motion"


def write_motion_npz(recording: Recording, path: str | PathLike[str]) -> None:
    """Write a recording as NumPy arrays, with its robot without muscles. Raises FileUnwritable."""
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
    """Return the motion in an archive, for the robot of `like`; None: for the robot in the archive.

    Raises FileUnreadable, BadFile, the errors of Recording, and BadOption if there is no robot.
    """
    arrays = read_npz(Path(path), {**dict.fromkeys(_NEEDED, NUMBERS), **dict.fromkeys(_TEXTS, TEXTS)}, "motion")
    if missing := [name for name in _NEEDED if name not in arrays]:
        raise BadFile(f"'{path}' has no array '{missing[0]}'; motion is q (frames, n) and times (frames,)")
    own_robot = like is None
    like = _stored_robot(arrays.get("robot"), path) if like is None else like
    names = column_names(like.compiled)
    stored = [str(name) for name in np.atleast_1d(arrays["names"]).ravel()] if "names" in arrays else names
    if stored != names:
        raise BadFile(
            f"'{path}' has joint values {one_line(', '.join(stored))}; '{like.mechanism.name}' has {one_line(', '.join(names))}"
        )
    if not own_robot and "fingerprint" in arrays and str(arrays["fingerprint"]) != like.compiled.fingerprint:
        raise BadFile(f"'{path}' was made for another robot with the same joint names, not for '{like.mechanism.name}'")
    interpolation = str(arrays.get("interpolation", like.interpolation))
    return replace(like, q=arrays["q"], times=arrays["times"], interpolation=interpolation)


def _stored_robot(text: Any, path: str | PathLike[str]) -> Recording:
    """Return the robot of an archive in the zero posture (configuration)."""
    if text is None:
        raise BadOption(f"'{path}' contains no robot: give one, as in load_clip(path, robot=arm)")
    description = str(text)
    try:
        data = json.loads(description) if len(description) <= LONGEST_ROBOT else {}
        mechanism = mechanism_from_json(data["mechanism"])
        if mechanism is None:
            raise BadFile("no mechanism")
        notes = (MUSCLES,) if data.get("muscles") else ()
        return replace(zero_recording(mechanism, data.get("base"), data.get("tip")), notes=notes)
    except (LimbikError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadFile(f"'{path}' describes a robot that cannot be read ({one_line(error)}): give robot=") from None
