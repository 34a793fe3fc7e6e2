"""The paper's sentences on networks (results, list of features, discussion), judged by the measured values of all experiments."""

from limbik.papers.guez_ahmad import (
    adaptation,
    both_angles,
    faults,
    freedom,
    refinement,
    scarce,
    singularity,
    speed,
    training_over_time,
)
from limbik.papers.guez_ahmad.both_angles import SELECTED, UNSELECTED
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT, PUMA_COUNTS, THIRD_MAX
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS
from limbik.papers.guez_ahmad.training import LATE, PAPER
from limbik.papers.verdict import Conclusion, Figures, Finding, Holds

# The ratio of two values up to which they count as alike, and from which on as far apart.
ALIKE, APART = 1.5, 3.0
# A line through found over desired angles with a slope below this counts as flattened.
FLAT = 0.95
# The largest number of steps that counts as "only a very few".
VERY_FEW = 3.0
LATE_NETWORK, LM_NETWORK = f"network, {LATE:,} epochs", "network, Levenberg-Marquardt"
FIXED, RANDOM = refinement.GUESSES[3], refinement.GUESSES[5]


def learned(figures: Figures) -> Finding:
    """Judge the results: an average error of 5 % and a maximum of 10 %, and similar with three joints."""
    parts, good = [], []
    for quadrant, third in ((TWO_LINKS, None), (THIRD_AT_90, THIRD_MAX["90"]), (THIRD_AT_0, THIRD_MAX["0"])):
        found = figures[quadrant.name]
        mean, most = found[f"{PAPER} mean"], found[f"{PAPER} max"]
        text = f"{quadrant.name} {mean:.2f} and {most:.1f} %"
        good.append(mean <= MEAN_PERCENT and most <= MAX_PERCENT)
        if third is not None:
            off = found[f"{PAPER} third"]
            text += f", largest error of theta3 {off:.1g} rad"
            good.append(off <= third)
        parts.append(text)
    return Finding(Holds.by_parts(*good), f"mean and largest error after {PAPER:,} epochs: {'; '.join(parts)}")


def together(figures: Figures) -> Finding:
    """Judge the results: 5 % and 10 % are the errors of one network."""
    found = figures[training_over_time.EXPERIMENT.name]
    parts = [
        f"{side} x {side} examples: mean {found[f'{side} mean']:.1f} % and maximum {found[f'{side} then max']:.0f} % "
        f"after {found[f'{side} mean at']:.0f} epochs, mean {found[f'{side} then mean']:.1f} % and maximum "
        f"{found[f'{side} max']:.0f} % after {found[f'{side} max at']:.0f}"
        for side in training_over_time.SIDES
    ]
    good = [found[f"{side} then max"] <= ALIKE * MAX_PERCENT for side in training_over_time.SIDES]
    return Finding(Holds.by_parts(*good), "; ".join(parts))


def flattened(figures: Figures) -> Finding:
    """Judge the results: found over desired angles is a line that flattens at the edges (figures 9 and 10)."""
    found = figures[TWO_LINKS.name]
    slopes = {(k, part): found[f"slope {k} {part}"] for k in (1, 2) for part in ("low", "middle", "high")}
    text = "; ".join(
        f"theta{k} {slopes[k, 'low']:.3f} at the low end, {slopes[k, 'middle']:.3f} in the middle, "
        f"{slopes[k, 'high']:.3f} at the high end"
        for k in (1, 2)
    )
    straight = all(abs(slopes[k, "middle"] - 1.0) <= 1.0 - FLAT for k in (1, 2))
    flat = [slopes[k, part] < FLAT for k in (1, 2) for part in ("low", "high")]
    holds = Holds.NOT if not straight or not any(flat) else Holds.FULLY if all(flat) else Holds.PARTLY
    return Finding(holds, f"slopes: {text}")


def singular(figures: Figures) -> Finding:
    """Judge the results: the error increases where theta2 is near 0, one of the two singular postures."""
    found = figures[singularity.EXPERIMENT.name]
    training = "back-propagation"
    near, between, folded = (found[f"{training} {zone}"] for zone in ("near 0", "between", "near pi"))
    ratio = found[f"{training} near 0 angle"] / found[f"{training} between angle"]
    sentence = (
        f"the mean error is {near:.2f} % within {singularity.NEAR:g} rad of 0, {between:.2f} % between, and {folded:.2f} "
        f"% near pi, where theta2 changes less with r; the error of theta2 itself is {ratio:.0f} times as large near 0 as "
        "between"
    )
    return Finding(Holds.by_parts(near > ALIKE * between), sentence)


