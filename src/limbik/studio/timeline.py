"""A timeline: keys, each a posture at a time, and the interpolation between them. Immutable."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.model.recording import INTERPOLATIONS
from limbik.motion.clip import Clip
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton

# Keys within this time of each other are one [s]: a tenth of a frame at 100 frames per second.
SAME_TIME = 1e-3
# The longest animation [s]: an hour.
LONGEST = 3600.0


@dataclass(frozen=True)
class Timeline:
    """Keys at increasing times [s], each with a posture as a tuple of numbers."""

    times: tuple[float, ...] = ()
    postures: tuple[tuple[float, ...], ...] = ()
    interpolation: str = "cubic"

    def __len__(self) -> int:
        return len(self.times)

    def __iter__(self) -> Iterator[tuple[float, tuple[float, ...]]]:
        return iter(zip(self.times, self.postures, strict=True))

    @property
    def duration(self) -> float:
        """The time of the last key [s]."""
        return self.times[-1] if self.times else 0.0

    def at(self, time: float) -> int | None:
        """Return the index of the key at a time, None if there is none."""
        for k, t in enumerate(self.times):
            if abs(t - time) <= SAME_TIME:
                return k
        return None

    def with_key(self, time: Any, q: Array) -> Self:
        """Return the timeline with a key, which replaces one at that time."""
        at = checked_time(time)
        posture = tuple(float(x) for x in q)
        keys = {t: p for t, p in self if abs(t - at) > SAME_TIME} | {at: posture}
        return self._of(keys)

    def without_key(self, time: Any) -> Self:
        """Return the timeline without the key at a time. Raises BadOption if there is none."""
        k = self._index(time)
        return self._of({t: p for j, (t, p) in enumerate(self) if j != k})

    def moved(self, time: Any, to: Any) -> Self:
        """Return the timeline with the key at one time moved to another, where it replaces a key."""
        k = self._index(time)
        posture = self.postures[k]
        return self._of({t: p for j, (t, p) in enumerate(self) if j != k}).with_key(to, np.array(posture))

    def filled(self, interpolation: str) -> Self:
        """Return the timeline with another interpolation: "step", "linear" or "cubic"."""
        if interpolation not in INTERPOLATIONS:
            raise BadOption(f"interpolation={shown(interpolation)}: use one of {', '.join(INTERPOLATIONS)}")
        return replace(self, interpolation=interpolation)

    def clip(self, robot: Chain | Skeleton) -> Clip:
        """Return the keys as a clip. Raises BadOption if there are none."""
        if not self.times:
            raise BadOption("the timeline has no keys yet: set one first")
        return Clip(robot, np.array(self.postures), np.array(self.times), interpolation=self.interpolation)

    def _index(self, time: Any) -> int:
        k = self.at(number(time, "the time of a key"))
        if k is None:
            raise BadOption(f"there is no key at {shown(time)} s")
        return k

    def _of(self, keys: dict[float, tuple[float, ...]]) -> Self:
        ordered = sorted(keys)
        return replace(self, times=tuple(ordered), postures=tuple(keys[t] for t in ordered))


def checked_time(given: Any) -> float:
    """Return a time on the timeline [s]. Raises BadOption."""
    time = number(given, "a time")
    if not (math.isfinite(time) and 0 <= time <= LONGEST):
        raise BadOption(f"a time of {shown(given)} s is outside the timeline, 0 to {LONGEST:g} s")
    return time
