"""Guez and Ahmad's verdicts follow the values; maxima and the network's own time count; bars are the paper's."""

import math

import numpy as np
import pytest

from limbik.papers.guez_ahmad import PAPER, faults, refinement, speed
from limbik.papers.guez_ahmad import verdicts_features as features
from limbik.papers.guez_ahmad import verdicts_learning as learning
from limbik.papers.guez_ahmad import verdicts_solving as solving
from limbik.papers.guez_ahmad.arms import ROUNDING
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT, SINE_MAX, SINE_MEAN, THIRD_MAX

CLAIMS = [claim for s in PAPER.sections for e in s.experiments for claim in e.claims]
PRINTED = {SINE_MEAN, SINE_MAX, MEAN_PERCENT, MAX_PERCENT, *THIRD_MAX.values()}


def table(fill):
    """The same value for all claims of the paper."""
    return {e.name: {c.key: fill for c in e.claims} for s in PAPER.sections for e in s.experiments}


def random_table(rng):
    """Values that differ from claim to claim."""
    return {e.name: {c.key: rng.uniform(0.1, 9.0) for c in e.claims} for s in PAPER.sections for e in s.experiments}


def test_a_bar_is_a_printed_value_a_law_or_an_oracle_in_the_same_run():
    """Laws: rounding of forward kinematics, the tolerance of `solve`; oracles: reachable targets, other trainings."""
    laws = {"m": {ROUNDING, speed.TOLERANCE}, "%": {100.0}, "ratio": {1.0}}
    for claim in (claim for claim in CLAIMS if claim.bar is not None):
        allowed = laws.get(claim.unit, set()) | ({claim.paper} if claim.paper is not None else set())
        assert claim.bar.high in allowed, claim.what


def test_a_number_beside_paper_is_printed_there():
    """Puma's 37 multiplications are those of a closed form, so they do not belong beside a network's."""
    for claim in (claim for claim in CLAIMS if claim.paper is not None):
        assert claim.paper in PRINTED and "Levenberg-Marquardt" not in claim.what and "worst" not in claim.what


@pytest.mark.parametrize("conclusion", PAPER.conclusions, ids=lambda c: c.claim)
def test_missing_values_support_nothing(conclusion):
    verdict = conclusion.drawn(table(math.nan))
    assert verdict.finding.share == 0 and verdict.finding.sentence.endswith(".")


@pytest.mark.parametrize("conclusion", PAPER.conclusions, ids=lambda c: c.claim)
def test_sentences_are_made_from_values(conclusion):
    """The words of two sentences may differ only where values choose them; numbers must differ."""
    rng = np.random.default_rng(0)
    one, other = (conclusion.drawn(random_table(rng)).finding.sentence for _ in range(2))
    assert one != other
    for word in ("enough", "none", "better", "but "):
        assert word not in one and word not in other


# Judge, experiment, key, the value of all others, a value that supports the claim, and one that does not.
JUDGED = [
    (learning.the_sine, "sine", "500 max", 0.001, 0.2, 0.3),
    (learning.learned, "two links", "5000 mean", 0.01, 0.3, 7.0),
    (learning.learned, "what the text leaves open", "0.95 + 0.95 m, 10 x 10 with edges 500 max", 0.01, 9.0, 11.0),
    (learning.together, "what the text leaves open", "1 + 0.9 m, 20 x 20 with edges distance share", 0.0, 3.0, 0.0),
    (learning.third_angle, "theta3 = 0", "5000 third", 0.01, 0.1, 0.2),
    (learning.third_angle, "theta3 = 0", "5000 third mean", 0.01, 1e-3, -1e-3),
    (learning.flattened, "two links", "5000 slope 2 low 1/6", 1.0, 0.8, 1.0),
    (learning.singular, "singularity", "theta3 = 0 5,000 epochs position near 0 (0.1 rad)", 1.0, 9.0, 1.0),
    (features.no_programming, "number of examples", "forward max", 1.0, 9.0, 29.9),
    (features.no_programming, "both angles in one network", "theta3 not given theta3 = 0 mean", 1.0, 1.0, 9.0),
    (features.any_freedom, "degrees of freedom", "6 joints, 10 + 10 units ratio", 1.0, 1.05, 1.25),
    (features.any_freedom, "degrees of freedom", "6 joints, 10 + 10 units error", 1.0, 1.0, 9.0),
    (features.generalises, "number of examples", "10 max", 1.0, 9.0, 11.0),
    (features.adapts, "adaptation", "second link 0.8 m 20 training continues adapted", 5.0, 1.0, 9.0),
    (features.tolerates, "fault tolerance", "5,000 epochs 1 mean", 1.0, 1.0, 9.0),
    (features.tolerates, "fault tolerance", "5,000 epochs 1 max", 1.0, 1.0, 11.0),
    (solving.few_iterations, "first guesses", "network, 20,000 epochs Newton steps", 0.0, -1.0, 4.0),
    (solving.few_iterations, "first guesses", "network, 20,000 epochs Newton most", 0.0, -1.0, 4.0),
    (solving.accurate, "first guesses", "network, 20,000 epochs DLS failed", 0.0, 0.0, 0.6),
    (solving.accurate, "first guesses", "network, 20,000 epochs Newton worst failed", 0.0, 0.0, 2.0),
    (solving.fast, "speed", "two links network over closed form", 0.5, 0.5, 1.7),
    (solving.fast, "speed", "Puma 560 products", 1.0, 37.0, 38.0),
    (solving.not_for_closed_forms, "speed", "Puma 560 network + LM over closed form", 2.0, 2.0, 0.5),
    (solving.good_estimate, "speed", "Jaco 2 network + LM over from home", 0.5, 0.5, 1.2),
    (solving.good_estimate, "speed", "Jaco 2 from the network most", 3.0, 2.0, 9.0),
    (solving.control_cycle, "speed", "Jaco 2 network + LM over from 0.01 rad", 0.5, 0.5, 1.2),
]


