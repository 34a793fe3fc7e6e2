"""How a table is made: stages one after the other, each of pieces that do not depend on each other.

A piece is a function of its stage, its number and what the stage before has made, and of nothing else: so it may be made in any
process, on any machine, twice, in any order, and the table has the same bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from limbik.solvers.table import layout
from limbik.solvers.table.content import Content

Arrays = layout.Arrays


class Making(Protocol):
    """Work in pieces. Objects of it are pickled: they hold the chain and settings, no data."""

    @property
    def name(self) -> str:
        """What people see beside the bar."""
        ...

    @property
    def pieces(self) -> int:
        """How many there are."""
        ...

    def make(self, piece: int, before: Arrays) -> Arrays:
        """Return what one piece contributes. before: what the stage before has made; empty for the first.

        On one thread: as many pieces are made at a time as there are workers.
        """
        ...


class Stage(Making, Protocol):
    """One stage: work in pieces, and what is made of them."""

    def join(self, parts: Sequence[Arrays], before: Arrays) -> Arrays:
        """Return what the stage makes of its pieces, given in their order; each is read when it is asked for."""
        ...


class Plan(Protocol):
    """A table to be made: its stages, all that identifies it, and what is made of the last stage."""

    @property
    def stages(self) -> Sequence[Stage]:
        """What is done, one after the other."""
        ...

    @property
    def identity(self) -> Mapping[str, Any]:
        """Design, fingerprint and settings, as JSON has them: parts that were made under another are not used."""
        ...

    def finish(self, made: Arrays) -> Content:
        """Return the table, from what the last stage has made and nothing else: no clock, no date, no name of a machine."""
        ...
