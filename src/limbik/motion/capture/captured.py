"""The results of captures: the motion, and its errors against the markers or sensors."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.marker_set import MarkerSet
from limbik.model.markers import Markers
from limbik.model.ranges import Mask
from limbik.motion.motion_result import MotionResult


@dataclass(frozen=True, eq=False, repr=False)
class CaptureResult(MotionResult):
    """The common part of both capture results.

    summary: the result in a few sentences. lengths: the distance of each joint from its parent joint [m], by name. bridged,
    doubtful: (frames,) flags of frames.
    """

    summary: str
    lengths: Mapping[str, float]
    bridged: Mask
    doubtful: Mask

    @property
    def ok(self) -> bool:
        """Whether no frame is doubtful."""
        return not bool(self.doubtful.any())

    @property
    def why(self) -> str:
        """The result in a few sentences."""
        return self.summary


@dataclass(frozen=True, eq=False, repr=False)
class Captured(CaptureResult):
    """A motion fitted to markers. Its robot has the fitted bone lengths, constant over all frames.

    summary: the result in a few sentences. lengths: the distance of each joint from its parent joint [m], by name. bridged:
    (frames,) frames in which the markers do not determine every joint, so that values of neighbouring frames are interpolated.
    doubtful: (frames,) frames in which joints are unobservable for long, or may have large errors (`frame_error`).

    marker_error: (frames, markers) the distance of each marker from its position on the figure [m]; NaN if it is missing.
    filled: the markers, with missing and rejected ones replaced by their positions on the figure. marker_set: the frame and
    the offset of each marker. length_error: the standard deviation of each length [m]; 0 if it was not estimated. place_error:
    the position error of each frame due to estimated lengths and offsets [m]; empty if none were estimated. noise: the
    estimated standard deviation of a marker's coordinates [m]. frame_error: (frames,) an upper estimate of the mean position
    error of joints [m]. rejected: (frames, markers) outliers: swapped or lost markers, or those of other objects.
    """

    marker_error: Array
    filled: Markers
    marker_set: MarkerSet
    length_error: Mapping[str, float]
    place_error: Mapping[str, float]
    noise: float
    frame_error: Array
    rejected: Mask

    @property
    def offsets(self) -> dict[str, Array]:
        """The offset of each marker in its frame [m]."""
        return {name: np.array(offset) for name, offset in self.marker_set.offsets.items()}


@dataclass(frozen=True, eq=False, repr=False)
class CapturedLimbs(CaptureResult):
    """A motion that follows sensors on the limbs. Its robot has the estimated bone lengths, constant over all frames.

    summary, lengths: as in `Captured`. bridged: (frames,) frames with a missing sensor. doubtful: (frames,) frames in which a
    limb does not reach its sensor inside its limits, the trunk does not match its sensors, or a sensor is missing for long.
    sensor_error: the position and rotation error of each sensor, {sensor: (frames, 2)} [m, rad]; NaN if it is missing.
    """

    sensor_error: Mapping[str, Array]
