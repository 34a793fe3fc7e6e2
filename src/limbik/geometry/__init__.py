"""Arrays, rotations, rigid transforms and angles.

>>> import limbik as lk
>>> parts = lk.geometry.swing_twist(lk.pose((0, 0, 0), rpy=(0.1, 0.0, 0.3)), axis=(0, 0, 1))
"""

from typing import TYPE_CHECKING

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik.geometry.swing_and_twist import SwingTwist, from_swing_twist, swing_twist

__all__ = [
    "SwingTwist",
    "from_swing_twist",
    "swing_twist",
]

HOMES = {
    "SwingTwist": "geometry.swing_and_twist",
    "from_swing_twist": "geometry.swing_and_twist",
    "swing_twist": "geometry.swing_and_twist",
}

__getattr__, __dir__ = lazy(__name__, HOMES)
