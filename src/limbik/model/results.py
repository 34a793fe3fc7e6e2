"""Base classes of results: one answer, the answers of a batch, and a motion (`MotionResult`)."""

from collections.abc import Sized
from typing import NoReturn, Protocol

from limbik._core import Status
from limbik.errors import ShapeError


class HasStatus(Protocol):
    """What tells its outcome by a status."""

    @property
    def status(self) -> Status:
        """SOLVED, or why not."""


class HasOk(Protocol):
    """What tells whether it succeeded."""

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""


class OneAnswer:
    """One answer: a configuration `q`, a `status`, and a sentence `why`. `bool(answer)` is `answer.ok`, whatever its length."""

    @property
    def ok(self: HasStatus) -> bool:
        """True where the status is SOLVED: checked by forward kinematics and limits."""
        return self.status == Status.SOLVED

    def __bool__(self: HasOk) -> bool:
        return self.ok


class ManyAnswers:
    """The answers of a batch: `ok`, one for each row. `bool(batch)` raises ShapeError, a ValueError, as NumPy's arrays do."""

    def __bool__(self: Sized) -> NoReturn:
        raise ShapeError(
            f"a {type(self).__name__} of {len(self)} answers is neither true nor false; use batch.ok.all(), batch.ok.any() "
            "or len(batch)"
        )
