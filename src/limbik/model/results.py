"""Base classes of results: one answer, the answers of a batch, and a motion (`MotionResult`)."""

from collections.abc import Sized
from typing import NoReturn, Protocol

from limbik._core import Status
from limbik.errors import ShapeError


class HasStatus(Protocol):
    """A result with a status."""

    @property
    def status(self) -> Status:
        """The outcome."""


class HasOk(Protocol):
    """A result with `ok`."""

    @property
    def ok(self) -> bool:
        """Whether the query is solved."""


class OneAnswer:
    """One answer: a configuration `q`, a `status`, and a sentence `why`. `bool(answer)` is `answer.ok`, whatever its length."""

    @property
    def ok(self: HasStatus) -> bool:
        """Whether the status is SOLVED: verified by forward kinematics and limits."""
        return self.status == Status.SOLVED

    def __bool__(self: HasOk) -> bool:
        return self.ok


class ManyAnswers:
    """The answers of a batch: `ok` has one value per row. `bool(batch)` raises ShapeError, a ValueError, like NumPy's arrays."""

    def __bool__(self: Sized) -> NoReturn:
        raise ShapeError(
            f"a {type(self).__name__} of {len(self)} answers is neither true nor false; use batch.ok.all(), batch.ok.any() "
            "or len(batch)"
        )
