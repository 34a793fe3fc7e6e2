"""Read and write numbers of XML attributes. Errors name the attribute."""

import math
import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from limbik.errors import BadModel, shown
from limbik.geometry.arrays import Array, vector
from limbik.geometry.se3 import from_rpy

# A number in XML. Python's underscores and non-ASCII digits are not allowed.
_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE)


def number(text: str | None, what: str, default: float | None = None) -> float:
    """Return a finite number; the default if the attribute is missing. Raises BadModel. what: the attribute, for messages."""
    if text is None:
        if default is None:
            raise BadModel(f"{what} is missing")
        return default
    value = real(text, what)
    if not math.isfinite(value):
        raise BadModel(f"{what} is {shown(text)}; give a finite number")
    return value


def real(text: str, what: str) -> float:
    """Return a number, which may be NaN or infinite. Raises BadModel."""
    if not _NUMBER.fullmatch(text.strip()):
        raise BadModel(f"{what} is {shown(text)}, not a number")
    return float(text)


def triple(text: str | None, what: str, default: str) -> Array:
    """Return three finite numbers separated by spaces. Raises BadModel."""
    words = (default if text is None else text).split()
    if len(words) != 3:
        raise BadModel(f"{what} has {len(words)} numbers ({shown(text or '')}); give three")
    return vector([number(word, what) for word in words], what)


def pose(element: Element | None, what: str) -> Array:
    """Return the transform of an <origin>; the identity if there is none. Raises BadModel."""
    if element is None:
        return from_rpy((0, 0, 0), (0, 0, 0))
    return from_rpy(
        triple(element.get("xyz"), f"xyz of {what}", "0 0 0"), triple(element.get("rpy"), f"rpy of {what}", "0 0 0")
    )


def numbers_text(numbers: Iterable[float]) -> str:
    """Return numbers separated by spaces, with all digits."""
    return " ".join(repr(float(x)) for x in numbers)
