"""What a completion returns: the whole state, its course through the cycles, and how well the inputs are met."""

from dataclasses import dataclass

from limbik._core import Status
from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.truth import Judged


@dataclass(frozen=True, eq=False)
class Completion(Judged, Record):
    """The state that a network completed from some inputs. Frozen; compares and pickles by its parts.

    status: SOLVED when every input is met, checked on the posture itself; OUT_OF_REACH and LIMITS only when proven; COMPROMISE
    where several inputs cannot be met together, as far as was found; NOT_FOUND for one. names, values: every variable of the
    final posture. inputs, errors: what was asked for, and by how much each is missed [rad or m]. q: the arm's joint values.
    joints: alpha, then the interior angles. points: (n + 1, 2) from the shoulder to the tip. course: (cycles + 1, variables)
    every state of the network, the start first; settled: whether it came to rest by itself; reached: the cycle from which on it
    stood at a posture that met the inputs to 0.01 (of the mean limb), -1 for never. finished: the steps of the exact finish
    that followed. freedoms: how many directions the inputs leave free, which the previous state decides. cost: what the posture
    costs, where costs were given.
    """

    status: Status
    why: str
    variables: tuple[str, ...]
    names: tuple[str, ...]
    values: Array
    inputs: tuple[str, ...]
    errors: Array
    q: Array
    joints: Array
    points: Array
    course: Array
    settled: bool
    reached: int
    finished: int
    freedoms: int
    cost: float = 0.0

    @property
    def ok(self) -> bool:
        """True when every input is met."""
        return self.status == Status.SOLVED

    @property
    def cycles(self) -> int:
        """How many cycles the network ran."""
        return len(self.course) - 1

    @property
    def state(self) -> dict[str, float]:
        """Every variable by its name."""
        return dict(zip(self.names, self.values.tolist(), strict=True))

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise BadOption(f"no variable {shown(name)} in this completion; {suggest(str(name), self.names)}")
        return self.state[name]

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={self.state[name]:.6g}" for name in (*self.variables[-2:], "R", "x", "y"))
        return f"Completion({self.status.name}, {values}, cycles={self.cycles})"
