"""Table 3: the modified descent and the classical gradient at P1 and P2, beside limbik's default method."""

from pathlib import Path

import numpy as np

from limbik.muscle.fast_gradient import FastGradient
from limbik.papers.claim import Cell, Claim, at_most
from limbik.papers.gini import pictures
from limbik.papers.gini.arm import CM, RANDOM, STARTS, TARGETS, arm, starts, targets
from limbik.papers.gini.printed import TABLE_3
from limbik.papers.gini.runs import FINE, PER_SWEEP, SWEEPS, USUAL, best, errors, median
from limbik.papers.paper import Experiment, Findings, Picture, Setting

TABLE = f"Table 3: median error of the inverse kinematics, {STARTS} starts, {USUAL} sweeps"
MILLIMETRES = 1e3


def measure(setting: Setting) -> Findings:
    """Run the modified descent, and the classical gradient at the same step and at its best one."""
    values: dict[str, float] = {}
    for target in TARGETS:
        for sweeps in SWEEPS:
            values[f"{target} {sweeps} modified"] = median(target, "complete", sweeps)
            values[f"{target} {sweeps} same step"] = median(target, "classical", sweeps)
            values[f"{target} {sweeps} best step"] = best(target, "classical", sweeps)[1]
        values[f"{target} alpha"] = best(target, "classical", USUAL)[0] * MILLIMETRES
        values[f"{target} ratio"] = values[f"{target} {USUAL} best step"] / values[f"{target} {USUAL} modified"]
    for point in TABLE_3:
        values |= _at_point(point)
    histories = {point: {"modified": errors(point, "complete"),
                         "classical, best step": errors(point, "classical", best(point, "classical", USUAL)[0])}
                 for point in TABLE_3}  # fmt: skip

    def draw(path: Path) -> None:
        pictures.descents(path, {p: {k: h[:, : USUAL + 1] for k, h in by.items()} for p, by in histories.items()})

    return Findings(values, (Picture("table_3_descents", draw),))


def _at_point(point: str) -> dict[str, float]:
    """Return the cost of the descent to a point, Sub(i) with fewer muscles, and limbik's other methods."""
    values = {
        f"{point} {subsets}": float(np.median(errors(point, "complete", None, STARTS, subsets)[:, USUAL]))
        for subsets in PER_SWEEP
        if subsets != "all"
    }
    target = targets(point)[0]
    settings = FastGradient(sweeps=USUAL, goal=0.0)
    runs = [arm().muscles.descend_lengths(target, lengths, settings=settings) for lengths in starts()]
    values[f"{point} calls"] = float(np.mean([run.calls for run in runs]))
    answer = arm().muscles.solve_lengths(target)
    values[f"{point} default"] = answer.position_error / CM if answer.ok else np.inf
    values[f"{point} default calls"] = float(answer.evaluations)
    found = arm().muscles.solve_lengths(target, method="least_squares")
    values[f"{point} least squares"] = float(found.evaluations)
    return values


def _claims() -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for target in TARGETS:
        for sweeps in SWEEPS:
            printed = TABLE_3.get(target) if sweeps == USUAL else None
            for column, value in (
                ("modified", printed and printed[1]),
                ("same step", None),
                ("best step", printed and printed[2]),
            ):
                name = "modified" if column == "modified" else f"classical, {column}"
                bar = at_most(printed[1]) if printed and column == "modified" else None
                cell = Cell(TABLE.replace(f"{USUAL} sweeps", "by sweeps"), f"{target}, {sweeps} sweeps", f"{name} [cm]")
                what = f"Table 3, {target}: {name}, {sweeps} sweeps, median of {STARTS} starts"
                claims.append(Claim(f"{target} {sweeps} {column}", what, "cm", value, bar, cell))
        claims += [
            Claim(f"{target} alpha", f"{target}: the best step of the classical gradient, {USUAL} sweeps", "mm"),
            Claim(f"{target} ratio", f"{target}: classical at its best step / modified, {USUAL} sweeps", "x",
                  None if target == RANDOM else TABLE_3[target][2] / TABLE_3[target][1]),
        ]  # fmt: skip
    for point in TABLE_3:
        claims += [
            Claim(f"{point} calls", f"{point}: direct kinematics per descent of {USUAL} sweeps", "calls"),
            Claim(f"{point} pairs", f"{point}: Sub(i) with two muscles, as many direct kinematics, median error", "cm"),
            Claim(f"{point} single", f"{point}: Sub(i) with one muscle, as many direct kinematics, median error", "cm"),
            Claim(f"{point} default", f"{point}: limbik's default method, error", "cm", None, at_most(1e-7)),
            Claim(f"{point} default calls", f"{point}: postures that the default method evaluates", "calls"),
            Claim(f"{point} least squares", f"{point}: postures that bounded least squares evaluates", "calls"),
        ]
    return tuple(claims)


EXPERIMENT = Experiment(
    name="Table 3",
    claims=_claims(),
    measure=measure,
    notes=(
        "the paper gives neither its starts, its step size, its number of steps nor the lengths of the arm. Its values are "
        f"set beside those of {USUAL} sweeps; only orders of magnitude can be compared.",
        f"the classical gradient has a constant step. It is run at the step of the modified one, and at the best of "
        f"{len(FINE)} steps between {FINE[0] * MILLIMETRES:g} and {FINE[-1] * MILLIMETRES:g} mm, chosen for each target and "
        "number of sweeps.",
        "as printed the descent stalls: with a constant alpha, (17) takes steps of constant size near the target. Here the "
        "temperature scales the step, and reheating is limited to distances above the desired centimetre.",
    ),
)
