"""Records of arrays: frozen, read-only, compared element by element (NaN equals NaN), pickled by their constructor."""

from dataclasses import fields
from typing import Any

import numpy as np


class Record:
    """The base class of frozen dataclasses of arrays; other fields are compared by equality."""

    def __post_init__(self) -> None:
        for part in vars(self).values():
            if type(part) is np.ndarray:
                part.setflags(write=False)

    def _parts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            np.array_equal(a, b, equal_nan=a.dtype.kind == "f") if isinstance(a, np.ndarray) else a == b
            for a, b in zip(self._parts(), other._parts(), strict=True)
        )

    # Not hashable: hashing millions of rows would be slow.
    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        given = (f.name for f in fields(self) if f.init)  # type: ignore[arg-type]
        return restore, (type(self), {name: getattr(self, name) for name in given})


def restore(kind: type[Any], parts: dict[str, Any]) -> Any:
    """Return a record from its pickled parts."""
    return kind(**parts)
