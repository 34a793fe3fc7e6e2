"""A clip from sensors on the limbs, and how near it comes to every sensor."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from limbik.geometry.arrays import Array, frozen
from limbik.robot.measured_clip import MeasuredClip
from limbik.robot.skeleton import Skeleton


class CapturedLimbs(MeasuredClip):
    """A clip that follows sensors. `bridged` where a sensor is missing, `doubtful` where a limb does not reach its sensor inside
    its limits, where the trunk is not where its sensors are, or what is not told for long. Immutable.
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
        super().__init__(robot, q, times, jumps=jumps, lengths=lengths, bridged=bridged, doubtful=doubtful, why=why)
        self._sensor_error = {name: frozen(error) for name, error in sensor_error.items()}

    @property
    def sensor_error(self) -> Mapping[str, Array]:
        """How far each sensor is from where the figure has it, {sensor: (frames, 2)} [m, rad]; NaN where it is missing."""
        return MappingProxyType(self._sensor_error)
