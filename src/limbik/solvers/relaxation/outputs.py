"""The output of a network while it relaxes: its states, or its states with one of the paper's three remedies for oscillations.

"After a change in the input signals ... the state variables may not represent a geometrically possible configuration": a
controller may wait until they do ("frozen"), use a low-pass filter, or take only every second state (section 5).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import Array
from limbik.model.record import Record

OUTPUTS = ("raw", "frozen", "low_pass", "every_second")
# For output, a network rests if its state changes by less than this in a cycle [rad or m].
RESTS = 1e-4


@dataclass(frozen=True, eq=False)
class Output(Record):
    """The output after a cycle: names and values of the variables, the arm's q, its points in the plane (n + 1, 2).

    rests: whether the network rests.
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
    """Return an output for each state. output: the filter; share: of "low_pass". Raises BadOption."""
    if not isinstance(output, str) or output not in OUTPUTS:
        raise BadOption(f"output={shown(output)} is not known; use one of {', '.join(OUTPUTS)}")
    if not isinstance(share, int | float | np.floating) or isinstance(share, bool) or not 0 < share <= 1:
        raise BadOption(f"share={shown(share)}: give the low-pass share of each new state, above 0 and at most 1")
    return _outputs(states, output, float(share), made)


def _outputs(
    states: Iterator[Array], output: str, share: float, made: Callable[[int, Array, bool], Output]
) -> Iterator[Output]:
    given = before = None
    for k, state in enumerate(states):
        rests = before is not None and float(np.abs(state - before).max()) <= RESTS
        before = state
        if (
            given is None
            or output == "raw"
            or (output == "frozen" and rests)
            or (output == "every_second" and k % 2 == 0)
        ):
            given = state
        elif output == "low_pass":
            given = given + share * (state - given)
        yield made(k, given, rests)
