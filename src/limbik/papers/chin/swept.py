"""The experiments of the sweep: ranges of the counts over all readings, and the number of readings in which claims hold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from limbik.papers.chin.arm import turn_gap
from limbik.papers.chin.methods import BROYDN_BOX
from limbik.papers.chin.printed import OTHER_CHAINS, SIX_JOINTS
from limbik.papers.chin.sweep import CASES, EIGHT, METHODS, SIX_4, SIX_200, THREE, Case, Outcome, needed, swept
from limbik.papers.claim import Cell, Claim
from limbik.papers.paper import Experiment, Findings, Section, Setting

NAMES = tuple(c.name for c in METHODS)
WITHOUT_DERIVATIVES = tuple(c.name for c in METHODS if not c.derivatives)
MINIMISERS = tuple(name for name in NAMES if name not in ("NEWTON", "BROYDN"))
# A joint rotation is sudden if it is more than so many times what the closest posture needs, and a margin [deg].
SUDDEN, MARGIN = 2.0, 1.0
# A joint rotation is large if it is more than so many times the angle under which the base sees the hand's step.
LARGE = 10.0
# The sums of the lengths of the chains [units].
LENGTHS = {SIX_4.name: 110.0, EIGHT.name: 240.0, THREE.name: 30.0}
SMALL_STEPS = (SIX_4, EIGHT, THREE)
# Postures that differ by less look alike in a graph [deg].
ALIKE = 1.0
READINGS = "readings"
PRINTED: Mapping[str, Mapping[str, tuple[float, float]]] = {
    SIX_4.name: SIX_JOINTS[4],
    SIX_200.name: SIX_JOINTS[200],
    EIGHT.name: OTHER_CHAINS[8],
    THREE.name: OTHER_CHAINS[3],
}


@dataclass(frozen=True)
class Property:
    """A statement about the outcome of a reading. what: the statement as text. cases: where it is judged."""

    what: str
    holds: Callable[[Case, Outcome], bool]
    cases: tuple[Case, ...] = CASES


def _fewest(names: tuple[str, ...], column: str, best: str, outcome: Outcome) -> bool:
    return all(outcome.mean(best, column) < outcome.mean(name, column) for name in names if name != best)


def _robust(case: Case, outcome: Outcome) -> bool:
    return outcome.runs["BFGS"].reached == max(outcome.runs[name].reached for name in NAMES)


def _costly(case: Case, outcome: Outcome) -> bool:
    least = min(outcome.mean(name, "evaluations") for name in WITHOUT_DERIVATIVES)
    return all(outcome.mean(name, "evaluations") < least for name in NAMES if name not in WITHOUT_DERIVATIVES)


def _apart(names: tuple[str, ...], outcome: Outcome) -> np.ndarray:
    """Return the largest difference between the postures of methods at each target, modulo whole turns [deg]."""
    q = np.array([outcome.runs[name].q[1:] for name in names])
    gaps = turn_gap(q[:, None], q[None])
    return np.asarray(np.degrees(gaps.max(axis=(0, 1, 3))))


def _different(case: Case, outcome: Outcome) -> bool:
    return bool((_apart(NAMES, outcome) > ALIKE).all())


def _similar(case: Case, outcome: Outcome) -> bool:
    return bool((_apart(("NEWTON", "BROYDN", "FLETCHER"), outcome) <= ALIKE).all())


def gradual(name: str, case: Case, outcome: Outcome) -> bool:
    """Return whether a method rotates no joint much further, at any target, than the closest posture needs."""
    need = needed(case, outcome.reading.direction)
    return bool((outcome.runs[name].jump <= SUDDEN * need + MARGIN).all())


def large(case: Case) -> float:
    """Return the joint rotation from which on a change is large [deg]."""
    return float(np.degrees(LARGE * np.sqrt(case.residual) / LENGTHS[case.name]))


def _small_first(name: str, case: Case, outcome: Outcome) -> bool:
    return bool(outcome.runs[name].jump[0] <= large(case))


def _small_later(name: str, case: Case, outcome: Outcome) -> bool:
    return bool((outcome.runs[name].jump[1:] <= large(case)).all())


def _met(name: str, case: Case, outcome: Outcome) -> bool:
    return outcome.met(name)


PROPERTIES: dict[str, Property] = {
    "NEWTON first": Property("NEWTON needs the fewest iterations", lambda c, o: _fewest(NAMES, "iterations", "NEWTON", o),
                             (SIX_4,)),
    "costly": Property(f"{' and '.join(WITHOUT_DERIVATIVES)} need more evaluations than every other method", _costly, (SIX_4,)),
    "BFGS robust": Property("BFGS reaches as many targets as any other method", _robust),
    "BFGS first": Property("BFGS needs the fewest evaluations of all methods",
                           lambda c, o: _fewest(NAMES, "evaluations", "BFGS", o)),
    "BFGS first minimiser": Property(f"BFGS needs the fewest evaluations of {', '.join(MINIMISERS)}",
                                     lambda c, o: _fewest(MINIMISERS, "evaluations", "BFGS", o)),
    "different": Property(f"methods end at different postures at every target (by more than {ALIKE:g} deg)", _different,
                          (SIX_4,)),
    "similar": Property(f"NEWTON, BROYDN and FLETCHER end at the same postures (within {ALIKE:g} deg)", _similar, (SIX_4,)),
    **{f"{name} gradual": Property(f"{name} rotates no joint more than {SUDDEN:g} times as far as the closest posture needs",
                                   partial(gradual, name), (SIX_4, SIX_200, THREE)) for name in NAMES},
    **{f"{name} small first": Property(f"{name} rotates no joint far to the first target", partial(_small_first, name),
                                      SMALL_STEPS)
       for name in NAMES},
    **{f"{name} small later": Property(f"{name} rotates no joint far to any later target", partial(_small_later, name),
                                      SMALL_STEPS)
       for name in NAMES},
    **{f"{name} met": Property(f"{name} ends below its sum of squares at every target", partial(_met, name)) for name in NAMES},
    f"{BROYDN_BOX.name} met": Property(f"{BROYDN_BOX.name} ends below its sum of squares at every target",
                                       partial(_met, BROYDN_BOX.name), (SIX_200,)),
}  # fmt: skip
COUNTED = ("iterations", "evaluations")
STATISTICS: dict[str, Callable[[list[float]], float]] = {
    "least": min,
    "median": lambda found: float(np.median(found)),
    "most": max,
}


def properties(case: Case) -> dict[str, Property]:
    """Return the properties that are judged in a case."""
    return {key: p for key, p in PROPERTIES.items() if case in p.cases}


def measure(case: Case, setting: Setting) -> Findings:
    """Run all readings of a case."""
    outcomes = swept(case, setting.quick)
    values = {READINGS: float(len(outcomes))}
    for key, p in properties(case).items():
        values[key] = float(sum(p.holds(case, outcome) for outcome in outcomes))
    for name in NAMES:
        for column in COUNTED:
            found = [outcome.mean(name, column) for outcome in outcomes]
            values |= {f"{name} {column} {key}": take(found) for key, take in STATISTICS.items()}
        jumps = [float(outcome.runs[name].jump.max()) for outcome in outcomes]
        values |= {f"{name} jump {key}": take(jumps) for key, take in STATISTICS.items()}
    return Findings(values)


def _claims(case: Case) -> tuple[Claim, ...]:
    claims = [Claim(READINGS, f"{case.name}: readings (direction, stop rule, gradient)", READINGS)]
    claims += [Claim(key, f"{case.name}: {p.what}{_limit(case, key)}", READINGS) for key, p in properties(case).items()]
    units = {"iterations": "iterations", "evaluations": "evaluations", "jump": "deg"}
    headings = {"iterations": "iterations", "evaluations": "evaluations", "jump": "rotation [deg]"}
    for name in NAMES:
        for column, unit in units.items():
            for key in STATISTICS:
                cell = Cell(f"{case.name}: over all readings, means per target", name, f"{headings[column]}, {key}")
                what = f"{case.name}, {name}: {column if column != 'jump' else 'largest joint rotation'}, {key} of all readings"
                claims.append(Claim(f"{name} {column} {key}", what, unit, cell=cell))
    return tuple(claims)


def _limit(case: Case, key: str) -> str:
    return f" ({large(case):.0f} deg)" if " small " in key else ""


EXPERIMENTS = {
    case.name: Experiment(name=f"sweep, {case.name}", claims=_claims(case), measure=partial(measure, case))
    for case in CASES
}
SWEEP = Section(name="what the thesis leaves open", experiments=tuple(EXPERIMENTS.values()))
