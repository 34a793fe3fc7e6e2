"""The claims of the paper on trajectories and its outlook, judged by the measured values."""

from itertools import product

from limbik.papers.gini import camera, circles, lines, steps, workspace
from limbik.papers.gini.arm import LAP
from limbik.papers.gini.printed import LEAST, STEPS, WANTED
from limbik.papers.verdict import Conclusion, Finding, Values

# Numbers of points of a lap for which computing must keep up: 2.5 cm apart, ours, and a controller's at 1 kHz.
LAPS_OF = (steps.LAPS_OF[0], LAP, round(1000 * LEAST))
# Supraspinatus and subscapularis are "not very involved" if they move at most this part of the dorsal muscle's movement,
# each in parts of its range.
LITTLE = 0.5


def _least(values: Values) -> dict[str, float]:
    """Return the least numbers of steps that keep 1 cm, by reading; NaN for none."""
    found = values[steps.EXPERIMENT.name]
    return {
        f"{r.line}, circle {r.circle}, {statistic}": found[f"{r.line}, {r.circle}, {statistic}"]
        for statistic in steps.STATISTICS
        for r in steps.all_readings()
    }


def _counts(values: Values) -> str:
    """Return the evidence of the claims on steps, as a sentence."""
    found = _least(values)
    parts = []
    for points, statistic in product(steps.LAPS_OF, steps.STATISTICS):
        some = [n for name, n in found.items() if name.startswith(f"{points} points") and name.endswith(statistic)]
        good = sorted(n for n in some if n <= max(STEPS))
        needed = f"{good[0]:.0f} to {good[-1]:.0f}" if good else f"more than {max(STEPS)}"
        none = (
            f" (more than {max(STEPS)} in {len(some) - len(good)} of {len(some)})" if 0 < len(good) < len(some) else ""
        )
        parts.append(f"{points} points, {statistic}: {needed}{none}")
    return f"Steps from which on a lap stays within 1 cm at the best alpha, by its points and the statistic: {'; '.join(parts)}."


def seven_keep(values: Values) -> Finding:
    """Judge section 6: with 7 steps the error is within 1 cm."""
    return Finding(_counts(values), {name: n <= 7 for name, n in _least(values).items()})


def fewer_do_not(values: Values) -> Finding:
    """Judge section 6: 7 steps are needed at least; more of them never exceed 1 cm again."""
    return Finding(_counts(values), {name: not n < 7 for name, n in _least(values).items()})


def eleven_keep(values: Values) -> Finding:
    """Judge section 6: 11 steps keep the wanted precision of 1 cm."""
    return Finding(_counts(values), {name: n <= 11 for name, n in _least(values).items()})


def high_with_few(values: Values) -> Finding:
    """Judge Figure 11: the errors are high if the number of steps is limited too much, to 3."""
    found = values[steps.EXPERIMENT.name]
    readings = {
        f"{r.line}, circle {r.circle}, {s}": found[f"{r.line}, {r.circle}, {s}, few"] > WANTED
        for s, r in product(steps.STATISTICS, steps.all_readings())
    }
    parts = []
    for points, statistic in product(steps.LAPS_OF, steps.STATISTICS):
        errors = [found[f"{r.line}, {r.circle}, {statistic}, few"] for r in steps.all_readings() if r.points == points]
        parts.append(f"{points} points, {statistic}: {min(errors):.2g} to {max(errors):.2g} cm")
    return Finding(f"Errors of a lap with 3 steps at the best alpha: {'; '.join(parts)}.", readings)


def more_is_better(values: Values) -> Finding:
    """Judge the abstract: precision is traded against computing time, by the number of steps."""
    found = values[circles.EXPERIMENT.name]
    readings, parts = {}, []
    for name, (statistic, key) in product(circles.NAMES, (("mean", ""), ("max", " max"))):
        errors = [found[f"{name} {n}{key}"] for n in STEPS]
        readings[f"{name}, {statistic}"] = errors[0] > errors[1] > errors[2]
        if statistic == "mean":
            parts.append(f"{name} {', '.join(f'{e:.2g}' for e in errors)}")
    return Finding(f"Mean errors with {', '.join(map(str, STEPS))} steps [cm]: {'; '.join(parts)}.", readings)


def lines_are_easy(values: Values) -> Finding:
    """Judge section 5: lines are executed with points 2.5 cm apart."""
    found = values[lines.EXPERIMENT.name]
    keys = list(product(lines.LINES, lines.COUNTED, steps.STATISTICS))
    best = {key: min(found[f"{key[0]} {key[1]} {a:g} {key[2]}"] for a in steps.ALPHAS) for key in keys}
    parts = [
        f"{name} {', '.join(f'{best[name, n, s]:.2g} cm ({s}, {n} steps)' for n, s in product(lines.COUNTED, steps.STATISTICS))}"
        for name in lines.LINES
    ]
    readings = {f"{name} line, {n} steps, {s}": error <= WANTED for (name, n, s), error in best.items()}
    return Finding(f"Errors of the descent at its best alpha: {'; '.join(parts)}.", readings)


