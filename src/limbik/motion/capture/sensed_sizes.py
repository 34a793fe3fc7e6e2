"""Lengths from sensors at the ends of limbs: the trunk's width and height, and the bones of limbs.

Two sensors on one trunk link determine the distance between its limbs. Two such links determine the trunk between them if it
bends (`motion/capture/trunk.py`). A third sensor at the elbow or knee determines both bones of a limb; without it, the largest
distance between the end sensors gives a lower bound on their sum.
"""

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.model.mechanism import Mechanism
from limbik.motion.capture.sensed_limb import LIMBS, SensedLimb
from limbik.motion.capture.trunk import pair_sizes, trunk_lengths, with_translations

# The margin on the largest distance between the end sensors, as a fraction: with it, the limb is not singular there.
MARGIN = 1e-6
# Distances between sensors beyond this multiple of the figure's are in another unit.
WRONG_UNIT = 8.0

Limbs = dict[str, SensedLimb]


def check_unit(name: str, limbs: Limbs, poses: dict[str, Array]) -> None:
    """Raise BadOption if the distances between sensors differ so much from the figure's that their unit must be wrong.

    The largest distance of each end from its limb's root is compared with the length of the limb, and the distance between the
    roots of two limbs on one link with that on the figure.
    """
    ratios: list[float] = []
    for root, _, end in (trio for trio in LIMBS if trio[0] in limbs):
        apart = np.linalg.norm(poses[end][:, :3, 3] - poses[root][:, :3, 3], axis=1)
        if np.isfinite(apart).any():
            ratios.append(float(np.nanmax(apart)) / sum(limbs[root].lengths))
    names = list(limbs)
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            own = float(np.linalg.norm(limbs[one].first.origin[:3, 3] - limbs[other].first.origin[:3, 3]))
            apart = np.linalg.norm(poses[one][:, :3, 3] - poses[other][:, :3, 3], axis=1)
            if limbs[one].parent_link == limbs[other].parent_link and own > 0 and np.isfinite(apart).any():
                ratios.append(float(np.nanmedian(apart)) / own)
    ratio = float(np.median(ratios)) if ratios else 1.0
    if not 1 / WRONG_UNIT < ratio < WRONG_UNIT:
        guess = "mm" if 300 < ratio < 3000 else "cm" if 30 < ratio < 300 else None
        remedy = f"are they in {guess}? Pass unit='{guess}'" if guess else "pass the right unit="
        raise BadOption(f"the distances of the sensors are {ratio:.3g} times those of '{name}': {remedy}")


def with_sensor_lengths(
    mechanism: Mechanism, limbs: Limbs, poses: dict[str, Array], sentences: list[str], stretched: bool
) -> Mechanism:
    """Return the mechanism with the lengths from the sensors; undetermined lengths are reported in `sentences`."""
    links = dict.fromkeys(limb.parent_link for limb in limbs.values())
    pairs = {link: {r: b for r, b in limbs.items() if b.parent_link == link} for link in links}
    places: dict[str, Array] = {}
    known: dict[str, tuple[Array, float]] = {}
    for link, pair in pairs.items():
        if len(pair) == 2:
            found, R, width = pair_sizes({r: (limb.first, poses[r]) for r, limb in pair.items()})
            places |= found
            known[link] = R, width
    if len(known) == 2:
        below, above = sorted(known, key=lambda link: len(mechanism.ancestry(link)))
        _trunk_between(mechanism, below, above, pairs, poses, known, places)
    unsure: list[str] = []
    for (root, middle, end), limb in ((trio, limbs[trio[0]]) for trio in LIMBS if trio[0] in limbs):
        start, stop = poses[root][:, :3, 3], poses[end][:, :3, 3]
        upper, lower = limb.lengths
        if middle in poses:
            elbow = poses[middle][:, :3, 3]
            upper = float(np.nanmedian(np.linalg.norm(elbow - start, axis=1)))
            lower = float(np.nanmedian(np.linalg.norm(stop - elbow, axis=1)))
        else:
            farthest = float(np.nanmax(np.linalg.norm(stop - start, axis=1))) * (1 + MARGIN)
            share = farthest / (upper + lower)
            if stretched or share > 1:
                upper, lower = upper * share, lower * share
            if not stretched:
                unsure.append(end)
        for bone, length in zip(limb.bones, (upper, lower), strict=True):
            vector = bone.origin[:3, 3]
            places[bone.name] = vector * (length / np.linalg.norm(vector))
    if unsure:
        sentences.append(
            f"sensors at the ends do not determine the bone lengths of the limbs to {', '.join(unsure)}: "
            "they are the figure's, or just long enough; add a third sensor at elbow or knee, or pass stretched=True"
        )
    return with_translations(mechanism, places)


def _trunk_between(
    mechanism: Mechanism,
    lower: str,
    upper: str,
    pairs: dict[str, Limbs],
    poses: dict[str, Array],
    known: dict[str, tuple[Array, float]],
    places: dict[str, Array],
) -> None:
    """Add the trunk's joint and the upper limbs' height to the places, if one joint between the links has a translation."""
    between = [joint for joint in mechanism.path(lower, upper) if np.linalg.norm(joint.origin[:3, 3]) > 0]
    if len(between) != 1 or between[0].parent != lower or lower not in (j.parent for j in mechanism.ancestry(upper)):
        return
    (R_lower, _), (R_upper, width) = known[lower], known[upper]
    low, high = ([limb.first.name for limb in pairs[link].values()] for link in (lower, upper))
    middle_low = np.mean([poses[r][:, :3, 3] for r in pairs[lower]], axis=0)
    middle_high = np.mean([poses[r][:, :3, 3] for r in pairs[upper]], axis=0)
    own_low = np.mean([places[name] for name in low], axis=0)
    own_high = np.mean([places[name] for name in high], axis=0)
    origin = middle_low - R_lower @ own_low
    t = between[0].origin[:3, 3]
    a, b = trunk_lengths(middle_high - origin, R_lower, R_upper, t, own_high, width)
    places[between[0].name] = a * t
    for name in high:
        places[name] = places[name] + (b - 1) * own_high
