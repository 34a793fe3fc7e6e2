"""The thesis' sentences about its iterative methods (5.2, 6.2 to 6.4, 7, appendix G), judged over all readings of the sweep."""

from limbik.papers.chin import jacobians, newton_steps
from limbik.papers.chin.methods import BROYDN_BOX
from limbik.papers.chin.printed import PSEUDOINVERSE_ITERATIONS
from limbik.papers.chin.readings import held, of_case, span, swept_readings
from limbik.papers.chin.sweep import CASES, DIRECTIONS, SIX_4, SIX_200, THREE, Case
from limbik.papers.chin.swept import ALIKE, MINIMISERS, NAMES, READINGS, WITHOUT_DERIVATIVES
from limbik.papers.claim import Row
from limbik.papers.verdict import Conclusion, Finding, Values


def newton_first(values: Values) -> Finding:
    """Judge section 6.2.1: NEWTON has the fastest convergence."""
    found = of_case(values, SIX_4)
    others = [name for name in NAMES if name != "NEWTON"]
    sentence = (
        f"NEWTON needs {span(found, ['NEWTON'], 'iterations')} iterations, the others {span(found, others, 'iterations')}; "
        f"it needs the fewest in {held(values, [SIX_4], 'NEWTON first')} readings."
    )
    return Finding(sentence, swept_readings(values, [SIX_4], "NEWTON first"))


def costly(values: Values) -> Finding:
    """Judge section 6.2.2 and C.2: methods that use only the objective function need the most evaluations."""
    found = of_case(values, SIX_4)
    others = [name for name in NAMES if name not in WITHOUT_DERIVATIVES]
    sentence = (
        f"{' and '.join(WITHOUT_DERIVATIVES)} need {span(found, WITHOUT_DERIVATIVES, 'evaluations')} evaluations, the others "
        f"{span(found, others, 'evaluations')}; with exact gradients FRPRM needs {found['FRPRM evaluations least']:.0f} at least."
    )
    return Finding(sentence, swept_readings(values, [SIX_4], "costly"))


def robust(values: Values) -> Finding:
    """Judge chapter 7: BFGS is the most robust."""
    sentence = f"BFGS reaches as many targets as any other method in {held(values, CASES, 'BFGS robust')} readings."
    return Finding(sentence, swept_readings(values, CASES, "BFGS robust"), _shares(values))


def _shares(values: Values) -> tuple[Row, ...]:
    rows = []
    for name in NAMES:
        total = sum(of_case(values, case)[READINGS] for case in CASES)
        met = sum(of_case(values, case)[f"{name} met"] for case in CASES)
        rows.append(
            Row(
                f"all chains, {name}: share of readings in which it reaches every target",
                None,
                met / total,
                "share",
                None,
            )
        )
    return tuple(rows)


def fewest(values: Values) -> Finding:
    """Judge chapter 7: BFGS needs the fewest evaluations of all methods."""
    medians = {
        name: sum(of_case(values, case)[f"{name} evaluations median"] for case in CASES) / len(CASES) for name in NAMES
    }
    ranks = ", ".join(f"{name} {medians[name]:.0f}" for name in sorted(NAMES, key=medians.__getitem__))
    sentence = (
        f"BFGS needs the fewest evaluations of all methods in {held(values, CASES, 'BFGS first')} readings. Medians, averaged "
        f"over the chains: {ranks}."
    )
    return Finding(sentence, swept_readings(values, CASES, "BFGS first"))


def fewest_of_minimisers(values: Values) -> Finding:
    """Judge chapter 7 with root finders left aside: BFGS needs the fewest evaluations of the minimisers."""
    least = held(values, CASES, "BFGS first minimiser")
    sentence = f"Among {', '.join(MINIMISERS)} BFGS needs the fewest evaluations in {least} readings."
    return Finding(sentence, swept_readings(values, CASES, "BFGS first minimiser"))


