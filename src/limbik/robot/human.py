"""The human figure in any size and with any proportions."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.formats.toml import read_toml
from limbik.geometry.arrays import number, numbers
from limbik.model.catalog import FOLDER
from limbik.model.proportions import standing_heights, with_proportions
from limbik.robot.skeleton import Skeleton

# The top of the head in the head frame of the catalogue's figure [m].
CROWN = 0.2275
# The segments of each proportion; those with a left and a right one are named without the side.
PARTS: Mapping[str, tuple[str, ...]] = {
    "legs": ("UpperLeg", "LowerLeg"),
    "arms": ("UpperArm", "LowerArm"),
    "trunk": ("hips", "spine"),
    "head": ("head",),
    "hands": ("Hand",),
    "feet": ("Foot",),
}


def human(
    height: float = 1.75,
    *,
    legs: float = 1.0,
    arms: float = 1.0,
    trunk: float = 1.0,
    head: float = 1.0,
    hands: float = 1.0,
    feet: float = 1.0,
    proportions: Mapping[str, Any] | None = None,
    mass: float | None = None,
    balls: bool = False,
) -> Skeleton:
    """Return the human figure of the catalogue with other proportions, standing on the ground.

    height: from the ground to the top of the head [m], whatever the proportions: longer legs make the other segments shorter.
    legs ... feet: scale factors of these segments relative to the others. proportions: further factors, {segment: factor, or
    (width, height, depth)}: {"spine": (1.1, 1, 1)} has broader shoulders. mass: of the whole body [kg]; None means 75 kg.
    balls: use the figure with ball joints, "human_balls". Raises BadOption, UnknownFrame.
    """
    wanted = number(height, "the height")
    if not 0 < wanted < float("inf"):
        raise BadOption(f"height={shown(height)}: give a height above 0 [m]")
    if not isinstance(balls, bool):
        raise BadOption(f"balls={shown(balls)} must be True or False")
    factors: dict[str, Any] = {}
    given = {"legs": legs, "arms": arms, "trunk": trunk, "head": head, "hands": hands, "feet": feet}
    for part, factor in given.items():
        for segment in PARTS[part]:
            sides = (segment,) if segment.islower() else (f"left{segment}", f"right{segment}")
            factors |= dict.fromkeys(sides, number(factor, part))
    if proportions is not None and not isinstance(proportions, Mapping):
        raise BadOption(f"proportions={shown(proportions)} must be {{segment: factor}}")
    factors |= proportions or {}
    mechanism = with_proportions(read_toml(FOLDER / f"{'human_balls' if balls else 'human'}.toml"), factors)
    crown = np.broadcast_to(numbers(factors["head"], "the proportion of 'head' must be one number or three"), (3,))
    stature = standing_heights(mechanism)["head"] + CROWN * float(crown[1])
    mechanism = mechanism.scaled(wanted / stature)
    if mass is not None:
        total = number(mass, "the mass")
        if not 0 < total < float("inf"):
            raise BadOption(f"mass={shown(mass)}: give a mass above 0 [kg]")
        mechanism = mechanism.with_mass(total)
    return Skeleton(mechanism)
