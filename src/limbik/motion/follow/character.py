"""Path following of a figure: several frames follow their paths; each posture (configuration) is solved from the previous one."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, shown
from limbik.goals.given import Frozen
from limbik.motion.path import as_path
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.query import make_query
from limbik.solvers.solve import solve

if TYPE_CHECKING:
    from limbik.motion.follow.followed import Followed
    from limbik.robot.skeleton import Skeleton

# A joint step between frames longer than this [rad or m] is bisected in time, at most HALVINGS times. A step that stays longer in
# the shortest interval is a jump.
LONGEST_STEP, HALVINGS = 0.1, 7
# The most frames of a clip.
MOST_FRAMES = 200_000


def follow_paths(
    figure: "Skeleton",
    paths: Mapping[str, Any],
    seed: Any = None,
    rate: float = 30.0,
    *,
    limits: bool = True,
    frozen: Frozen = None,
) -> "Followed":
    """Return the joint trajectory along the paths, as documented in `Skeleton.follow`.

    The frames divide the duration of the longest path evenly, so there are at least `rate` of them per second.
    """
    from limbik.motion.clip import Clip
    from limbik.motion.follow.followed import Followed, Outcome
    from limbik.motion.rate import checked_rate, frame_times

    if not isinstance(paths, Mapping) or not paths:
        raise BadOption(
            f"a Skeleton follows {{frame: Path}}, not {shown(paths)}; a Chain, load(..., tip=NAME), follows a Path"
        )
    frequency = checked_rate(rate)
    path_of = {frame: as_path(path, frequency) for frame, path in paths.items()}
    duration = max(path.duration for path in path_of.values())
    if not duration * frequency < MOST_FRAMES:
        raise BadOption(f"{duration * frequency:.3g} frames are too many for one clip; follow the paths in parts")
    times = frame_times(duration, frequency)
    q: list[Any] = []
    errors: list[tuple[float, float]] = []
    outcome = Outcome(Status.SOLVED, f"followed {len(times)} frames", failed=None, wanted=len(times))
    previous = seed

    def solve_at(t: float, start: Any) -> GoalAnswer:
        targets = {frame: path.at(t) for frame, path in path_of.items()}
        answer = solve(figure.model, make_query(figure.model, targets, start, limits=limits, frozen=frozen))
        assert isinstance(answer, GoalAnswer)
        return answer

    for k, t in enumerate(times):
        if k == 0:
            answer, jumped = solve_at(t, previous), False
        else:
            answer, jumped = _continued(figure, solve_at, float(times[k - 1]), float(t), previous, depth=0)
        failed = jumped or not answer.ok
        if failed:
            where = f"frame {k} of {len(times)} (t = {t:.4g} s)"
            why = f"{where} cannot be reached without a jump" if jumped else f"{where} cannot be reached: {answer.why}"
            status = Status.NOT_FOUND if answer.ok else answer.status
            outcome = Outcome(status, why, failed=k, wanted=len(times))
        if k == 0 or not failed:  # the first frame is kept in any case: a clip has at least one
            q.append(answer.q)
            errors.append((answer.position_error, answer.rotation_error))
        if failed:
            break
        previous = answer.q
    position_error, rotation_error = (column.copy() for column in np.array(errors).T)
    kept = times[: len(q)]
    unknown = np.full(len(q), -1)
    clip = Clip(figure, np.array(q), np.array(kept))
    return Followed(clip, outcome, np.array(kept), position_error, rotation_error, branches=unknown)


def _continued(
    figure: "Skeleton", solve_at: Callable[[float, Any], GoalAnswer], a: float, b: float, posture: Any, *, depth: int
) -> tuple[GoalAnswer, bool]:
    """Return the answer at time b that continues the posture at time a, and whether the motion must jump there.

    depth: how often the interval between two frames has been halved.
    """
    answer = solve_at(b, posture)
    if answer.ok and float(np.abs(figure.model.kernel.difference(posture, answer.q)).max(initial=0.0)) <= LONGEST_STEP:
        return answer, False
    if depth == HALVINGS:
        return answer, answer.ok
    middle = 0.5 * (a + b)
    half, jumped = _continued(figure, solve_at, a, middle, posture, depth=depth + 1)
    if jumped or not half.ok:
        return half, jumped
    return _continued(figure, solve_at, middle, b, half.q, depth=depth + 1)
