"""Unique names: a repeated name gets a number."""

from collections.abc import Iterable


class Names:
    """A set of names in use. `take` adds a name; if it is in use, a number is appended."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._taken

    def take(self, wanted: str) -> str:
        """Return the wanted name, with the first free number from 2 if it is in use, and add it."""
        name = wanted
        while name in self._taken:
            number = self._next.get(wanted, 2)
            self._next[wanted] = number + 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name
