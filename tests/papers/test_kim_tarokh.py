"""Kim and Tarokh's experiments: test targets have the right postures, scores detect errors, small runs meet bars."""

import numpy as np
import pytest

from limbik.papers.kim_tarokh import classification
from limbik.papers.kim_tarokh.arms import branch_turns, human_arm, places, puma, random_poses
from limbik.papers.kim_tarokh.scores import Score, angle_between, of_places, of_turns
from limbik.papers.paper import Setting
from limbik.papers.registry import paper
from limbik.solvers.table.cells.fitting import place_level, turn_level
from limbik.solvers.table.cells.settings import first_grid, turn_grid


@pytest.mark.parametrize("make", [puma, human_arm])
def test_true_postures_reach_their_places(make):
    split, settings = make()
    truth = places(split, settings, np.random.default_rng(0), 50)
    reached = split.place(truth.q)
    np.testing.assert_allclose(reached[:, :3], truth.u[truth.row, :3], atol=1e-6)
    if split.inclined:
        turned = np.remainder(reached[:, 3] - truth.u[truth.row, 3] + np.pi / 2, np.pi) - np.pi / 2
        np.testing.assert_allclose(turned, 0.0, atol=1e-5)
        assert len(np.unique(truth.label)) == 4
    for row in range(50):
        labels = truth.label[truth.row == row]
        assert len(set(labels)) == len(labels)


def test_a_directed_inclination_leaves_two_postures_of_the_shoulder():
    split, settings = human_arm(directed=True)
    truth = places(split, settings, np.random.default_rng(0), 80)
    assert len(np.unique(truth.label)) == 2


def test_a_score_counts_what_is_missing():
    error = np.array([1.0, 3.0, np.nan, 50.0])
    score = Score(np.array([0, 0, 0, 1]), np.isfinite(error), error)
    assert score.success == 75.0 and score.of(0).mean == 2.0 and score.of(0).success == pytest.approx(200 / 3)
    assert score.beyond(20.0) == pytest.approx(100 / 3) and score.below(20.0).mean == 2.0
    assert np.isnan(score.of(7).mean) and np.isnan(score.of(7).success)


def test_the_angle_between_rotations_is_true_at_half_a_turn():
    half = np.diag([1.0, -1.0, -1.0])
    assert angle_between(half, np.eye(3)) == pytest.approx(np.pi)
    assert angle_between(half, half) == 0.0


def test_a_table_with_shifted_joints_scores_badly():
    split, settings = puma(per_cell=60)
    truth = places(split, settings, np.random.default_rng(1), 60)
    level = place_level(split, settings, None, np.unique(first_grid(split, settings).address(truth.u)))
    good = of_places(split, level.compiled(), truth)
    level.words[:, 0] += 0.1
    assert good.mean < 4.0 and of_places(split, level.compiled(), truth).mean > 20.0
    assert good.success > 95


def test_orientation_cells_answer_a_few_poses():
    split, settings = puma()
    T = random_poses(split, settings, np.random.default_rng(2), 80)
    turns, _ = branch_turns(split, T, settings.convention)
    level = turn_level(split, settings, np.unique(turn_grid(split, settings).address(turns.u)))
    score = of_turns(split, level.compiled(), turns)
    assert score.median < 2.5 and score.success > 90
    level.words[:, 0] += 0.2
    assert of_turns(split, level.compiled(), turns).median > 5.0


def test_solutions_of_the_arm_are_separated_without_a_closed_form():
    split, samples = classification.arm_samples(40, np.random.default_rng(3))
    found = classification.shares(split, samples, classification.linked, True)
    assert found["merged"] == 0 and found["exact"] > 85
    assert classification.shares(split, samples, classification.linked, False)["merged"] > 0


def test_every_experiment_can_be_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    experiment = next(e for s in paper("kim_tarokh").sections for e in s.experiments if e.name == "Puma, orientation")
    _, pictures = experiment.run(Setting(quick=True))
    for picture in pictures:
        picture.draw(tmp_path / f"{picture.name}.png")
    assert {path.name for path in tmp_path.iterdir()} == {"puma_turns.png"}
