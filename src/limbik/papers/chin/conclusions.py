"""The thesis' hypotheses (4.1) and sentences of 5.2.4, 6 and 7, judged by the measured values of all sections."""

from collections.abc import Collection

from limbik.papers.chin import animator, any_chain, methods, other_chains, other_starts, segment, six_joints
from limbik.papers.chin.printed import PSEUDOINVERSE_ITERATIONS
from limbik.papers.chin.trajectory import REACHED, TARGETS
from limbik.papers.claim import Row
from limbik.papers.verdict import Conclusion, Figures, Finding, Holds

# The largest joint rotation in one step that is not a sudden change [deg].
SUDDEN = 20.0
# The ratio of evaluations up to which two methods count as about equal.
ABOUT_AS_MANY = 1.25
MINIMISERS = tuple(
    c.name for c in (methods.BFGS, methods.FLETCHER, methods.FRPRM, methods.POWELL_STOPPED, *methods.PRAXIS)
)
ROOT_FINDERS = (methods.NEWTON.name, methods.BROYDN.name)
# The lines that methods follow: the experiment, and the prefix of its keys.
SIX_4 = (six_joints.RESIDUAL_4.name, "")
SIX_200 = (six_joints.RESIDUAL_200.name, "")
EIGHT, THREE = ((other_chains.EXPERIMENT.name, f"{joints} ") for joints in (8, 3))
LINES = (SIX_4, SIX_200, EIGHT, THREE)


def _value(figures: Figures, line: tuple[str, str], name: str, column: str) -> float:
    experiment, prefix = line
    return figures[experiment][f"{prefix}{name} {column}"]


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(name.replace(methods.POWELL_STOPPED.name, "POWELL") for name in names)


def any_number_of_joints(figures: Figures) -> Finding:
    """Judge hypothesis 1: iterative methods handle any chain, where a closed form is laborious or missing."""
    lines = (THREE, SIX_4, EIGHT)
    names = (*ROOT_FINDERS, *MINIMISERS, methods.LM.name)
    reached = {name: sum(_value(figures, line, name, "reached") for line in lines) for name in names}
    full = len(lines) * TARGETS
    complete = tuple(name for name in names if reached[name] == full)
    branches = {n: figures[any_chain.EXPERIMENT.name][f"{n} branches"] for n in any_chain.CHAINS}
    closed = ", ".join(f"{n} joints: {b:.0f} branches" if b else f"{n} joints: none" for n, b in branches.items())
    sentence = (
        f"all {full} targets of the chains with 3, 6 and 8 joints are reached by {_listed(complete) or 'no method'}; "
        f"closed forms that limbik derives from the geometry: {closed}"
    )
    missing = sum(b == 0 for b in branches.values())
    holds = Holds.PARTLY if missing < len(branches) else Holds.FULLY
    rows = tuple(Row(f"hypothesis 1, {n}: targets reached with 3, 6 and 8 joints", None, reached[n], f"of {full}", None)
                 for n in names)  # fmt: skip
    return Finding(holds if complete and missing else Holds.NOT, sentence, rows)


def one_posture(figures: Figures) -> Finding:
    """Judge hypothesis 2: a start leads to one posture, it is not known which, and the others take time."""
    found = figures[other_starts.EXPERIMENT.name]
    closed = found["closed form time"] / other_starts.MICROSECONDS
    parts, slower, unpredictable = [], True, True
    for name in other_starts.WITHOUT_FALSE_ZEROS:
        distinct, last = found[f"{name} met"], found[f"{name} last"]
        seconds = found[f"{name} time"] / other_starts.MILLISECONDS
        share = seconds * last / other_starts.STARTS
        parts.append(
            f"{name} finds {distinct:.0f} of 8 postures, the last with start {last:.0f} after about {1e3 * share:.3g} ms"
        )
        unpredictable &= last > distinct or distinct < other_starts.POSTURES
        slower &= share > closed
    false = " and ".join(f"{found[f'{r.name} met']:.0f}" for r in other_starts.RUNNERS if r.objective == "5.22")
    sentence = (
        f"each start gives one posture, which cannot be predicted: from {other_starts.STARTS} random starts "
        f"{' and '.join(parts)} (by (5.22), which has false zeros, {false}); the closed form gives all of them in "
        f"{1e6 * closed:.3g} us"
    )
    return Finding(Holds.by_parts(slower, unpredictable), sentence)


def by_segments(figures: Figures) -> Finding:
    """Judge hypothesis 3: robotics' solutions move a character, segment by segment."""
    arm, character = figures[animator.EXPERIMENT.name], figures[segment.EXPERIMENT.name]
    films = [film.name for film in animator.FILMS]
    runs = " and ".join(f"{name} for {arm[name]:.0f} frames" for name in films)
    hand = " and ".join(f"{character[name]:.0f}" for name in films)
    sentence = (
        f"the arm stays inside Table 5.2 in {runs}; the left hand of `human` follows the films for {hand} frames with the "
        f"joints of its arm alone, with an error of at most {character['off']:.0e} units; its other tips move by "
        f"{character['moved']:g} units"
    )
    moves = all(arm[name] > 0 and character[name] > 0 for name in films)
    exact = character["off"] <= segment.HAND_BAR and character["moved"] == 0
    return Finding(Holds.by_parts(moves, exact), sentence)


def _between(angles: Collection[float]) -> str:
    low, high = (f"{angle:.1f}" if angle < 100 else f"{angle:.0f}" for angle in (min(angles), max(angles)))
    return low if low == high else f"{low} to {high}"


