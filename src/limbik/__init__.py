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
    FileUnwritable,
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
    WorkerLost,
)
from limbik.goals.axis import Axis
from limbik.goals.balance import Balance
from limbik.goals.clearance import Clearance
from limbik.goals.distance import Distance
from limbik.goals.goal import Goal
from limbik.goals.limit_centre import LimitCentre
from limbik.goals.line import Line
from limbik.goals.look_at import LookAt
from limbik.goals.manipulability import Manipulability
from limbik.goals.orientation import Orientation
from limbik.goals.plane import Plane
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.goals.posture import Posture
from limbik.goals.registry import GOALS
from limbik.model.catalog import NAMES as CATALOGUE
from limbik.model.humanoid import Humanoid, humanoid
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.mckibben import McKibben
from limbik.model.mechanism import Mechanism
from limbik.model.muscle import Attachment, Muscle, Pulley
from limbik.model.shape import Capsule, Sphere
from limbik.motion.measures import Contact
from limbik.motion.track import Step
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.human import human
from limbik.robot.load import load
from limbik.robot.load_clip import load_clip
from limbik.robot.mmc import Mmc
from limbik.robot.muscle_map import MuscleMap, muscle_map
from limbik.robot.networks import train
from limbik.robot.reachability import ReachMap, reach_map
from limbik.robot.skeleton import Skeleton
from limbik.robot.tables import build_table
from limbik.solvers.answer import Status
from limbik.solvers.answers import BatchAnswers
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.closed_form.form import Redundancy
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.muscle.answer import MuscleAnswer, MusclePostures
from limbik.solvers.muscle.fast_gradient import FastGradient, follow_distance
from limbik.solvers.muscle.registry import MUSCLE_METHODS
from limbik.solvers.registry import METHODS
from limbik.solvers.relaxation.completion import Completion
from limbik.solvers.relaxation.inputs import AtLeast, AtMost
from limbik.solvers.relaxation.point_form import PointForm
from limbik.solvers.relaxation.relaxed import Relaxed
from limbik.solvers.relaxation.sockets import Ball, Hinge
from limbik.solvers.relaxation.vector_form import VectorForm
from limbik.studio.opening import open_studio

__version__ = _version("limbik")

__all__ = [
    "CATALOGUE",
    "GOALS",
    "METHODS",
    "MUSCLE_METHODS",
    "Answer",
    "Answers",
    "AtLeast",
    "AtMost",
    "Attachment",
    "Axis",
    "BadFile",
    "BadModel",
    "BadOption",
    "Balance",
    "Ball",
    "BatchAnswer",
    "BatchAnswers",
    "Capsule",
    "Chain",
    "Clearance",
    "Clip",
    "Completion",
    "Contact",
    "Distance",
    "FastGradient",
    "FileUnreadable",
    "FileUnwritable",
    "Goal",
    "GoalAnswer",
    "Hinge",
    "Humanoid",
    "Joint",
    "Kind",
    "LimbikError",
    "LimitCentre",
    "Line",
    "Link",
    "LookAt",
    "Manipulability",
    "McKibben",
    "Mechanism",
    "Mimic",
    "MissingExtra",
    "Mmc",
    "Muscle",
    "MuscleAnswer",
    "MuscleMap",
    "MusclePostures",
    "NotFinite",
    "NotNumeric",
    "NotRigid",
    "Orientation",
    "Plane",
    "PointForm",
    "Pose",
    "Position",
    "Posture",
    "Pulley",
    "ReachMap",
    "Redundancy",
    "Relaxed",
    "ShapeError",
    "Skeleton",
    "Sphere",
    "Status",
    "Step",
    "UnknownFrame",
    "UnknownJoint",
    "UnknownPaper",
    "UnknownRobot",
    "UnknownRow",
    "VectorForm",
    "WorkerLost",
    "build_info",
    "build_table",
    "follow_distance",
    "human",
    "humanoid",
    "load",
    "load_clip",
    "muscle_map",
    "open_studio",
    "pose_error",
    "reach_map",
    "train",
]
