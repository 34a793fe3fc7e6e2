"""Guez and Ahmad's experiments: examples are right, networks learn them, first guesses converge, ratios are fair."""

import math
import re

import numpy as np
import pytest

import limbik as lk
from limbik._core import pose_error
from limbik.papers.guez_ahmad import (
    adaptation,
    faults,
    figures,
    freedom,
    graphs,
    outlook,
    printed,
    refinement,
    scarce,
    sine,
    speed,
    timed,
    unprinted,
)
from limbik.papers.guez_ahmad.both_angles import BOTH, DESIGNS, SELECTED, UNSELECTED
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS, points
from limbik.papers.guez_ahmad.training import CHOOSING, EXAMPLES, TESTED, begun, by_epochs, by_marquardt, chosen, errors
from limbik.papers.paper import Setting
from limbik.solvers.neural.backpropagation import BackPropagation

SPLITS = tuple(reading.quadrant for reading in unprinted.READINGS[::4])
QUADRANTS = (TWO_LINKS, THIRD_AT_90, THIRD_AT_0, *adaptation.CHANGED, *SPLITS[1:])
QUICK = Setting(quick=True)


@pytest.mark.parametrize("quadrant", QUADRANTS, ids=lambda q: q.name)
def test_examples_reach_their_places_with_the_smaller_theta1(quadrant):
    for places in (quadrant.places(41), quadrant.places(17, between=True)):
        q = quadrant.postures(places)
        np.testing.assert_allclose(quadrant.missed(places, q), 0.0, atol=1e-14)
        bend = quadrant.bend(places)
        assert (bend >= -1e-12).all()
        other = np.array(q)  # the mirror image about the line to the place
        other[:, 0] = 2.0 * places[:, 1] - q[:, 0]
        other[:, 1] = -bend - quadrant.links[2]
        np.testing.assert_allclose(quadrant.missed(places, other), 0.0, atol=1e-13)
        assert (q[:, 0] <= other[:, 0] + 1e-12).all()
        if quadrant.third is not None:
            assert (q[:, 2] == quadrant.third).all()


@pytest.mark.parametrize("quadrant", QUADRANTS, ids=lambda q: q.name)
def test_places_cover_the_quadrant_up_to_both_singular_circles(quadrant):
    places = quadrant.places(20)
    low, high = quadrant.reach
    assert len(places) == 400 and (points(places) >= -1e-12).all()
    assert {places[:, 0].min(), places[:, 0].max()} == {low, high} and places[:, 1].max() == pytest.approx(np.pi / 2)
    jacobians = quadrant.arm.jacobian(quadrant.postures(np.array([[low, 0.7], [high, 0.7]])))[:, :2, :2]
    np.testing.assert_allclose(np.linalg.det(jacobians), 0.0, atol=1e-6)
    between = quadrant.places(20, between=True)
    assert between[:, 0].min() > low and between[:, 0].max() < high


def test_a_start_is_chosen_by_places_of_its_own():
    grids = [TWO_LINKS.places(EXAMPLES), TWO_LINKS.places(TESTED), TWO_LINKS.places(CHOOSING, between=True)]
    r, phi = ([np.unique(grid[:, k].round(9)) for grid in grids] for k in (0, 1))
    for examples, tested, choosing in (r, phi):
        assert not set(choosing) & (set(examples) | set(tested)) and len(choosing) == CHOOSING


def test_the_arms_are_those_of_the_catalogue():
    assert TWO_LINKS.arm.fingerprint == lk.load("planar2_guez").fingerprint
    assert THIRD_AT_0.arm.fingerprint == THIRD_AT_90.arm.fingerprint == lk.load("planar3_guez").fingerprint
    assert [each.arm.reach for each in adaptation.CHANGED] == pytest.approx([1.8, 1.6, 2.0])
    assert [sum(each.lengths) for each in SPLITS] == pytest.approx([printed.LENGTH] * 3)


def test_levenberg_marquardt_is_better_than_back_propagation_and_errors_see_what_is_wrong():
    networks = by_marquardt(TWO_LINKS, QUICK)
    found, best = errors(TWO_LINKS, networks), chosen(TWO_LINKS, networks)
    paper = errors(TWO_LINKS, by_epochs(TWO_LINKS, QUICK)[5000])
    assert found.mean[best] < paper.typical[0] and found.max[best] < paper.typical[1]
    weights = np.array(networks[best].weights)
    weights[-1] += 0.2
    wrong = errors(TWO_LINKS, [networks[best].with_weights(weights)])
    assert wrong.mean[0] > printed.MEAN_PERCENT and wrong.max[0] > printed.MAX_PERCENT


def test_back_propagation_learns_and_the_mean_falls():
    x = TWO_LINKS.places(20)
    training = BackPropagation().begin(begun(TWO_LINKS, 8), x, TWO_LINKS.postures(x))
    means = [errors(TWO_LINKS, training.networks, 31).typical[0]]
    for epochs in (20, 300):
        training.run(epochs)
        means.append(errors(TWO_LINKS, training.networks, 31).typical[0])
    assert means[0] > 20.0 > 6.0 > means[1] > means[2] and means[2] < 1.5


