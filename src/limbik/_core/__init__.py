"""The compiled core, at the best instruction level that this processor supports.

The levels are v4, v3 and v2 of x86-64, and base, which every processor has. `LIMBIK_ISA` pins one of them. The levels agree up
to rounding, and each is deterministic.
"""

import importlib
import os
from importlib.util import find_spec

from limbik._core._levels import supported
from limbik._core.status import Status

_VARIABLE = "LIMBIK_ISA"


def _available() -> list[str]:
    """Return the levels that this build contains and this processor supports, the best first."""
    return [level for level in supported() if find_spec(f"limbik._core._{level}") is not None]


def _level() -> str:
    """Return the level to load: the pinned one, else the best. Raises ImportError if that one, or every level, is missing."""
    available = _available()
    pinned = os.environ.get(_VARIABLE)
    if pinned:
        if pinned not in available:
            raise ImportError(
                f"{_VARIABLE}={pinned!r}, but this processor and build offer {', '.join(available) or 'no level'}; "
                f"unset {_VARIABLE} or set it to one of these"
            )
        return pinned
    if not available:
        raise ImportError(
            f"this build of limbik has no core for this processor, which supports {', '.join(supported())}; reinstall limbik"
        )
    return available[0]


_variant = importlib.import_module(f"limbik._core._{_level()}")

COMPILER: str = _variant.COMPILER
LEVEL: str = _variant.LEVEL
WIDTH: int = _variant.WIDTH
ATTEMPTS: int = _variant.ATTEMPTS
FARTHEST_LIMIT: float = _variant.FARTHEST_LIMIT
LENGTH_SHARE: float = _variant.LENGTH_SHARE
POSITION_TOLERANCE: float = _variant.POSITION_TOLERANCE
RELATIVE_TOLERANCE: float = _variant.RELATIVE_TOLERANCE
ROTATION_TOLERANCE: float = _variant.ROTATION_TOLERANCE
AngleNetwork = _variant.AngleNetwork
Answer = _variant.Answer
Answers = _variant.Answers
Candidates = _variant.Candidates
CellLevel = _variant.CellLevel
CellTable = _variant.CellTable
DescentSettings = _variant.DescentSettings
GoalList = _variant.GoalList
GoalPlan = _variant.GoalPlan
Kernel = _variant.Kernel
MuscleSet = _variant.MuscleSet
NetworkStarts = _variant.NetworkStarts
PerceptronKernel = _variant.PerceptronKernel
PointNetwork = _variant.PointNetwork
PoseSolver = _variant.PoseSolver
PostureSolver = _variant.PostureSolver
PostureTable = _variant.PostureTable
PostureTableBuilder = _variant.PostureTableBuilder
SeedCandidates = _variant.SeedCandidates
SeedTable = _variant.SeedTable
Starts = _variant.Starts
TableLayout = _variant.TableLayout
TableSolver = _variant.TableSolver
TargetView = _variant.TargetView
TrackPlan = _variant.TrackPlan
best_trajectory = _variant.best_trajectory
clamp_rotations = _variant.clamp_rotations
draw_ranges = _variant.draw_ranges
euler_to_vectors = _variant.euler_to_vectors
family_postures = _variant.family_postures
home_of = _variant.home_of
pose_error = _variant.pose_error
read_numbers = _variant.read_numbers
register = _variant.register
rigid_pose = _variant.rigid_pose
solid_distance = _variant.solid_distance
solve_two_bones = _variant.solve_two_bones
time_path = _variant.time_path
trigonometry = _variant.trigonometry
vectors_to_euler = _variant.vectors_to_euler
two_bone_rotations = _variant.two_bone_rotations

Answer.__module__ = Answers.__module__ = Status.__module__ = "limbik"  # in reprs and pickles
register(status=Status)


def build_info() -> dict[str, object]:
    """Return the running core: instruction level, lanes per register, compiler, levels built and levels of the processor."""
    return {"level": LEVEL, "lanes": WIDTH, "compiler": COMPILER, "built": _available(), "processor": list(supported())}
