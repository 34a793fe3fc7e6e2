"""What the thesis concludes, judged by the figures of all its sections: its hypotheses (4.1), and sentences of 5.2.4, 6 and 7."""

from collections.abc import Collection

from limbik.papers.chin import animator, any_chain, other_chains, other_starts, segment, six_joints
from limbik.papers.chin.printed import PSEUDOINVERSE_ITERATIONS
from limbik.papers.chin.trajectory import (
    BFGS,
    BROYDN,
    FLETCHER,
    FRPRM,
    HAS_PRAXIS,
    LM,
    NEWTON,
    POWELL_STOPPED,
    PRAXIS,
    PSEUDOINVERSE,
    REACHED,
    TARGETS,
)
from limbik.papers.claim import Row
from limbik.papers.verdict import Conclusion, Figures, Finding, Holds

# A turn of a joint in one step that is no sudden change [deg].
SUDDEN = 20.0
# Evaluations that are as good as the fewest: so many times as many.
ABOUT_AS_MANY = 1.25
MINIMISERS = tuple(c.name for c in (BFGS, FLETCHER, FRPRM, POWELL_STOPPED, *((PRAXIS,) if HAS_PRAXIS else ())))
ROOT_FINDERS = (NEWTON.name, BROYDN.name)
# The lines that methods are led along: the experiment, and what its keys begin with.
SIX_4 = (six_joints.RESIDUAL_4.name, "")
SIX_200 = (six_joints.RESIDUAL_200.name, "")
EIGHT, THREE = ((other_chains.EXPERIMENT.name, f"{joints} ") for joints in (8, 3))
LINES = (SIX_4, SIX_200, EIGHT, THREE)


def _figure(figures: Figures, line: tuple[str, str], name: str, figure: str) -> float:
    experiment, prefix = line
    return figures[experiment][f"{prefix}{name} {figure}"]


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(name.replace(POWELL_STOPPED.name, "POWELL") for name in names)


def any_number_of_joints(figures: Figures) -> Finding:
    """Hypothesis 1: iterative methods handle any chain, where a closed form is laborious or missing."""
    lines = (THREE, SIX_4, EIGHT)
    names = (*ROOT_FINDERS, *MINIMISERS, LM.name)
    reached = {name: sum(_figure(figures, line, name, "reached") for line in lines) for name in names}
    full = len(lines) * TARGETS
    complete = tuple(name for name in names if reached[name] == full)
    branches = {n: figures[any_chain.EXPERIMENT.name][f"{n} branches"] for n in any_chain.CHAINS}
    closed = ", ".join(f"{n} joints: {b:.0f} branches" if b else f"{n} joints: none" for n, b in branches.items())
    sentence = (
        f"with 3, 6 and 8 joints {_listed(complete) or 'no method'} reach all {full} targets; the closed forms that limbik "
        f"derives from the geometry by itself: {closed}"
    )
    missing = sum(b == 0 for b in branches.values())
    holds = Holds.PARTLY if missing < len(branches) else Holds.FULLY
    rows = tuple(Row(f"hypothesis 1, {n}: targets reached with 3, 6 and 8 joints", None, reached[n], f"of {full}", None)
                 for n in names)  # fmt: skip
    return Finding(holds if complete and missing else Holds.NOT, sentence, rows)


def one_posture(figures: Figures) -> Finding:
    """Hypothesis 2: a start leads to one posture, which one is not known, and the others take time."""
    found = figures[other_starts.EXPERIMENT.name]
    closed = found["closed form time"] / other_starts.MICROSECONDS
    parts, dear, blind = [], True, True
    for name in other_starts.WITHOUT_FALSE_ZEROS:
        met, last = found[f"{name} met"], found[f"{name} last"]
        seconds = found[f"{name} time"] / other_starts.MILLISECONDS
        share = seconds * last / other_starts.STARTS
        parts.append(
            f"{name} meets {met:.0f} of 8 postures, the last by start {last:.0f} and after {1e3 * share:.3g} ms"
        )
        blind &= last > met or met < other_starts.POSTURES
        dear &= share > closed
    false = " and ".join(f"{found[f'{r.name} met']:.0f}" for r in other_starts.RUNNERS if r.objective == "5.22")
    sentence = (
        f"a start gives one posture, and none tells which: from {other_starts.STARTS} random ones {' and '.join(parts)} "
        f"(by (5.22), which has false zeros, {false}); the closed form has all in {1e6 * closed:.3g} us"
    )
    holds = {2: Holds.FULLY, 1: Holds.PARTLY, 0: Holds.NOT}[dear + blind]
    return Finding(holds, sentence)


def by_segments(figures: Figures) -> Finding:
    """Hypothesis 3: robotics' solutions move a figure, segment by segment."""
    arm, figure = figures[animator.EXPERIMENT.name], figures[segment.EXPERIMENT.name]
    films = [film.name for film in animator.FILMS]
    runs = " and ".join(f"{name} for {arm[name]:.0f} frames" for name in films)
    hand = " and ".join(f"{figure[name]:.0f}" for name in films)
    sentence = (
        f"the arm stays inside Table 5.2 in {runs}; the human figure's left hand makes {hand} frames by its arm alone, "
        f"{figure['off']:.0e} units off at most, and its other ends move by {figure['moved']:g}"
    )
    moves = all(arm[name] > 0 and figure[name] > 0 for name in films)
    exact = figure["off"] <= segment.HAND_BAR and figure["moved"] == 0
    return Finding({2: Holds.FULLY, 1: Holds.PARTLY, 0: Holds.NOT}[moves + exact], sentence)


