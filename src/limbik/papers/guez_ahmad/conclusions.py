"""What the paper says of networks, judged by the figures of all experiments: results, list of features, discussion."""

from limbik.papers.guez_ahmad import (
    adaptation,
    both_angles,
    course,
    faults,
    freedom,
    refinement,
    scarce,
    singularity,
    speed,
)
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT, PUMA_COUNTS, THIRD_MAX
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS
from limbik.papers.guez_ahmad.training import LATE, PAPER
from limbik.papers.verdict import Conclusion, Figures, Finding, Holds

# Figures are alike when one is at most so many times the other, and far apart from so many times on.
ALIKE, APART = 1.5, 3.0
# A line through found and desired angles is flat with a slope below this.
FLAT = 0.95
# Steps that are "only a very few".
VERY_FEW = 3.0
LATE_NETWORK, LM_NETWORK = f"network, {LATE:,} epochs", "network, Levenberg-Marquardt"
FIXED, RANDOM = refinement.GUESSES[3], refinement.GUESSES[5]


def _of(*good: bool) -> Holds:
    """Return how far a sentence holds whose parts do or do not."""
    return Holds.FULLY if all(good) else Holds.PARTLY if any(good) else Holds.NOT


def learned(figures: Figures) -> Finding:
    """Results: an average error of 5 % and a maximum of 10 %, and the like with three joints."""
    parts, good = [], []
    for quadrant, third in ((TWO_LINKS, None), (THIRD_AT_90, THIRD_MAX["90"]), (THIRD_AT_0, THIRD_MAX["0"])):
        found = figures[quadrant.name]
        mean, most = found[f"{PAPER} mean"], found[f"{PAPER} max"]
        text = f"{quadrant.name} {mean:.2f} and {most:.1f} %"
        good.append(mean <= MEAN_PERCENT and most <= MAX_PERCENT)
        if third is not None:
            off = found[f"{PAPER} third"]
            text += f", theta3 off by {off:.1g} rad at most"
            good.append(off <= third)
        parts.append(text)
    return Finding(_of(*good), f"after {PAPER:,} epochs, mean and greatest error: {'; '.join(parts)}")


def together(figures: Figures) -> Finding:
    """Results: 5 % and 10 % are those of one network."""
    found = figures[course.EXPERIMENT.name]
    parts = [
        f"{side} x {side} examples: {found[f'{side} mean']:.1f} % with {found[f'{side} then max']:.0f} % after "
        f"{found[f'{side} mean at']:.0f} epochs, {found[f'{side} then mean']:.1f} % with "
        f"{found[f'{side} max']:.0f} % after "
        f"{found[f'{side} max at']:.0f}"
        for side in course.SIDES
    ]
    good = [found[f"{side} then max"] <= ALIKE * MAX_PERCENT for side in course.SIDES]
    return Finding(_of(*good), "; ".join(parts))


def flattened(figures: Figures) -> Finding:
    """Results: found against desired angles is a line that flattens at the edges (figures 9 and 10)."""
    found = figures[TWO_LINKS.name]
    slopes = {(k, part): found[f"slope {k} {part}"] for k in (1, 2) for part in ("low", "middle", "high")}
    text = "; ".join(
        f"theta{k} {slopes[k, 'low']:.3f} at the low end, {slopes[k, 'middle']:.3f} between, "
        f"{slopes[k, 'high']:.3f} at the high end"
        for k in (1, 2)
    )
    straight = all(abs(slopes[k, "middle"] - 1.0) <= 1.0 - FLAT for k in (1, 2))
    flat = [slopes[k, part] < FLAT for k in (1, 2) for part in ("low", "high")]
    holds = Holds.NOT if not straight or not any(flat) else Holds.FULLY if all(flat) else Holds.PARTLY
    return Finding(holds, f"slopes: {text}")


