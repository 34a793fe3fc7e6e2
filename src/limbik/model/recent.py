"""A bounded cache of the values that were made last.

A cache whose keys contain numbers of the caller must be bounded, because a caller may pass ten thousand different ones. There is
no lock, which a forked process could inherit locked. Two threads that ask for the same new value at the same instant may each
make one, which costs time but changes no answer.
"""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """A cache of the `most` values that were made last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Key, Value] = {}  # in the order in which they were made

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; call `make` if it is not cached."""
        value = self._kept.get(key)
        if value is None:
            value = self._kept[key] = make()
            for old in list(self._kept)[: -self._most]:  # a copy: other threads may add keys meanwhile
                self._kept.pop(old, None)
        return value
