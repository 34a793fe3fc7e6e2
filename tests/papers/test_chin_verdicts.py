"""Verdicts on the thesis: each follows from the measured values, and other values make other verdicts."""

import numpy as np
import pytest

from limbik.papers.chin import PAPER, conclusions, conclusions_methods, newton_steps, readings
from limbik.papers.chin.sweep import CASES, SIX_4, SIX_200, THREE
from limbik.papers.chin.swept import EXPERIMENTS, NAMES, READINGS
from limbik.papers.paper import Setting


@pytest.fixture(scope="module")
def measured():
    return {e.name: e.run(Setting(quick=True))[0] for s in PAPER.sections for e in s.experiments}


@pytest.fixture(scope="module")
def values(measured):
    return {
        name: {row.key: np.nan if row.ours is None else row.ours for row in rows} for name, rows in measured.items()
    }


def changed(values, experiment, keys, value):
    """Return the values with some of an experiment's set to another value."""
    assert all(key in values[experiment] for key in keys)
    return {**values, experiment: {**values[experiment], **dict.fromkeys(keys, value)}}


def test_every_bar_is_met_or_has_a_cause(measured):
    missed = [row for rows in measured.values() for row in rows if row.ok is False]
    assert [row.key for row in missed] == ["BFGS iterations"] and not any(row.failed for row in missed)


def test_what_the_values_say_of_the_thesis(measured):
    """Laws and counts of solutions do not depend on readings; these verdicts are the same at any size of the samples."""
    found = {v.claim: v.finding.verdict for v in PAPER.verdicts(measured)}
    assert {claim: found[claim] for claim in found if found[claim] != "depends"} == {
        "hypothesis 2, iterative methods end at one posture, and others take time": "holds",
        "hypothesis 3, robotics' solutions animate a figure by segments": "holds",
        "algebraic solutions are significantly faster (section 6.1)": found[
            "algebraic solutions are significantly faster (section 6.1)"
        ],
        "a stretched arm has infinitely many solutions (section 6.1)": "fails",
        "joint limits eliminate all postures but one": "holds",
        "NEWTON has the fastest convergence (section 6.2.1)": "holds",
        "BFGS has overall the least evaluations of all methods (chapter 7)": "fails",
        "FLETCHER misses the path slightly at residual 4 (appendix G.2)": "fails",
        "different methods produce different joint angles at each step (section 6.4)": "fails",
        "NEWTON, BROYDN and FLETCHER produce similar joint angles (section 6.4)": "holds",
        "the pseudoinverse is discontinuous at singular configurations (section 6.2.1)": "holds",
    }


SWEPT = {
    "NEWTON first": (conclusions_methods.newton_first, (SIX_4,)),
    "costly": (conclusions_methods.costly, (SIX_4,)),
    "BFGS robust": (conclusions_methods.robust, CASES),
    "BFGS first": (conclusions_methods.fewest, CASES),
    "BFGS first minimiser": (conclusions_methods.fewest_of_minimisers, CASES),
    "different": (conclusions_methods.different_angles, (SIX_4,)),
    "similar": (conclusions_methods.similar_angles, (SIX_4,)),
}


@pytest.mark.parametrize("key", SWEPT)
def test_a_swept_claim_is_judged_by_the_share_of_readings(values, key):
    judge, cases = SWEPT[key]
    for share, verdict in ((1.0, "holds"), (0.0, "fails"), (0.5, "depends")):
        other = values
        for case in cases:
            total = values[EXPERIMENTS[case.name].name][READINGS]
            other = changed(other, EXPERIMENTS[case.name].name, [key], share * total)
        found = judge(other)
        assert found.verdict == verdict and found.share == pytest.approx(share)


def test_other_values_make_other_verdicts(values):
    starts, figure = conclusions.other_starts.EXPERIMENT.name, conclusions.segment.EXPERIMENT.name
    speed, chains = conclusions.speed.EXPERIMENT.name, conclusions.any_chain.EXPERIMENT.name
    steps, far = newton_steps.EXPERIMENT.name, EXPERIMENTS[SIX_200.name].name
    degenerate, ranges = conclusions.degenerate.EXPERIMENT.name, conclusions.ranges.EXPERIMENT.name
    jacobian = conclusions_methods.jacobians.EXPERIMENT.name
    frames = [key for key in values[figure] if key.endswith(" frames")]
    total = values[far][READINGS]
    judged = conclusions_methods
    cases = [
        (conclusions.any_number_of_joints, changed(values, chains, ["3 branches", "6 branches"], 0.0)),
        (conclusions.one_posture, changed(values, starts, ["ratio"], 0.5)),
        (conclusions.by_segments, changed(values, figure, frames[:1], 0.0)),
        (conclusions.significantly_faster, changed(values, speed, ["single ratio"], 0.5)),
        (conclusions.infinitely_many, changed(values, degenerate, ["elbow straight: two postures coincide"], 0.0)),
        (conclusions.one_of_eight, changed(values, ranges, ["a"], 99.0)),
        (conclusions.no_sudden_change, changed(values, EXPERIMENTS[THREE.name].name, ["BFGS small first"], total)),
        (conclusions.by_method, changed(values, EXPERIMENTS[THREE.name].name, ["PRAXIS gradual"], 0.0)),
        (conclusions.printed_counts, changed(values, far, ["NEWTON iterations most"], 13.0)),
        (judged.large_residuals, changed(values, far, ["POWELL met"], 0.0)),
        (judged.broydn_fails, changed(values, far, ["BROYDN met"], 0.0)),
        (judged.frprm_inexact, changed(values, far, ["FRPRM met"], 0.0)),
        (judged.fletcher_inexact, changed(values, EXPERIMENTS[SIX_4.name].name, ["FLETCHER met"], 1.0)),
        (judged.newton_fails, changed(values, steps, ["3 joints LU"], 20.0)),
        (judged.slow_pseudoinverse, changed(values, steps, ["hand free least"], 250.0)),
        (judged.discontinuous, changed(values, steps, ["6 near"], 0.1)),
        (judged.gradient, changed(values, jacobian, ["descent base"], 100.0)),
    ]  # fmt: skip
    for judge, other in cases:
        assert judge(other).share != judge(values).share, judge.__name__
        assert judge(other).sentence != judge(values).sentence, judge.__name__


def test_readings_expand_to_the_share():
    found = readings.counted("x", 3.0, 8.0)
    assert len(found) == 8 and sum(found.values()) == 3


def test_methods_of_the_sweep_are_those_of_the_thesis():
    assert set(NAMES) - {"PRAXIS"} == {"NEWTON", "BFGS", "POWELL", "FRPRM", "FLETCHER", "BROYDN"}