def any_freedom(figures: Figures) -> Finding:
    """Judge feature ii: after training the time is independent of the number of dof."""
    found = figures[freedom.EXPERIMENT.name]
    two, _, six, wider = (each.name for each in freedom.ARMS)
    ratio = found[f"{six} row"] / found[f"{two} row"]
    wide = found[f"{wider} row"] / found[f"{two} row"]
    sentence = (
        f"with the same hidden units 6 joints take {ratio:.2f} times as long as 2, but the error is "
        f"{found[f'{six} error']:.2g} % instead of {found[f'{two} error']:.2g} % of the reach; with twice as many units "
        f"6 joints take {wide:.1f} times as long, with an error of {found[f'{wider} error']:.2g} %"
    )
    return Finding(Holds.by_parts(ratio <= ALIKE, found[f"{six} error"] <= APART * found[f"{two} error"]), sentence)


def generalises(figures: Figures) -> Finding:
    """Judge feature iii: good results at new points, from a scarce set of examples."""
    found, links = figures[scarce.EXPERIMENT.name], figures[TWO_LINKS.name]
    new, seen = links[f"{PAPER} mean"], links[f"{PAPER} examples"]
    sentence = (
        f"with 20 x 20 examples the mean error is {new:.2f} % at new targets and {seen:.2f} % at the examples; with 10 x "
        f"10 it is {found['10 mean']:.2f} %, with 5 x 5 {found['5 mean']:.2f} %, by Levenberg-Marquardt "
        f"{found['10 lm mean']:.2f} and {found['5 lm mean']:.2f} %"
    )
    return Finding(Holds.by_parts(new <= ALIKE * seen, found["10 mean"] <= MEAN_PERCENT), sentence)


def no_programming(figures: Figures) -> Finding:
    """Judge feature i: the network is trained by examples; programming may be eliminated."""
    forward = figures[scarce.EXPERIMENT.name]["forward mean"]
    both = figures[both_angles.EXPERIMENT.name]
    blind, third = (both[f"{UNSELECTED} {THIRD_AT_0.name} {key}"] for key in ("mean", "third"))
    selected = both[f"{SELECTED} {THIRD_AT_0.name} mean"]
    sentence = (
        f"with examples from random postures and forward kinematics alone the mean error is {forward:.2f} %; but somebody "
        "has to choose one posture for each target: trained with theta3 at 0 and at 90 deg, the network answers "
        f"{third:.0f} deg with an error of {blind:.1f} %; with an input that selects theta3 the error is {selected:.2f} %"
    )
    return Finding(Holds.by_parts(forward <= MEAN_PERCENT, blind <= ALIKE * selected), sentence)


def adapts(figures: Figures) -> Finding:
    """Judge feature iv: self organizing gives the ability to adapt to changes within the system."""
    found = figures[adaptation.EXPERIMENT.name]
    sentence = (
        f"a link 0.1 m shorter increases the mean error from {found['before']:.2f} to {found['trained 0']:.1f} %; with "
        f"examples of the new arm it is below {adaptation.ADAPTED:g} % by epoch {found['trained adapted']:.0f}, that of a "
        f"new network by epoch {found['new adapted']:.0f}, and 36 examples are enough; the network does not adapt without "
        "examples"
    )
    sooner = found["trained adapted"] < found["new adapted"]
    return Finding(Holds.by_parts(sooner, found["trained 0"] <= adaptation.ADAPTED), sentence)


def tolerates(figures: Figures) -> Finding:
    """Judge feature v and the discussion: natural fault tolerance."""
    found = figures[faults.EXPERIMENT.name]
    parts = [
        f"{training} {found[f'{training} 0']:.2g} % intact, {found[f'{training} 1']:.2g} % without 1 weight of 162, "
        f"{found[f'{training} 8']:.2g} % without 8 (the removal of a weight at most doubles the error for "
        f"{found[f'{training} harmless']:.0f} % of the weights)"
        for training in faults.TRAININGS
    ]
    good = [found[f"{training} 1"] <= ALIKE * found[f"{training} 0"] for training in faults.TRAININGS]
    return Finding(Holds.by_parts(*good), f"mean error, median over removals: {'; '.join(parts)}")


