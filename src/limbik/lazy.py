"""Public names that are imported on first use, so that importing limbik is fast."""

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def lazy(
    package: str, homes: Mapping[str, str], modules: Sequence[str] = (), moved: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package. homes: {name: its module inside limbik}. modules: its public modules.

    moved: {name: its place} for names that users may look for here; the error gives the place.
    """

    def find(name: str) -> Any:
        if name in homes:
            value = getattr(importlib.import_module(f"limbik.{homes[name]}"), name)
        elif name in modules:
            value = importlib.import_module(f"{package}.{name}")
        else:
            hint = f"; it is {moved[name]}" if moved and name in moved else ""
            raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes, *modules})

    return find, names
