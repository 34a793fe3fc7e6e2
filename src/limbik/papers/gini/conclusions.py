"""The claims of the paper on direct and inverse kinematics, judged by the measured values; those on motion: `claims_motion`."""

from itertools import product

from limbik.papers.gini import as_printed, direct, links, table_2
from limbik.papers.gini.annealing import EXPERIMENT as ANNEALING
from limbik.papers.gini.arm import EITHER, RANDOM, TARGETS
from limbik.papers.gini.claims_motion import MOTION
from limbik.papers.gini.printed import CALLS, RELATIVE, TABLE_3
from limbik.papers.gini.runs import SWEEPS, USUAL
from limbik.papers.gini.table_3 import EXPERIMENT as TABLE_3_RUNS
from limbik.papers.verdict import Conclusion, Finding, Values

# The ratio of two times from which on one is much faster; ours.
MUCH = 10.0
# How far two costs may be from the ratio of n (n + 1).
NEAR = 0.25
# Standard errors by which gains must exceed losses.
SURE = 2.0
# The share of starts from which on a target counts as reached from anywhere [%].
NEARLY_ALL = 99.0
CLASSICAL = ("same step", "best step")


def closed_form_is_faster(values: Values) -> Finding:
    """Judge Table 2: the closed form is much faster than numerical solvers, at least ten times."""
    found = values[table_2.EXPERIMENT.name]
    pairs = list(product((*table_2.SOLVERS, table_2.COMPILED), table_2.STARTS))
    ratios = {pair: found[f"{pair[0]}, {pair[1]} relative"] for pair in pairs}
    called = [ratio for (name, _), ratio in ratios.items() if name != table_2.COMPILED]
    compiled = [ratio for (name, _), ratio in ratios.items() if name == table_2.COMPILED]
    sentence = (
        f"'Much' is {MUCH:g} times here. As Python calls, the numerical solvers take {min(called):.2g} to {max(called):.3g} "
        f"times as long as the closed form; compiled least squares take {min(compiled):.2g} to {max(compiled):.2g} times as long "
        f"as the compiled closed form ({found['core time']:.2g} us). The paper has {RELATIVE['Fsolve LM']:.0f} and "
        f"{RELATIVE['Fsolve PCG']:.0f} in Matlab."
    )
    readings = {f"{table_2.OURS.get(name, name)}, start {where}": r >= MUCH for (name, where), r in ratios.items()}
    return Finding(sentence, readings)


def unique_position(values: Values) -> Finding:
    """Judge (3): lengths determine a unique position of the wrist."""
    found = values[direct.EXPERIMENT.name]
    sentence = (
        f"Four lengths have one posture in {found['four']:.3g} % of the samples, and a mirror image behind the body in the "
        f"others; {found['front']:.4g} % have one in front of the body. All seven lengths have one in {found['dorsal']:.4g} %."
    )
    readings = {
        "the four lengths of (3)": found["four"] >= 100,
        "these, if U is the space in front of the body": found["front"] >= 100,
        "all seven lengths": found["dorsal"] >= 100,
    }
    return Finding(sentence, readings)


def smaller_error(values: Values) -> Finding:
    """Judge Table 3: the modified method reduces the error of the classical gradient."""
    found = values[TABLE_3_RUNS.name]
    readings = {
        f"{target}, {sweeps} sweeps, classical at the {step}": found[f"{target} {sweeps} modified"]
        < found[f"{target} {sweeps} {step}"]
        for target, sweeps, step in product(TARGETS, SWEEPS, CLASSICAL)
    }
    parts = [
        f"{t}: {found[f'{t} {USUAL} modified']:.1e} cm beside {found[f'{t} {USUAL} best step']:.2g} cm" for t in TARGETS
    ]
    sentence = f"Median errors after {USUAL} sweeps beside the classical gradient at its best step: {'; '.join(parts)}."
    return Finding(sentence, readings)


def so_much_smaller(values: Values) -> Finding:
    """Judge Table 3: the error is smaller by the printed factors, 8640 at P1 and 745 at P2."""
    found = values[TABLE_3_RUNS.name]
    printed = {point: classical / modified for point, (_, modified, classical) in TABLE_3.items()}
    printed[RANDOM] = min(printed.values())
    ratios = {(t, n): found[f"{t} {n} best step"] / found[f"{t} {n} modified"] for t, n in product(TARGETS, SWEEPS)}
    parts = [f"{t}: {ratios[t, SWEEPS[0]]:.2g} to {ratios[t, SWEEPS[-1]]:.2g} times" for t in TARGETS]
    sentence = (
        f"Classical at its best step / modified, {SWEEPS[0]} to {SWEEPS[-1]} sweeps: {'; '.join(parts)}; the paper has "
        f"{printed['P1']:.0f} at P1 and {printed['P2']:.0f} at P2, and random targets are judged by the smaller"
    )
    return Finding(f"{sentence}.", {f"{t}, {n} sweeps": ratio >= printed[t] for (t, n), ratio in ratios.items()})


def annealing_helps(values: Values) -> Finding:
    """Judge section 7: simulated annealing improves the accuracy."""
    found = values[ANNEALING.name]
    none = {t: found[f"{t} printed none"] for t in TARGETS}
    readings = {
        f"{t}, temperature: {reading}": found[f"{t} printed {reading}"] < none[t]
        for t, reading in product(TARGETS, as_printed.READINGS[1:])
    }
    readings |= {
        f"{t}, limbik's descent": found[f"{t} complete error"] < found[f"{t} no annealing error"] for t in TARGETS
    }
    parts = [
        f"{t}: {found[f'{t} printed step']:.1e} cm if the temperature scales the step, "
        f"{found[f'{t} printed acceptance']:.2g} cm if it accepts worse distances, {none[t]:.2g} cm without"
        for t in TARGETS
    ]
    own = [f"{t} {found[f'{t} complete error']:.1e} and {found[f'{t} no annealing error']:.2g} cm" for t in TARGETS]
    sentence = f"Median errors of Figure 7 at the best step, {USUAL} sweeps: {'; '.join(parts)}"
    return Finding(f"{sentence}. limbik's descent with and without annealing: {'; '.join(own)}.", readings)


