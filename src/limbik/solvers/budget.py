"""How long a call may take: `seconds`, counted from where it begins. Answers then depend on the machine's speed."""

import math
import time
from typing import Any

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number


class Budget:
    """The time that a call may take; without `seconds`, all there is."""

    def __init__(self, seconds: Any = None) -> None:
        self._end = math.inf
        if seconds is not None:
            given = number(seconds, "seconds")
            if not given > 0:
                raise BadOption(f"seconds={shown(seconds)}: give the time that a call may take, above 0")
            self._end = time.monotonic() + given

    def left(self) -> float:
        """Return the seconds that are left."""
        return math.inf if self._end == math.inf else max(0.0, self._end - time.monotonic())

    def over(self) -> bool:
        """Tell whether the time has run out."""
        return self._end != math.inf and time.monotonic() >= self._end
