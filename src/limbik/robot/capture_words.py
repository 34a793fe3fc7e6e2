"""What a capture found, in words: what was estimated, what was left out, what is doubtful and what helps."""

from collections.abc import Iterable, Sequence

import numpy as np

from limbik.model.markers import Markers
from limbik.model.ranges import Mask
from limbik.motion.capture.doubt import LONGEST_BRIDGE
from limbik.motion.capture.estimate import Estimate
from limbik.motion.capture.sizing import Wish

# A length that is less sure than this part of the figure's size is said to be: 5 mm on a human figure.
UNSURE = 0.0033
# So is a frame with markers that may be farther off than this, sizes being estimated: 1 cm.
LOOSE = 0.0066
# With fewer frames than this, lengths and offsets are hardly told apart.
FEW = 30
# More wrong markers than this part, and more noise than this part of the figure's size, come from wrong names.
WRONG, NOISY = 0.1, 0.01


def words(
    markers: Markers, found: Estimate, wish: Wish, ignored: list[str], untold: list[str], swapped: tuple[str, ...]
) -> str:
    """Return sentences, with semicolons between. swapped: frames whose left and right seem to be exchanged."""
    seen = found.far[np.isfinite(found.far)]
    says = [
        f"{len(markers.names)} markers in {len(markers)} frames are {1000 * np.median(seen):.2g} mm off at the median, noise "
        f"{1000 * found.sigma:.2g} mm a coordinate; {wish.groups.shape[1]} lengths and {int(wish.free.sum())} offsets estimated"
    ]
    says += _doubts(markers, found, swapped)
    if found.exchanged.any():
        named = [name for name, some in zip(markers.names, found.exchanged.T, strict=True) if some.any()]
        says.append(
            f"{_few(named, 4)} had each other's names in {int(found.exchanged.any(axis=1).sum())} frames, which was put right"
        )
    if found.wrong.any():
        says.append(f"{int(found.wrong.sum())} places of markers are too far off to be noise and were left out")
    says += _sizes(found)
    if untold:
        says.append(f"no marker tells {_few(untold)}: they stay at rest")
    if ignored:
        says.append(f"left out, as their frame is not known: {', '.join(ignored[:8])}")
    if len(markers) < FEW and (wish.groups.shape[1] or wish.free.any()):
        says.append(f"{len(markers)} frames hardly tell lengths from offsets; estimate them from a longer motion")
    return "; ".join(says)


def _doubts(markers: Markers, found: Estimate, swapped: tuple[str, ...]) -> Iterable[str]:
    doubt, body = found.doubt, found.body
    if swapped:
        yield f"left and right seem to be exchanged at {_few(swapped)} (or an axis is mirrored): exchange their names"
    if doubt.bones:
        usual = np.median([found.factors[k] for k in range(len(body.bones))])
        named = [f"{body.bones[k].name} ({found.factors[k] / usual:.2g} times)" for k in doubt.bones]
        yield (
            f"bones are unlikely beside the others of the figure: {_few(named)}, so that every frame is doubtful: see that "
            "each marker is on the frame that it is said to be on, and that the figure is of this kind"
        )
    if doubt.markers:
        yield (
            f"offsets are unlikely, far from their bones: {_few([markers.names[k] for k in doubt.markers])}, so that every frame "
            "is doubtful: see that each marker is on the frame that it is said to be on"
        )
    if doubt.loose.any():
        worst = 1000 * float(np.median(doubt.error[doubt.loose]))
        reason = "markers do not tell the posture, or not with these sizes"
        if doubt.steady:
            reason = (
                f"markers err by {1000 * doubt.steady:.2g} mm from frame to frame alike, as they do where bones or offsets are "
                "not the person's, and, harmlessly, where skin slides over bones: their errors cannot tell which it is"
            )
        yield (
            f"joints may be {worst:.3g} mm off on average in {int(doubt.loose.sum())} frames (doubtful, first frame "
            f"{int(np.argmax(doubt.loose))}), and those without markers anywhere: {reason}"
        )
    if doubt.bridged.any():
        yield f"{int(doubt.bridged.sum())} frames lack markers and are bridged in time"
    if doubt.guessed.any():
        yield (
            f"{int(doubt.guessed.sum())} of them for longer than {LONGEST_BRIDGE:g} s, where some joints are a guess (doubtful, "
            f"first frame {int(np.argmax(doubt.guessed))})"
        )


def _sizes(found: Estimate) -> Iterable[str]:
    span = found.body.span
    unsure = sorted(zip(found.unsure, found.body.bones, strict=True), key=lambda one: -one[0])
    if hardly := [f"{bone.name} (+-{1000 * far:.0f} mm)" for far, bone in unsure if far > UNSURE * span]:
        yield (
            f"the motion hardly tells the lengths to {', '.join(hardly[:6])}: estimate them from one in which these joints turn "
            "more, or give offsets"
        )
    worst = sorted(
        ((far, f) for f, far in found.spread.items() if f in found.body.on and far > LOOSE * span), reverse=True
    )
    if worst:
        named = _few([f"{f} (+-{1000 * far:.0f} mm)" for far, f in worst])
        yield (
            f"the motion hardly tells where these joints are: {named}; give offsets, or capture a motion in which they "
            "turn about all their axes and use its sizes"
        )


def _few(names: Sequence[str], most: int = 6) -> str:
    """Return the first names with commas, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def suspicious(found: Estimate) -> bool:
    """Return whether markers may be on other frames than they are said to be on: sizes are unlikely, or errors no noise."""
    seen: Mask = np.isfinite(found.far)
    wrong = float((found.wrong & ~found.exchanged).sum()) / max(float(seen.sum()), 1.0)
    return bool(found.doubt.bones or found.doubt.markers) or wrong > WRONG or found.sigma > NOISY * found.body.span
