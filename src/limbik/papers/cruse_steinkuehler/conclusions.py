"""Sentences of the paper, judged by the measured values of its experiments, in every reading that the paper leaves open."""

import math
from collections.abc import Callable

from limbik.papers.cruse_steinkuehler import (
    earlier_state,
    limb_lengths,
    nine,
    random_problems,
    remedies,
    robustness,
    search,
    singular,
    stability,
    standing,
    workspace,
)
from limbik.papers.cruse_steinkuehler.arm import CLAMPED, DIRECT, INVERSE, KINDS, MIXED_1, STARTS
from limbik.papers.verdict import Conclusion, Finding, Values

# The paper's cycles: at best, usually, at most.
BEST, USUAL, LIMIT = search.AT_BEST, search.USUAL, search.MOST
# "Very similar", of two medians: their ratio. "Overcome", of oscillations: the factor by which the roughness falls.
SIMILAR, OVERCOME = 2.0, 2.0
# "Rather independent of errors": the share of converging runs falls by at most this [points of %].
INDEPENDENT = 1.0
# Postures from two starts differ if a joint does by more than this [deg].
APART = 1.0
ALONE, REFINED = "the network alone", "with the refinement"


def _over_nine(values: Values, what: str, holds: Callable[[float], bool]) -> dict[str, bool]:
    """Return whether a value of the nine targets meets a condition, for every update, problem and start."""
    found = values[nine.EXPERIMENT.name]
    return {f"{u}, {k}, {s} start": holds(found[nine.key(u, k, s, what)]) for u, k, s in nine.combinations()}


def _within(limit: float) -> Callable[[float], bool]:
    return lambda value: value <= limit


def _range(values: list[float], unit: str = "") -> str:
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return "no value"
    missing = f", {len(values) - len(finite)} without a value" if len(finite) < len(values) else ""
    low, high = (f"{value:.3g}" for value in (min(finite), max(finite)))
    return f"{low if low == high else f'{low} to {high}'}{unit}{missing}"


def ten_at_best(values: Values) -> Finding:
    """ "In some cases the criterion is met after only 10 time steps" (section 4, the direct problem)."""
    found = values[nine.EXPERIMENT.name]
    best = {u: min(found[nine.key(u, DIRECT, s, "best")] for s in STARTS) for u in nine.NETWORKS}
    sentence = "cycles to the best of nine targets: " + "; ".join(f"{name} {b:.0f}" for name, b in best.items())
    return Finding(sentence, {name: b <= BEST for name, b in best.items()})


def usually_thirty(values: Values) -> Finding:
    """ "Even for large step sizes at the input the system usually needs less than 30 cycles" (section 5)."""
    found = values[nine.EXPERIMENT.name]
    fast = {u: [found[nine.key(v, k, s, "fast")] for v, k, s in nine.combinations() if v == u] for u in nine.NETWORKS}
    sentence = f"targets of nine reached in less than {USUAL} cycles, over all problems and starts: " + ", ".join(
        f"{update} {_range(counts)}" for update, counts in fast.items()
    )
    return Finding(sentence, _over_nine(values, "fast", lambda count: count > 9 / 2))


def never_more_than_sixty(values: Values) -> Finding:
    """ "In no case was it found to need more than 60 cycles to approach the target point" (section 5)."""
    found = values[nine.EXPERIMENT.name]
    worst: dict[str, list[float]] = {}
    for u, k, s in nine.combinations():
        worst.setdefault(f"{u}, {k}", []).append(found[nine.key(u, k, s, "worst")])
    parts = [f"{name} {_range(cycles)}" for name, cycles in worst.items()]
    sentence = f"cycles to the worst of nine targets, over both starts: {'; '.join(parts)}"
    return Finding(sentence, _over_nine(values, "worst", _within(LIMIT)))


