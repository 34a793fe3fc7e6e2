"""One stage of a build, and the folder of its pieces."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from limbik.formats.content.layout import Arrays
from limbik.solvers.building.parts import Parts
from limbik.solvers.building.stage import Making


@dataclass(frozen=True)
class Task:
    """A stage, its number in the plan, and the folder. It is pickled: processes that share the disk read and write parts."""

    stage: Making
    number: int
    parts: Parts

    def before(self) -> Arrays:
        """Return the result of the previous stage, mapped."""
        return self.parts.get(made(self.number - 1), mapped=True) if self.number else {}

    def keep(self, piece: int, arrays: Arrays) -> None:
        """Store the contribution of a piece."""
        self.parts.keep(self.name(piece), arrays)

    def missing(self) -> list[int]:
        """Return the numbers of the missing pieces."""
        return [k for k in range(self.stage.pieces) if self.parts.find(self.name(k)) is None]

    def name(self, piece: int) -> str:
        """Return the name of a piece's part."""
        return f"{self.number}-{piece}"


def made(number: int) -> str:
    """Return the name of the part that holds the result of a stage."""
    return f"{number}-made"


class Pieces(Sequence[Arrays]):
    """The finished pieces of a stage in their order, read from disk on access."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def __len__(self) -> int:
        return self._task.stage.pieces

    @overload
    def __getitem__(self, piece: int) -> Arrays: ...
    @overload
    def __getitem__(self, piece: slice) -> list[Arrays]: ...
    def __getitem__(self, piece: int | slice) -> Arrays | list[Arrays]:
        if isinstance(piece, slice):
            return [self[k] for k in range(*piece.indices(len(self)))]
        return self._task.parts.get(self._task.name(range(len(self))[piece]))

    def __iter__(self) -> Iterator[Arrays]:
        return (self[k] for k in range(len(self)))
