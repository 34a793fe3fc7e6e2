"""Validation of numeric arguments."""

from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption, NotFinite, NotNumeric, ShapeError, shown

Array = npt.NDArray[np.float64]

# Lengths, angles and factors above this are rejected: their products would overflow.
LARGEST = 1e100


def frozen(array: Array) -> Array:
    """Return a read-only copy of an array, with negative zeros made positive."""
    array = np.ascontiguousarray(array, dtype=np.float64) + 0.0
    array.setflags(write=False)
    return array


def numbers(values: Any, expected: str) -> Array:
    """Return an array of float64 with the given values, of any shape.

    Raises NotNumeric, whose message begins with `expected`, for text, None, complex numbers, lists of different lengths and
    integers beyond the range of float64.
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind in "biuf" or (array.dtype.kind == "O" and all(_is_real(x) for x in array.flat)):
            return array.astype(np.float64)
    except MemoryError:
        raise
    except Exception:  # an object's own conversion may raise anything
        pass
    raise NotNumeric(f"{expected}; got {shown(values)}")


def _is_real(thing: object) -> bool:
    return (hasattr(thing, "__float__") or hasattr(thing, "__index__")) and not isinstance(thing, complex)


def number(value: Any, what: str) -> float:
    """Return one number; infinity and NaN are allowed. Raises NotNumeric, whose message names `what`."""
    if type(value) is float:
        return value + 0.0
    array = numbers(value, f"{what} must be a number")
    if array.ndim:
        raise NotNumeric(f"{what} must be one number; got {shown(value)}")
    return float(array) + 0.0  # negative zero made positive


def vector(values: Any, what: str) -> Array:
    """Return three finite numbers as a read-only array. Raises NotNumeric, ShapeError or NotFinite, which name `what`."""
    array = numbers(values, f"{what} must be three numbers")
    if array.shape != (3,):
        raise ShapeError(f"{what} must be three numbers; got shape {array.shape}")
    if not np.isfinite(array).all():
        raise NotFinite(f"{what} holds NaN or infinity: {array.tolist()}")
    return frozen(array)


def scale_factor(given: Any) -> float:
    """Return a factor for lengths, above 0 and up to LARGEST. Raises NotNumeric, BadOption."""
    factor = number(given, "a scale")
    if not 0 < factor <= LARGEST:
        raise BadOption(f"a scale of {factor!r} is not a positive number up to {LARGEST:g}")
    return factor


def check_increasing(times: Array) -> None:
    """Raise BadOption unless times (frames,) [s] increase; the message names the first frame that is not later."""
    if not (np.diff(times) > 0).all():
        row = int(np.argmin(np.diff(times) > 0)) + 1
        raise BadOption(f"times must increase: frame {row} is at {times[row]:g} s, after {times[row - 1]:g} s")
