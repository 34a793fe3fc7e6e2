"""The summary of a capture: what was estimated, ignored or doubtful, and how to improve it."""

from collections.abc import Iterable, Sequence

import numpy as np

from limbik.model.markers import Markers
from limbik.model.ranges import Mask
from limbik.motion.capture.doubt import LONGEST_BRIDGE
from limbik.motion.capture.estimate import Estimate
from limbik.motion.capture.sizing import EstimateOptions

# Lengths with a larger deviation, as a fraction of the figure's size, are reported: 5 mm on a human figure.
UNSURE = 0.0033
# Frames with a larger position error due to estimated sizes are reported: 1 cm on a human figure.
LOOSE = 0.0066
# With fewer frames, lengths and offsets are hardly distinguishable.
FEW = 30
# A larger fraction of outliers, or more noise as a fraction of the figure's size, indicates wrong names.
WRONG, NOISY = 0.1, 0.01


def summary_of(
    markers: Markers,
    found: Estimate,
    options: EstimateOptions,
    ignored: list[str],
    unobserved: list[str],
    swapped: tuple[str, ...],
) -> str:
    """Return the summary: sentences joined by semicolons.

    ignored: markers without a frame. unobserved: joints that no marker determines. swapped: frames whose left and right seem
    to be exchanged.
    """
    seen = found.far[np.isfinite(found.far)]
    sentences = [
        f"{len(markers.names)} markers in {len(markers)} frames: median error {1000 * np.median(seen):.2g} mm, noise "
        f"{1000 * found.sigma:.2g} mm per coordinate; {options.groups.shape[1]} lengths and "
        f"{int(options.free.sum())} offsets estimated"
    ]
    sentences += _doubts(markers, found, swapped)
    if found.exchanged.any():
        named = [name for name, some in zip(markers.names, found.exchanged.T, strict=True) if some.any()]
        sentences.append(
            f"{_few(named, 4)} had exchanged names in {int(found.exchanged.any(axis=1).sum())} frames, which was corrected"
        )
    if found.outliers.any():
        sentences.append(f"{int(found.outliers.sum())} marker positions are outliers and were rejected")
    sentences += _sizes(found)
    if unobserved:
        sentences.append(f"no marker determines {_few(unobserved)}: they stay at rest")
    if ignored:
        sentences.append(f"ignored, because their frame is unknown: {', '.join(ignored[:8])}")
    if len(markers) < FEW and (options.groups.shape[1] or options.free.any()):
        sentences.append(f"{len(markers)} frames are too few to separate lengths from offsets; use a longer motion")
    return "; ".join(sentences)


def _doubts(markers: Markers, found: Estimate, swapped: tuple[str, ...]) -> Iterable[str]:
    doubt, body = found.doubt, found.body
    if swapped:
        yield f"left and right seem to be exchanged at {_few(swapped)} (or an axis is mirrored): exchange their names"
    if doubt.bones:
        median = np.median([found.factors[k] for k in range(len(body.bones))])
        named = [f"{body.bones[k].name} ({found.factors[k] / median:.2g} times)" for k in doubt.bones]
        yield (
            f"bone lengths are implausible relative to the others: {_few(named)}, so every frame is doubtful: check that "
            "each marker is assigned to the right frame, and that the figure has the right proportions"
        )
    if doubt.markers:
        yield (
            f"offsets are implausibly far from their bones: {_few([markers.names[k] for k in doubt.markers])}, so every frame "
            "is doubtful: check that each marker is assigned to the right frame"
        )
    if doubt.loose.any():
        worst = 1000 * float(np.median(doubt.error[doubt.loose]))
        reason = "the markers do not determine the posture, or the sizes are wrong"
        if doubt.systematic:
            reason = (
                f"the markers have a systematic error of {1000 * doubt.systematic:.2g} mm, due to wrong bone lengths or offsets, "
                "or, harmlessly, to skin that slides over bones; the errors cannot distinguish these causes"
            )
        yield (
            f"joints may have a mean error of {worst:.3g} mm in {int(doubt.loose.sum())} frames (doubtful, first frame "
            f"{int(np.argmax(doubt.loose))}), and joints without markers may be anywhere: {reason}"
        )
    if doubt.bridged.any():
        yield f"{int(doubt.bridged.sum())} frames lack markers and are interpolated in time"
    if doubt.guessed.any():
        yield (
            f"{int(doubt.guessed.sum())} of them over more than {LONGEST_BRIDGE:g} s, where some joints are guesses (doubtful, "
            f"first frame {int(np.argmax(doubt.guessed))})"
        )


def _sizes(found: Estimate) -> Iterable[str]:
    span = found.body.span
    deviations = sorted(zip(found.deviations, found.body.bones, strict=True), key=lambda one: -one[0])
    if hardly := [f"{bone.name} (+-{1000 * far:.0f} mm)" for far, bone in deviations if far > UNSURE * span]:
        yield (
            f"the motion hardly determines the lengths to {', '.join(hardly[:6])}: use a motion in which these joints rotate "
            "more, or give offsets"
        )
    worst = sorted(
        ((far, f) for f, far in found.place_error.items() if f in found.body.on and far > LOOSE * span), reverse=True
    )
    if worst:
        named = _few([f"{f} (+-{1000 * far:.0f} mm)" for far, f in worst])
        yield (
            f"the motion hardly determines the positions of these joints: {named}; give offsets, or capture a motion in which "
            "they rotate about all their axes and use its sizes"
        )


def _few(names: Sequence[str], most: int = 6) -> str:
    """Return the first names, separated by commas, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def suspicious(found: Estimate) -> bool:
    """Return whether markers may be assigned to wrong frames: sizes are implausible, or errors too large."""
    seen: Mask = np.isfinite(found.far)
    wrong = float((found.outliers & ~found.exchanged).sum()) / max(float(seen.sum()), 1.0)
    return bool(found.doubt.bones or found.doubt.markers) or wrong > WRONG or found.sigma > NOISY * found.body.span
