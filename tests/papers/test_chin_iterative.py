"""The thesis' iterative methods: every claim with a bar meets it; the printed tables are consistent."""

import numpy as np
import pytest

from limbik.papers.chin import printed, trajectory
from limbik.papers.chin.arm import appendix_b
from limbik.papers.chin.iterative import ITERATIVE
from limbik.papers.chin.methods import FRPRM, NEWTON
from limbik.papers.chin.trajectory import STEPS, TARGETS, run_along
from limbik.papers.paper import Setting
from limbik.solvers.iterative import frprm


@pytest.mark.parametrize("experiment", ITERATIVE.experiments, ids=lambda e: e.name)
def test_every_bar_is_met(experiment):
    rows, _ = experiment.run(Setting(quick=True))
    assert not [row for row in rows if row.ok is False]


def test_the_printed_means_are_those_of_the_printed_columns():
    """All but BROYDN's iterations, which is an erratum of the thesis."""
    for k, table in enumerate((printed.TABLE_C_1, printed.TABLE_C_2)):
        for name, column in table.items():
            agrees = abs(np.mean(column) - printed.SIX_JOINTS[4][name][k]) < 0.051
            assert len(column) == TARGETS and agrees == ((k, name) != (0, "BROYDN"))


def test_a_step_leaves_the_residual_that_it_is_named_after():
    for residual, step in STEPS.items():
        assert np.dot(step, step) == pytest.approx(residual)


class Missed:
    """A trace that ends far from its target."""

    evaluations, jacobians, position_error, rotation_error = [1], [1], [1e9], [1.0]

    def __init__(self, q):
        self.q = [q + 1.0]

    def __len__(self):
        return 1


def test_a_method_that_misses_goes_on_from_the_last_posture_that_did_not(monkeypatch):
    """Which targets a poor method misses depends on the processor's last bits, so one is made to miss."""
    assert run_along(appendix_b(), STEPS[4], NEWTON).reached == TARGETS
    real, starts = trajectory.trace, []

    def misses_the_third(task, method, q, problem):
        starts.append(q)
        return Missed(q) if len(starts) == 3 else real(task, method, q, problem)

    monkeypatch.setattr(trajectory, "trace", misses_the_third)
    lost = run_along(appendix_b(), STEPS[4], NEWTON)
    assert lost.reached == TARGETS - 1
    assert np.array_equal(starts[3], starts[2]) and not np.array_equal(starts[2], starts[1])


def test_the_printed_beta_of_frprm_is_a_misprint(monkeypatch):
    monkeypatch.setattr(frprm, "beta", lambda new, last: float(new @ last) / float(last @ last))
    assert run_along(appendix_b(), STEPS[4], FRPRM).reached == 0
