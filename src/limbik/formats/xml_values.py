"""Numbers as XML attributes write them: read with the name of what they are, refused in one sentence."""

import math
import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from limbik.errors import BadModel, shown
from limbik.geometry.arrays import Array, vector
from limbik.geometry.se3 import from_rpy

# What a number looks like in XML: Python's own underscores and other alphabets' digits are none.
_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE)


def number(text: str | None, what: str, default: float | None = None) -> float:
    """Return a finite number. Raises BadModel, which names what it is; a missing one is the default, if there is one."""
    if text is None:
        if default is None:
            raise BadModel(f"{what} is missing")
        return default
    value = real(text, what)
    if not math.isfinite(value):
        raise BadModel(f"{what} is {shown(text)}; a finite number is needed")
    return value


def real(text: str, what: str) -> float:
    """Return a number, which may be NaN or infinite. Raises BadModel."""
    if not _NUMBER.fullmatch(text.strip()):
        raise BadModel(f"{what} is {shown(text)}, not a number")
    return float(text)


def triple(text: str | None, what: str, default: str) -> Array:
    """Return three finite numbers that spaces divide. Raises BadModel."""
    words = (default if text is None else text).split()
    if len(words) != 3:
        raise BadModel(f"{what} has {len(words)} numbers ({shown(text or '')}); three are needed")
    return vector([number(word, what) for word in words], what)


def pose(element: Element | None, what: str) -> Array:
    """Return the transform of an <origin>; the identity where there is none. Raises BadModel."""
    if element is None:
        return from_rpy((0, 0, 0), (0, 0, 0))
    return from_rpy(
        triple(element.get("xyz"), f"xyz of {what}", "0 0 0"), triple(element.get("rpy"), f"rpy of {what}", "0 0 0")
    )


def numbers_text(numbers: Iterable[float]) -> str:
    """Return numbers with spaces between them, each with all its digits."""
    return " ".join(repr(float(x)) for x in numbers)
