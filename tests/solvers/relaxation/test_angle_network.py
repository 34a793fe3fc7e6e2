"""The network of angles: the paper's equations, fixed points, the core compared with the printed equations."""

import math

import numpy as np
import pytest

import limbik as lk
from limbik.geometry.angles import wrap
from limbik.papers.cruse_steinkuehler.arm import CLAMPED, KINDS, MIXED_1, STARTS, tour
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.reference import reference_cycle
from limbik.solvers.relaxation.settings import MEANS, Settings
from limbik.solvers.relaxation.triangles import triangles

FREE = np.full(17, np.nan)


def posture(rng: np.random.Generator, n: int = 3) -> np.ndarray:
    return np.array([rng.uniform(-np.pi, np.pi), *rng.uniform(0.8, 2.9, n - 1)])


def convex(net: AngleNetwork, rng: np.random.Generator) -> np.ndarray:
    """Draw postures until every corner is bent one way."""
    while True:
        joints = posture(rng, len(net.lengths))
        state = net.state(joints)
        if all(0.05 < state[k] < np.pi for k, name in enumerate(net.variables) if name in net.triangles.angles):
            return joints


def test_the_paper_has_17_variables_and_83_computations():
    made = triangles(3)
    assert len(made.variables) == 17 and len(made.computations) == 83
    assert made.joints == ("alpha", "beta", "gamma")
    for name in made.variables:
        own = [c for c in made.computations if c.target == name]
        assert all(name not in c.terms for c in own)  # a variable's own value is not in its mean
        assert len(own) == {"eps": 7, "D1": 2, "D2": 2, "R": 2, "alpha": 2, "rho": 2}.get(name, 6)


def test_the_six_equations_of_beta_are_as_printed():
    """Equations (1) to (6), term by term."""
    own = [c for c in triangles(3).computations if c.target == "beta"]
    assert set(own[0].terms[:2]) == {"L1", "L2"} and own[0].terms[2] == "D2"
    sums = [dict(zip(c.terms, c.signs, strict=True)) for c in own[1:]]
    assert sums[0] == {"beta1": 1, "beta2": 1}
    assert {c.constant for c in own[2:]} == {math.pi}
    for expected in (
        {"eps1": -1, "gamma1": -1},
        {"eps": -1, "eps2": 1, "gamma": -1, "gamma2": 1},
        {"eps1": -1, "gamma": -1, "gamma2": 1},
        {"eps": -1, "eps2": 1, "gamma1": -1},
    ):
        assert expected in sums


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_every_computation_holds_for_postures_of_arms_of_any_size(n, rng):
    """For random bends the equations hold modulo 2 pi, with the arc cosine of the right sign."""
    net = AngleNetwork(rng.uniform(0.5, 1.5, n), Settings(branch="nearest", guard=0.0))
    for _ in range(20):
        joints = np.array([rng.uniform(-3, 3), *rng.uniform(0.2, 2 * np.pi - 0.2, n - 1)])
        assert net.disagreement(net.state(joints)) < 2e-6  # an arc cosine near 1 loses half its digits


@pytest.mark.parametrize("n", [2, 3, 4])
def test_convex_postures_are_fixed_points(n, rng):
    net = AngleNetwork(rng.uniform(0.8, 1.2, n))
    free = np.full(len(net.variables), np.nan)
    for update in ("sequential", "parallel"):
        for _ in range(30):
            state = net.state(convex(net, rng))
            moved = AngleNetwork(net.lengths, Settings(update=update)).run(state, free, cycles=1).states[1]
            assert np.abs(moved - state).max() < 1e-9


