"""A cache of the most recently made values.

A cache whose key holds numbers of the caller must forget: a caller may come with ten thousand different ones. There is no
lock, which a forked process might find closed. Two threads that ask for a new value at the same instant may each make one,
which costs time and changes no answer.
"""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """At most `most` values, those made last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Key, Value] = {}  # in the order in which they were made

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; `make` is called where it is not kept."""
        value = self._kept.get(key)
        if value is None:
            value = self._kept[key] = make()
            for old in list(self._kept)[: -self._most]:  # a copy at once: other threads may add some meanwhile
                self._kept.pop(old, None)
        return value
