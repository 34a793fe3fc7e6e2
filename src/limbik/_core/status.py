"""How a solve ended, as the core counts it."""

from enum import IntEnum


class Status(IntEnum):
    """How a solve ended. OUT_OF_REACH and LIMITS are said only when they are proven.

    Prints as its name. It is a number all the same: it compares with arrays of codes, and JSON writes the number.
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
