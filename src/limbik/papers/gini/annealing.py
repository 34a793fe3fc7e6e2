"""Annealing and reheating (section 4): what each part of the method contributes, and how often it leaves local minima."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.gini import as_printed
from limbik.papers.gini.arm import CM, EITHER, RANDOM, STARTS, TARGETS, arm, distance_to, independent, starts, targets
from limbik.papers.gini.as_printed import AsPrinted
from limbik.papers.gini.printed import WANTED
from limbik.papers.gini.runs import SWEEPS, USUAL, VARIANTS, best, errors
from limbik.papers.paper import SEED, Experiment, Findings, Setting

QUICK_STARTS = 30
# Starts of the readings of the temperature in plain Python, and their steps [m].
PLAIN_STARTS, QUICK_PLAIN = 40, 12
STEPS, QUICK_STEPS = (3e-5, 1e-4, 3e-4, 1e-3), (3e-5, 3e-4)
# The first temperature: a factor of the step, or the distance of the wanted precision [m].
HEAT = {"none": 1.0, "step": 3.0, "acceptance": WANTED * CM}
ABLATION = f"ablation at each variant's best step, {USUAL} sweeps: median error [cm]; starts within 1 cm [%]"


def within(found: Array, sweeps: int) -> float:
    """Return the share of starts within the wanted centimetre after some sweeps [%]."""
    return 100.0 * float((found[:, sweeps] <= WANTED).mean())


def readings(target: str, temperature: str, count: int, steps: tuple[float, ...]) -> float:
    """Return the median error by Figure 7 with a reading of the temperature, at the best of some steps [cm]."""
    low, high = (x[independent()] for x in arm().muscles.ranges)
    medians = []
    for alpha in steps:
        settings = AsPrinted(USUAL, alpha, temperature, heat=HEAT[temperature], reheating=temperature != "none")
        pairs = zip(targets(target)[:count], starts()[:count], strict=True)
        found = [
            as_printed.descend(distance_to(point), lengths, (low, high), settings, np.random.default_rng(SEED + k))[-1]
            for k, (point, lengths) in enumerate(pairs)
        ]
        medians.append(float(np.median(found)) / CM)
    return min(medians)


def measure(setting: Setting) -> Findings:
    """Leave parts of the method out; count the starts that reheating brings to the target."""
    values: dict[str, float] = {}
    count = setting.size(STARTS, QUICK_STARTS)
    for target in (*TARGETS, EITHER):
        full, without = errors(target, "complete"), errors(target, "no reheating")
        for sweeps in SWEEPS:
            values[f"{target} {sweeps} with"] = within(full, sweeps)
            values[f"{target} {sweeps} without"] = within(without, sweeps)
            good, plain = full[:, sweeps] <= WANTED, without[:, sweeps] <= WANTED
            values[f"{target} {sweeps} gained"] = float((good & ~plain).sum())
            values[f"{target} {sweeps} lost"] = float((plain & ~good).sum())
    for target in TARGETS:
        for variant in VARIANTS:
            alpha, error = best(target, variant, USUAL, count)
            values[f"{target} {variant} error"] = error
            values[f"{target} {variant} within"] = within(errors(target, variant, alpha, count), USUAL)
        size = setting.size(PLAIN_STARTS, QUICK_PLAIN)
        steps = QUICK_STEPS if setting.quick else STEPS
        for temperature in as_printed.READINGS:
            values[f"{target} printed {temperature}"] = readings(target, temperature, size, steps)
    return Findings(values)


def _claims() -> tuple[Claim, ...]:
    claims: list[Claim] = []
    reheat = "starts within 1 cm of the target [%], and starts that reheating gains and loses"
    for target in (*TARGETS, EITHER):
        for sweeps in SWEEPS:
            line = f"{target}, {sweeps} sweeps"
            for key, what, unit in (
                ("with", "with reheating", "%"),
                ("without", "without", "%"),
                ("gained", "gained", "starts"),
                ("lost", "lost", "starts"),
            ):
                claims.append(Claim(f"{target} {sweeps} {key}", f"{line}, {what}: starts within 1 cm", unit, None, None,
                                    Cell(reheat, line, what)))  # fmt: skip
    for target in TARGETS:
        for variant in VARIANTS:
            claims += [
                Claim(f"{target} {variant} error", f"{target}, {variant}: median error at its best step", "cm", None, None,
                      Cell(ABLATION, variant, f"{target}, error")),
                Claim(f"{target} {variant} within", f"{target}, {variant}: starts within 1 cm at its best step", "%", None,
                      None, Cell(ABLATION, variant, f"{target}, within")),
            ]  # fmt: skip
        for temperature in as_printed.READINGS:
            claims.append(
                Claim(f"{target} printed {temperature}",
                      f"{target}: Figure 7, velocities kept, temperature: {temperature}; median error at the best step", "cm",
                      None, None,
                      Cell("Figure 7 with three readings of the temperature: median error [cm]", target, temperature))
            )  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="annealing",
    claims=_claims(),
    measure=measure,
    notes=(
        "each variant is run at its best step, chosen for each target from a grid. The paper does not say what its temperature "
        "does: the readings are that it does nothing (Figure 7), scales the step (limbik), or accepts a worse distance "
        "(Kirkpatrick et al.).",
        f"'{RANDOM}': wrist positions of random admissible postures with the upper arm in front of the body, where all "
        f"starts are; one for each start. '{EITHER}' includes postures behind the body: the four lengths of the descent cannot "
        "cross the plane of the origins of pectoralis and deltoid.",
    ),
)
