"""The criterion for a constant translation or scale in a recording.

Exporters give every bone position channels, though only the root moves about. Such channels are constant up to rounding: float32
leaves about 1e-7 of a figure's distance from the origin, printed digits about a tenth of a millimetre of a human. Read as motion,
they take every bone out of its socket. Real stretch is a per cent of a bone or more. The bounds below lie between the two; what
they drop moves a joint by at most half of them.
"""

from limbik.geometry.arrays import Array

# A bone whose place, or scale, varies by no more than this part of its length, or scale, is rigid: 0.4 mm of a thigh.
RIGID = 1e-3
# For bones of little length the figure's extent counts: 0.3 mm of a human, more than two printed decimals of a centimetre leave.
RIGID_OF_FIGURE = 2e-4


def still_within(bone: float, figure: float) -> float:
    """Return the range within which a place holds still, in the unit of its arguments. bone: its length; figure: its extent."""
    return max(RIGID * bone, RIGID_OF_FIGURE * figure)


def extent(places: Array) -> float:
    """Return the greatest extent of some places along an axis, (k, 3)."""
    return float((places.max(axis=0) - places.min(axis=0)).max()) if len(places) else 0.0


def held_note(what: str, count: int, most: float) -> tuple[str, ...]:
    """Return a sentence about places that were held still though they vary. most: the greatest range [m]."""
    if not count:
        return ()
    return (
        f"the {what} of {count} bone{'' if count == 1 else 's'} vary by at most {most * 1e3:.2g} mm: taken as constant",
    )
