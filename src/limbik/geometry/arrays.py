"""Validation of numeric arguments."""

from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.errors import NotFinite, NotNumeric, ShapeError, shown

Array = npt.NDArray[np.float64]

# Lengths, angles and factors above this overflow once they are multiplied: something is wrong with them.
LARGEST = 1e100


def frozen(array: Array) -> Array:
    """Return the array made read-only, negative zeros made plain."""
    array = np.ascontiguousarray(array, dtype=np.float64) + 0.0
    array.setflags(write=False)
    return array


def numbers(values: Any, expected: str) -> Array:
    """Return what was given as an array of float64, of any shape.

    Raises NotNumeric, which begins with what is `expected`, for anything that a cast would bend into numbers or break
    on: text, None, complex numbers, lists of different lengths, whole numbers that no float can hold.
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
    """Return one number, infinite or NaN at worst. Raises NotNumeric, which names what it is."""
    if type(value) is float:
        return value + 0.0
    array = numbers(value, f"{what} must be a number")
    if array.ndim:
        raise NotNumeric(f"{what} must be one number; got {shown(value)}")
    return float(array) + 0.0  # negative zeros made plain


def vector(values: Any, what: str) -> Array:
    """Return three finite numbers, or say what is wrong with them."""
    array = numbers(values, f"{what} must be three numbers")
    if array.shape != (3,):
        raise ShapeError(f"{what} must be three numbers; got shape {array.shape}")
    if not np.isfinite(array).all():
        raise NotFinite(f"{what} holds NaN or infinity: {array.tolist()}")
    return frozen(array)
