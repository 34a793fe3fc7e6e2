"""Two-bone limbs in closed form: an arm or a leg whose tip reaches a target while its elbow points to a pole.

>>> import limbik as lk
>>> arm = lk.two_bone.Limb(0.3, 0.28)
"""

from typing import TYPE_CHECKING

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik.solvers.two_bone.answer import LimbAnswer, LimbBatch
    from limbik.solvers.two_bone.limb import Limb
    from limbik.solvers.two_bone.matching import Handles
    from limbik.solvers.two_bone.stretch import Stretch

__all__ = [
    "Handles",
    "Limb",
    "LimbAnswer",
    "LimbBatch",
    "Stretch",
]

HOMES = {
    "Handles": "solvers.two_bone.matching",
    "Limb": "solvers.two_bone.limb",
    "LimbAnswer": "solvers.two_bone.answer",
    "LimbBatch": "solvers.two_bone.answer",
    "Stretch": "solvers.two_bone.stretch",
}

__getattr__, __dir__ = lazy(__name__, HOMES)
