"""The states after a move of the playhead, and after a clip has replaced the keys."""

from dataclasses import replace
from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.motion.clip import Clip
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.recorded import pinned_targets
from limbik.studio.state import State
from limbik.studio.timeline import checked_time


def scrubbed(robot: Chain | Skeleton, state: State, time: Any) -> State:
    """Return a state with the playhead at a time [s]; if the timeline has keys, with its posture."""
    at = checked_time(time)
    state = replace(state, time=at)
    if len(state.timeline):
        q = state.timeline.clip(robot).at(at)
        state = replace(state, q=tuple(q.tolist()), targets=pinned_targets(state))
    return state


def with_clip(robot: Chain | Skeleton, state: State, clip: Clip, most: int) -> State:
    """Return a state with a clip of the robot as its keys, thinned to at most `most` frames. Raises BadOption."""
    if not isinstance(clip, Clip) or clip.robot.fingerprint != robot.fingerprint:
        raise BadOption(f"this clip is of another robot than '{robot.name}'")
    timeline = state.timeline.filled(clip.interpolation)
    rows = np.unique(np.linspace(0, len(clip) - 1, min(len(clip), most)).round().astype(int))
    times = tuple((clip.times[rows] - clip.times[0]).tolist())
    postures = tuple(tuple(row) for row in clip.q[rows].tolist())
    timeline = replace(timeline, times=times, postures=postures)
    return replace(state, timeline=timeline, q=postures[0], targets={}, pins={}, time=0.0)
