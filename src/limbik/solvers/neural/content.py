"""The stored form of a network: weights in single precision, scales and identification."""

import math
import operator
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import LENGTH_SHARE, WIDTH, NetworkStarts, TargetView
from limbik.errors import BadFile
from limbik.formats.content.archive import Kind
from limbik.formats.content.content import Content
from limbik.formats.content.file import read as read_content
from limbik.formats.content.file import write as write_content
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.neural.learner import Scale
from limbik.solvers.neural.settings import MOST

NETWORK = Kind("limbik network", 1, "a network of limbik", "train it again: limbik train")
# The value of `Content.design` for a network.
DESIGN = "network"
_SCALES = ("input_middle", "input_spread", "output_middle", "output_spread")


def read_network(path: str | PathLike[str], *, fingerprint: str | None = None) -> Content:
    """Return the network in a file. Raises FileUnreadable, and BadFile for a damaged or foreign file, or another robot."""
    return read_content(path, fingerprint=fingerprint, kind=NETWORK)


def write_network(content: Content, path: str | PathLike[str], **options: Any) -> None:
    """Write a network; the same content gives the same bytes. Raises FileUnwritable."""
    write_content(content, path, kind=NETWORK, **options)


def target_view(model: Model, *, places: bool, sided: bool) -> TargetView:
    """Return the inputs and outputs of a network for a chain. sided: whether the side of a target matters."""
    return TargetView(model.kernel, scale_of(model), places, sided)


def scale_of(model: Model) -> float:
    """Return the unit of length for the chain's targets [m]."""
    span = model.reach.span
    return span if math.isfinite(span) and span > 0 else 1.0


def scale_arrays(scale: Scale) -> dict[str, npt.NDArray[np.generic]]:
    """Return the scales of inputs and outputs as arrays for a file."""
    return {name: np.asarray(getattr(scale, name), np.float64) for name in _SCALES}


def network_starts(content: Content, model: Model, view: TargetView, *, limits: bool) -> NetworkStarts:
    """Return a network in the form of the core. Raises BadFile if its parts are inconsistent or do not fit the chain."""
    arrays = content.arrays
    try:
        heads = operator.index(content.settings["heads"])
        if not 1 <= heads <= MOST["heads"]:
            raise ValueError(f"{heads} heads")
        scale = Scale(**{name: _scale(arrays, name) for name in _SCALES}, periodic=np.zeros(0, np.bool_))
        return starts_of(arrays, scale, heads, model, view, limits=limits)
    except (KeyError, ValueError, TypeError, IndexError, OverflowError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(f"the network's parts are inconsistent ({error!r}); {NETWORK.remedy}") from None


def starts_of(
    arrays: Mapping[str, npt.NDArray[np.generic]],
    scale: Scale,
    heads: int,
    model: Model,
    view: TargetView,
    *,
    limits: bool,
) -> NetworkStarts:
    """Return weights in the form of the core: the scales are folded into the first and the last layer."""
    layers = sum(name.startswith("bias.") for name in arrays)
    weights = [np.asarray(arrays[f"weights.{k}"], np.float64) for k in range(layers)]
    biases = [np.asarray(arrays[f"bias.{k}"], np.float64) for k in range(layers)]
    biases[0] = biases[0] - (scale.input_middle / scale.input_spread) @ weights[0]
    weights[0] = weights[0] / scale.input_spread[:, None]
    spread, middle = np.tile(scale.output_spread, heads), np.tile(scale.output_middle, heads)
    weights[-1], biases[-1] = weights[-1] * spread, biases[-1] * spread + middle
    weights[-1], biases[-1] = _by_number(weights[-1], heads), _by_number(biases[-1], heads)
    ranges, n = model.ranges, model.n
    lower, upper = (ranges.lower, ranges.upper) if limits else (np.full(n, -math.inf), np.full(n, math.inf))
    return NetworkStarts(
        model.kernel,
        view,
        weights,
        biases,
        heads,
        lower.tolist(),
        upper.tolist(),
        ranges.cone_rows if limits else [],
        ranges.home.tolist(),
        LENGTH_SHARE * scale_of(model),
    )


def _by_number(last: Array, heads: int) -> Array:
    """Return the last layer with the outputs of all heads for one number of q together, padded to full lanes by the last head."""
    by_head = last.reshape(*last.shape[:-1], heads, -1)
    chosen = np.minimum(np.arange(-(-heads // WIDTH) * WIDTH), heads - 1)
    return np.ascontiguousarray(np.swapaxes(by_head[..., chosen, :], -1, -2).reshape(*last.shape[:-1], -1))


def _scale(arrays: Mapping[str, npt.NDArray[np.generic]], name: str) -> Array:
    found = np.asarray(arrays[name], np.float64)
    if found.ndim != 1 or not np.isfinite(found).all() or (name.endswith("spread") and not (found > 0).all()):
        raise ValueError(name)
    return found
