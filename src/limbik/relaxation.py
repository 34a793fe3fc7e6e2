"""Relaxation networks after Cruse and Steinkühler: `Mmc` for planar arms, `PointForm` and `VectorForm` for segments in space.

>>> import limbik as lk
>>> network = lk.relaxation.Mmc(lk.load("planar3_cruse"))
"""

from typing import TYPE_CHECKING

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik.solvers.relaxation.completion import Completion
    from limbik.solvers.relaxation.inputs import AtLeast, AtMost
    from limbik.solvers.relaxation.mmc import Mmc
    from limbik.solvers.relaxation.point_form import PointForm
    from limbik.solvers.relaxation.relaxed import Relaxed
    from limbik.solvers.relaxation.sockets import Ball, Hinge
    from limbik.solvers.relaxation.vector_form import VectorForm

__all__ = [
    "AtLeast",
    "AtMost",
    "Ball",
    "Completion",
    "Hinge",
    "Mmc",
    "PointForm",
    "Relaxed",
    "VectorForm",
]

HOMES = {
    "AtLeast": "solvers.relaxation.inputs",
    "AtMost": "solvers.relaxation.inputs",
    "Ball": "solvers.relaxation.sockets",
    "Completion": "solvers.relaxation.completion",
    "Hinge": "solvers.relaxation.sockets",
    "Mmc": "solvers.relaxation.mmc",
    "PointForm": "solvers.relaxation.point_form",
    "Relaxed": "solvers.relaxation.relaxed",
    "VectorForm": "solvers.relaxation.vector_form",
}

__getattr__, __dir__ = lazy(__name__, HOMES)
