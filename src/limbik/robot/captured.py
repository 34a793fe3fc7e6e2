"""A captured clip: the motion that markers or sensors told, and how well it explains them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from limbik.model.marker_set import MarkerSet
from limbik.model.markers import Markers
from limbik.model.ranges import Mask
from limbik.model.transform import Array, frozen
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.skeleton import Skeleton


def _mask(given: Any) -> Mask:
    mask = np.array(given, dtype=bool)
    mask.setflags(write=False)
    return mask


class Captured(Clip):
    """A clip that was fitted to markers. Its robot has the lengths that were found, the same in every frame. Immutable.

    Its changed copies (`resampled`, `mirrored` ...) are plain clips.
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
        super().__init__(robot, q, times)
        self._marker_error, self._filled, self._marker_set = frozen(marker_error), filled, marker_set
        self._lengths, self._length_error = dict(lengths), dict(length_error)
        self._place_error = dict(place_error)
        self._noise, self._why, self._frame_error = float(noise), why, frozen(frame_error)
        self._bridged, self._doubtful, self._rejected = _mask(bridged), _mask(doubtful), _mask(rejected)

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
    def lengths(self) -> Mapping[str, float]:
        """How far each joint is from the one that carries it [m], by the joint's name; the same in every frame."""
        return MappingProxyType(self._lengths)

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
    def ok(self) -> bool:
        """Whether no frame is doubtful."""
        return not bool(self._doubtful.any())

    @property
    def bridged(self) -> Mask:
        """(frames,) where markers do not tell every joint, so that some come from the frames before and after."""
        return self._bridged

    @property
    def doubtful(self) -> Mask:
        """(frames,) where a joint is not told for so long that it is a guess."""
        return self._doubtful

    @property
    def rejected(self) -> Mask:
        """(frames, markers) the markers that are too far off to be noise: swapped, lost, or of somebody else."""
        return self._rejected

    @property
    def why(self) -> str:
        """What was found, in a sentence or a few."""
        return self._why

    def __repr__(self) -> str:
        return f"<Captured clip of '{self.robot.name}': {len(self)} frames at {self.rate:.4g} frames/s; {self._why}>"
