"""Mechanisms: joints and links as data, and the immutable `Model` that solvers take.

>>> import limbik as lk
>>> lk.load("ur5").model.mechanism.joints[0].kind is lk.model.Kind.REVOLUTE
True
"""

from typing import TYPE_CHECKING

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik.model.balls import Cone
    from limbik.model.humanoid import Humanoid
    from limbik.model.joint import Joint, Kind, Link, Mimic
    from limbik.model.mechanism import Mechanism
    from limbik.model.model import Model

__all__ = [
    "Cone",
    "Humanoid",
    "Joint",
    "Kind",
    "Link",
    "Mechanism",
    "Mimic",
    "Model",
]

HOMES = {
    "Cone": "model.balls",
    "Humanoid": "model.humanoid",
    "Joint": "model.joint",
    "Kind": "model.joint",
    "Link": "model.joint",
    "Mechanism": "model.mechanism",
    "Mimic": "model.joint",
    "Model": "model.model",
}

__getattr__, __dir__ = lazy(__name__, HOMES)
