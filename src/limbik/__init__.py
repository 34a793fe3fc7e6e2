"""limbik: inverse kinematics for robots and animated figures.

>>> import limbik as lk
>>> arm = lk.load("panda")
>>> T = arm.forward(arm.home)
>>> bool(arm.solve(T))
True

Names are imported when they are first used.
"""

from typing import TYPE_CHECKING, Any

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik import (
        collision,
        errors,
        formats,
        geometry,
        goals,
        methods,
        model,
        motion,
        muscle,
        posing,
        relaxation,
        solvers,
        two_bone,
    )
    from limbik._core import build_info
    from limbik.errors import BadFile, BadModel, BadOption, LimbikError, NotFinite, NotRigid, ShapeError
    from limbik.geometry.pose import pose
    from limbik.geometry.se3 import pose_error
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
    from limbik.model.catalog import CATALOGUE
    from limbik.model.humanoid import humanoid
    from limbik.model.marker_set import MarkerSet
    from limbik.model.markers import Markers
    from limbik.model.shape import Box, Capsule, Sphere
    from limbik.motion.capture.capture import capture
    from limbik.motion.capture.limbs import capture_limbs
    from limbik.motion.clip import Clip
    from limbik.motion.motion_result import MotionResult
    from limbik.motion.path import Path
    from limbik.motion.retarget.retarget import retarget
    from limbik.posing.body import Body
    from limbik.robot.chain import Chain
    from limbik.robot.human import human
    from limbik.robot.jointed_limb import JointedLimb
    from limbik.robot.load import load
    from limbik.robot.load_clip import load_clip
    from limbik.robot.retarget_library import retarget_library
    from limbik.robot.skeleton import Skeleton
    from limbik.solvers.answer import Answer, Answers, Status
    from limbik.solvers.answers import BatchAnswers
    from limbik.solvers.batch_answer import BatchAnswer
    from limbik.solvers.goal_answer import GoalAnswer
    from limbik.solvers.neural.train import train
    from limbik.solvers.reach_map import reach_map
    from limbik.solvers.registry import METHODS
    from limbik.solvers.table.build import build_table
    from limbik.solvers.two_bone.limb import Limb
    from limbik.studio.opening import open_studio

__all__ = [
    "CATALOGUE",
    "GOALS",
    "METHODS",
    "Answer",
    "Answers",
    "Axis",
    "BadFile",
    "BadModel",
    "BadOption",
    "Balance",
    "BatchAnswer",
    "BatchAnswers",
    "Body",
    "Box",
    "Capsule",
    "Chain",
    "Clearance",
    "Clip",
    "Distance",
    "Gaze",
    "Goal",
    "GoalAnswer",
    "JointedLimb",
    "Limb",
    "LimbikError",
    "LimitCentre",
    "Line",
    "LookAt",
    "Manipulability",
    "MarkerSet",
    "Markers",
    "MotionResult",
    "NotFinite",
    "NotRigid",
    "Orientation",
    "Path",
    "Pin",
    "Plane",
    "Planted",
    "Pose",
    "Position",
    "Posture",
    "ShapeError",
    "Skeleton",
    "Sphere",
    "Status",
    "build_info",
    "build_table",
    "capture",
    "capture_limbs",
    "collision",
    "errors",
    "formats",
    "geometry",
    "goals",
    "human",
    "humanoid",
    "load",
    "load_clip",
    "methods",
    "model",
    "motion",
    "muscle",
    "open_studio",
    "pose",
    "pose_error",
    "posing",
    "reach_map",
    "relaxation",
    "retarget",
    "retarget_library",
    "solvers",
    "train",
    "two_bone",
]

# The module of each name.
HOMES = {
    "CATALOGUE": "model.catalog",
    "GOALS": "goals.registry",
    "METHODS": "solvers.registry",
    "Answer": "solvers.answer",
    "Answers": "solvers.answer",
    "Axis": "goals.axis",
    "BadFile": "errors",
    "BadModel": "errors",
    "BadOption": "errors",
    "Balance": "goals.balance",
    "BatchAnswer": "solvers.batch_answer",
    "BatchAnswers": "solvers.answers",
    "Body": "posing.body",
    "Box": "model.shape",
    "Capsule": "model.shape",
    "Chain": "robot.chain",
    "Clearance": "goals.clearance",
    "Clip": "motion.clip",
    "Distance": "goals.distance",
    "Gaze": "goals.pin",
    "Goal": "goals.goal",
    "GoalAnswer": "solvers.goal_answer",
    "JointedLimb": "robot.jointed_limb",
    "Limb": "solvers.two_bone.limb",
    "LimbikError": "errors",
    "LimitCentre": "goals.limit_centre",
    "Line": "goals.line",
    "LookAt": "goals.look_at",
    "Manipulability": "goals.manipulability",
    "MarkerSet": "model.marker_set",
    "Markers": "model.markers",
    "MotionResult": "motion.motion_result",
    "NotFinite": "errors",
    "NotRigid": "errors",
    "Orientation": "goals.orientation",
    "Path": "motion.path",
    "Pin": "goals.pin",
    "Plane": "goals.plane",
    "Planted": "goals.pin",
    "Pose": "goals.pose",
    "Position": "goals.position",
    "Posture": "goals.posture",
    "ShapeError": "errors",
    "Skeleton": "robot.skeleton",
    "Sphere": "model.shape",
    "Status": "solvers.answer",
    "build_info": "_core",
    "build_table": "solvers.table.build",
    "capture": "motion.capture.capture",
    "capture_limbs": "motion.capture.limbs",
    "human": "robot.human",
    "humanoid": "model.humanoid",
    "load": "robot.load",
    "load_clip": "robot.load_clip",
    "open_studio": "studio.opening",
    "pose": "geometry.pose",
    "pose_error": "geometry.se3",
    "reach_map": "solvers.reach_map",
    "retarget": "motion.retarget.retarget",
    "retarget_library": "robot.retarget_library",
    "train": "solvers.neural.train",
}

