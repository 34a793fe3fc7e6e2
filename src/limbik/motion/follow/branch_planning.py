"""Planning for a non-redundant arm: all branches at every layer.

A large step is proven to be continuous (`motion/follow/continuity.py`), or the path is planned again without it.
"""

import itertools

from limbik.geometry.arrays import Array
from limbik.motion.follow.planner import Course, Planner
from limbik.motion.follow.posture_sources import Branches
from limbik.motion.follow.self_motion import held_still
from limbik.motion.follow.task import FollowTask
from limbik.motion.follow.trajectory_laws import apart, before_jump, jumps_in, progress
from limbik.motion.follow.trajectory_shaping import layer_times, returning, with_less_motion

# The most replans without the jumps that were found.
MOST_TRIES = 12


def plan_on_branches(task: FollowTask, source: Branches, frames: Array, seed: Array | None, closed: bool) -> Course:
    """Return the best planned trajectory. closed: return to its start, if possible."""
    layers = layer_times(task, frames)
    # of a sampled path only the frames are known: first without layers between them
    closer = (False, True) if task.path.sampled else (True,)
    planner, course = None, None
    # and first without the members of self-motion families: they are many, and most paths do not need them
    for close, members in itertools.product(closer, (False, True)):
        if (course is not None and course.whole) or (members and not (planner and planner.families)):
            continue
        source.members = members
        again = Planner(source, task.path, layers, seed, task.arm.home, closer=close)
        found = _without_jumps(task, source, again)
        if course is None or progress(found) > progress(course):
            planner, course = again, found
    source.members = False
    assert planner is not None and course is not None
    course = returning(task, source, planner, course) if closed and course.whole else course
    return _calmed(task, source, course)


def _calmed(task: FollowTask, source: Branches, course: Course) -> Course:
    """Return the trajectory with less motion at singular configurations, where self-motion steps may have any length."""
    if len(course.q) < 3:
        return course
    held = ~held_still(task.arm.jacobian(course.q))
    held[[0, -1]] = True
    if held.all():
        return course
    calm = with_less_motion(task, source, course, held)
    return course if len(jumps_in(source, task.path, calm)) else calm


def _without_jumps(task: FollowTask, source: Branches, planner: Planner) -> Course:
    """Return the best trajectory without jumps, or its part before the first jump."""
    best: Course | None = None
    for tried in range(MOST_TRIES):
        course = planner.find()
        jumps = jumps_in(source, task.path, course)
        sure = before_jump(course, jumps)
        if best is None or progress(sure) > progress(best):
            best = sure
        if not len(jumps):
            break
        for k in jumps:
            a, b = float(course.times[k - 1]), float(course.times[k])
            if min(course.branch[k - 1], course.branch[k]) >= 0 and course.branch[k - 1] != course.branch[k]:
                around = (2**tried - 1) * (b - a)  # the branches may be equally close next to it
                planner.layers.hold_branch(a - around, b + around)
            else:
                planner.layers.forbid(a, b, apart(course.q[k], course.q[k - 1], source.weight))
    assert best is not None
    return best