def no_sudden_change(figures: Figures) -> Finding:
    """Judge hypothesis 4: a target nearby needs no sudden joint rotation."""
    parts, rows, gradual = [], [], []
    for joints, line in ((6, SIX_4), (8, EIGHT), (3, THREE)):
        contestants = six_joints.CONTESTANTS if joints == 6 else other_chains.contestants(joints)
        angles = [_value(figures, line, c.name, "jump") for c in contestants]
        count = sum(angle <= SUDDEN for angle in angles)
        parts.append(f"{joints} joints {count} of {len(angles)} ({_between(angles)} deg)")
        what = f"hypothesis 4, {joints} joints: methods that rotate no joint by more than {SUDDEN:.0f} deg per step"
        rows.append(Row(what, None, float(count), f"of {len(angles)}", None))
        gradual += [angle <= SUDDEN for angle in angles]
    nearest = (figures[SIX_4[0]]["nearest"], figures[THREE[0]]["3 nearest"])
    sentence = (
        f"methods that rotate no joint by more than {SUDDEN:.0f} deg per step: {', '.join(parts)}; the first step off a straight "
        f"arm needs the largest rotation: to the closest configuration it is {nearest[0]:.3g} deg with 6 joints and "
        f"{nearest[1]:.3g} deg with 3"
    )
    return Finding(Holds.by_parts(*gradual), sentence, tuple(rows))


def best_all_rounder(figures: Figures) -> Finding:
    """Judge chapter 7: BFGS is the most robust, with the fewest evaluations overall.

    Methods are ranked by the number of targets reached, then by evaluations.
    """
    names = (*ROOT_FINDERS, *MINIMISERS)
    reached = {name: sum(_value(figures, line, name, "reached") for line in LINES) for name in names}
    cost = {name: sum(_value(figures, line, name, "evaluations") for line in LINES) / len(LINES) for name in names}
    order = sorted(names, key=lambda name: (-reached[name], cost[name]))
    full = len(LINES) * TARGETS
    ranks = ", ".join(f"{_listed((name,))} {reached[name]:.0f} ({cost[name]:.0f})" for name in order)
    sentence = f"targets reached of {full} on the four lines (in brackets the mean evaluations): {ranks}"
    best = next(name for name in order if name in MINIMISERS)
    near = reached[methods.BFGS.name] == reached[best] and cost[methods.BFGS.name] <= ABOUT_AS_MANY * cost[best]
    holds = Holds.FULLY if order[0] == methods.BFGS.name else Holds.PARTLY if near else Holds.NOT
    if holds is Holds.PARTLY:
        sentence += "; among the minimisers BFGS is about as good as the best; the root finders need fewer evaluations"
    rows = [
        row for rank, name in enumerate(order, start=1) for row in _ranked(rank, name, reached[name], cost[name], full)
    ]
    return Finding(holds, sentence, tuple(rows))


def _ranked(rank: int, name: str, reached: float, cost: float, full: int) -> tuple[Row, ...]:
    where = f"all four lines, {name}"
    return (
        Row(
            f"{where}: rank by targets reached, then evaluations",
            1.0 if name == methods.BFGS.name else None,
            float(rank),
            "rank",
            None,
        ),
        Row(f"{where}: targets reached", None, reached, f"of {full}", None),
        Row(f"{where}: mean evaluations", None, cost, "evaluations", None),
    )


def slow_pseudoinverse(figures: Figures) -> Finding:
    """Judge section 5.2.4: Newton's method by the pseudoinverse needs at least 200 iterations on three joints."""
    mean = _value(figures, THREE, methods.PSEUDOINVERSE.name, "iterations")
    reached = _value(figures, THREE, methods.PSEUDOINVERSE.name, "reached")
    sentence = (
        f"{reached:.0f} of {TARGETS} targets are reached, in {mean:.1f} iterations on average, by the corrected box"
    )
    return Finding(Holds.FULLY if mean >= PSEUDOINVERSE_ITERATIONS else Holds.NOT, sentence)


def inexact_paths(figures: Figures) -> Finding:
    """Judge appendix G: FRPRM at residual 200 and FLETCHER at residual 4 miss the path of the hand."""
    errors = [(methods.FRPRM.name, 200, SIX_200), (methods.FLETCHER.name, 4, SIX_4)]
    found = [(name, residual, _value(figures, line, name, "error")) for name, residual, line in errors]
    parts = " and ".join(
        f"{name} at residual {residual} has a largest error of {error:.0e}" for name, residual, error in found
    )
    missed = [not error <= REACHED for _, _, error in found]
    return Finding(Holds.by_parts(*missed), f"{parts} [units, rad]")


CONCLUSIONS = (
    Conclusion("hypothesis 1, iterative methods handle any number of joints better than a closed form", Holds.FULLY,
               any_number_of_joints),
    Conclusion("hypothesis 2, iterative methods end at one posture, and others take time", Holds.FULLY, one_posture),
    Conclusion("hypothesis 3, robotics' solutions animate a figure by segments", Holds.FULLY, by_segments),
    Conclusion("hypothesis 4, a target nearby makes no sudden changes", Holds.PARTLY, no_sudden_change),
    Conclusion("BFGS is the best all-rounder (chapter 7)", Holds.FULLY, best_all_rounder),
    Conclusion("Newton by the pseudoinverse needs at least 200 iterations on 3 joints (section 5.2.4)", Holds.FULLY,
               slow_pseudoinverse),
    Conclusion("FRPRM and FLETCHER do not converge exactly (appendix G)", Holds.FULLY, inexact_paths),
)  # fmt: skip
