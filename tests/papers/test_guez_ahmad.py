"""Guez and Ahmad's experiments: examples are right, networks learn them, first guesses converge, verdicts follow the values."""

import math
import re

import numpy as np
import pytest

import limbik as lk
from limbik.papers.guez_ahmad import PAPER, arms, conclusions, faults, figures, freedom, graphs, refinement, sine
from limbik.papers.guez_ahmad.adaptation import CHANGED
from limbik.papers.guez_ahmad.both_angles import BOTH, DESIGNS, SELECTED, UNSELECTED
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS, points
from limbik.papers.guez_ahmad.training import CHOOSING, EXAMPLES, TESTED, begun, by_marquardt, chosen, errors
from limbik.papers.paper import Setting
from limbik.papers.verdict import Holds
from limbik.solvers.neural.backpropagation import BackPropagation

QUADRANTS = (TWO_LINKS, THIRD_AT_90, THIRD_AT_0, CHANGED)
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
    assert CHANGED.arm.reach == pytest.approx(1.8)


def test_levenberg_marquardt_meets_the_bars_and_errors_see_what_is_wrong():
    networks = by_marquardt(TWO_LINKS, QUICK)
    found, best = errors(TWO_LINKS, networks), chosen(TWO_LINKS, networks)
    bars = {claim.key: claim.bar for claim in arms.TWO.claims}
    assert bars["linear mean"].met(found.mean[best]) and bars["linear max"].met(found.max[best])
    weights = np.array(networks[best].weights)
    weights[-1] += 0.2
    wrong = errors(TWO_LINKS, [networks[best].with_weights(weights)])
    assert not bars["linear mean"].met(wrong.mean[0]) and not bars["linear max"].met(wrong.max[0])


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
    assert [row.ok for row in rows if row.bar is not None] == [True, True]


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
    assert len(found) == 162 and len(faults.without([network], 4, 3, np.random.default_rng(0))) == 3
    alone = np.array(network.weights)
    alone[5] = 0.0
    assert found[5] == faults.mean_error(network.with_weights(alone))


def test_one_network_cannot_be_right_for_two_postures_of_a_place():
    unselected, selected = DESIGNS[UNSELECTED], DESIGNS[SELECTED]
    for design, same in ((unselected, True), (selected, False)):
        a, b = (design.inputs(quadrant, 6)[0] for quadrant in BOTH)
        assert (a == b).all() == same
    for quadrant in BOTH:
        places = unselected.inputs(quadrant, 6)[1]
        np.testing.assert_allclose(quadrant.missed(places, quadrant.postures(places)), 0.0, atol=1e-13)


@pytest.mark.parametrize("each", freedom.ARMS[:3], ids=lambda e: e.name)
def test_poses_determine_postures_where_networks_are_trained(each):
    """The middle is regular, and inputs vanish there."""
    middle = np.array(each.middle)
    np.testing.assert_allclose(each.inputs(each.arm, middle), 0.0, atol=1e-12)
    J = np.stack([(each.inputs(each.arm, middle + d) - each.inputs(each.arm, middle - d)) / 2e-5
                  for d in 1e-5 * np.eye(each.joints)])  # fmt: skip
    assert np.linalg.cond(J) < 100


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


def table(fill):
    """The same value for all claims of the paper."""
    return {e.name: {c.key: fill for c in e.claims} for s in PAPER.sections for e in s.experiments}


@pytest.mark.parametrize("conclusion", PAPER.conclusions, ids=lambda c: c.claim)
def test_missing_figures_bear_nothing_out(conclusion):
    verdict = conclusion.drawn(table(math.nan))
    assert verdict.ours.holds is Holds.NOT and verdict.ours.sentence


JUDGED = [
    (conclusions.learned, "two links", "5000 mean", 0.3, 7.0),
    (conclusions.together, "training over time", "20 then max", 9.0, 30.0),
    (conclusions.singular, "singularity", "back-propagation near 0", 9.0, 1.0),
    (conclusions.any_freedom, "degrees of freedom", "6 joints, 10 + 10 units row", 1.1, 9.0),
    (conclusions.generalises, "number of examples", "10 mean", 0.5, 9.0),
    (conclusions.no_programming, "both angles in one network", "theta3 not given theta3 = 0 mean", 1.0, 9.0),
    (conclusions.adapts, "adaptation", "trained adapted", 0.0, 9.0),
    (conclusions.tolerates, "fault tolerance", "back-propagation 1", 1.0, 9.0),
    (conclusions.few_iterations, "first guesses", "network, Levenberg-Marquardt Newton steps", 0.5, 4.0),
    (conclusions.accurate, "first guesses", "network, 20,000 epochs Newton failed", 0.0, 2.0),
    (conclusions.fast, "speed", "network", 0.5, 2.0),
    (conclusions.not_for_closed_forms, "speed", "closed form", 0.5, 9.0),
    (conclusions.flattened, "two links", "slope 2 low", 0.8, 1.0),
]


@pytest.mark.parametrize(
    ("judge", "experiment", "key", "good", "bad"), JUDGED, ids=lambda x: getattr(x, "__name__", None)
)
def test_a_verdict_follows_its_figure(judge, experiment, key, good, bad):
    def holds(figure):
        found = table(0.01 if judge is conclusions.learned else 1.0)
        assert key in found[experiment]
        found[experiment][key] = figure
        return judge(found).holds.share

    assert holds(good) > holds(bad)


def test_every_conclusion_is_judged_by_a_figure():
    assert {judge for judge, *_ in JUDGED} == {conclusion.judge for conclusion in PAPER.conclusions}
