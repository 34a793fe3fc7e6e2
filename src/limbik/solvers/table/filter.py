"""A user's predicate on postures (configurations): its validation and its identity."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption, shown

# Returns for each row of q (k, n) whether the posture may be used, (k,).
Valid = Callable[[npt.NDArray[np.float64]], npt.ArrayLike]


def passed(valid: Valid, q: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return which rows satisfy a predicate, (k,). Raises BadOption for a result of another shape."""
    mask = np.asarray(valid(q))
    if mask.shape != (len(q),) or mask.dtype.kind not in "biu":
        raise BadOption(
            f"valid must return one truth value for each of the {len(q)} postures, shape ({len(q)},); got shape {mask.shape}"
        )
    return mask.astype(bool)


def name_of(valid: Any, q: npt.NDArray[np.float64]) -> str:
    """Return the identity of a predicate: its name, and a digest of its results on given postures. Raises BadOption."""
    if valid is None:
        return ""
    if not callable(valid):
        raise BadOption(f"valid={shown(valid)}: give a function of q (k, n) that returns which postures may be used")
    name = getattr(valid, "__qualname__", type(valid).__name__)
    return f"{getattr(valid, '__module__', '')}.{name} {hashlib.sha256(passed(valid, q).tobytes()).hexdigest()[:16]}"