def singular(figures: Figures) -> Finding:
    """Results: the error increases where theta2 is near 0, one of the two singular postures."""
    found = figures[singularity.EXPERIMENT.name]
    way = "back-propagation"
    near, between, folded = (found[f"{way} {zone}"] for zone in ("near 0", "between", "near pi"))
    turned = found[f"{way} near 0 angle"] / found[f"{way} between angle"]
    sentence = (
        f"{near:.2f} % within {singularity.NEAR:g} rad of 0, {between:.2f} % between, {folded:.2f} % near pi, where "
        f"theta2 turns less fast with r; theta2 itself is off {turned:.0f} times as much near 0 as between"
    )
    return Finding(_of(near > ALIKE * between), sentence)


def any_freedom(figures: Figures) -> Finding:
    """Feature ii: after training the time is independent of the number of dof."""
    found = figures[freedom.EXPERIMENT.name]
    two, _, six, wider = (each.name for each in freedom.ARMS)
    ratio = found[f"{six} row"] / found[f"{two} row"]
    wide = found[f"{wider} row"] / found[f"{two} row"]
    sentence = (
        f"the same hidden units take {ratio:.2f} times as long for 6 joints as for 2, but their error is "
        f"{found[f'{six} error']:.2g} % "
        f"instead of {found[f'{two} error']:.2g} % of the reach; twice as many units take {wide:.1f} times as "
        "long and still leave "
        f"{found[f'{wider} error']:.2g} %"
    )
    return Finding(_of(ratio <= ALIKE, found[f"{six} error"] <= APART * found[f"{two} error"]), sentence)


def generalises(figures: Figures) -> Finding:
    """Feature iii: good results at new points, from a scarce set of examples."""
    found, links = figures[scarce.EXPERIMENT.name], figures[TWO_LINKS.name]
    new, seen = links[f"{PAPER} mean"], links[f"{PAPER} examples"]
    sentence = (
        f"20 x 20 examples leave {new:.2f} % at new places and {seen:.2f} % at their own; 10 x 10 leave "
        f"{found['10 mean']:.2f} %, "
        f"5 x 5 {found['5 mean']:.2f} %, by Levenberg-Marquardt {found['10 lm mean']:.2f} and "
        f"{found['5 lm mean']:.2f} %"
    )
    return Finding(_of(new <= ALIKE * seen, found["10 mean"] <= MEAN_PERCENT), sentence)


def no_programming(figures: Figures) -> Finding:
    """Feature i: trained by being shown examples; programming may be eliminated."""
    forward = figures[scarce.EXPERIMENT.name]["forward mean"]
    both = figures[both_angles.EXPERIMENT.name]
    untold, third = both[f"untold {THIRD_AT_0.name} mean"], both[f"untold {THIRD_AT_0.name} third"]
    told = both[f"told {THIRD_AT_0.name} mean"]
    sentence = (
        f"random postures and forward kinematics alone train it to {forward:.2f} %; but somebody has to choose "
        "one posture for each "
        f"place: shown theta3 at 0 and at 90 deg it answers {third:.0f} deg and misses by {untold:.1f} %, told "
        f"which by {told:.2f} %"
    )
    return Finding(_of(forward <= MEAN_PERCENT, untold <= ALIKE * told), sentence)


def adapts(figures: Figures) -> Finding:
    """Feature iv: self organizing gives the ability to adapt to changes within the system."""
    found = figures[adaptation.EXPERIMENT.name]
    sentence = (
        f"a link 0.1 m shorter makes {found['before']:.2f} % into {found['trained 0']:.1f} %; shown the new "
        "arm, the mean is below "
        f"{adaptation.ADAPTED:g} % by epoch {found['trained adapted']:.0f}, a new network's by "
        f"{found['new adapted']:.0f}, and 36 "
        f"examples are enough; it does not notice by itself"
    )
    sooner = found["trained adapted"] < found["new adapted"]
    return Finding(_of(sooner, found["trained 0"] <= adaptation.ADAPTED), sentence)


