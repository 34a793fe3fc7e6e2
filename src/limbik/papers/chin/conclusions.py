"""The thesis' hypotheses (4.1) and its sentences about the closed form, judged by the measured values of all sections."""

from collections.abc import Mapping

from limbik.papers.chin import animator, any_chain, degenerate, other_starts, ranges, segment, six_joints, speed
from limbik.papers.chin.conclusions_methods import METHOD_CONCLUSIONS
from limbik.papers.chin.readings import counted, of_case, span
from limbik.papers.chin.sweep import CASES, SIX_4, SIX_200, THREE
from limbik.papers.chin.swept import COUNTED, LARGE, NAMES, PRINTED, READINGS, SMALL_STEPS, SUDDEN, large
from limbik.papers.claim import Row
from limbik.papers.verdict import Conclusion, Finding, Values


def any_number_of_joints(values: Values) -> Finding:
    """Judge hypothesis 1: iterative methods handle any number of joints, where a closed form is laborious or missing."""
    branches = {n: values[any_chain.EXPERIMENT.name][f"{n} branches"] for n in any_chain.CHAINS}
    readings: dict[str, bool] = {}
    rows = []
    for case in CASES:
        found = of_case(values, case)
        met = {name: found[f"{name} met"] for name in NAMES}
        rows += [Row(f"hypothesis 1, {case.name}, {name}: share of readings that end below the sum of squares", None,
                     count / found[READINGS], "share", None) for name, count in met.items()]  # fmt: skip
        readings |= {
            f"{name}, {case.name}: reaches every target": count == found[READINGS] for name, count in met.items()
        }
    readings |= {f"{n} joints: no closed form follows from the geometry": count == 0 for n, count in branches.items()}
    closed = ", ".join(
        f"{n} joints {count:.0f} branches" if count else f"{n} joints none" for n, count in branches.items()
    )
    always = [name for name in NAMES if all(readings[f"{name}, {case.name}: reaches every target"] for case in CASES)]
    sentence = (
        f"In all readings of all chains every target is reached by {', '.join(always) or 'no method'}; NEWTON and BROYDN "
        f"solve systems that are not square by least squares. Closed forms that limbik derives from the geometry: {closed}."
    )
    return Finding(sentence, readings, tuple(rows))


def one_posture(values: Values) -> Finding:
    """Judge hypothesis 2: a start leads to one posture, and the others take time."""
    found = values[other_starts.EXPERIMENT.name]
    names = (other_starts.COMPILED, *other_starts.WITHOUT_FALSE_ZEROS)
    readings = {}
    for name in names:
        met, last = found[f"{name} met"], found[f"{name} last"]
        readings[f"{name}: some posture takes more starts than there are postures"] = (
            last > met or met < other_starts.POSTURES
        )
    readings["compiled: all postures take longer than by closed form"] = found["ratio"] > 1.0
    parts = ", ".join(
        f"{name} finds {found[f'{name} met']:.0f} of 8, the last with start {found[f'{name} last']:.0f}"
        for name in names
    )
    sentence = (
        f"From {other_starts.STARTS} random starts {parts}. Compiled, these starts take {found['ratio']:.0f} times as long as "
        f"all postures by closed form."
    )
    return Finding(sentence, readings)


def by_segments(values: Values) -> Finding:
    """Judge hypothesis 3: robotics' solutions move a figure, segment by segment."""
    found = values[segment.EXPERIMENT.name]
    keys = [f"{s.name}, {film.name}" for s in segment.SEGMENTS for film in animator.FILMS]
    readings = {key: segment.follows(found, key) for key in keys}
    frames = ", ".join(f"{key}: {found[f'{key} frames']:.0f}" for key in keys)
    sentence = f"Frames until a joint limit ends the film: {frames}."
    return Finding(sentence, readings)


def no_sudden_change(values: Values) -> Finding:
    """Judge hypothesis 4: a target nearby needs no sudden joint rotation."""
    readings: dict[str, bool] = {}
    for case in SMALL_STEPS:
        found = of_case(values, case)
        for key in ("small first", "small later"):
            for name in NAMES:
                readings |= counted(f"{case.name}, {name}, {key}", found[f"{name} {key}"], found[READINGS])
    parts = []
    for case in SMALL_STEPS:
        found = of_case(values, case)
        first = sum(found[f"{name} small first"] for name in NAMES) / (found[READINGS] * len(NAMES))
        later = sum(found[f"{name} small later"] for name in NAMES) / (found[READINGS] * len(NAMES))
        parts.append(
            f"{case.name} (large: {large(case):.0f} deg): {100 * first:.0f} % of runs to the first target, "
            f"{100 * later:.0f} % to all later ones; largest rotations {span(found, NAMES, 'jump')} deg"
        )
    sentence = (
        f"A rotation is large if it is more than {LARGE:g} times the angle under which the base sees the step. Runs without one: "
        f"{'; '.join(parts)}. The arms with 6 and 3 joints start nearly straight."
    )
    return Finding(sentence, readings)


