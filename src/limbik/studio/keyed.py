"""A session's time: keys, the playhead, what fills the time between, clips in and out."""

from dataclasses import replace
from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.robot.clip import Clip
from limbik.studio.recorded import Recorded
from limbik.studio.timeline import checked_time


class Keyed(Recorded):
    """The verbs about time."""

    def set_key(self, time: Any = None) -> None:
        """Set a key with the present posture at a time [s], the playhead's where none is given."""
        at = self.state.time if time is None else checked_time(time)
        self._record("set a key", replace(self.state, timeline=self.state.timeline.with_key(at, self.q), time=at))

    def delete_key(self, time: Any = None) -> None:
        """Take the key at a time away."""
        at = self.state.time if time is None else time
        self._record("delete a key", replace(self.state, timeline=self.state.timeline.without_key(at)))

    def move_key(self, time: Any, to: Any) -> None:
        """Move the key at a time to another."""
        self._record("move a key", replace(self.state, timeline=self.state.timeline.moved(time, to)))

    def fill(self, interpolation: str) -> None:
        """Fill the time between keys by "step", "linear" or "cubic"."""
        self._record(
            "choose the interpolation", replace(self.state, timeline=self.state.timeline.filled(interpolation))
        )

    def scrub(self, time: Any) -> None:
        """Move the playhead; the posture is that of the timeline, where it has keys."""
        with self._lock:
            at = checked_time(time)
            state = replace(self.state, time=at)
            if len(state.timeline):
                q = state.timeline.clip(self._robot).at(at)
                state = replace(state, q=tuple(q.tolist()), targets=self._kept(state))
            self._record("move the playhead", state, judged=True)

    def clip(self) -> Clip:
        """Return the keys as a clip. Raises BadOption where there are none."""
        return self.state.timeline.clip(self._robot)

    def take_clip(self, clip: Clip, most: int = 2000) -> None:
        """Take a clip of this robot as the keys; a longer one than `most` frames is thinned. Raises BadOption."""
        if not isinstance(clip, Clip) or clip.robot.fingerprint != self._robot.fingerprint:
            raise BadOption(f"this clip does not belong to '{self._robot.name}'")
        timeline = self.state.timeline.filled(clip.interpolation)
        rows = np.unique(np.linspace(0, len(clip) - 1, min(len(clip), most)).round().astype(int))
        times = tuple((clip.times[rows] - clip.times[0]).tolist())
        postures = tuple(tuple(row) for row in clip.q[rows].tolist())
        timeline = replace(timeline, times=times, postures=postures)
        self._record(
            "take a clip",
            replace(self.state, timeline=timeline, q=postures[0], targets={}, pins={}, time=0.0),
            judged=True,
        )
