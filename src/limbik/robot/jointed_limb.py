"""A two-bone limb of a robot or figure, with its joints and limits; answers are verified by forward kinematics."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import ROTATION_TOLERANCE, Status, pose_error
from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, numbers, vector
from limbik.geometry.se3 import as_pose, matrices
from limbik.robot.kinematic import Kinematic
from limbik.solvers.all_postures import thread_count
from limbik.solvers.two_bone.answer import LINE, MARKS, SIDE, LimbAnswer, LimbBatch, Mark, answer_of
from limbik.solvers.two_bone.arcs import Arcs
from limbik.solvers.two_bone.judging import arcs_of
from limbik.solvers.two_bone.limb import ElbowAim, Limb, elbow_aim
from limbik.solvers.two_bone.limb_model import LimbModel, limb_model
from limbik.solvers.two_bone.matching import Handles, blend, bone_rotations, match_ik, pole_of, swivel_of
from limbik.solvers.two_bone.plane import about
from limbik.solvers.two_bone.solving import checked_flag, solved


class JointedLimb(Limb):
    """A two-bone limb with the joints of a robot or figure. Make one by `figure.limb("leftHand")`.

    Targets, poles and directions are in the robot's base frame. Answers hold the whole q: the limb's joints are solved, the
    others have the seed's values. A target of three numbers sets the position of the end and keeps the wrist's joint values; a
    pose sets the orientation too. model: the robot, the frame at the end and the joints of the limb.
    """

    model: LimbModel

    def __init__(
        self, robot: Kinematic, end: str, upper: str | None = None, lower: str | None = None, *, bend_axis: Any = None
    ) -> None:
        """Find the limb that ends at a frame. upper, lower: the links of its bones, if they are not found correctly.

        bend_axis: the bending axis of a straight ball elbow, in the frame of the lower bone at rest. Raises UnknownFrame, and
        BadModel if there is no such limb.
        """
        object.__setattr__(self, "model", limb_model(robot, end, upper, lower, bend_axis))

    # ---- properties --------------------------------------------------------------------------------------------------

    @property
    def robot(self) -> Kinematic:
        """The chain or skeleton of the limb."""
        return self.model.robot

    @property
    def places(self) -> npt.NDArray[np.int64]:
        """The indices in q of the limb's joint values."""
        return self.model.places

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the limb's joint values."""
        return self.model.joint_names

    @property
    def turns_hand(self) -> bool:
        """Whether the wrist can reach every orientation, so that poses are valid targets."""
        return self.model.turns_hand

    @property
    def upper(self) -> float:
        """The length of the upper bone [m]."""
        return self.model.upper

    @property
    def lower(self) -> float:
        """The length of the lower bone, to the wrist [m]."""
        return self.model.lower

    @property
    def zero(self) -> Array:
        """(3,) the elbow's direction at swivel 0 with the joints above the limb at home, in the base frame."""
        return self.model.zero

    def __eq__(self, other: object) -> bool:
        return self.model.key == other.model.key if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.model.key)

    def __reduce__(self) -> tuple[Any, ...]:
        model = self.model
        return restore_jointed, (model.robot, model.end, *model.named, model.joints.bend_axis)

    def __repr__(self) -> str:
        elements, parts = self.robot.model.compiled.elements, self.model.joints.parts
        root, elbow, wrist = (
            ", ".join(elements[e].joint.name for e in part) for part in (parts.root, (parts.elbow,), parts.wrist)
        )
        return (
            f"<Limb of '{self.robot.name}' to '{self.model.end}': {root} | {elbow} | {wrist or 'no wrist'}; "
            f"bones {self.upper:.3g} and {self.lower:.3g} m>"
        )

    # ---- solving -----------------------------------------------------------------------------------------------------

    def solve(
        self, target: Any, pole: Any = None, swivel: Any = None, *, direction: Any = None, seed: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, limits: bool = True, give_way: bool = True,
        nearest: bool = True,
    ) -> LimbAnswer:  # fmt: skip
        """Return the posture with the end at a target, a point (3,) or a pose (4, 4), and the elbow in the given direction.

        pole, direction, swivel, soft, stretch: as in `Limb.solve`. seed: (n,) the values of all other joints, and the values
        that the limb's joints stay near; None means the q of `previous`, else `home`; clamped to the limits if these are on.
        Without pole, direction and swivel the elbow stays as near as possible to the seed's direction. limits: enforce joint
        limits; if they exclude the elbow's direction, the nearest feasible one is taken with the status COMPROMISE, unless
        give_way=False. nearest: if no posture is a solution, search for the closest one by "lm"; False returns the one clamped
        to the limits. Raises as `Limb.solve`, and BadOption for a pose if the wrist cannot reach every orientation.
        """
        given = numbers(matrices(target), "the target must be a point (3,) or a pose (4, 4)")
        if given.shape not in ((3,), (4, 4)):
            raise ShapeError(f"the target of a limb is a point (3,) or a pose (4, 4); got shape {given.shape}")
        one = vector(given, "the target") if given.ndim == 1 else as_pose(given, "the target")
        elbow = elbow_aim(pole, swivel, direction, np.zeros(3), 1)
        rows, q, status, rotation_errors, sides, swivels = solved(
            self.model, one[None], elbow, seed, previous, soft, stretch, limits, (give_way, nearest), 1
        )
        return answer_of(
            rows[0], Status(int(status[0])), q[0], float(swivels[0]), float(rotation_errors[0]), float(sides[0])
        )

    def solve_batch(  # type: ignore[override]
        self, targets: Any, poles: Any = None, swivels: Any = None, *, directions: Any = None, seeds: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, limits: bool = True, give_way: bool = True,
        nearest: bool = False, threads: int | None = None,
    ) -> LimbBatch:  # fmt: skip
        """Return the answers to many targets, points (N, 3) or poses (N, 4, 4); row i equals `solve` of that row, to rounding.

        (With the same `nearest`, which is off by default here.) Each other argument is one for all or has N rows. Rows whose
        elbow direction is outside the limits take longer.
        """
        given = numbers(matrices(targets), "targets must be points (N, 3) or poses (N, 4, 4)")
        if given.shape[1:] not in ((3,), (4, 4)):
            raise ShapeError(
                f"targets are points (N, 3) or poses (N, 4, 4); got shape {given.shape}; for one target use solve"
            )
        if given.ndim == 3:
            given = np.array([as_pose(T, f"target {k}") for k, T in enumerate(given)]).reshape(given.shape)
        elbow = elbow_aim(poles, swivels, directions, np.zeros(3), len(given))
        rows, q, status, rotation_errors, sides, swivels = solved(
            self.model, given, elbow, seeds, previous, soft, stretch, limits, (give_way, nearest), thread_count(threads)
        )
        zero = about(rows[:, LINE], rows[:, SIDE], -swivels)  # rotated back from the elbow by its swivel
        return LimbBatch(rows, status, rotation_errors, zero, q, sides)

    def swivel_ranges(self, target: Any, *, seed: Any = None, limits: bool = True) -> Arcs:
        """Return the swivels at which the limb reaches a target inside its limits: [(low, high), ...] [rad], in order.

        For a point, the joints of root and elbow limit them; for a pose, those of the wrist too. low <= high <= low + 2 pi; both
        ends are verified. Exact, except for wrists with a twist and three hinges: there, arcs longer than 1/256 of a turn are
        found.
        """
        given = numbers(matrices(target), "the target must be a point (3,) or a pose (4, 4)")
        if given.shape not in ((3,), (4, 4)):
            raise ShapeError(f"the target of a limb is a point (3,) or a pose (4, 4); got shape {given.shape}")
        one = vector(given, "the target") if given.ndim == 1 else as_pose(given, "the target")
        problem = self.model.problem(one[None], seed, None, checked_flag(limits, "limits"))
        rows = self.model.rows(problem, ElbowAim(), None, 0.0, 0.0, 1)
        if not int(rows[0, MARKS]) & Mark.REACHED:
            return []
        if not limits:
            return [(-math.pi, math.pi)]
        return arcs_of(self.model, problem, rows, 0)

    # ---- matching postures and handles -------------------------------------------------------------------------------

    def swivel_of(self, q: Any) -> Any:
        """Return the swivel of postures, (..., n) -> (...) [rad]."""
        return swivel_of(self.model, q)

    def pole_of(self, q: Any, distance: float | None = None) -> Array:
        """Return a pole for the elbow direction of a posture, (..., n) -> (..., 3).

        It is `distance` [m] from the root, perpendicular to the line to the end; None means the length of the limb.
        """
        return pole_of(self.model, q, distance)

    def match_ik(self, q: Any) -> Handles:
        """Return the handles of a posture (n,); `match_fk` is the inverse."""
        return match_ik(self.model, q)

    def match_fk(self, handles: Handles, seed: Any = None, *, limits: bool = True, previous: Any = None) -> LimbAnswer:
        """Return the posture of handles, as an answer with the status of the match."""
        if not isinstance(handles, Handles):
            raise BadOption(f"match_fk takes Handles from match_ik, not {shown(handles)}")
        target = handles.target if self.turns_hand else handles.target[:3, 3]
        answer = self.solve(target, handles.pole, seed=seed, limits=limits, previous=previous)
        if self.turns_hand:
            return answer
        # Without a full wrist, the joints beyond the elbow set the end's orientation, which may differ from the handles'.
        model = self.robot.model
        T = np.array(model.kernel.forward(answer.q, model.frame_index(self.model.end)))
        T[:3, 3] = handles.target[:3, 3]
        rotation_error = float(np.linalg.norm(pose_error(T, handles.target)[3:]))
        if not answer.ok or rotation_error <= ROTATION_TOLERANCE:
            return replace(answer, rotation_error=rotation_error)
        why = (
            f"a compromise: the end is at the handles' position, but its rotation differs by {rotation_error:.3g} rad: the "
            "joints beyond the elbow cannot reach every orientation and keep the seed's values"
        )
        return replace(answer, status=Status.COMPROMISE, rotation_error=rotation_error, why=why)

    def blend(self, q_fk: Any, q_ik: Any, weight: Any) -> Array:
        """Interpolate between two postures along the rotations of the limb's joints: q_fk at weight 0, q_ik at 1, exactly.

        Other joints keep the values of q_fk. weight: a number from 0 to 1, one for each posture, or k weights for two single
        postures, which give (k, n).
        """
        return blend(self.model, q_fk, q_ik, weight)

    def turns(self, answer: LimbAnswer | LimbBatch, *, roll: str = "hinge", roots: Any = None) -> Array:
        """Return the rotations of the bones of an answer in the base frame: (2, 3, 3), upper then lower, or (N, 2, 3, 3).

        The joints determine them; `roll` and `roots` are for limbs without joints.
        """
        if roll != "hinge" or roots is not None:
            raise BadOption(
                "roll= and roots= are for limbs without joints; here the joints determine the rotations of the bones"
            )
        return bone_rotations(self.model, answer)


def restore_jointed(robot: Kinematic, end: str, upper: str | None, lower: str | None, bend_axis: Any) -> JointedLimb:
    """Return a limb from its pickled parts."""
    return JointedLimb(robot, end, upper, lower, bend_axis=bend_axis)
