"""The outcome of a query, with the numbers of the core."""

from enum import IntEnum


class Status(IntEnum):
    """The outcome of a query. OUT_OF_REACH and LIMITS are given only if they are proven.

    It prints as its name. As an IntEnum it compares with arrays of codes, and JSON writes the number.
    """

    SOLVED = 0
    OUT_OF_REACH = 1
    LIMITS = 2
    NOT_FOUND = 3
    COMPROMISE = 4
    BLOCKED = 5
    INVALID = 6

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        """Format the name; a code for numbers ("d", "02x" ...) formats the number."""
        try:
            return format(self.name, spec)
        except ValueError:
            return format(int(self), spec)