def tolerates(figures: Figures) -> Finding:
    """Feature v and discussion: natural fault tolerance."""
    found = figures[faults.EXPERIMENT.name]
    parts = [
        f"{way} {found[f'{way} 0']:.2g} % whole, {found[f'{way} 1']:.2g} % without 1 weight of 162, "
        f"{found[f'{way} 8']:.2g} % without 8 "
        f"(at most doubled by {found[f'{way} harmless']:.0f} % of the weights)"
        for way in faults.WAYS
    ]
    good = [found[f"{way} 1"] <= ALIKE * found[f"{way} 0"] for way in faults.WAYS]
    return Finding(_of(*good), f"mean error, median over removals: {'; '.join(parts)}")


def few_iterations(figures: Figures) -> Finding:
    """Discussion: a good initial guess cuts the number of iterations to only a very few."""
    found = figures[refinement.EXPERIMENT.name]
    steps = {name: found[f"{name} Newton steps"] for name in (LATE_NETWORK, LM_NETWORK, FIXED, RANDOM)}
    sentence = "Newton steps to 1e-6 m: " + ", ".join(f"{name} {count:.2f}" for name, count in steps.items())
    sentence += (
        f"; random postures fail at {found[f'{RANDOM} Newton failed']:.0f} % of the targets, the fixed one at none"
    )
    good = [steps[name] <= VERY_FEW and steps[name] < steps[FIXED] for name in (LATE_NETWORK, LM_NETWORK)]
    return Finding(_of(*good), sentence)


def accurate(figures: Figures) -> Finding:
    """Abstract and discussion: with local differential methods it provides a full accurate solution."""
    found = figures[refinement.EXPERIMENT.name]
    failed = {method: found[f"{LATE_NETWORK} {method} failed"] for method in refinement.METHODS}
    branch = found[f"{LATE_NETWORK} Newton branch"]
    sentence = (
        f"from the network after {LATE:,} epochs "
        + ", ".join(f"{method} fails at {share:.2g} %" for method, share in failed.items())
        + f"; Newton ends on the trained branch at {branch:.1f} %"
    )
    return Finding(_of(failed["Newton"] == 0, failed["LM"] == 0), sentence)


def fast(figures: Figures) -> Finding:
    """Discussion: an approximate, but fast solution."""
    found = figures[speed.EXPERIMENT.name]
    sentence = (
        f"Puma 560: the network's answer takes {found['network']:.2g} us a call, all exact postures by closed form "
        f"{found['closed form']:.2g}, one by Levenberg-Marquardt {found['LM']:.2g}; it has "
        f"{found['products']:.0f} multiplications and "
        f"{found['functions']:.0f} tanh where Paul and Zhang's closed form has {PUMA_COUNTS[0]} and "
        f"{PUMA_COUNTS[2]} functions"
    )
    return Finding(_of(found["network"] < found["LM"], found["network"] < found["closed form"]), sentence)


def not_for_closed_forms(figures: Figures) -> Finding:
    """Discussion: it may not seem suitable where closed forms exist, but as an estimate for iterative methods."""
    found = figures[speed.EXPERIMENT.name]
    both = found["network"] + found["LM from the network"]
    sentence = (
        f"Puma 560: network and Levenberg-Marquardt from it take {both:.2g} us for one exact posture "
        f"({found['solved']:.4g} % solved), "
        f"Levenberg-Marquardt by itself {found['LM']:.2g}, the closed form {found['closed form']:.2g} for all of them"
    )
    return Finding(_of(found["closed form"] < both, found["LM from the network"] < found["LM"]), sentence)


CONCLUSIONS = (
    Conclusion(
        "inverse kinematics is learnt fairly well, 5 % on average and 10 % at most, with three joints too",
        Holds.FULLY,
        learned,
    ),
    Conclusion("one network has the average of 5 % and the maximum of 10 %", Holds.FULLY, together),
    Conclusion("found against desired angles is linear and flattens at the edges", Holds.FULLY, flattened),
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
