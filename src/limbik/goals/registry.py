"""The registry of goals, one row each. The documents and contract tests use it."""

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

GOALS: dict[str, type[Goal]] = {
    kind.__name__: kind
    for kind in (
        Pose,
        Position,
        Orientation,
        Axis,
        LookAt,
        Plane,
        Line,
        Distance,
        Posture,
        LimitCentre,
        Manipulability,
        Balance,
        Clearance,
    )
}
