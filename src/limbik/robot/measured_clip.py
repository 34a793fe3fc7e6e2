"""A clip that was measured: what captures from markers and from sensors have in common."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from limbik.model.ranges import Mask
from limbik.model.truth import Judged
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.skeleton import Skeleton


def read_only(given: Any) -> Mask:
    """Return a copy of a mask that cannot be written to."""
    mask = np.array(given, dtype=bool)
    mask.setflags(write=False)
    return mask


class MeasuredClip(Judged, Clip):
    """A clip that was fitted to what was measured. Its robot has the lengths that were found, the same in every frame. Immutable.

    Its changed copies (`resampled`, `mirrored` ...) are plain clips.
    """

    def __init__(
        self,
        robot: Chain | Skeleton,
        q: Any,
        times: Any,
        *,
        lengths: Mapping[str, float],
        bridged: Any,
        doubtful: Any,
        why: str,
        jumps: tuple[int, ...] = (),
    ) -> None:
        super().__init__(robot, q, times, jumps=jumps)
        self._lengths, self._why = dict(lengths), why
        self._bridged, self._doubtful = read_only(bridged), read_only(doubtful)

    @property
    def lengths(self) -> Mapping[str, float]:
        """How far each joint is from the one that carries it [m], by the joint's name; the same in every frame."""
        return MappingProxyType(self._lengths)

    @property
    def bridged(self) -> Mask:
        """(frames,) where something is missing, so that some joints come from the frames before and after."""
        return self._bridged

    @property
    def doubtful(self) -> Mask:
        """(frames,) where joints are not told: guessed, or so that they may be far off. `why` says what it is."""
        return self._doubtful

    @property
    def ok(self) -> bool:
        """Whether no frame is doubtful."""
        return not bool(self._doubtful.any())

    @property
    def why(self) -> str:
        """What was found, in a sentence or a few."""
        return self._why

    def __repr__(self) -> str:
        return f"<Captured clip of '{self.robot.name}': {len(self)} frames at {self.rate:.4g} frames/s; {self._why}>"