def dorsal_works(values: Values) -> Finding:
    """Judge Figure 9: the dorsal muscle works, supraspinatus and subscapularis are not very involved."""
    found = values[circles.EXPERIMENT.name]
    readings, by_way = {}, []
    for count, way, span in product(steps.LAPS_OF, circles.WAYS, circles.SPANS):
        dorsal = found[f"{count} {way} {circles.WORKING} {span}"]
        idle = max(found[f"{count} {way} {muscle} {span}"] for muscle in circles.IDLE)
        readings[f"{way}, {count} points, {span}"] = idle <= LITTLE * dorsal
        by_way.append((way, span, idle / dorsal))
    parts = []
    for way in circles.WAYS:
        spans = {span: [ratio for name, over, ratio in by_way if (name, over) == (way, span)] for span in circles.SPANS}
        parts.append(f"{way} {', '.join(f'{min(r):.2f} to {max(r):.2f} ({span})' for span, r in spans.items())}")
    sentence = (
        "Movement of supraspinatus and subscapularis / movement of the dorsal muscle, in parts of their ranges: "
        f"{'; '.join(parts)}. A reading holds up to {LITTLE:g}; these ranges are limbik's."
    )
    return Finding(sentence, readings)


def real_time(values: Values) -> Finding:
    """Judge sections 6 and 7: the inverse kinematics runs in real time, for a circle in 3 s."""
    found = values[circles.EXPERIMENT.name]
    each = found["lap 11"] / LAP
    sentence = (
        f"On this computer the descent with {max(STEPS)} steps takes {1e3 * each:.2g} ms a point, so that {LEAST:g} s are enough "
        f"for {found['points 3 s']:.0f} points; the closed form takes {found['lap closed'] / found['lap 11']:.2g} times as long."
    )
    return Finding(sentence, {f"{points} points in {LEAST:g} s": points * each <= LEAST for points in LAPS_OF})


def joints_then_muscles(values: Values) -> Finding:
    """Judge section 7: joint-space solutions can be converted to muscle lengths without losing solutions."""
    found = values[workspace.EXPERIMENT.name]
    readings = {}
    for name in workspace.CONTRACTIONS:
        readings[f"{name}, any joint-space solution"] = found[f"{name} all"] >= 100
        readings[f"{name}, the swivel chosen by the muscles"] = found[f"{name} solved"] >= 100
    parts = [f"{name} {found[f'{name} all']:.3g} %" for name in workspace.RANGES]
    solved = [f"{name} {found[f'{name} solved']:.4g} %" for name in workspace.RANGES]
    sentence = (
        f"Points of a plane where every joint-space solution is admissible: {', '.join(parts)}; with the swivel chosen by "
        f"the muscles, solved targets: {', '.join(solved)}. All ranges are limbik's; the geometric extremes exclude nothing, and "
        "are not counted."
    )
    return Finding(sentence, readings)


def by_camera(values: Values) -> Finding:
    """Judge section 7: a measured distance can replace direct kinematics, within the wanted centimetre."""
    found = values[camera.EXPERIMENT.name]
    keys = list(product(camera.PLACES, camera.NOISE, camera.SWEEPS))
    readings = {
        f"{place}, noise {noise:g} mm, {sweeps} sweeps, {part}": found[f"{place} {noise:g} {sweeps} {part}"] <= WANTED
        for (place, noise, sweeps), part in product(keys, camera.QUANTILES)
    }
    most = max(camera.SWEEPS)
    parts = []
    for place in camera.PLACES:
        errors = ", ".join(f"{found[f'{place} {n:g} {most} median']:.2g} cm at {n:g} mm" for n in camera.NOISE)
        least = min(found[f"{place} {n:g} {most} within"] for n in camera.NOISE)
        parts.append(f"{place} {errors}, at least {least:.0f} % of the starts within 1 cm")
    sentence = f"Median true errors by the noise, {most} sweeps: {'; '.join(parts)}."
    return Finding(sentence, readings)


MOTION = (
    Conclusion("7 steps keep an error of 1 cm (section 6)", seven_keep),
    Conclusion("fewer than 7 steps do not (section 6)", fewer_do_not),
    Conclusion("11 steps keep it (section 6)", eleven_keep),
    Conclusion("with 3 steps the error is above it (Figure 11)", high_with_few),
    Conclusion("more steps give a higher precision (abstract)", more_is_better),
    Conclusion("lines are executed with points 2.5 cm apart (section 5)", lines_are_easy),
    Conclusion("on the third circle the dorsal works, supraspinatus and subscapularis little (Figure 9)", dorsal_works),
    Conclusion("the inverse kinematics runs in real time (section 7)", real_time),
    Conclusion("joint-space solutions can be converted to muscles without losing any (section 7)", joints_then_muscles),
    Conclusion("a camera can replace the direct kinematics (section 7)", by_camera),
)
