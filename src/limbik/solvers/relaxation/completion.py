"""The result of a completion: all variables, the states of all cycles, and the errors of the inputs."""

from dataclasses import dataclass

from limbik._core import Status
from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import OneAnswer


@dataclass(frozen=True, eq=False)
class Completion(OneAnswer, Record):
    """The state that a network completed from inputs. Frozen; compares and pickles by its parts.

    status: SOLVED if every input is met, verified on the posture; OUT_OF_REACH and LIMITS only if proven; COMPROMISE if no
    posture was found that meets several inputs; NOT_FOUND for a single input. names, values: all variables of the final posture
    (configuration). inputs, errors: the names of the inputs, and their errors [rad or m]. q: the arm's joint values. joints:
    alpha, then the interior angles, then the lengths that are variables.
    points: (n + 1, 2) from the shoulder to the tip. course: (cycles + 1, variables) all states
    of the network, the start first; settled: whether the network came to rest; reached: the cycle from which on the state was a
    posture that met the inputs to 0.01 (of the mean segment), -1 for never. finished: number of refinement steps that followed.
    freedoms: number of directions that the inputs leave free; there the result depends on the previous state. cost: the cost of
    the posture, if costs were given.
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
    def cycles(self) -> int:
        """The number of cycles."""
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
