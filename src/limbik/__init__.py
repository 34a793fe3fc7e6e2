"""limbik: inverse kinematics for robots and animated figures.

>>> import limbik as lk
>>> arm = lk.load("panda")
>>> T = arm.forward(arm.home)
"""

from importlib.metadata import version as _version

from limbik._core import Answer, Answers, build_info, pose_error
from limbik.errors import (
    BadFile,
    BadModel,
    BadOption,
    FileUnreadable,
    LimbikError,
    MissingExtra,
    NotFinite,
    NotNumeric,
    NotRigid,
    ShapeError,
    UnknownFrame,
    UnknownJoint,
    UnknownPaper,
    UnknownRobot,
    UnknownRow,
)
from limbik.model.catalog import NAMES as CATALOGUE
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.mechanism import Mechanism
from limbik.model.shape import Capsule, Sphere
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.robot.skeleton import Skeleton
from limbik.solvers.answer import Status
from limbik.solvers.answers import BatchAnswers
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.closed_form.form import Redundancy
from limbik.solvers.registry import METHODS

__version__ = _version("limbik")

__all__ = [
    "CATALOGUE",
    "METHODS",
    "Answer",
    "Answers",
    "BadFile",
    "BadModel",
    "BadOption",
    "BatchAnswer",
    "BatchAnswers",
    "Capsule",
    "Chain",
    "FileUnreadable",
    "Joint",
    "Kind",
    "LimbikError",
    "Link",
    "Mechanism",
    "Mimic",
    "MissingExtra",
    "NotFinite",
    "NotNumeric",
    "NotRigid",
    "Redundancy",
    "ShapeError",
    "Skeleton",
    "Sphere",
    "Status",
    "UnknownFrame",
    "UnknownJoint",
    "UnknownPaper",
    "UnknownRobot",
    "UnknownRow",
    "build_info",
    "load",
    "pose_error",
]
