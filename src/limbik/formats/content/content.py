"""What a table holds, whatever its design: arrays, and what is known about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Content:
    """A table in memory, made there or read from a file.

    design: which of the designs made it (see designs.py). robot: the name of the chain, for people; fingerprint: of the chain
    it was made for, bit for bit. settings: all that decides the arrays beside the chain. statistics: what was measured when it
    was made. Both hold what JSON holds. arrays: C-contiguous, in no particular order.
    """

    design: str
    robot: str
    fingerprint: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    statistics: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, npt.NDArray[np.generic]] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Content):
            return NotImplemented
        named = (
            self.design,
            self.robot,
            self.fingerprint,
            dict(self.settings),
            dict(self.statistics),
            set(self.arrays),
        )
        others = (
            other.design,
            other.robot,
            other.fingerprint,
            dict(other.settings),
            dict(other.statistics),
            set(other.arrays),
        )
        return named == others and all(
            array.dtype == other.arrays[name].dtype and np.array_equal(array, other.arrays[name])
            for name, array in self.arrays.items()
        )

    def __hash__(self) -> int:
        return hash((self.design, self.robot, self.fingerprint, tuple(sorted(self.arrays))))

    @property
    def bytes(self) -> int:
        """How much the arrays take."""
        return sum(array.nbytes for array in self.arrays.values())
