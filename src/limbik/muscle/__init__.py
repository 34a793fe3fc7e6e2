"""Muscles: lengths, moment arms, postures from lengths, pressures. `arm.muscles` has the verbs.

>>> import limbik as lk
>>> arm = lk.load("maximum_one")
>>> lengths = arm.muscles.lengths(arm.home)  # [m]
"""

from typing import TYPE_CHECKING

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik.model.mckibben import McKibben
    from limbik.model.muscle import Attachment, Muscle, Pulley
    from limbik.muscle.answer import MuscleAnswer, MusclePostures
    from limbik.muscle.arm import MuscleArm
    from limbik.muscle.fast_gradient import FastGradient, follow_distance
    from limbik.muscle.muscle_map import MuscleMap
    from limbik.muscle.registry import MUSCLE_METHODS

__all__ = [
    "MUSCLE_METHODS",
    "Attachment",
    "FastGradient",
    "McKibben",
    "Muscle",
    "MuscleAnswer",
    "MuscleArm",
    "MuscleMap",
    "MusclePostures",
    "Pulley",
    "follow_distance",
]

HOMES = {
    "MUSCLE_METHODS": "muscle.registry",
    "Attachment": "model.muscle",
    "FastGradient": "muscle.fast_gradient",
    "McKibben": "model.mckibben",
    "Muscle": "model.muscle",
    "MuscleAnswer": "muscle.answer",
    "MuscleArm": "muscle.arm",
    "MuscleMap": "muscle.muscle_map",
    "MusclePostures": "muscle.answer",
    "Pulley": "model.muscle",
    "follow_distance": "muscle.fast_gradient",
}

__getattr__, __dir__ = lazy(__name__, HOMES)
