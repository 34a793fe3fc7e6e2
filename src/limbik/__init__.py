"""limbik: inverse kinematics for robots and animated figures.

>>> import limbik as lk
>>> arm = lk.load("panda")
>>> T = arm.forward(arm.home)
"""

from importlib.metadata import version as _version

from limbik import methods
from limbik._core import Answer, Answers, Status, build_info, pose_error
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
from limbik.formats.marker_files import load_markers, save_markers
from limbik.geometry.pose import pose
from limbik.geometry.swing_twist import SwingTwist, from_swing_twist, swing_twist
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
from limbik.goals.pin import Gaze, Pin, Planted
from limbik.goals.plane import Plane
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.goals.posture import Posture
from limbik.goals.registry import GOALS
from limbik.model.balls import Cone
from limbik.model.catalog import NAMES as CATALOGUE
from limbik.model.convention import CONVENTIONS, Convention
from limbik.model.humanoid import Humanoid, humanoid
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.marker_set import MarkerSet
from limbik.model.markers import Markers
from limbik.model.mckibben import McKibben
from limbik.model.mechanism import Mechanism
from limbik.model.muscle import Attachment, Muscle, Pulley
from limbik.model.shape import Box, Capsule, Sphere
from limbik.motion.measures import Contact
from limbik.motion.path import Path
from limbik.motion.track import Step
from limbik.muscle.answer import MuscleAnswer, MusclePostures
from limbik.muscle.arm import MuscleArm
from limbik.muscle.fast_gradient import FastGradient, follow_distance
from limbik.muscle.muscle_map import MuscleMap
from limbik.muscle.registry import MUSCLE_METHODS
from limbik.robot.body import Body
from limbik.robot.capture import capture
from limbik.robot.captured import Captured
from limbik.robot.captured_limbs import CapturedLimbs
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.followed import FollowedClip
from limbik.robot.human import human
from limbik.robot.jointed_limb import JointedLimb
from limbik.robot.limb import Limb
from limbik.robot.limb_capture import capture_limbs
from limbik.robot.limb_matching import Handles
from limbik.robot.load import load
from limbik.robot.load_clip import load_clip
from limbik.robot.mmc import Mmc
from limbik.robot.networks import train
from limbik.robot.posed import Posed
from limbik.robot.reachability import ReachMap, reach_map
from limbik.robot.retarget import retarget
from limbik.robot.retarget_library import retarget_library
from limbik.robot.retarget_misses import Missed
from limbik.robot.retargeted import Retargeted
from limbik.robot.skeleton import Skeleton
from limbik.robot.tables import build_table
from limbik.solvers.answers import BatchAnswers
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.closed_form.form import Redundancy
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.limb.answer import LimbAnswer, LimbBatch
from limbik.solvers.limb.stretch import Stretch
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
    "CONVENTIONS",
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
    "Body",
    "Box",
    "Capsule",
    "Captured",
    "CapturedLimbs",
    "Chain",
    "Clearance",
    "Clip",
    "Completion",
    "Cone",
    "Contact",
    "Convention",
    "Distance",
    "FastGradient",
    "FileUnreadable",
    "FileUnwritable",
    "FollowedClip",
    "Gaze",
    "Goal",
    "GoalAnswer",
    "Handles",
    "Hinge",
    "Humanoid",
    "Joint",
    "JointedLimb",
    "Kind",
    "Limb",
    "LimbAnswer",
    "LimbBatch",
    "LimbikError",
    "LimitCentre",
    "Line",
    "Link",
    "LookAt",
    "Manipulability",
    "MarkerSet",
    "Markers",
    "McKibben",
    "Mechanism",
    "Mimic",
    "Missed",
    "MissingExtra",
    "Mmc",
    "Muscle",
    "MuscleAnswer",
    "MuscleArm",
    "MuscleMap",
    "MusclePostures",
    "NotFinite",
    "NotNumeric",
    "NotRigid",
    "Orientation",
    "Path",
    "Pin",
    "Plane",
    "Planted",
    "PointForm",
    "Pose",
    "Posed",
    "Position",
    "Posture",
    "Pulley",
    "ReachMap",
    "Redundancy",
    "Relaxed",
    "Retargeted",
    "ShapeError",
    "Skeleton",
    "Sphere",
    "Status",
    "Step",
    "Stretch",
    "SwingTwist",
    "UnknownFrame",
    "UnknownJoint",
    "UnknownPaper",
    "UnknownRobot",
    "UnknownRow",
    "VectorForm",
    "WorkerLost",
    "build_info",
    "build_table",
    "capture",
    "capture_limbs",
    "follow_distance",
    "from_swing_twist",
    "human",
    "humanoid",
    "load",
    "load_clip",
    "load_markers",
    "methods",
    "open_studio",
    "pose",
    "pose_error",
    "reach_map",
    "retarget",
    "retarget_library",
    "save_markers",
    "swing_twist",
    "train",
]