def _between(turns: Collection[float]) -> str:
    low, high = (f"{turn:.1f}" if turn < 100 else f"{turn:.0f}" for turn in (min(turns), max(turns)))
    return low if low == high else f"{low} to {high}"


def no_sudden_change(figures: Figures) -> Finding:
    """Hypothesis 4: a target nearby takes no sudden turn of a joint."""
    parts, rows, good, all_methods = [], [], 0, 0
    for joints, line in ((6, SIX_4), (8, EIGHT), (3, THREE)):
        contestants = six_joints.CONTESTANTS if joints == 6 else other_chains.contestants(joints)
        turns = {c.name: _figure(figures, line, c.name, "jump") for c in contestants}
        few = sum(turn <= SUDDEN for turn in turns.values())
        parts.append(f"{joints} joints {few} of {len(turns)} ({_between(turns.values())} deg)")
        what = f"hypothesis 4, {joints} joints: methods that turn no joint by more than {SUDDEN:.0f} deg a step"
        rows.append(Row(what, None, float(few), f"of {len(turns)}", None))
        good, all_methods = good + few, all_methods + len(turns)
    nearest = (figures[SIX_4[0]]["nearest"], figures[THREE[0]]["3 nearest"])
    sentence = (
        f"methods that turn no joint by more than {SUDDEN:.0f} deg a step: {', '.join(parts)}; the first step off a straight arm "
        f"takes most, and the closest configuration is {nearest[0]:.3g} (6 joints) and {nearest[1]:.3g} deg (3) away"
    )
    holds = Holds.FULLY if good == all_methods else Holds.PARTLY if good else Holds.NOT
    return Finding(holds, sentence, tuple(rows))


def best_all_rounder(figures: Figures) -> Finding:
    """Chapter 7: BFGS is the most robust, with the fewest evaluations overall. Ranked by targets reached, then evaluations."""
    names = (*ROOT_FINDERS, *MINIMISERS)
    reached = {name: sum(_figure(figures, line, name, "reached") for line in LINES) for name in names}
    cost = {name: sum(_figure(figures, line, name, "evaluations") for line in LINES) / len(LINES) for name in names}
    order = sorted(names, key=lambda name: (-reached[name], cost[name]))
    full = len(LINES) * TARGETS
    ranks = ", ".join(f"{_listed((name,))} {reached[name]:.0f} ({cost[name]:.0f})" for name in order)
    sentence = f"targets reached of {full} on all four lines, and mean evaluations: {ranks}"
    best = next(name for name in order if name in MINIMISERS)
    near = reached[BFGS.name] == reached[best] and cost[BFGS.name] <= ABOUT_AS_MANY * cost[best]
    holds = Holds.FULLY if order[0] == BFGS.name else Holds.PARTLY if near else Holds.NOT
    if holds is Holds.PARTLY:
        sentence += "; among the minimisers BFGS is about as good as the best, the root finders need fewer"
    rows = [
        row for rank, name in enumerate(order, start=1) for row in _ranked(rank, name, reached[name], cost[name], full)
    ]
    return Finding(holds, sentence, tuple(rows))


def _ranked(rank: int, name: str, reached: float, cost: float, full: int) -> tuple[Row, ...]:
    where = f"all four lines, {name}"
    return (
        Row(
            f"{where}: rank by targets reached, then evaluations",
            1.0 if name == BFGS.name else None,
            float(rank),
            "rank",
            None,
        ),
        Row(f"{where}: targets reached", None, reached, f"of {full}", None),
        Row(f"{where}: mean evaluations", None, cost, "evaluations", None),
    )


def slow_pseudoinverse(figures: Figures) -> Finding:
    """Section 5.2.4: Newton's method by the pseudoinverse needs at least 200 iterations on three joints."""
    mean = _figure(figures, THREE, PSEUDOINVERSE.name, "iterations")
    reached = _figure(figures, THREE, PSEUDOINVERSE.name, "reached")
    sentence = (
        f"{reached:.0f} of {TARGETS} targets are reached in {mean:.1f} iterations each, with the box's signs put right"
    )
    return Finding(Holds.FULLY if mean >= PSEUDOINVERSE_ITERATIONS else Holds.NOT, sentence)


def inexact_paths(figures: Figures) -> Finding:
    """Appendix G: FRPRM at residual 200 and FLETCHER at residual 4 leave the hand beside its path."""
    errors = [(FRPRM.name, 200, SIX_200), (FLETCHER.name, 4, SIX_4)]
    found = [(name, residual, _figure(figures, line, name, "error")) for name, residual, line in errors]
    parts = " and ".join(
        f"{name} at residual {residual} ends {error:.0e} off at most" for name, residual, error in found
    )
    missed = sum(not error <= REACHED for _, _, error in found)
    return Finding({2: Holds.FULLY, 1: Holds.PARTLY, 0: Holds.NOT}[missed], f"{parts} [units, rad]")


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
