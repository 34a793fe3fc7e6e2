"""The network attached to a chain, `arm.network`."""

from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from limbik._core import NetworkStarts
from limbik.errors import BadOption
from limbik.formats.content.content import Content
from limbik.geometry.arrays import Array, numbers
from limbik.geometry.se3 import matrices
from limbik.model.model import Model
from limbik.solvers.attachments import NETWORK, attach
from limbik.solvers.neural.content import read_network
from limbik.solvers.neural.method import attached_content, network, trained_on_positions


def with_network(model: Model, given: str | PathLike[str] | Content) -> Model:
    """Return a model with a network. A network that does not fit raises an error here, not in the first solve."""
    made = attach(model, NETWORK, given, read_network)
    network(made)
    return made


@dataclass(frozen=True)
class AttachedNetwork:
    """The network of a chain and its methods. Made by `arm.network`. Raises BadOption for a model without one."""

    model: Model

    def __post_init__(self) -> None:
        _ = self.content

    @property
    def content(self) -> Content:
        """Its weights and metadata; `arm.with_network(content)` attaches it to an equal arm."""
        return attached_content(self.model)

    @property
    def starts(self) -> NetworkStarts:
        """The network in the form of the core, inside the limits."""
        return network(self.model)

    def propose(self, Ts: Any, seeds: Any = None) -> Array:
        """Return the configurations that the network proposes for many targets, the most promising first.

        (N, 4, 4) -> (N, heads, n); a network of positions takes (N, 3). Each is inside the limits and near the target. These are
        proposals without verification; `solve(T, method="neural")` gives answers.
        """
        starts = self.starts
        if not trained_on_positions(self.model):
            return starts.propose(numbers(matrices(Ts), "targets are matrices (N, 4, 4) of numbers"), seeds)
        places = numbers(Ts, "positions are numbers (N, 3)")
        if places.ndim != 2 or places.shape[1] != 3:
            raise BadOption(f"this network was trained on positions: propose takes (N, 3); got shape {places.shape}")
        T = np.tile(np.eye(4), (len(places), 1, 1))
        T[:, :3, 3] = places
        return starts.propose(T, seeds)
