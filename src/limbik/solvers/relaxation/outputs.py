"""What a network hands on while it relaxes: the paper's three remedies against oscillations, and no remedy.

"After a change in the input signals ... the state variables may not represent a geometrically possible configuration": an arm
that is controlled by them may wait until they do ("frozen"), follow a low-pass filter, or take every second state only
(section 5).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import Array
from limbik.model.record import Record

OUTPUTS = ("raw", "frozen", "low_pass", "every_second")
# A network whose state changes by less than this in a cycle rests, as far as an arm that follows it can tell [rad or m].
RESTS = 1e-4


@dataclass(frozen=True, eq=False)
class Output(Record):
    """What is handed on after a cycle: names and values of the variables, the arm's q, its points in the plane (n + 1, 2).

    rests: whether the network itself has come to rest.
    """

    cycle: int
    names: tuple[str, ...]
    values: Array
    q: Array
    points: Array
    rests: bool

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise BadOption(f"no variable {shown(name)} in this state; {suggest(str(name), self.names)}")
        return float(self.values[self.names.index(name)])


def filtered(
    states: Iterator[Array], output: Any, share: Any, made: Callable[[int, Array, bool], Output]
) -> Iterator[Output]:
    """Return what is handed on of a run of states. Raises BadOption."""
    if not isinstance(output, str) or output not in OUTPUTS:
        raise BadOption(f"output={shown(output)} is not known; use one of {', '.join(OUTPUTS)}")
    if not isinstance(share, int | float | np.floating) or isinstance(share, bool) or not 0 < share <= 1:
        raise BadOption(
            f"share={shown(share)}: give the part of each new state that a low-pass takes, above 0 and at most 1"
        )
    return _handed_on(states, output, float(share), made)


def _handed_on(
    states: Iterator[Array], output: str, share: float, made: Callable[[int, Array, bool], Output]
) -> Iterator[Output]:
    handed = before = None
    for k, state in enumerate(states):
        rests = before is not None and float(np.abs(state - before).max()) <= RESTS
        before = state
        if (
            handed is None
            or output == "raw"
            or (output == "frozen" and rests)
            or (output == "every_second" and k % 2 == 0)
        ):
            handed = state
        elif output == "low_pass":
            handed = handed + share * (state - handed)
        yield made(k, handed, rests)
