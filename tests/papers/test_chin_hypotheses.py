"""The measurements for the thesis' hypotheses."""

import numpy as np
import pytest

from limbik.papers.chin import by_target, other_starts, segment
from limbik.papers.chin.hypotheses import HYPOTHESES
from limbik.papers.chin.printed import TABLE_C_1, TABLE_C_2
from limbik.papers.chin.six_joints import RESIDUAL_4
from limbik.papers.chin.trajectory import TARGETS
from limbik.papers.paper import Setting


@pytest.mark.parametrize("experiment", HYPOTHESES.experiments, ids=lambda e: e.name)
def test_every_bar_is_met(experiment):
    rows, _ = experiment.run(Setting(quick=True))
    assert not [row for row in rows if row.ok is False]


def test_ends_are_counted_by_posture():
    assert other_starts.summary([3, None, 3, 1, 3, 1]) == {"met": 2.0, "reached": 5.0, "last": 4.0}
    assert other_starts.summary([None, None]) == {"met": 0.0, "reached": 0.0, "last": 0.0}


def test_a_start_at_a_posture_ends_there():
    """Each of the eight postures is found from a start near it, so every count is possible."""
    arm = other_starts.appendix_b()
    T = arm.forward(np.full(6, 0.4))
    postures = arm.solve_all(T, limits=False).q
    near = postures + 1e-3
    for runner in other_starts.RUNNERS:
        assert other_starts.ends(arm, T, near, runner, postures) == list(range(8))


def test_the_segments_of_both_figures_are_moved_by_their_own_joints():
    for each in segment.SEGMENTS:
        assert segment.moved(each, "flexion")["frames"] > 20, each.name


def test_the_tables_of_appendix_c_are_rows_beside_ours():
    rows = RESIDUAL_4.run(Setting(quick=True))[0]
    by_key = {row.key: row for row in rows}
    columns = [str(k) for k in range(1, TARGETS + 1)]
    for table, counted in ((TABLE_C_1, "iterations"), (TABLE_C_2, "evaluations")):
        for name in ("BFGS", "NEWTON", "POWELL"):
            found = [by_key[f"{name} {counted} {column}"] for column in columns]
            assert [row.paper for row in found] == list(table[name])
            assert [(row.cell.line, row.cell.column) for row in found] == [(name, column) for column in columns]
            assert np.mean([row.ours for row in found]) == pytest.approx(by_key[f"{name} {counted}"].ours)
    assert len({claim.key for claim in by_target.claims(tuple(TABLE_C_2))}) == TARGETS * (
        len(TABLE_C_1) + len(TABLE_C_2)
    )
