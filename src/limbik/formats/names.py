"""Unique names: equal names of a file get a number."""

from collections.abc import Iterable


class Names:
    """Names already given away; `take` returns the wanted one, or the first free one with a number after it."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Return a name that nobody has, and keep it."""
        name = wanted
        while name in self._taken:
            number = self._next.get(wanted, 2)
            self._next[wanted] = number + 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name
