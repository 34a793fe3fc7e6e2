"""The criterion for a constant translation or scale in a recording.

Exporters write position channels for every bone, though only the root translates. Such channels are constant up to
rounding: about 1e-7 of the figure's distance from the origin for float32, about 0.1 mm on a human for printed digits.
Read as motion, they would turn every joint into a floating one. Real stretch is 1 % of a bone or more. The bounds below
lie between the two. Dropping a variation within them moves a joint by at most half the bound.
"""

from limbik.geometry.arrays import Array

# The largest variation of a rigid bone's position or scale, relative to its length or scale: 0.4 mm on a thigh.
RIGID = 1e-3
# For short bones, relative to the figure's extent: 0.3 mm on a human, more than the rounding of centimetres with two
# decimals.
RIGID_OF_FIGURE = 2e-4


def still_within(bone: float, figure: float) -> float:
    """Return the range within which a position counts as constant. bone: its length; figure: its extent, in the same unit."""
    return max(RIGID * bone, RIGID_OF_FIGURE * figure)


def extent(points: Array) -> float:
    """Return the largest extent of points (k, 3) along an axis."""
    return float((points.max(axis=0) - points.min(axis=0)).max()) if len(points) else 0.0


def held_note(what: str, count: int, most: float) -> tuple[str, ...]:
    """Return a note on positions that vary but were taken as constant. most: the largest range [m]."""
    if not count:
        return ()
    return (
        f"the {what} of {count} bone{'' if count == 1 else 's'} vary by at most {most * 1e3:.2g} mm: taken as constant",
    )
