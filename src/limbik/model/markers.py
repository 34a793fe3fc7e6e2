"""Markers: positions of named points over time, as a motion capture system records them, some of them missing."""

from collections.abc import Iterable
from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown, suggest
from limbik.geometry.arrays import LARGEST, Array, check_increasing, frozen, number, numbers
from limbik.model.record import Record
from limbik.model.units import metres_per

# The default frame rate [Hz].
DEFAULT_RATE = 60.0


@dataclass(frozen=True, eq=False)
class Markers(Record):
    """Positions of markers in the world at increasing times. Immutable.

    names: one for each marker, all different. positions: (frames, markers, 3), stored in metres; NaN if a marker was not seen.
    times: (frames,) [s]; or rate: frames per second (60 if neither is given). unit: the unit of the given positions, a name
    ("mm") or a number of metres; None means metres. Raises ShapeError, NotFinite, NotNumeric, BadOption.
    """

    names: tuple[str, ...]
    positions: Array
    times: Any = None
    rate: InitVar[float | None] = None
    unit: InitVar[Any] = None

    def __post_init__(self, rate: float | None, unit: Any) -> None:
        names = _checked_names(self.names)
        positions = numbers(self.positions, "positions of markers must be numbers of shape (frames, markers, 3)")
        if positions.ndim != 3 or positions.shape[1:] != (len(names), 3):
            raise ShapeError(
                f"positions of {len(names)} markers have shape (frames, {len(names)}, 3); got {positions.shape}"
            )
        if not len(positions):
            raise ShapeError("markers need at least one frame")
        positions = positions * metres_per(unit)
        if np.isinf(positions).any() or (np.abs(positions[np.isfinite(positions)]) > LARGEST).any():
            frame, marker = (int(k) for k in np.argwhere(~(np.abs(np.nan_to_num(positions)) <= LARGEST))[0, :2])
            raise NotFinite(f"marker '{names[marker]}' is infinitely far away in frame {frame}; a missing one is NaN")
        positions[~np.isfinite(positions).all(axis=-1)] = np.nan
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "positions", frozen(positions))
        object.__setattr__(self, "times", _checked_times(self.times, rate, len(positions)))

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.times)

    @property
    def missing(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """(frames, markers) whether each marker was not seen."""
        return np.isnan(self.positions[..., 0])

    @property
    def frame_rate(self) -> float:
        """The mean number of frames per second; 0 for a single frame."""
        return (len(self) - 1) / float(self.times[-1] - self.times[0]) if len(self) > 1 else 0.0

    def only(self, names: Iterable[str]) -> "Markers":
        """Return the markers of these names, in this order. Raises BadOption."""
        wanted = _checked_names(names)
        for name in wanted:
            if name not in self.names:
                raise BadOption(f"no marker '{name}'; {suggest(name, self.names)}")
        return Markers(wanted, self.positions[:, [self.names.index(name) for name in wanted]], self.times)

    def without(self, names: Iterable[str]) -> "Markers":
        """Return the markers without those of these names. Raises BadOption."""
        excluded = set(self.only(names).names)
        return self.only(name for name in self.names if name not in excluded)

    def __repr__(self) -> str:
        missing = 100 * float(self.missing.mean())
        return f"<Markers: {len(self.names)} in {len(self)} frames at {self.frame_rate:.4g} frames/s, {missing:.1f} % missing>"


def _checked_names(given: Any) -> tuple[str, ...]:
    names = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else ()
    if not names or not all(isinstance(name, str) and name for name in names):
        raise BadOption(f"names of markers must be a list of different texts; got {shown(given)}")
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise BadOption(f"two markers are named '{twice}'; names must be different")
    return names


def _checked_times(given: Any, rate: Any, frames: int) -> Array:
    if given is not None and rate is not None:
        raise BadOption("give the times of markers or their rate, not both")
    if given is None:
        frequency = DEFAULT_RATE if rate is None else number(rate, "the rate")
        if not 0 < frequency < np.inf:
            raise BadOption(f"rate={shown(rate)}: give a number of frames per second above 0")
        return frozen(np.arange(frames) / frequency)
    times = numbers(given, "the times of markers must be numbers, one for each frame")
    if times.shape != (frames,):
        raise ShapeError(f"{frames} frames need {frames} times; got shape {times.shape}")
    if not np.isfinite(times).all():
        raise NotFinite(
            f"the times of markers hold NaN or infinity, first at frame {int(np.argmin(np.isfinite(times)))}"
        )
    check_increasing(times)
    return frozen(times)
