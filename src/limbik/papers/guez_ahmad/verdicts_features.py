"""Judges of the paper's list of features of networks."""

import math

from limbik.papers.guez_ahmad import adaptation, both_angles, faults, freedom, scarce
from limbik.papers.guez_ahmad.both_angles import SELECTED, UNSELECTED
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.training import EXAMPLES, PAPER
from limbik.papers.verdict import Finding, Values

# The ratio up to which a cost counts as independent of the number of joints, and two errors as alike.
INDEPENDENT, ALIKE = 1.1, 3.0
# The largest increase of an error that a fault-tolerant network shows.
TOLERATED = 1.5


def no_programming(values: Values) -> Finding:
    """Judge feature i: the network is trained by examples; programming may be eliminated."""
    found, both = values[scarce.EXPERIMENT.name], values[both_angles.EXPERIMENT.name]
    errors = {
        f"postures by forward kinematics, {text}": (found[f"{name} mean"], found[f"{name} max"])
        for name, text in scarce.FORWARD.items()
    }
    for design, text in ((UNSELECTED, "theta3 at 0 and at 90 deg"), (SELECTED, "theta3 at 0 and at 90 deg, given")):
        means, largest = ([both[f"{design} {q.name} {key}"] for q in both_angles.BOTH] for key in ("mean", "max"))
        errors[text] = max(means), max(largest)
    readings: dict[str, bool] = {}
    for text, (mean, most) in errors.items():
        readings |= {f"{text}: mean": mean <= MEAN_PERCENT, f"{text}: largest": most <= MAX_PERCENT}
    sentence = "; ".join(f"{text} {mean:.2g} % and {most:.3g} %" for text, (mean, most) in errors.items())
    return Finding(f"Mean and largest error by the examples: {sentence}; the paper's are 5 and 10 %.", readings)


def any_freedom(values: Values) -> Finding:
    """Judge feature ii: after training the time is independent of the number of dof."""
    found = values[freedom.EXPERIMENT.name]
    two, _, six, wider = (each.name for each in freedom.ARMS)
    products = found[f"{six} products"] / found[f"{two} products"]
    layers = found[f"{six} layers"] / found[f"{two} layers"]
    time, wide = found[f"{six} ratio"], found[f"{wider} ratio"]
    errors = {name: (found[f"{name} error"], found[f"{name} largest"]) for name in (two, six, wider)}
    alike = {name: errors[name][0] <= ALIKE * errors[two][0] for name in (six, wider)}
    sentence = "; ".join(f"{name} {mean:.2g} and {most:.2g} %" for name, (mean, most) in errors.items())
    return Finding(
        f"From 2 to 6 joints, with the same hidden units: {layers:.3g} times the layers, {products:.3g} times the "
        f"multiplications, {time:.2f} times the time in a batch ({wide:.1f} times with twice as many units). Mean "
        f"and largest error [% of reach]: {sentence}.",
        {
            "units of a layer at work at once: layers": layers <= INDEPENDENT,
            "one processor: multiplications": products <= INDEPENDENT,
            "one processor: time on this machine": time <= INDEPENDENT,
            "units of a layer at work at once, the same error": layers <= INDEPENDENT and alike[six],
            "one processor, as many units as the same error needs": wide <= INDEPENDENT and alike[wider],
        },
    )