# Names that users may look for here, and their places.
MOVED = {
    "CONVENTIONS": "limbik.formats.CONVENTIONS",
    "MUSCLE_METHODS": "limbik.muscle.MUSCLE_METHODS",
    "AtLeast": "limbik.relaxation.AtLeast",
    "AtMost": "limbik.relaxation.AtMost",
    "Attachment": "limbik.muscle.Attachment",
    "Ball": "limbik.relaxation.Ball",
    "Captured": "limbik.motion.Captured",
    "CapturedLimbs": "limbik.motion.CapturedLimbs",
    "Completion": "limbik.relaxation.Completion",
    "Cone": "limbik.model.Cone",
    "Contact": "limbik.motion.Contact",
    "Convention": "limbik.formats.Convention",
    "FastGradient": "limbik.muscle.FastGradient",
    "FileUnreadable": "limbik.errors.FileUnreadable",
    "FileUnwritable": "limbik.errors.FileUnwritable",
    "Followed": "limbik.motion.Followed",
    "Handles": "limbik.two_bone.Handles",
    "Hinge": "limbik.relaxation.Hinge",
    "Humanoid": "limbik.model.Humanoid",
    "Joint": "limbik.model.Joint",
    "Kind": "limbik.model.Kind",
    "LimbAnswer": "limbik.two_bone.LimbAnswer",
    "LimbBatch": "limbik.two_bone.LimbBatch",
    "Link": "limbik.model.Link",
    "McKibben": "limbik.muscle.McKibben",
    "Mechanism": "limbik.model.Mechanism",
    "Mimic": "limbik.model.Mimic",
    "Missed": "limbik.motion.Missed",
    "MissingExtra": "limbik.errors.MissingExtra",
    "Mmc": "limbik.relaxation.Mmc",
    "Model": "limbik.model.Model",
    "Muscle": "limbik.muscle.Muscle",
    "MuscleAnswer": "limbik.muscle.MuscleAnswer",
    "MuscleArm": "limbik.muscle.MuscleArm",
    "MuscleMap": "limbik.muscle.MuscleMap",
    "MusclePostures": "limbik.muscle.MusclePostures",
    "NotNumeric": "limbik.errors.NotNumeric",
    "PointForm": "limbik.relaxation.PointForm",
    "Posed": "limbik.posing.Posed",
    "Pulley": "limbik.muscle.Pulley",
    "ReachMap": "limbik.solvers.reach_map.ReachMap",
    "Redundancy": "limbik.solvers.closed_form.form.Redundancy",
    "Relaxed": "limbik.relaxation.Relaxed",
    "Retargeted": "limbik.motion.Retargeted",
    "Step": "limbik.motion.Step",
    "Stretch": "limbik.two_bone.Stretch",
    "SwingTwist": "limbik.geometry.SwingTwist",
    "UnknownFrame": "limbik.errors.UnknownFrame",
    "UnknownJoint": "limbik.errors.UnknownJoint",
    "UnknownPaper": "limbik.errors.UnknownPaper",
    "UnknownRobot": "limbik.errors.UnknownRobot",
    "UnknownRow": "limbik.errors.UnknownRow",
    "VectorForm": "limbik.relaxation.VectorForm",
    "WorkerLost": "limbik.errors.WorkerLost",
    "follow_distance": "limbik.muscle.follow_distance",
    "from_swing_twist": "limbik.geometry.from_swing_twist",
    "load_markers": "limbik.formats.load_markers",
    "save_markers": "limbik.formats.save_markers",
    "swing_twist": "limbik.geometry.swing_twist",
}

# The modules that are public as they are.
MODULES = (
    "collision",
    "errors",
    "formats",
    "geometry",
    "goals",
    "methods",
    "model",
    "motion",
    "muscle",
    "posing",
    "relaxation",
    "solvers",
    "two_bone",
)

_find, __dir__ = lazy(__name__, HOMES, MODULES, MOVED)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name == "__version__":
        from importlib.metadata import version

        return version("limbik")
    return _find(name)
