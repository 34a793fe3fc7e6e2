"""The sweep over what the thesis leaves open, Newton's steps, and the Jacobian in three formulations."""

import numpy as np
import pytest

import limbik as lk
from limbik.papers.chin import jacobians, newton_steps, swept
from limbik.papers.chin.arm import UNIT, appendix_b
from limbik.papers.chin.methods import BFGS, FRPRM, NEWTON
from limbik.papers.chin.sweep import CASES, DIRECTIONS, EIGHT, SIX_4, SIX_200, STOPS, THREE, directions, needed
from limbik.papers.chin.sweep import swept as run_sweep
from limbik.papers.chin.trajectory import run_along


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_directions_are_distinct_unit_vectors_that_begin_with_the_printed_ones(case):
    found = np.array(directions(case, DIRECTIONS))
    assert found.shape == (20, 3) and np.allclose(np.linalg.norm(found, axis=1), 1.0)
    assert np.abs(found[:, None] - found[None]).max(axis=-1)[~np.eye(20, dtype=bool)].min() > 0.01
    assert np.allclose(found[0] * np.linalg.norm(case.printed[0]), case.printed[0])
    assert not case.planar or np.allclose(found[:, 2], 0.0)


@pytest.mark.parametrize("case", [SIX_4, SIX_200, THREE], ids=lambda c: c.name)
def test_every_target_of_every_line_is_in_reach(case):
    for direction in directions(case, DIRECTIONS):
        assert np.isfinite(needed(case, direction)).all(), direction


def test_a_reading_changes_the_stop_rule_the_gradient_and_the_direction():
    outcomes = run_sweep(SIX_4, True)
    seen = {(o.reading.direction, o.reading.stop, o.reading.exact) for o in outcomes}
    assert len(seen) == len(outcomes) == 5 * 2 * 2 and len(STOPS) == 3
    for outcome in outcomes:
        run = outcome.runs["BFGS"]
        assert bool(run.jacobians.any()) is outcome.reading.exact
        assert (run.value <= outcome.reading.stop).all()
    exact, differenced = outcomes[0], outcomes[1]
    assert exact.mean("BFGS", "evaluations") < differenced.mean("BFGS", "evaluations")
    assert exact.mean("POWELL", "evaluations") == differenced.mean("POWELL", "evaluations")


def test_figures_depend_on_the_direction_of_the_line():
    """Along the thesis' flexion FRPRM misses a target at residual 200; along (1, 1, 0) it does not."""
    arm = appendix_b()
    along_x = run_along(arm, (10.0, 10.0, 0.0), FRPRM)
    flexion = run_along(arm, (0.0, 10.0, 10.0), FRPRM.at(1e-8, True))
    assert along_x.reached == 10 and (along_x.value <= 1e-8).all()
    assert (flexion.value > 1e-8).any()
    beyond = run_along(arm, (np.sqrt(200 / 3),) * 3, NEWTON)
    assert (
        beyond.reached == 8
        and beyond.iterations.mean() > 3 * run_along(arm, (10.0, 10.0, 0.0), NEWTON).iterations.mean()
    )


def test_a_rotation_is_sudden_beside_what_the_closest_posture_needs():
    outcome = run_sweep(SIX_4, True)[0]
    need = needed(SIX_4, outcome.reading.direction)
    assert swept.gradual("BFGS", SIX_4, outcome) and outcome.runs["BFGS"].jump[0] > swept.large(SIX_4)
    wild = run_along(appendix_b(), (np.sqrt(2.0), np.sqrt(2.0), 0.0), BFGS)
    wild.jump[3] = 2.1 * need[3] + 2.0
    assert not swept.gradual("BFGS", SIX_4, type(outcome)(outcome.reading, {"BFGS": wild}))


def test_large_is_in_proportion_to_the_chain():
    assert swept.large(SIX_4) == pytest.approx(np.degrees(10 * 2 / 110))
    assert swept.large(THREE) == pytest.approx(np.degrees(10 * 2 / 30))
    assert swept.large(EIGHT) == pytest.approx(np.degrees(10 * 2 / 240))


def test_three_formulations_of_the_jacobian_are_one(rng):
    arm = appendix_b()
    for q in rng.uniform(-np.pi, np.pi, (30, 6)):
        frames, T = jacobians.joint_frames(arm, q), arm.forward(q)
        step = 1e-6
        by_differences = np.array(
            [(arm.forward(q + step * e) - arm.forward(q - step * e)) / (2 * step) for e in np.eye(6)]
        )
        assert np.allclose(jacobians.zomaya(frames)[:3], by_differences[:, :3, 3].T, atol=1e-8)
        assert np.allclose(jacobians.paul(frames), jacobians.in_hand(jacobians.zomaya(frames), T), atol=1e-12)
        assert np.allclose(jacobians.craig(frames), jacobians.paul(frames), atol=1e-12)


def test_the_pseudoinverse_needs_few_iterations_in_the_hands_frame_and_never_ends_as_printed():
    for bound in newton_steps.BOUNDS.values():
        assert newton_steps.along((0.0, -1.0, 0.0), "hand", bound) < 10
        assert newton_steps.along((0.0, -1.0, 0.0), "base", bound) == newton_steps.MOST


def test_lu_fails_on_systems_that_are_not_square_and_least_squares_does_not():
    for name in ("planar3_chin", "human_arm_8"):
        arm = lk.load(name)
        unit, objective = (1.0, "5.22") if arm.n == 3 else (UNIT, "5.26")
        q = np.full(arm.n, 0.3)
        problem = newton_steps.problem_of(arm, arm.forward(q + 0.05), objective, unit)
        assert not newton_steps.by_lu(problem, q, least_squares=False)
        assert newton_steps.by_lu(problem, q, least_squares=True)


def test_the_step_of_the_pseudoinverse_grows_without_bound_near_the_straight_arm():
    arm = appendix_b()
    assert newton_steps.first_step(arm, UNIT, 1e-6) > 1e3 * newton_steps.first_step(arm, UNIT, 1e-2)
    assert newton_steps.first_step(arm, UNIT, 0.0) < 1e-9