def test_the_sine_meets_its_bars():
    rows, _ = sine.EXPERIMENT.run(QUICK)
    assert [row.ok for row in rows if row.bar is not None] == [True, True, True]


@pytest.mark.parametrize("method", refinement.METHODS)
def test_refinement_counts_steps_and_verifies_where_it_ends(method):
    arm = TWO_LINKS.arm
    places = TWO_LINKS.places(15, between=True)
    true = TWO_LINKS.postures(places)
    there = refinement.refine(arm, places, true, method)
    assert there.reached.all() and (there.steps == 0).all() and there.branch.all()
    near = refinement.refine(arm, places, true + 0.01, method)
    assert near.reached.all() and (near.steps > 0).all() and near.branch.all()
    mirrored = np.stack([2.0 * places[:, 1] - true[:, 0], -true[:, 1]], axis=-1)
    other = refinement.refine(arm, places, mirrored, method)
    assert other.reached.all() and not other.branch.any()
    beyond = refinement.refine(arm, places + [2.0, 0.0], true, method)
    assert not beyond.reached.any()


def test_a_start_without_a_step_fails_and_is_not_counted_as_reached():
    """Stretched arms have no Newton step, so the target must count as failed."""
    places = TWO_LINKS.places(5, between=True)
    found = refinement.refine(TWO_LINKS.arm, places, np.zeros((25, 2)), "Newton")
    assert not found.reached.any() and found.values["failed"] == 100.0 and math.isnan(found.values["steps"])
    assert refinement.refine(TWO_LINKS.arm, places, np.full((25, 2), 1e-3), "LM").reached.all()


def test_removed_weights_and_units_are_gone():
    network = begun(TWO_LINKS, 1)[0]
    cut = faults.units_removed(network)
    zeros = [(np.array(n.weights) == 0).sum() for n in cut]
    assert zeros == [2] * 10 and len({n.weights.tobytes() for n in cut}) == 10
    found = faults.without([network], 1, 3, np.random.default_rng(0))
    assert found.shape == (162, 2) and len(faults.without([network], 4, 3, np.random.default_rng(0))) == 3
    alone = np.array(network.weights)
    alone[5] = 0.0
    assert tuple(found[5]) == faults.errors(network.with_weights(alone))
    assert (found[:, 1] > found[:, 0]).all()


def test_one_network_cannot_be_right_for_two_postures_of_a_place():
    unselected, selected = DESIGNS[UNSELECTED], DESIGNS[SELECTED]
    for design, same in ((unselected, True), (selected, False)):
        a, b = (design.inputs(quadrant, 6)[0] for quadrant in BOTH)
        assert (a == b).all() == same
    for quadrant in BOTH:
        places = unselected.inputs(quadrant, 6)[1]
        np.testing.assert_allclose(quadrant.missed(places, quadrant.postures(places)), 0.0, atol=1e-13)


@pytest.mark.parametrize("each", [*freedom.ARMS[:3], speed.JACO], ids=lambda e: e.robot)
def test_poses_determine_postures_where_networks_are_trained(each):
    """The middle is regular, inputs vanish there, postures keep the limits, positions need no rotation."""
    middle, arm = np.array(each.middle), each.arm
    np.testing.assert_allclose(each.inputs(arm, arm.forward(middle)), 0.0, atol=1e-12)
    J = np.stack([(each.inputs(arm, arm.forward(middle + d)) - each.inputs(arm, arm.forward(middle - d))) / 2e-5
                  for d in 1e-5 * np.eye(each.joints)])  # fmt: skip
    assert np.linalg.cond(J) < 100
    q = each.drawn(np.random.default_rng(0), 200)
    assert (q >= arm.model.ranges.lower).all() and (q <= arm.model.ranges.upper).all()
    T = arm.forward(q)
    wanted = -pose_error(T, arm.forward(middle))[:, list(each.components)]
    np.testing.assert_allclose(each.inputs(arm, T), wanted, atol=1e-12)


def test_the_jaco_has_no_closed_form():
    """Otherwise it is no "manipulator that requires iterative methods"."""
    assert not speed.JACO.arm.branch_names and freedom.ARMS[2].arm.branch_names


@pytest.mark.parametrize("quadrant", QUADRANTS, ids=lambda q: q.name)
def test_a_grid_by_bend_is_uniform_in_the_bend(quadrant):
    places = quadrant.places_by_bend(11)
    bend = quadrant.bend(places).reshape(11, 11)
    np.testing.assert_allclose(bend, np.tile(np.linspace(0.0, np.pi, 11)[:, None], 11), atol=2e-7)


def test_forward_kinematics_gives_both_branches_of_the_same_places():
    one, both = scarce.random_postures(QUICK)
    assert len(one) == len(both) == EXAMPLES**2 and (one[:, 1] >= 0).all()
    np.testing.assert_allclose(scarce.tips(one), scarce.tips(both), atol=1e-13)
    assert (both[::2, 1] <= 0).all() and (both[1::2] == one[1::2]).all() and (scarce.tips(one) >= -1e-13).all()


