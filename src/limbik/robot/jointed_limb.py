"""A limb of a robot or figure: two bones moved by joints, inside their limits, verified by forward kinematics."""

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
from limbik.robot.limb import Asked, Limb, asked
from limbik.robot.limb_judging import arcs_of
from limbik.robot.limb_matching import Handles, blend, bone_rotations, match_ik, pole_of, swivel_of
from limbik.robot.limb_model import LimbModel, limb_model
from limbik.robot.limb_solving import checked_flag, solved
from limbik.solvers.all_postures import thread_count
from limbik.solvers.limb.answer import LINE, MARKS, SIDE, LimbAnswer, LimbBatch, Mark, answer_of
from limbik.solvers.limb.arcs import Arcs
from limbik.solvers.limb.plane import about


class JointedLimb(Limb):
    """A limb with the joints of a robot or figure. Make one by `figure.limb("leftHand")`.

    Targets, poles and directions are in the robot's base frame. Answers hold the whole q: the limb's own joints moved, the others
    as the seed has them. A target of three numbers places the end and leaves the wrist as it is; a pose turns the hand too.
    model: the robot, the frame at the end and the joints of the limb.
    """

    model: LimbModel

    def __init__(
        self, robot: Kinematic, end: str, upper: str | None = None, lower: str | None = None, *, bend_axis: Any = None
    ) -> None:
        """Find the limb that ends at a frame. upper, lower: links of its bones, where the search goes wrong.

        bend_axis: about what a ball at the elbow bends where it is straight, in the frame of the lower bone at rest.
        Raises UnknownFrame, BadModel where there is no such limb.
        """
        object.__setattr__(self, "model", limb_model(robot, end, upper, lower, bend_axis))

    # ---- what it is --------------------------------------------------------------------------------------------------

    @property
    def robot(self) -> Kinematic:
        """The chain or skeleton it belongs to."""
        return self.model.robot

    @property
    def places(self) -> npt.NDArray[np.int64]:
        """Which numbers of q the limb moves."""
        return self.model.places

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the numbers of q that the limb moves."""
        return self.model.joint_names

    @property
    def turns_hand(self) -> bool:
        """Whether the wrist can turn the hand any way, so that poses are targets."""
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
        """(3,) where the elbow points at swivel 0 with everything above the limb at home, in the base frame."""
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

    # ---- what it does ------------------------------------------------------------------------------------------------

    def solve(
        self, target: Any, pole: Any = None, swivel: Any = None, *, direction: Any = None, seed: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, limits: bool = True, give_way: bool = True,
        nearest: bool = True,
    ) -> LimbAnswer:  # fmt: skip
        """Return the posture whose end is at a target, a point (3,) or a pose (4, 4), and whose elbow points where asked.

        pole, direction, swivel, soft, stretch: as `Limb.solve` has them. seed: (n,) where all other joints stand, and what the
        limb's own stay near; None is that of `previous`, else `home`; with limits, moved inside them first. Without pole,
        direction and swivel the elbow stays as near as it can to where it points. limits: keep joint limits; where they do not
        allow the elbow's direction the nearest one that they allow is taken, and the status is COMPROMISE; give_way=False does
        without. nearest: where no posture fits, search for the nearest by "lm"; False leaves the one that the limits cut off.
        Raises as `Limb.solve` does, and BadOption for a pose of a limb whose wrist cannot turn every way.
        """
        given = numbers(matrices(target), "the target must be a point (3,) or a pose (4, 4)")
        if given.shape not in ((3,), (4, 4)):
            raise ShapeError(f"the target of a limb is a point (3,) or a pose (4, 4); got shape {given.shape}")
        one = vector(given, "the target") if given.ndim == 1 else as_pose(given, "the target")
        wish = asked(pole, swivel, direction, np.zeros(3), 1)
        rows, q, status, turned, sides, swivels = solved(
            self.model, one[None], wish, seed, previous, soft, stretch, limits, (give_way, nearest), 1
        )
        return answer_of(rows[0], Status(int(status[0])), q[0], float(swivels[0]), float(turned[0]), float(sides[0]))

    def solve_batch(  # type: ignore[override]
        self, targets: Any, poles: Any = None, swivels: Any = None, *, directions: Any = None, seeds: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, limits: bool = True, give_way: bool = True,
        nearest: bool = False, threads: int | None = None,
    ) -> LimbBatch:  # fmt: skip
        """Return the answers to many targets, points (N, 3) or poses (N, 4, 4); row i equals `solve` of that row, to rounding.

        (With the same `nearest`, which is off here.) Each of the others is one for all or has N rows. Rows whose elbow must leave
        its direction for the limits take longer.
        """
        given = numbers(matrices(targets), "targets must be points (N, 3) or poses (N, 4, 4)")
        if given.shape[1:] not in ((3,), (4, 4)):
            raise ShapeError(
                f"targets are points (N, 3) or poses (N, 4, 4); got shape {given.shape}; one goes to solve"
            )
        if given.ndim == 3:
            given = np.array([as_pose(T, f"target {k}") for k, T in enumerate(given)]).reshape(given.shape)
        wish = asked(poles, swivels, directions, np.zeros(3), len(given))
        rows, q, status, turned, sides, swivels = solved(
            self.model, given, wish, seeds, previous, soft, stretch, limits, (give_way, nearest), thread_count(threads)
        )
        zero = about(rows[:, LINE], rows[:, SIDE], -swivels)  # as far before the elbow as it is turned
        return LimbBatch(rows, status, turned, zero, q, sides)

    def swivel_ranges(self, target: Any, *, seed: Any = None, limits: bool = True) -> Arcs:
        """Return the swivels at which the limb reaches a target inside its limits: [(low, high), ...] [rad], in order.

        Of a point the joints of root and elbow decide, of a pose those of the wrist too. low <= high <= low + 2 pi; both ends are
        verified. Exact, but for wrists with a twist and three hinges: there arcs are found that are longer than 1/256 of a turn.
        """
        given = numbers(matrices(target), "the target must be a point (3,) or a pose (4, 4)")
        if given.shape not in ((3,), (4, 4)):
            raise ShapeError(f"the target of a limb is a point (3,) or a pose (4, 4); got shape {given.shape}")
        one = vector(given, "the target") if given.ndim == 1 else as_pose(given, "the target")
        problem = self.model.problem(one[None], seed, None, checked_flag(limits, "limits"))
        rows = self.model.rows(problem, Asked(), None, 0.0, 0.0, 1)
        if not int(rows[0, MARKS]) & Mark.REACHED:
            return []
        if not limits:
            return [(-math.pi, math.pi)]
        return arcs_of(self.model, problem, rows, 0)

    # ---- between postures and handles --------------------------------------------------------------------------------

    def swivel_of(self, q: Any) -> Any:
        """Return the swivel of postures, (..., n) -> (...) [rad]."""
        return swivel_of(self.model, q)

    def pole_of(self, q: Any, distance: float | None = None) -> Array:
        """Return a pole that says where the elbow of a posture points, (..., n) -> (..., 3).

        It stands beside the root, across the line, `distance` away [m]; None is the length of the limb.
        """
        return pole_of(self.model, q, distance)

    def match_ik(self, q: Any) -> Handles:
        """Return the handles that a posture (n,) stands for: `match_fk` of them gives the posture back."""
        return match_ik(self.model, q)

    def match_fk(self, handles: Handles, seed: Any = None, *, limits: bool = True, previous: Any = None) -> LimbAnswer:
        """Return the posture that handles lead to, as an answer that says whether it is theirs: q is for the joints to take."""
        if not isinstance(handles, Handles):
            raise BadOption(f"match_fk takes the handles of a limb, made by match_ik, not {shown(handles)}")
        target = handles.target if self.turns_hand else handles.target[:3, 3]
        answer = self.solve(target, handles.pole, seed=seed, limits=limits, previous=previous)
        if self.turns_hand:
            return answer
        # No wrist turns the end any way: it is turned as the joints beyond the elbow have it, and that may be otherwise.
        model = self.robot.model
        there = np.array(model.kernel.forward(answer.q, model.frame_index(self.model.end)))
        there[:3, 3] = handles.target[:3, 3]
        turned = float(np.linalg.norm(pose_error(there, handles.target)[3:]))
        if not answer.ok or turned <= ROTATION_TOLERANCE:
            return replace(answer, rotation_error=turned)
        why = (
            f"a compromise: the end is where the handles have it, but turned by {turned:.3g} rad, as the seed has the joints "
            "beyond the elbow: they cannot turn it every way and are not moved"
        )
        return replace(answer, status=Status.COMPROMISE, rotation_error=turned, why=why)

    def blend(self, q_fk: Any, q_ik: Any, weight: Any) -> Array:
        """Return postures between two, along the rotations of the limb's joints: q_fk at weight 0, q_ik at 1, exactly.

        Joints that are not the limb's stay as q_fk has them. weight: a number from 0 to 1, one for each
        posture, or several for two single postures: (k,) gives (k, n).
        """
        return blend(self.model, q_fk, q_ik, weight)

    def turns(self, answer: LimbAnswer | LimbBatch, *, roll: str = "hinge", roots: Any = None) -> Array:
        """Return how the bones of an answer are turned in the base frame: (2, 3, 3), upper then lower, or (N, 2, 3, 3).

        Its joints have decided that: `roll` and `roots` are for limbs without any.
        """
        if roll != "hinge" or roots is not None:
            raise BadOption(
                "roll= and roots= are for limbs without joints; the joints of this one say how its bones are turned"
            )
        return bone_rotations(self.model, answer)


def restore_jointed(robot: Kinematic, end: str, upper: str | None, lower: str | None, bend_axis: Any) -> JointedLimb:
    """Return a limb from its pickled parts."""
    return JointedLimb(robot, end, upper, lower, bend_axis=bend_axis)