@pytest.mark.parametrize("parallel", [False, True])
def test_the_core_agrees_with_the_equations(parallel, rng):
    net = AngleNetwork((1.0, 0.8, 1.3), Settings(update="parallel" if parallel else "sequential"))
    for _ in range(10):
        state = rng.uniform(0.05, 3.0, 17)  # a state of no posture, with some short sides
        given = dict(zip(net.variables, state.tolist(), strict=True))
        held = FREE.copy()
        inputs = {name: float(rng.uniform(0.2, 2.0)) for name in rng.choice(net.variables, 3, replace=False)}
        for name, value in inputs.items():
            held[net.variables.index(name)] = value
        for ahead in net.run(state, held, cycles=5).states[1:]:
            given = reference_cycle(net, given, inputs, parallel=parallel)
            np.testing.assert_allclose(ahead, list(given.values()), atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", STARTS)
def test_all_nine_targets_are_reached_in_time(kind, start):
    """The paper's bound of 60 cycles holds, except for its third problem where eps is not clamped."""
    cycles = tour(kind, STARTS[start]).cycles
    assert (cycles.max() <= 60) == (kind != MIXED_1)
    assert cycles.max() < tour(MIXED_1, STARTS[start]).cycles.max() or kind != CLAMPED


def test_scaling_the_arm_scales_the_states(rng):
    small, large = AngleNetwork((1.0, 1.2, 0.7)), AngleNetwork((1000.0, 1200.0, 700.0))
    lengths = [small.variables.index(name) for name in ("D1", "D2", "R")]
    start = small.begin(posture(rng))
    held, far = FREE.copy(), FREE.copy()
    held[small.variables.index("R")], far[small.variables.index("R")] = 1.5, 1500.0
    begin = start.copy()
    begin[lengths] *= 1000
    a, b = small.run(start, held, cycles=40).states, np.array(large.run(begin, far, cycles=40).states)
    b[:, lengths] /= 1000
    np.testing.assert_allclose(a, b, atol=1e-9)


@pytest.mark.parametrize("mean", MEANS)
def test_every_kind_of_mean_keeps_postures_and_two_reach_the_target(mean, rng):
    net = AngleNetwork((1.0, 1.0, 1.0), Settings(mean=mean))
    state = net.state(convex(net, rng))
    assert np.abs(wrap(net.run(state, FREE, cycles=3).states[-1] - state)).max() < 1e-9
    held = FREE.copy()
    held[net.variables.index("R")], held[net.variables.index("rho")] = 1.7, 1.0
    run = net.run(net.begin(np.array([2.2, 1.9, 2.2])), held, cycles=300)
    assert np.isfinite(run.states).all()
    if mean in ("arithmetic", "circular"):
        assert net.disagreement(run.states[-1]) < 1e-6


def test_it_converges_without_some_computations_and_noise_stays_small(rng):
    held = FREE.copy()
    net = AngleNetwork((1.0, 1.0, 1.0))
    held[net.variables.index("R")], held[net.variables.index("rho")] = 1.7, 1.0
    start = net.begin(np.array([2.2, 1.9, 2.2]))
    gone = tuple(rng.choice(83, 4, replace=False).tolist())
    lame = AngleNetwork(net.lengths, Settings(removed=gone))
    assert net.disagreement(lame.run(start, held, cycles=300).states[-1]) < 1e-6
    noisy = AngleNetwork(net.lengths, Settings(noisy=tuple(range(83)), noise=0.01, seed=5))
    once, again = (noisy.run(start, held, cycles=100).states for _ in range(2))
    assert np.array_equal(once, again) and 1e-4 < net.disagreement(once[-1]) < 0.5
    other = AngleNetwork(net.lengths, Settings(noisy=tuple(range(83)), noise=0.01, seed=6))
    assert not np.array_equal(once, other.run(start, held, cycles=100).states)
    halves = noisy.run(noisy.run(start, held, cycles=50).states[-1], held, cycles=50, first_cycle=50).states
    assert np.array_equal(halves[-1], once[-1])


def test_every_state_gives_finite_numbers(rng):
    for scale in (1e-300, 1e-12, 1.0, 1e5):
        for branch in ("principal", "nearest"):
            for update in ("parallel", "sequential"):
                net = AngleNetwork((1.0, 1e-3, 2.0), Settings(branch=branch, update=update, damping=-0.5))
                held = FREE.copy()
                held[rng.integers(17)] = scale * rng.normal()
                run = net.run(scale * rng.normal(size=17), held, cycles=200)
                assert np.isfinite(run.states).all() and np.isfinite(run.disagreement)


@pytest.mark.parametrize(
    "options",
    [
        {"update": "both"},
        {"mean": 3},
        {"branch": None},
        {"guard": -1},
        {"guard": math.nan},
        {"damping": 1.0},
        {"noise": math.inf},
        {"removed": (-1,)},
        {"removed": "all"},
        {"noisy": 3},
        {"seed": -1},
        {"seed": 1.5},
        {"removed": (True,)},
    ],
)
def test_invalid_settings_are_refused(options):
    with pytest.raises(lk.BadOption):
        Settings(**options)


@pytest.mark.parametrize("lengths", [(), (1.0,), (1.0,) * 8, (1.0, 0.0), (1.0, -1.0), (1.0, math.nan), (1.0, math.inf)])
def test_invalid_lengths_are_refused(lengths):
    with pytest.raises(lk.BadOption):
        AngleNetwork(lengths)
    with pytest.raises(lk.BadOption):
        AngleNetwork((1.0, 1.0, 1.0), Settings(removed=(83,)))