def test_a_pair_is_the_printed_one_if_it_rounds_to_it():
    """5 and 10 % of 1.9 m are printed as 0.1 and 0.2 m."""
    pairs = np.array([[5.0, 10.0], [2.7, 13.0], [2.5, 10.0], [5.0, 13.3], [8.0, 10.0], [5.0, 7.8]])
    assert unprinted.printed(pairs).tolist() == [True, True, False, False, False, False]
    assert unprinted.closest(pairs[::-1]) == (5.0, 10.0)


def test_adapted_is_when_the_error_stays_small():
    good = [False, True, False, *[True] * 8]
    assert adaptation.since(good) == adaptation.CHECKED[3] and adaptation.since([True] * 11) == 0
    assert math.isnan(adaptation.since([True] * 10 + [False])) and math.isnan(adaptation.since([False] * 11))


def test_a_busy_machine_does_not_change_a_ratio(monkeypatch):
    """Every third round is 20 times slower, and calls cost 3 and 2."""
    clock, rounds = [0.0], [0]

    def cost(amount):
        clock[0] += amount * (20.0 if (rounds[0] // 2) % 3 == 0 else 1.0)
        rounds[0] += 1

    monkeypatch.setattr(timed, "perf_counter", lambda: clock[0])
    found = timed.interleaved({"a": lambda: cost(3.0), "b": lambda: cost(2.0)}, 9)
    assert len(found["a"]) == len(found["b"]) == 9 and found["a"].max() > 10 * found["a"].min()
    assert timed.ratio(found["a"], found["b"]) == pytest.approx(1.5)


def test_the_optimum_is_not_below_what_many_starts_find():
    arm = outlook.arm()
    Ts = arm.forward(arm.sample(np.random.default_rng(0), 4))
    best = outlook.optima(outlook.manipulability, Ts, 144)
    for T, most in zip(Ts, best, strict=True):
        found = arm.solve_batch(np.tile(T, (200, 1, 1)), arm.sample(np.random.default_rng(1), 200), method="lm")
        by_starts = outlook.manipulability(found.q[found.ok])
        assert 0.95 * by_starts.max() <= most and np.median(by_starts) < most
    singular = np.linalg.svd(arm.jacobian(found.q), compute_uv=False)
    np.testing.assert_allclose(outlook.manipulability(found.q), singular.prod(axis=1), rtol=1e-6, atol=1e-9)


def test_clearance_is_that_of_the_elbow_and_no_target_is_at_the_ball():
    arm, Ts = outlook.arm(), outlook.drawn(QUICK)
    q = arm.solve_batch(Ts, method="lm").q
    away = [np.linalg.norm(arm.forward(each, "link4")[:3, 3] - [0.0, 0.42, 0.55]) - 0.16 for each in q]
    np.testing.assert_allclose(outlook.clearance(q), away, atol=1e-12)
    assert len(Ts) == outlook.QUICK_TARGETS and (np.linalg.norm(Ts[:, :3, 3] - outlook.BALL, axis=1) > 0.4).all()


def test_every_figure_of_the_paper_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    drawn = {"figure_02_sine": lambda path: figures.draw_sine({"untrained": sine_network()}, path)}
    for quadrant, first in ((TWO_LINKS, 0), (THIRD_AT_90, 11), (THIRD_AT_0, 15)):
        places, network = quadrant.places(11), begun(quadrant, 1)[0]
        drawn |= (
            figures.of_three_links(quadrant, network, places, first)
            if first
            else figures.of_two_links(quadrant, network, places)
        )
    assert sorted(int(re.match(r"figure_(\d\d)_", name)[1]) for name in drawn) == list(range(2, 19))
    for name, draw in drawn.items():
        draw(tmp_path / f"{name}.png")
    assert min(path.stat().st_size for path in tmp_path.iterdir()) > 4_000


def sine_network():
    """A network for the sine, not trained."""
    return sine.Perceptron.random(sine.LAYERS, sine.X_RANGE, sine.Y_RANGE)


def test_every_graph_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(0)
    places = TWO_LINKS.places(7)
    bend, some = TWO_LINKS.bend(places), rng.uniform(0.1, 1, 49)
    graphs.draw_singularity(places, bend, {"a": (some, some), "b": (some, some)}, tmp_path / "1.png")
    graphs.draw_training((1, 2), {20: rng.uniform(1, 2, (2, 6)), 10: rng.uniform(1, 2, (2, 6))}, tmp_path / "2.png")
    graphs.draw_refinement({name: rng.integers(1, 50, 99) for name in refinement.GUESSES}, tmp_path / "3.png")
    graphs.draw_scarce((4, 9), {"a": [(1, 2), (3, 4)]}, tmp_path / "4.png")
    graphs.draw_adaptation((0, 1), dict.fromkeys(("trained", "new", "few", "few new"), (2, 1)), 1.0, tmp_path / "5.png")
    graphs.draw_faults({"a": {1: some, 2: some[:9]}}, tmp_path / "6.png")
    assert min(path.stat().st_size for path in tmp_path.iterdir()) > 4_000