def by_method(values: Values) -> Finding:
    """Judge section 6.4: whether joints change suddenly depends on the method; BFGS and PRAXIS need huge changes."""
    readings: dict[str, bool] = {}
    sudden = {}
    for case in (SIX_4, SIX_200, THREE):
        found = of_case(values, case)
        for name in NAMES:
            count = found[READINGS] - found[f"{name} gradual"]
            sudden[f"{name}, {case.name}"] = count
            if name in ("BFGS", "PRAXIS"):
                readings |= counted(f"{name}, {case.name}", count, found[READINGS])
    worst = max(sudden, key=lambda key: sudden[key])
    sentence = (
        f"Some joint rotates more than {SUDDEN:g} times as far as the closest posture by closed form needs in "
        f"{sudden[worst]:.0f} readings at most ({worst})." if sudden[worst] else
        f"No method rotates a joint more than {SUDDEN:g} times as far as the closest posture by closed form needs."
    )  # fmt: skip
    return Finding(sentence, readings)


def significantly_faster(values: Values) -> Finding:
    """Judge section 6.1: algebraic solutions are significantly faster than iterative ones."""
    found = values[speed.EXPERIMENT.name]
    readings = {text: found[f"{how} ratio"] >= speed.SIGNIFICANT for how, text in speed.HOW.items()}
    parts = " and ".join(f"{found[f'{how} ratio']:.2g} times {text}" for how, text in speed.HOW.items())
    sentence = (
        f"Both compiled, one posture by Levenberg-Marquardt takes as long as all 8 by closed form {parts}; significant is "
        f"{speed.SIGNIFICANT:g} times."
    )
    return Finding(sentence, readings)


def infinitely_many(values: Values) -> Finding:
    """Judge section 6.1: an arm that is stretched out has infinitely many solutions."""
    found = values[degenerate.EXPERIMENT.name]
    cases = [case for case in degenerate.CASES if case.merged]
    readings = {case.name: found[case.name] < degenerate.PERCENT / 2 for case in cases}
    parts = ", ".join(f"{found[case.name]:.0f} % ({case.name})" for case in cases)
    return Finding(
        f"Targets at which exactly {degenerate.HALF} postures exist, each a double root, and none is free to move: {parts}.",
        readings,
    )


def one_of_eight(values: Values) -> Finding:
    """Judge section 6.1: solutions that violate joint limits are eliminated; what remains may still be several."""
    found: Mapping[str, float] = values[ranges.EXPERIMENT.name]
    readings = {"appendix B": found["b"] == ranges.PERCENT, "section 5.1.2": found["a"] == ranges.PERCENT}
    return Finding(
        f"Table 5.2 leaves 1 posture of 8 at {found['b']:g} % of the targets (appendix B) and {found['a']:g} % (section 5.1.2).",
        readings,
    )


def printed_counts(values: Values) -> Finding:
    """Judge Tables 6.1 to 6.4: the printed means lie within the range over the readings."""
    readings = {}
    outside = []
    for case in CASES:
        found = of_case(values, case)
        for name, printed in PRINTED[case.name].items():
            for column, count in zip(COUNTED, printed, strict=True):
                if name not in NAMES:
                    continue
                low, high = found[f"{name} {column} least"], found[f"{name} {column} most"]
                readings[f"{case.name}, {name}, {column}"] = low <= count <= high
                if not low <= count <= high:
                    outside.append(f"{case.name}, {name}: {count:g} {column} ({low:.3g} to {high:.3g})")
    beyond = values[six_joints.RESIDUAL_200.name]["NEWTON beyond iterations"]
    sentence = (
        f"Printed means outside the range of the readings: {'; '.join(outside) or 'none'}. Along (1, 1, 1), where two targets "
        f"are out of reach, NEWTON needs {beyond:.3g} iterations."
    )
    return Finding(sentence, readings)


CONCLUSIONS = (
    Conclusion(
        "hypothesis 1, iterative methods handle any number of joints better than a closed form", any_number_of_joints
    ),
    Conclusion("hypothesis 2, iterative methods end at one posture, and others take time", one_posture),
    Conclusion("hypothesis 3, robotics' solutions animate a figure by segments", by_segments),
    Conclusion("hypothesis 4, a target nearby makes no sudden changes", no_sudden_change),
    Conclusion("some methods, such as BFGS and PRAXIS, need huge changes of joint angles (section 6.4)", by_method),
    Conclusion("algebraic solutions are significantly faster (section 6.1)", significantly_faster),
    Conclusion("a stretched arm has infinitely many solutions (section 6.1)", infinitely_many),
    Conclusion("joint limits eliminate all postures but one", one_of_eight),
    Conclusion("the printed mean counts of Tables 6.1 to 6.8", printed_counts),
    *METHOD_CONCLUSIONS,
)