def one_network_shows_all(values: Values) -> Finding:
    """ "Only 10 time steps", "most cases ... before the 30th", "in no case ... more than 60", by one network."""
    found, of_nine = values[search.EXPERIMENT.name], values[nine.EXPERIMENT.name]

    def shown(update: str) -> bool:
        keys = [(k, s) for u, k, s in nine.combinations() if u == update and k != CLAMPED]
        return (
            min(of_nine[nine.key(update, DIRECT, s, "best")] for s in STARTS) <= BEST
            and all(2 * of_nine[nine.key(update, k, s, "fast")] > 9 for k, s in keys)
            and all(of_nine[nine.key(update, k, s, "worst")] <= LIMIT for k, s in keys)
        )

    readings = {f"{update}, as printed": shown(update) for update in nine.NETWORKS}
    name = search.NAMES[1]
    sentence = (
        f"of {found['regular']:.0f} regular equation sets {found['regular meet']:.0f} show the three facts on our nine points; "
        f"the set found by changes of single computations, with {found[f'{name}: computations']:.0f} of them, takes "
        f"{found[f'{name}: best']:.0f} cycles at best and {_range([found[f'{name}: worst']])} at worst, and "
        f"{found[f'{name}: fast']:.0f} % of the targets take less than {USUAL}. On other sets of nine points it shows all three "
        f"facts in {found[f'{name}, elsewhere: all']:.0f} % of {found['elsewhere']:.0f}, the 83 computations in "
        f"{found[f'{search.NAMES[0]}, elsewhere: all']:.0f} %; there it does not reach "
        f"{found[f'{name}, elsewhere: never']:.1f} % of the targets"
    )
    return Finding(sentence, readings)


def always_converges(values: Values) -> Finding:
    """ "In our experiments we never found the network not to converge" (section 5)."""
    found = values[random_problems.EXPERIMENT.name]
    fails = {f"{u}, random problems, {k}": found[f"{u}, {k}: fails"] for u in random_problems.UPDATES for k in KINDS}
    readings = _over_nine(values, "never", _within(0.0)) | {name: share == 0.0 for name, share in fails.items()}
    readings["sequential, direct problems whose joints bend both ways"] = found["bent both ways, principal"] == 0.0
    of_nine = values[nine.EXPERIMENT.name]
    never = {
        u: sum(of_nine[nine.key(v, k, s, "never")] for v, k, s in nine.combinations() if v == u) for u in nine.NETWORKS
    }
    runs = 9 * len(KINDS) * len(STARTS)
    sentence = (
        f"targets of nine not reached, over all problems and starts: {never['parallel']:.0f} of {runs} in parallel, "
        f"{never['sequential']:.0f} sequentially; of {found['problems']:.0f} random problems of a kind "
        f"{min(fails.values()):.2g} to {max(fails.values()):.2g} % are not solved, and of direct problems whose joints bend both "
        f"ways {found['bent both ways, principal']:.0f} %"
    )
    return Finding(sentence, readings)


def every_point_attracts(values: Values) -> Finding:
    """ "Using each geometrically possible point ... as an attractor" (section 2)."""
    found = values[stability.EXPERIMENT.name]
    shares = {
        f"{u}, {k}, {p}": found[f"{u}, {k}, {p}: attractors"]
        for u in stability.UPDATES
        for k in KINDS
        for p in stability.POSTURES
    }
    spans = {p: [s for name, s in shares.items() if name.endswith(f", {p}")] for p in stability.POSTURES}
    sentence = "random postures, away from straight and short triangles, that are fixed points with a spectral radius below 1: "
    sentence += ", ".join(f"{posture} {_range(span, ' %')}" for posture, span in spans.items())
    return Finding(sentence, {name: share == 100.0 for name, share in shares.items()})


def similar_with_alpha(values: Values) -> Finding:
    """ "The two target-point coordinates plus ... alpha ... again very similar to the earlier results" (section 4)."""
    found = values[nine.EXPERIMENT.name]
    readings: dict[str, bool] = {}
    parts: list[str] = []
    for update, kind, start in nine.combinations():
        if kind in (MIXED_1, CLAMPED):
            own, inverse = (found[nine.key(update, k, start, "median")] for k in (kind, INVERSE))
            readings[f"{update}, {kind}, {start} start"] = own <= SIMILAR * inverse
            parts.append(
                f"{update}, {'eps clamped' if kind == CLAMPED else 'as printed'}, {start}: {own:.0f} to {inverse:.0f}"
            )
    sentence = (
        f"median cycles of the nine targets with alpha and without (similar: at most {SIMILAR:g} times as many), "
    )
    return Finding(sentence + "; ".join(parts), readings)


