"""The plan of a build: consecutive stages, each of independent pieces.

A piece is a pure function of its stage, its number and the result of the previous stage. It may be made in any process, on any
machine, repeatedly and in any order; the table has the same bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from limbik.formats.content import layout
from limbik.formats.content.content import Content

Arrays = layout.Arrays


class Making(Protocol):
    """Work divided into pieces. Its objects are pickled, so they hold the chain and settings but no data."""

    @property
    def name(self) -> str:
        """The text beside the progress bar."""
        ...

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        ...

    def make(self, piece: int, before: Arrays) -> Arrays:
        """Return the contribution of one piece. before: the result of the previous stage, empty for the first.

        It runs on one thread, because each worker makes one piece at a time.
        """
        ...


class Stage(Making, Protocol):
    """One stage: its pieces, and the function that joins them."""

    def join(self, parts: Sequence[Arrays], before: Arrays) -> Arrays:
        """Return the result of the stage from its pieces, in their order; each is read on access."""
        ...


class Plan(Protocol):
    """The plan of a table: its stages, its identity, and the function that finishes it."""

    @property
    def stages(self) -> Sequence[Stage]:
        """The stages, in their order."""
        ...

    @property
    def identity(self) -> Mapping[str, Any]:
        """Design, fingerprint and settings as JSON values; parts with another identity are not used."""
        ...

    def finish(self, made: Arrays) -> Content:
        """Return the table, a pure function of the last stage's result: no clock, no date, no machine name."""
        ...
