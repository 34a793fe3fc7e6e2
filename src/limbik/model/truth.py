"""What an answer is in an `if`: True where it is ok. A batch of answers is neither true nor false."""

from collections.abc import Sized
from typing import NoReturn, Protocol

from limbik.errors import ShapeError


class HasOk(Protocol):
    """Whatever says of itself whether it succeeded."""

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""


class Judged:
    """One answer: `bool(answer)` is `answer.ok`, whatever its length."""

    def __bool__(self: HasOk) -> bool:
        return self.ok


class JudgedRows:
    """Many answers with one `ok` each. `bool(batch)` raises ShapeError, a ValueError, as NumPy's arrays do."""

    def __bool__(self: Sized) -> NoReturn:
        raise ShapeError(
            f"a {type(self).__name__} of {len(self)} answers is neither true nor false; use batch.ok.all(), batch.ok.any() "
            "or len(batch)"
        )
