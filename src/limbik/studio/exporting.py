"""Export of a session: its keys as a motion file, its posture as numbers."""

import re
import tempfile
from pathlib import Path

import numpy as np

from limbik.errors import BadOption, shown
from limbik.motion.clip import Clip
from limbik.motion.rate import DEFAULT_RATE
from limbik.studio.session import Session

# The largest number of characters of a file's stem.
LONGEST_NAME = 60
FORMATS = ("bvh", "glb", "csv", "npz")


def export(session: Session, kind: str, rate: float = DEFAULT_RATE) -> tuple[str, bytes]:
    """Return a file name and the content of the animation in a format, its frames baked at a rate [1/s].

    A timeline without keys exports the present posture as a single frame. Raises BadOption, and what `Clip.save` raises.
    """
    if kind not in FORMATS:
        raise BadOption(f"format={shown(kind)}: use one of {', '.join(FORMATS)}")
    clip = session.clip().baked(rate) if len(session.state.timeline) else Clip(session.robot, [session.q])
    with tempfile.TemporaryDirectory(prefix="limbik_export_") as folder:
        path = Path(folder) / f"{file_stem(session)}.{kind}"
        clip.save(path)
        return path.name, path.read_bytes()


def file_stem(session: Session) -> str:
    """Return the file stem of a session: the robot's name without path characters.

    The name comes from the robot's file, which is not trusted.
    """
    return re.sub(r"[^\w-]+", "_", session.robot.name).strip("_")[:LONGEST_NAME] or "robot"


def posture_text(session: Session) -> str:
    """Return the posture as text: one line per joint value, in degrees, or metres for prismatic joints."""
    rows = []
    for name, x in zip(session.robot.joint_names, session.q, strict=True):
        joint = session.robot.model.mechanism.joint_of.get(name)
        prismatic = name.rpartition(".")[2] in ("px", "py", "pz") or (joint is not None and not joint.kind.is_revolute)
        rows.append(f"{name}\t{x:.6f} m" if prismatic else f"{name}\t{np.degrees(x):.4f} deg")
    return "\n".join(rows)