def large_residuals(values: Values) -> Finding:
    """Judge chapter 7: BFGS, POWELL and NEWTON perform well where the target is far."""
    names = ("BFGS", "POWELL", "NEWTON")
    found = of_case(values, SIX_200)
    readings: dict[str, bool] = {}
    for name in names:
        readings |= {f"{name}: {key}": x for key, x in swept_readings(values, [SIX_200], f"{name} met").items()}
    parts = ", ".join(f"{name} {found[f'{name} met']:.0f}" for name in sorted(NAMES, key=lambda n: -found[f"{n} met"]))
    sentence = f"Readings of {found[READINGS]:.0f} in which a method reaches every target at residual 200: {parts}."
    return Finding(sentence, readings)


def _misses(values: Values, cases: tuple[Case, ...], name: str) -> dict[str, bool]:
    """Return the readings in which a method misses a target."""
    return {f"{name}, {key}": not x for key, x in swept_readings(values, cases, f"{name} met").items()}


def broydn_fails(values: Values) -> Finding:
    """Judge Tables 6.3 and 6.4: BROYDN fails at residual 200."""
    found = of_case(values, SIX_200)
    names = ("BROYDN", BROYDN_BOX.name)
    readings: dict[str, bool] = {}
    for name in names:
        readings |= _misses(values, (SIX_200,), name)
    parts = " and ".join(f"{name} in {found[READINGS] - found[f'{name} met']:.0f}" for name in names)
    return Finding(f"Of {found[READINGS]:.0f} readings, a target is missed by {parts}.", readings)


def frprm_inexact(values: Values) -> Finding:
    """Judge appendix G.1: FRPRM does not converge exactly at residual 200."""
    found = of_case(values, SIX_200)
    missed = found[READINGS] - found["FRPRM met"]
    sentence = f"FRPRM ends above its sum of squares at some target in {missed:.0f} of {found[READINGS]:.0f} readings."
    return Finding(sentence, _misses(values, (SIX_200,), "FRPRM"))


def fletcher_inexact(values: Values) -> Finding:
    """Judge appendix G.2: FLETCHER misses the path slightly at residual 4."""
    found = of_case(values, SIX_4)
    missed = found[READINGS] - found["FLETCHER met"]
    sentence = (
        f"FLETCHER ends above its sum of squares at some target in {missed:.0f} of {found[READINGS]:.0f} readings."
    )
    return Finding(sentence, _misses(values, (SIX_4,), "FLETCHER"))


def different_angles(values: Values) -> Finding:
    """Judge section 6.4: different methods produce different joint angles at each step."""
    sentence = (
        f"All methods differ by more than {ALIKE:g} deg at every target in {held(values, [SIX_4], 'different')} readings, "
        "up to whole turns."
    )
    return Finding(sentence, swept_readings(values, [SIX_4], "different"))


def similar_angles(values: Values) -> Finding:
    """Judge section 6.4: NEWTON, BROYDN and FLETCHER produce similar joint angles."""
    agree = held(values, [SIX_4], "similar")
    sentence = f"They agree within {ALIKE:g} deg at every target in {agree} readings, up to whole turns."
    return Finding(sentence, swept_readings(values, [SIX_4], "similar"))


def newton_fails(values: Values) -> Finding:
    """Judge sections 5.2.4 and 6.2.1: NEWTON fails where the Jacobian is singular or not square."""
    found = values[newton_steps.EXPERIMENT.name]
    total = DIRECTIONS
    readings: dict[str, bool] = {}
    for start in newton_steps.SINGULAR:
        reached = found[f"{start.name} LU"]
        readings |= {f"{start.name}, target {k + 1}": k >= reached for k in range(total)}
    parts = ", ".join(f"{s.name}: {found[f'{s.name} LU']:.0f} by LU, {found[f'{s.name} least squares']:.0f} by least squares"
                      for s in newton_steps.STARTS)  # fmt: skip
    return Finding(f"Targets reached of {total}: {parts}.", readings)