def few_iterations(figures: Figures) -> Finding:
    """Judge the discussion: a good initial guess cuts the number of iterations to only a very few."""
    found = figures[refinement.EXPERIMENT.name]
    steps = {name: found[f"{name} Newton steps"] for name in (LATE_NETWORK, LM_NETWORK, FIXED, RANDOM)}
    sentence = "Newton steps to 1e-6 m: " + ", ".join(f"{name} {count:.2f}" for name, count in steps.items())
    sentence += (
        f"; from random postures {found[f'{RANDOM} Newton failed']:.0f} % of the targets fail, from the fixed posture "
        f"{found[f'{FIXED} Newton failed']:.0f} %"
    )
    good = [steps[name] <= VERY_FEW and steps[name] < steps[FIXED] for name in (LATE_NETWORK, LM_NETWORK)]
    return Finding(Holds.by_parts(*good), sentence)


def accurate(figures: Figures) -> Finding:
    """Judge abstract and discussion: with local differential methods it provides a full accurate solution."""
    found = figures[refinement.EXPERIMENT.name]
    failed = {method: found[f"{LATE_NETWORK} {method} failed"] for method in refinement.METHODS}
    branch = found[f"{LATE_NETWORK} Newton branch"]
    sentence = (
        f"from the network after {LATE:,} epochs "
        + ", ".join(f"{method} fails at {share:.2g} %" for method, share in failed.items())
        + f" of the targets; Newton ends on the trained branch at {branch:.1f} %"
    )
    return Finding(Holds.by_parts(failed["Newton"] == 0, failed["LM"] == 0), sentence)


def fast(figures: Figures) -> Finding:
    """Judge the discussion: an approximate, but fast solution."""
    found = figures[speed.EXPERIMENT.name]
    sentence = (
        f"Puma 560, time of a call: the network {found['network']:.2g} us, all exact postures by closed form "
        f"{found['closed form']:.2g} us, one by Levenberg-Marquardt {found['LM']:.2g} us; the network has "
        f"{found['products']:.0f} multiplications and {found['functions']:.0f} tanh, Paul and Zhang's closed form "
        f"{PUMA_COUNTS[0]} multiplications and {PUMA_COUNTS[2]} transcendental functions"
    )
    return Finding(Holds.by_parts(found["network"] < found["LM"], found["network"] < found["closed form"]), sentence)


def not_for_closed_forms(figures: Figures) -> Finding:
    """Judge the discussion: it may not seem suitable where closed forms exist, but as an estimate for iterative methods."""
    found = figures[speed.EXPERIMENT.name]
    both = found["network"] + found["LM from the network"]
    sentence = (
        f"Puma 560: the network and Levenberg-Marquardt from its answer take {both:.2g} us for one exact posture "
        f"({found['solved']:.4g} % solved), Levenberg-Marquardt alone {found['LM']:.2g} us, the closed form "
        f"{found['closed form']:.2g} us for all postures"
    )
    return Finding(Holds.by_parts(found["closed form"] < both, found["LM from the network"] < found["LM"]), sentence)


CONCLUSIONS = (
    Conclusion(
        "inverse kinematics is learnt fairly well, 5 % on average and 10 % at most, with three joints too",
        Holds.FULLY,
        learned,
    ),
    Conclusion("one network has the average of 5 % and the maximum of 10 %", Holds.FULLY, together),
    Conclusion("found over desired angles is a line that flattens at the edges", Holds.FULLY, flattened),
    Conclusion("the error increases when theta2 is near 0, a singular posture", Holds.FULLY, singular),
    Conclusion("feature i, examples may eliminate programming", Holds.FULLY, no_programming),
    Conclusion("feature ii, after training the time is independent of the number of dof", Holds.FULLY, any_freedom),
    Conclusion("feature iii, it generalises from a scarce set of examples", Holds.FULLY, generalises),
    Conclusion("feature iv, it adapts to changes within the system", Holds.FULLY, adapts),
    Conclusion("feature v, fault tolerance", Holds.FULLY, tolerates),
    Conclusion("as a first guess it cuts the iterations to only a very few", Holds.FULLY, few_iterations),
    Conclusion("with local differential methods it gives a full accurate solution", Holds.FULLY, accurate),
    Conclusion("its solution is approximate, but fast", Holds.FULLY, fast),
    Conclusion(
        "it is not for arms with a closed form, but a good first guess for iterative methods",
        Holds.FULLY,
        not_for_closed_forms,
    ),
)