def independent_of_errors(values: Values) -> Finding:
    """ "The highly parallel structure makes the system rather independent of errors" (section 5)."""
    found = values[robustness.EXPERIMENT.name]
    whole = found["0 removed: converged"]
    removed = {k: found[f"{k} removed: converged"] for k in robustness.REMOVED if k}
    noisy = {f"noise of {s:g} on {k}": (found[f"{k} noisy {s}"], s) for k, s in robustness.NOISY}
    sentence = (
        f"inverse problems that converge: {whole:.1f} % with all 83 computations; "
        + ", ".join(f"{s:.1f} % without {k}" for k, s in removed.items())
        + f" (independent: at most {INDEPENDENT:g} points less); remaining error under noise: "
        + ", ".join(f"{name} {error:.2g}" for name, (error, _) in noisy.items())
        + " (independent: no more than the noise)"
    )
    readings = {f"{k} of 83 removed": whole - s <= INDEPENDENT for k, s in removed.items()}
    return Finding(sentence, readings | {name: error <= size for name, (error, size) in noisy.items()})


def no_singularities(values: Values) -> Finding:
    """ "It ... is not affected by the problems of singularities" (section 1)."""
    found = values[singular.EXPERIMENT.name]
    cases = [f"to {name}" for name in singular.EDGES]
    cases += [f"from {name} to {R}" for name in singular.STRAIGHT for R in singular.WORK]
    stuck = [case for case in cases if not found[case] < singular.CYCLES]
    sentence = f"the network converges in {len(cases) - len(stuck)} of {len(cases)} singular cases"
    sentence += f"; not {', '.join(stuck)}" if stuck else ""
    return Finding(sentence, {case: case not in stuck for case in cases})


def earlier_states_matter(values: Values) -> Finding:
    """ "The system finds a solution which is influenced by the earlier state of the system" (section 5)."""
    found = values[earlier_state.EXPERIMENT.name]
    sentence = (
        f"the postures from two starts differ in a joint by {found['least']:.0f} degrees at the least different of the nine "
        f"targets and by {found['apart']:.0f} at the most different"
    )
    return Finding(sentence, {"every target": found["least"] > APART, "some target": found["apart"] > APART})


def comfortable_faster(values: Values) -> Finding:
    """ "When starting from a more comfortable position ... the relaxation is a little faster in some cases" (section 4)."""
    found = values[nine.EXPERIMENT.name]
    faster = {update: found[f"{update}: faster"] for update in nine.NETWORKS}
    sentence = (
        "targets of nine that the inverse problem reaches in fewer cycles from the comfortable start: "
        + ", ".join(f"{update} {count:.0f}" for update, count in faster.items())
    )
    return Finding(sentence, {update: count > 0 for update, count in faster.items()})


def oscillations_cured(values: Values) -> Finding:
    """ "Oscillations ... might be overcome by using either a low-pass filter or ... every second time step" (section 5)."""
    found = values[remedies.EXPERIMENT.name]
    names = {"low_pass": f"low-pass filter ({remedies.SHARE:g} of each state)", "every_second": "every second step"}
    rough = {output: found[f"parallel, {output}: rough"] for output in ("raw", *names)}
    late = {output: found[f"parallel, {output}: late"] for output in ("raw", *names)}
    sentence = f"roughness of the parallel network's angles {rough['raw']:.2g} deg/cycle^2; " + ", ".join(
        f"with {what} {rough[output]:.2g} (a factor of {rough['raw'] / rough[output]:.1f}, mean error {late[output]:.3f} instead "
        f"of {late['raw']:.3f})"
        for output, what in names.items()
    )
    sentence += (
        f"; with sequential updates alone {found['sequential, raw: rough']:.2g}. Overcome: a factor of {OVERCOME:g}"
    )
    return Finding(sentence, {what: rough["raw"] / rough[output] >= OVERCOME for output, what in names.items()})


