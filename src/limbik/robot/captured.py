"""A captured clip: the motion that markers told, and how well it explains them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array, frozen
from limbik.model.marker_set import MarkerSet
from limbik.model.markers import Markers
from limbik.model.ranges import Mask
from limbik.robot.chain import Chain
from limbik.robot.measured_clip import MeasuredClip, read_only
from limbik.robot.skeleton import Skeleton


class Captured(MeasuredClip):
    """A clip that was fitted to markers. `bridged` where markers do not tell every joint, `doubtful` where joints are not told
    for long, or may be far off (`frame_error`). Immutable.
    """

    def __init__(
        self,
        robot: Chain | Skeleton,
        q: Any,
        times: Any,
        *,
        marker_error: Array,
        filled: Markers,
        marker_set: MarkerSet,
        lengths: Mapping[str, float],
        length_error: Mapping[str, float],
        place_error: Mapping[str, float],
        noise: float,
        frame_error: Array,
        bridged: Any,
        doubtful: Any,
        rejected: Any,
        why: str,
    ) -> None:
        super().__init__(robot, q, times, lengths=lengths, bridged=bridged, doubtful=doubtful, why=why)
        self._marker_error, self._filled, self._marker_set = frozen(marker_error), filled, marker_set
        self._length_error, self._place_error = dict(length_error), dict(place_error)
        self._noise, self._frame_error, self._rejected = float(noise), frozen(frame_error), read_only(rejected)

    @property
    def marker_error(self) -> Array:
        """(frames, markers) how far each marker is from where the figure has it [m]; NaN where it is missing."""
        return self._marker_error

    @property
    def filled(self) -> Markers:
        """The markers, with those that are missing or were rejected where the figure has them."""
        return self._filled

    @property
    def marker_set(self) -> MarkerSet:
        """Where each marker is on the figure, with the offsets that were used."""
        return self._marker_set

    @property
    def offsets(self) -> dict[str, Array]:
        """The offset of each marker in its frame's axes [m]."""
        return {name: np.array(offset) for name, offset in self._marker_set.offsets.items()}

    @property
    def length_error(self) -> Mapping[str, float]:
        """How sure each length is: its standard deviation [m], 0 where it was not estimated."""
        return MappingProxyType(self._length_error)

    @property
    def place_error(self) -> Mapping[str, float]:
        """How far the origin of each frame may be off because lengths and offsets were estimated [m]; empty where none were."""
        return MappingProxyType(self._place_error)

    @property
    def noise(self) -> float:
        """The standard deviation of a marker's coordinates, as estimated [m]."""
        return self._noise

    @property
    def frame_error(self) -> Array:
        """(frames,) how far joints may be off on average [m], rather too much than too little; `doubtful` follows from it."""
        return self._frame_error

    @property
    def rejected(self) -> Mask:
        """(frames, markers) the markers that are too far off to be noise: swapped, lost, or of somebody else."""
        return self._rejected
