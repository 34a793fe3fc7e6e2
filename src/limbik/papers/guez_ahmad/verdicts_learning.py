"""Judges of the paper's results: what networks learn, and where they err."""

from collections.abc import Iterable

from limbik.papers.guez_ahmad import sine, singularity, training_over_time, unprinted
from limbik.papers.guez_ahmad.arms import EDGES, PARTS, PLOTTED
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT, SINE_MAX, SINE_MEAN, THIRD_MAX
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS
from limbik.papers.guez_ahmad.training import EPOCHS, PAPER
from limbik.papers.verdict import Finding, Values

# A line whose slope at an end is below this part of that in the middle is flattened there; in the middle it differs
# from 1 by no more than the rest.
FLAT = 0.95
# An average is negligible up to this part of the printed largest error; it counts as zero down to this below it [rad].
NEGLIGIBLE, ZERO = 0.1, 1e-6
THIRD = {THIRD_AT_90.name: THIRD_MAX["90"], THIRD_AT_0.name: THIRD_MAX["0"]}


def span(values: Iterable[float]) -> str:
    """Return the range of values as text."""
    found = list(values)
    return f"{min(found):.3g} to {max(found):.3g}"


def the_sine(values: Values) -> Finding:
    """Judge the results: the average error of the sine is less than 0.01, the largest 0.25."""
    found = values[sine.EXPERIMENT.name]
    pairs = {epochs: (found[f"{epochs} mean"], found[f"{epochs} max"]) for epochs in sine.EPOCHS}
    sentence = "; ".join(f"{mean:.2g} and {most:.2g} after {epochs:,} epochs" for epochs, (mean, most) in pairs.items())
    return Finding(
        f"Mean and largest error: {sentence}.",
        {f"{epochs:,} epochs": mean < SINE_MEAN and most <= SINE_MAX for epochs, (mean, most) in pairs.items()},
    )


def learned(values: Values) -> Finding:
    """Judge the results: an average error of 5 % and a maximum of 10 %, and similar with three joints."""
    open_ones = values[unprinted.EXPERIMENT.name]
    pairs = {
        f"{reading.name}, {epochs:,} epochs": tuple(
            open_ones[f"{reading.name} {epochs} {key}"] for key in ("mean", "max")
        )
        for reading in unprinted.READINGS
        for epochs in unprinted.JUDGED
    }
    for quadrant in (TWO_LINKS, THIRD_AT_90, THIRD_AT_0):
        found = values[quadrant.name]
        for epochs in EPOCHS if quadrant is TWO_LINKS else PLOTTED:
            pairs[f"{quadrant.name}, {epochs:,} epochs"] = found[f"{epochs} mean"], found[f"{epochs} max"]
    two, worst = pairs[f"{TWO_LINKS.name}, {PAPER:,} epochs"], values[TWO_LINKS.name]
    return Finding(
        f"Two links after {PAPER:,} epochs: mean {two[0]:.2f} %, largest {two[1]:.1f} % (worst start: "
        f"{worst[f'{PAPER} worst mean']:.2f} and {worst[f'{PAPER} worst max']:.1f} %). Over all readings the mean is "
        f"{span(mean for mean, _ in pairs.values())} %, the largest {span(most for _, most in pairs.values())} %.",
        {name: mean <= MEAN_PERCENT and most <= MAX_PERCENT for name, (mean, most) in pairs.items()},
    )


