"""Pose a whole body: drag some frames while others are pinned, planted or gaze at a point.

>>> import limbik as lk
>>> human = lk.load("human")
>>> body = lk.Body(human, [lk.Planted("leftFoot"), lk.Planted("rightFoot"), lk.Pin("leftHand")])
"""

from typing import TYPE_CHECKING

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik.posing.body_state import Posed

__all__ = [
    "Posed",
]

HOMES = {
    "Posed": "posing.body_state",
}

__getattr__, __dir__ = lazy(__name__, HOMES)