def slow_pseudoinverse(values: Values) -> Finding:
    """Judge section 5.2.4: Newton's method by the pseudoinverse needs at least 200 iterations on three joints."""
    found = values[newton_steps.EXPERIMENT.name]
    readings = {}
    parts = []
    for frame, what in newton_steps.FRAMES.items():
        for key in newton_steps.BOUNDS:
            low, high = found[f"{frame} {key} least"], found[f"{frame} {key} most"]
            readings[f"{what}, steps {key}"] = low >= PSEUDOINVERSE_ITERATIONS
            end = ", the bound, so it does not converge" if low >= newton_steps.MOST else ""
            parts.append(f"{what}, steps {key}: {low:.3g} to {high:.3g}{end}")
    return Finding(f"Mean iterations over the lines of {THREE.name}: {'; '.join(parts)}.", readings)


def discontinuous(values: Values) -> Finding:
    """Judge section 6.2.1: the pseudoinverse is discontinuous between singular and regular configurations."""
    found = values[newton_steps.EXPERIMENT.name]
    readings = {f"{n} joints": found[f"{n} near"] > newton_steps.JUMP * max(found[f"{n} at"], 1.0) for n in (6, 3)}
    parts = " and ".join(
        f"{found[f'{n} near']:.2g} rad with {n} joints, {found[f'{n} at']:.2g} rad when straight" for n in (6, 3)
    )
    elbow = newton_steps.NEARLY[1]
    sentence = f"For the hand one unit inwards, with the elbow at {elbow:g} rad, the pseudoinverse asks for {parts}."
    return Finding(sentence, readings)


def gradient(values: Values) -> Finding:
    """Judge section 5.2.2: (5.31) with the Jacobian (5.29)-(5.30) is the gradient of the objective (5.22)."""
    found = values[jacobians.EXPERIMENT.name]
    readings = {"J as printed, in the base frame": found["descent base"] == jacobians.PERCENT,
                "J rotated into the hand's frame": found["descent hand"] == jacobians.PERCENT}  # fmt: skip
    sentence = (
        f"-g leads downhill at {found['descent base']:.0f} % of random postures with J as printed, at "
        f"{found['descent hand']:.0f} % with J in the hand's frame."
    )
    return Finding(sentence, readings)


METHOD_CONCLUSIONS = (
    Conclusion("NEWTON has the fastest convergence (section 6.2.1)", newton_first),
    Conclusion(
        "methods that use only the objective function need the most evaluations (sections 6.2.2 and C.2)", costly
    ),
    Conclusion("BFGS is the most robust method (chapter 7)", robust),
    Conclusion("BFGS has overall the least evaluations of all methods (chapter 7)", fewest),
    Conclusion("BFGS has overall the least evaluations of the minimisers (chapter 7)", fewest_of_minimisers),
    Conclusion("BFGS, POWELL and NEWTON perform well with large residuals (chapter 7)", large_residuals),
    Conclusion("BROYDN fails at residual 200 (Tables 6.3 and 6.4)", broydn_fails),
    Conclusion("FRPRM does not converge exactly at residual 200 (appendix G.1)", frprm_inexact),
    Conclusion("FLETCHER misses the path slightly at residual 4 (appendix G.2)", fletcher_inexact),
    Conclusion("different methods produce different joint angles at each step (section 6.4)", different_angles),
    Conclusion("NEWTON, BROYDN and FLETCHER produce similar joint angles (section 6.4)", similar_angles),
    Conclusion("NEWTON fails where the Jacobian is singular or not square (sections 5.2.4 and 6.2.1)", newton_fails),
    Conclusion(
        "Newton by the pseudoinverse needs at least 200 iterations on 3 joints (section 5.2.4)", slow_pseudoinverse
    ),
    Conclusion("the pseudoinverse is discontinuous at singular configurations (section 6.2.1)", discontinuous),
    Conclusion("(5.31) with the Jacobian (5.29)-(5.30) is the gradient (section 5.2.2)", gradient),
)