def generalises(values: Values) -> Finding:
    """Judge feature iii: good results at new points, from a scarce set of examples."""
    found, links = values[scarce.EXPERIMENT.name], values[TWO_LINKS.name]
    scarce_sides = [side for side in scarce.SIDES if side <= EXAMPLES]
    readings = {}
    for side in scarce_sides:
        for prefix, name in (("", "back-propagation"), ("lm ", "Levenberg-Marquardt")):
            mean, most = found[f"{side} {prefix}mean"], found[f"{side} {prefix}max"]
            readings[f"{side} x {side}, {name}"] = mean <= MEAN_PERCENT and most <= MAX_PERCENT
    shown = "; ".join(
        f"{side} x {side} {found[f'{side} mean']:.2g} and {found[f'{side} max']:.3g} % "
        f"({found[f'{side} lm mean']:.2g} and {found[f'{side} lm max']:.2g} %)"
        for side in scarce_sides
    )
    return Finding(
        f"Mean and largest error at new points by back-propagation (by Levenberg-Marquardt): {shown}. With 20 x 20 "
        f"examples and {PAPER:,} epochs the mean is {links[f'{PAPER} mean']:.2f} %, and "
        f"{links[f'{PAPER} examples']:.2f} % at the examples.",
        readings,
    )


def adapts(values: Values) -> Finding:
    """Judge feature iv: self organizing gives the ability to adapt to changes within the system."""
    found = values[adaptation.EXPERIMENT.name]
    before = found["before mean"]
    criteria = {"adapted": f"{adaptation.ADAPTED:g} times the mean error before", "within": "5 and 10 %"}
    readings, parts = {}, []
    for changed in adaptation.CHANGED:
        mean, most = (found[f"{changed.name} {EXAMPLES} {adaptation.TRAINED} 0 {key}"] for key in ("mean", "max"))
        readings[f"{changed.name}, without examples, {criteria['adapted']}"] = mean <= adaptation.ADAPTED * before
        readings[f"{changed.name}, without examples, {criteria['within']}"] = (
            mean <= MEAN_PERCENT and most <= MAX_PERCENT
        )
        texts = []
        for side in adaptation.SIDES:
            counts = []
            for key, criterion in criteria.items():
                epochs, new = (
                    found[f"{changed.name} {side} {start} {key}"] for start in (adaptation.TRAINED, adaptation.NEW)
                )
                sooner = epochs < (new if new >= 0 else math.inf)
                readings[f"{changed.name}, {side} x {side} examples, {criterion}, sooner than a new network"] = sooner
                counts.append(f"{_epochs(epochs)} ({_epochs(new)})")
            texts.append(f"{side} x {side} {' and '.join(counts)}")
        parts.append(f"{changed.name}: {mean:.1f} and {most:.1f} % without examples; {', '.join(texts)}")
    return Finding(
        f"Epochs of further training (of a new network) until the mean error is at most {criteria['adapted']} the "
        f"change, {before:.2f} %, and until mean and largest error are the paper's {criteria['within']}: {'. '.join(parts)}.",
        readings,
    )


def _epochs(count: float) -> str:
    return f"{count:.0f}" if count >= 0 else f"not in {adaptation.CHECKED[-1]}"


def tolerates(values: Values) -> Finding:
    """Judge feature v and the discussion: natural fault tolerance."""
    found = values[faults.EXPERIMENT.name]
    readings, parts = {}, []
    for training in faults.TRAININGS:
        intact = found[f"{training} 0 mean"]
        for key in (*map(str, faults.REMOVED), "unit"):
            mean, most = found[f"{training} {key} mean"], found[f"{training} {key} max"]
            what = f"{training}, without {'1 unit' if key == 'unit' else f'{key} weights'}"
            readings[f"{what}: at most {TOLERATED:g} times the mean error"] = mean <= TOLERATED * intact
            readings[f"{what}: within 5 and 10 %"] = mean <= MEAN_PERCENT and most <= MAX_PERCENT
        one, eight = (
            f"{found[f'{training} {key} mean']:.2g} and {found[f'{training} {key} max']:.3g} %" for key in "18"
        )
        parts.append(
            f"{training}: {intact:.2g} and {found[f'{training} 0 max']:.2g} % intact, {one} without 1 weight of "
            f"162, {eight} without 8; for {found[f'{training} harmless']:.0f} % of the weights the removal at most "
            "doubles the mean"
        )
    return Finding(f"Mean and largest error, median over removals. {'; '.join(parts)}.", readings)