def together(values: Values) -> Finding:
    """Judge the results: 5 % and 10 % are the errors of one network."""
    found, over = values[unprinted.EXPERIMENT.name], values[training_over_time.EXPERIMENT.name]
    shares = {
        f"{reading.name}, {kind}": found[f"{reading.name} {kind} share"]
        for reading in unprinted.READINGS
        for kind in unprinted.KINDS
    }
    readings = {f"{name}, some network": share > 0 for name, share in shares.items()}
    readings |= {
        f"{reading.name}, {kind}, median of the starts": found[f"{reading.name} {kind} median"] > 0
        for reading in unprinted.READINGS
        for kind in unprinted.KINDS
    }
    return Finding(
        f"Of the networks of all starts and epochs, {span(shares.values())} % have a mean error that rounds to 0.1 "
        "m and a largest that rounds to 0.2 m. With 20 x 20 examples, edges included, the median start has "
        f"{over['20 mean']:.1f} % with {over['20 then max']:.0f} % after {over['20 mean at']:.0f} epochs, and "
        f"{over['20 then mean']:.1f} % with {over['20 max']:.0f} % after {over['20 max at']:.0f}.",
        readings,
    )


def third_angle(values: Values) -> Finding:
    """Judge the results: the third angle has a negligible positive average error and a maximum of 0.05 or 0.12 rad."""
    readings, parts = {}, []
    for name, printed in THIRD.items():
        for epochs in PLOTTED:
            most, mean = (values[name][f"{epochs} {key}"] for key in ("third", "third mean"))
            readings[f"{name}, {epochs:,} epochs, largest"] = most <= printed
            readings[f"{name}, {epochs:,} epochs, average"] = -ZERO <= mean <= NEGLIGIBLE * printed
            parts.append(f"{name}, {epochs:,} epochs: largest {most:.1g} rad, average {mean:+.0e} rad")
    return Finding(f"{'; '.join(parts)}.", readings)


def flattened(values: Values) -> Finding:
    """Judge the results: found over desired angles is a line that flattens at the edges (figures 9 and 10)."""
    found = values[TWO_LINKS.name]
    slopes = {(e, k, part): found[f"{e} slope {k} {part}"] for e in PLOTTED for k in (1, 2) for part in PARTS}
    readings = {
        f"theta{k}, {part} of the range, {e:,} epochs": slope < FLAT * slopes[e, k, "middle"]
        and abs(slopes[e, k, "middle"] - 1.0) <= 1.0 - FLAT
        for (e, k, part), slope in slopes.items()
        if part != "middle"
    }
    ends = "; ".join(
        f"theta{k} {span(slopes[e, k, 'middle'] for e in PLOTTED)} in the middle, "
        f"{span(slopes[e, k, part] for e in PLOTTED for part in PARTS if part.startswith('low'))} at the low end, "
        f"{span(slopes[e, k, part] for e in PLOTTED for part in PARTS if part.startswith('high'))} at the high end"
        for k in (1, 2)
    )
    edges = " and ".join(f"{edge:.2g}" for edge in EDGES)
    after = " and ".join(f"{epochs:,}" for epochs in PLOTTED)
    return Finding(f"Slopes, for ends of {edges} of the range, after {after} epochs: {ends}.", readings)


def singular(values: Values) -> Finding:
    """Judge the results: with two and three joints the error increases where theta2 is near 0."""
    found = values[singularity.EXPERIMENT.name]
    readings: dict[str, bool] = {}
    ratios: dict[str, list[float]] = {what: [] for what in singularity.MEASURES}
    folded = []
    for quadrant in singularity.QUADRANTS:
        for epochs in singularity.EPOCHS:
            for what in singularity.MEASURES:
                key = f"{quadrant.name} {epochs:,} epochs {what}"
                between = found[f"{key} between"]
                for near in singularity.NEAR:
                    zone = found[f"{key} near 0 ({near:g} rad)"]
                    readings[f"{quadrant.name}, {epochs:,} epochs, {what}, within {near:g} rad"] = zone > between
                    ratios[what].append(zone / between if between else float("nan"))
                folded.append(
                    found[f"{key} near pi ({singularity.NEAR[-1]:g} rad)"] / between if between else float("nan")
                )
    return Finding(
        f"Near 0 the position error is {span(ratios['position'])} times, the error of theta2 "
        f"{span(ratios['theta2'])} times that between the singular postures; near pi both are {span(folded)} times.",
        readings,
    )