@pytest.mark.parametrize(
    ("judge", "experiment", "key", "rest", "good", "bad"), JUDGED, ids=lambda x: getattr(x, "__name__", None)
)
def test_a_verdict_follows_its_value(judge, experiment, key, rest, good, bad):
    def share(value):
        found = table(rest)
        assert key in found[experiment]
        found[experiment][key] = value
        return judge(found).share

    assert share(good) > share(bad)


def test_every_conclusion_is_judged_by_a_value():
    assert {judge for judge, *_ in JUDGED} == {conclusion.judge for conclusion in PAPER.conclusions}


def with_values(experiment, fill, **found):
    """A table whose experiment has other values for the keys that end so."""
    values = table(fill)
    for key in values[experiment]:
        for end, value in found.items():
            if key.endswith(end.replace("_", " ")):
                values[experiment][key] = value
    return values


def test_an_estimate_that_costs_more_time_than_it_saves_does_not_hold():
    """Half the steps in 61 us with the network instead of 51 without."""
    values = with_values("speed", 61 / 51, from_the_network_steps=2.0, from_home_steps=4.0, from_the_middle_steps=4.0)
    found = solving.good_estimate(values)
    assert found.verdict == "depends"
    assert {holds for name, holds in found.readings.items() if "time" in name} == {False}
    assert {holds for name, holds in found.readings.items() if "mean steps" in name} == {True}


@pytest.mark.parametrize("judge", [solving.fast, solving.good_estimate, solving.control_cycle])
def test_a_time_that_is_nearly_the_same_is_not_less(judge):
    """Ratios from 0.95 to 1.05, as load makes them, give one verdict."""
    assert judge(table(0.95)).readings == judge(table(1.0)).readings == judge(table(1.05)).readings


@pytest.mark.parametrize("judge", [solving.fast, solving.not_for_closed_forms, solving.good_estimate])
def test_readings_that_depend_on_the_machine_say_so(judge):
    changed = [name for name, holds in judge(table(0.5)).readings.items() if holds != judge(table(2.0)).readings[name]]
    assert changed and all("on this machine" in name for name in changed)


def test_one_method_that_fails_is_not_a_full_solution():
    name = refinement.NETWORKS[1]
    found = solving.accurate(with_values("first guesses", 0.0, **{f"{name}_DLS_failed": 0.62}))
    assert found.verdict == "depends" and "DLS 0 to 0.62 %" in found.sentence and "Newton 0 to 0 %" in found.sentence


def test_few_examples_must_be_measured_to_adapt():
    never = {"6_training_continues_adapted": math.nan, "6_new_network_within": 9.0}
    found = features.adapts(with_values("adaptation", 5.0, **never))
    few = {name: holds for name, holds in found.readings.items() if "6 x 6" in name}
    assert [holds for name, holds in few.items() if "times" in name] == [False] * 3
    assert [holds for name, holds in few.items() if "5 and 10 %" in name] == [True] * 3
    assert "6 x 6 not in 1000 (5) and 5 (9)" in found.sentence
    sooner = features.adapts(with_values("adaptation", 5.0, **{"new_network_adapted": math.nan}))
    assert all(holds for name, holds in sooner.readings.items() if "times" in name and "without" not in name)


def test_rounding_does_not_decide_the_sign_of_an_average():
    def average(value):
        values = table(0.01)
        values["theta3 = 0"]["5000 third mean"] = value
        return learning.third_angle(values).readings["theta3 = 0, 5,000 epochs, average"]

    assert average(2e-17) and average(-2e-17) and average(8e-4)
    assert not average(-1e-4) and not average(0.02)


def test_tolerance_of_faults_counts_the_largest_error_too():
    values = with_values("fault tolerance", 1.0, max=50.0)
    kept = {name for name, holds in features.tolerates(values).readings.items() if holds}
    assert kept and not any("within 5 and 10" in name for name in kept)
    assert len(kept) == len(faults.TRAININGS) * (len(faults.REMOVED) + 1)