def velocity_helps(values: Values) -> Finding:
    """Judge Table 3: the error is reduced by a faster gradient following, the velocity of (17)."""
    found = values[ANNEALING.name]
    kinds = {"with annealing": ("complete", "no velocity"), "without": ("no annealing", "classical")}
    readings, parts = {}, []
    for (name, (fast, plain)), target in product(kinds.items(), TARGETS):
        errors = [found[f"{target} {variant} error"] for variant in (fast, plain)]
        readings[f"{target}, {name}"] = errors[0] < errors[1]
        parts.append(f"{target}, {name}: {errors[0]:.2g} and {errors[1]:.2g} cm")
    return Finding(
        f"Median errors with and without the velocity, each at its best step, {USUAL} sweeps: {'; '.join(parts)}.",
        readings,
    )


def reheating_frees(values: Values) -> Finding:
    """Judge section 4: reheating exits from local minima with some probability."""
    found = values[ANNEALING.name]
    readings = {}
    for target, sweeps in product(TARGETS, SWEEPS):
        gained, lost = (found[f"{target} {sweeps} {k}"] for k in ("gained", "lost"))
        readings[f"{target}, {sweeps} sweeps"] = gained - lost > SURE * (gained + lost) ** 0.5
    parts = [
        f"{t} {found[f'{t} {USUAL} with']:.0f} % with and {found[f'{t} {USUAL} without']:.0f} % without reheating"
        for t in TARGETS
    ]
    return Finding(f"Starts within 1 cm after {USUAL} sweeps: {'; '.join(parts)}.", readings)


def with_the_steps(values: Values) -> Finding:
    """Judge section 4: the probability to exit from a local minimum depends on the number of steps."""
    found = values[ANNEALING.name]
    shares = {t: [found[f"{t} {n} gained"] - found[f"{t} {n} lost"] for n in SWEEPS] for t in TARGETS}
    parts = [f"{t} {', '.join(f'{x:.0f}' for x in by)}" for t, by in shares.items()]
    sentence = f"Starts that reheating brings within 1 cm in {', '.join(map(str, SWEEPS))} sweeps: {'; '.join(parts)}."
    return Finding(sentence, {t: by[-1] > by[0] for t, by in shares.items()})


def reaches_the_optimum(values: Values) -> Finding:
    """Judge sections 1 and 4: with annealing the method avoids local minima and finds the global solution."""
    found = values[ANNEALING.name]
    readings = {
        f"{t}, {n} sweeps": found[f"{t} {n} with"] >= NEARLY_ALL for t, n in product((*TARGETS, EITHER), SWEEPS)
    }
    shares = {t: ", ".join(f"{found[f'{t} {n} with']:.0f}" for n in SWEEPS) for t in (*TARGETS, EITHER)}
    parts = [f"{t} {by} %" for t, by in shares.items()]
    sentence = f"Starts within 1 cm after {', '.join(map(str, SWEEPS))} sweeps: {'; '.join(parts)}."
    return Finding(f"{sentence} A reading holds from {NEARLY_ALL:g} % on.", readings)


def square_cost(values: Values) -> Finding:
    """Judge section 6: each step takes K n (n + 1) operations."""
    found = values[links.EXPERIMENT.name]
    readings, parts = {}, []
    for few, many in zip(links.LINKS, links.LINKS[1:], strict=False):
        ratio = found[f"{many} time"] / found[f"{few} time"]
        law = many * (many + 1) / (few * (few + 1))
        readings[f"{few} to {many} links"] = abs(ratio / law - 1) <= NEAR
        parts.append(f"{ratio:.2f} ({law:.2f}) from {few} to {many}")
    sentence = (
        f"The time grows by, beside n (n + 1): {'; '.join(parts)} links; its exponent is {found['slope']:.2f}. A reading "
        f"holds within {100 * NEAR:g} %."
    )
    return Finding(sentence, readings)


def four_calls(values: Values) -> Finding:
    """Judge section 6: a step calls the direct kinematics four times."""
    found = values[links.EXPERIMENT.name]
    calls = {f"Sub(i): {name}": found[f"calls {name}"] for name in links.MOVED}
    sentence = f"Calls per step: {', '.join(f'{n:.3g} with {name}' for name, n in calls.items())}."
    return Finding(sentence, {name: abs(n - CALLS) < 0.5 for name, n in calls.items()})


CONCLUSIONS = (
    Conclusion("the closed form of the direct kinematics is much faster (Table 2)", closed_form_is_faster),
    Conclusion("muscle lengths determine a unique position (section 3)", unique_position),
    Conclusion("the modified method reduces the error (Table 3)", smaller_error),
    Conclusion("the error is smaller by 8640 and 745 times (Table 3)", so_much_smaller),
    Conclusion("following the gradient faster reduces the error (section 6)", velocity_helps),
    Conclusion("annealing improves the accuracy (section 7)", annealing_helps),
    Conclusion("reheating exits from local minima with some probability (section 4)", reheating_frees),
    Conclusion("that probability depends on the number of steps (section 4)", with_the_steps),
    Conclusion("with annealing the method reaches the optimal solution (section 1)", reaches_the_optimum),
    Conclusion("a step costs K n (n + 1) operations (Figure 10)", square_cost),
    Conclusion("a step calls the direct kinematics four times (section 6)", four_calls),
    *MOTION,
)
