"""The deadline of a call: `seconds` after its start. With a deadline, answers depend on the machine's speed."""

import math
import time
from typing import Any

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number


class Deadline:
    """The time limit of one call; without `seconds` there is none."""

    def __init__(self, seconds: Any = None) -> None:
        self._end = math.inf
        if seconds is not None:
            given = number(seconds, "seconds")
            if not given > 0:
                raise BadOption(f"seconds={shown(seconds)}: give a time limit above 0 [s]")
            self._end = time.monotonic() + given

    def left(self) -> float:
        """Return the remaining time [s]."""
        return math.inf if self._end == math.inf else max(0.0, self._end - time.monotonic())

    def over(self) -> bool:
        """Return whether the deadline has passed."""
        return self._end != math.inf and time.monotonic() >= self._end
