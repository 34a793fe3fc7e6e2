"""A clip from sensors on the limbs, and how near it comes to every sensor."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from limbik.model.ranges import Mask
from limbik.model.transform import Array, frozen
from limbik.robot.clip import Clip
from limbik.robot.skeleton import Skeleton


class CapturedLimbs(Clip):
    """A clip that follows sensors. Its robot has the lengths that were found, the same in every frame. Immutable.

    Its changed copies (`resampled`, `mirrored` ...) are plain clips.
    """

    def __init__(
        self,
        robot: Skeleton,
        q: Any,
        times: Any,
        *,
        jumps: tuple[int, ...],
        sensor_error: Mapping[str, Array],
        lengths: Mapping[str, float],
        bridged: Any,
        doubtful: Any,
        why: str,
    ) -> None:
        super().__init__(robot, q, times, jumps=jumps)
        self._sensor_error = {name: frozen(error) for name, error in sensor_error.items()}
        self._lengths, self._why = dict(lengths), why
        self._bridged, self._doubtful = np.array(bridged, dtype=bool), np.array(doubtful, dtype=bool)
        for mask in (self._bridged, self._doubtful):
            mask.setflags(write=False)

    @property
    def sensor_error(self) -> Mapping[str, Array]:
        """How far each sensor is from where the figure has it, {sensor: (frames, 2)} [m, rad]; NaN where it is missing."""
        return MappingProxyType(self._sensor_error)

    @property
    def lengths(self) -> Mapping[str, float]:
        """How far each joint is from the one that carries it [m], by the joint's name; the same in every frame."""
        return MappingProxyType(self._lengths)

    @property
    def bridged(self) -> Mask:
        """(frames,) where a sensor is missing, so that some joints come from the frames before and after."""
        return self._bridged

    @property
    def doubtful(self) -> Mask:
        """(frames,) where a limb does not reach its sensor inside its limits, or is not told for long."""
        return self._doubtful

    @property
    def why(self) -> str:
        """What was found, in a sentence or a few."""
        return self._why

    def __repr__(self) -> str:
        return f"<Captured clip of '{self.robot.name}': {len(self)} frames at {self.rate:.4g} frames/s; {self._why}>"