def depends_on_place(values: Values) -> Finding:
    """ "The exact relaxation time seems to depend on ... the target point ..., the inputs ..., the starting position." """
    found, of_nine = values[workspace.EXPERIMENT.name], values[nine.EXPERIMENT.name]
    readings: dict[str, bool] = {}
    parts: list[str] = []
    for update in workspace.UPDATES:
        median = [found[f"{update}, {name}: median"] for name, _ in workspace.STARTS]
        share = [found[f"{update}, {name}: below {workspace.USUAL}"] for name, _ in workspace.STARTS]
        kinds = [of_nine[nine.key(update, k, "comfortable", "median")] for k in KINDS]
        readings[f"{update}, the target"] = any(0.0 < s < 100.0 for s in share)
        readings[f"{update}, the inputs"] = len(set(kinds)) > 1
        readings[f"{update}, the start"] = median[0] != median[1]
        parts.append(
            f"{update}: median cycles over the workspace {median[0]:.0f} and {median[1]:.0f} from two starts, below "
            f"{workspace.USUAL} for {share[0]:.0f} and {share[1]:.0f} % of the targets, and medians of {_range(kinds)} "
            "by inputs at the nine targets"
        )
    return Finding("; ".join(parts), readings)


def lengths_do_not_matter(values: Values) -> Finding:
    """ "These values are held constant at a length of 1, but this does not affect the general validity" (section 3)."""
    found = values[limb_lengths.EXPERIMENT.name]
    equal, *others = limb_lengths.SPREADS
    readings: dict[str, bool] = {}
    parts: list[str] = []
    for update in limb_lengths.UPDATES:
        for name in others:
            loss = {k: found[f"{update}, {k}, {equal}"] - found[f"{update}, {k}, {name}"] for k in KINDS}
            readings |= {f"{update}, {k}, {name}": lost <= INDEPENDENT for k, lost in loss.items()}
            own = [found[f"{update}, {k}, {name}"] for k in KINDS]
            parts.append(f"{update}, {name}: {_range(own, ' %')}")
        parts.append(f"{update}, {equal}: {_range([found[f'{update}, {k}, {equal}'] for k in KINDS], ' %')}")
    sentence = f"random problems solved, over the kinds of problems, {'; '.join(parts)}"
    return Finding(f"{sentence} (unaffected: at most {INDEPENDENT:g} point less)", readings)


def stands(values: Values) -> Finding:
    """ "Equilibrium control and control of leg movement ... can be solved by the same system" (section 5)."""
    found = values[standing.EXPERIMENT.name]
    met = {f"{name}, {REFINED}": found[f"{name}: met"] for name in standing.TASKS}
    alone = {f"{name}, {ALONE}": found[f"{name}: alone"] for name in standing.TASKS}
    step = max(found[f"{name}: step"] for name in standing.TASKS)
    sentence = (
        f"states of the four tasks reached to 0.01 by the network alone: {_range(list(alone.values()), ' %')}; completed "
        f"with the refinement: {_range(list(met.values()), ' %')}; no joint moves by more than {step:.0f} degrees between states"
    )
    return Finding(sentence, {name: share == 100.0 for name, share in (alone | met).items()})


CONCLUSIONS = (
    Conclusion("in some cases of the direct problem 10 cycles are enough", ten_at_best),
    Conclusion("the system usually needs less than 30 cycles", usually_thirty),
    Conclusion("in no case does it need more than 60 cycles", never_more_than_sixty),
    Conclusion("one network shows all three: 10 cycles at best, most below 30, none above 60", one_network_shows_all),
    Conclusion("the network was never found not to converge", always_converges),
    Conclusion("each geometrically possible point acts as an attractor", every_point_attracts),
    Conclusion("with alpha given beside the target the results are very similar", similar_with_alpha),
    Conclusion("it is rather independent of errors within the system", independent_of_errors),
    Conclusion("singularities do not affect it", no_singularities),
    Conclusion("what the inputs leave free is influenced by the earlier state", earlier_states_matter),
    Conclusion("from a comfortable start the relaxation is faster in some cases", comfortable_faster),
    Conclusion("a low-pass filter or every second step overcomes oscillations", oscillations_cured),
    Conclusion("the relaxation time depends on the target, the inputs and the start", depends_on_place),
    Conclusion("limb lengths other than 1 do not affect the validity", lengths_do_not_matter),
    Conclusion("the same system solves for height and displacement of a standing body", stands),
)
