"""The content of a table of any design, or of a network: arrays and metadata."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Content:
    """A table in memory.

    design: the name of its design (see designs.py). robot: the name of the chain, for messages. fingerprint: of the
    chain that it was built for. settings: everything besides the chain that determines the arrays. statistics:
    measurements from the build. Both are JSON values. arrays: C-contiguous, in any order.
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
        """The size of the arrays [bytes]."""
        return sum(array.nbytes for array in self.arrays.values())
