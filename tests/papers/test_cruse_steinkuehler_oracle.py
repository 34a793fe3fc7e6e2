"""The network beside a plain re-implementation: the paper's equations and those of its pattern, written out by hand.

Nothing here is made from limbik's triangles: every line is an equation that a reader can check on figure 1. O, E, W, H are
the shoulder, elbow, wrist and tip; eps, beta, gamma, delta are the corners of O E W H; 1, 2 mark their parts: eps1, beta, gamma1
are angles of O E W; eps2, gamma2, delta of O W H; beta2, gamma, delta2 of E W H; eps, beta1, delta1 of O E H.
"""

import math
from math import pi

import numpy as np
import pytest

import limbik as lk
from limbik.papers.cruse_steinkuehler.arm import CLAMPED, KINDS, PROBLEMS, STARTS, clamped, network, targets, tour
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.settings import Settings

NAMES = (
    "eps1", "beta", "gamma1", "eps2", "gamma2", "delta", "beta2", "gamma", "delta2", "eps", "beta1", "delta1",
    "D2", "D1", "R", "alpha", "rho",
)  # fmt: skip
LENGTHS = {"D1", "D2", "R"}


def law(a, b, c, instead, least):
    """Return the angle between sides a and b by equation (1), or (2) where a denominator is too small."""
    if a < least or b < least:
        return instead
    return math.acos(min(max((a * a + b * b - c * c) / (2 * a * b), -1.0), 1.0))


def side(a, b, angle):
    """Return the third side; the square root of a negative number is 0."""
    return math.sqrt(max(a * a + b * b - 2 * a * b * math.cos(angle), 0.0))


def computations(name, v, least):
    """Return the values of one variable by its equations. v: all variables, and L1, L2, L3."""
    L1, L2, L3, D1, D2, R = (v[x] for x in ("L1", "L2", "L3", "D1", "D2", "R"))
    eps, eps1, eps2, beta, beta1, beta2 = (v[x] for x in ("eps", "eps1", "eps2", "beta", "beta1", "beta2"))
    gamma, gamma1, gamma2, delta, delta1, delta2 = (
        v[x] for x in ("gamma", "gamma1", "gamma2", "delta", "delta1", "delta2")
    )
    alpha, rho = v["alpha"], v["rho"]

    def corner(a, b, c, total, y, other_y, z, other_z):
        """Return (1) to (6) of an angle: its law, its sum, and pi less the two others, each directly and by its own sum."""
        pairs = [(y, z), (y, other_z), (other_y, z), (other_y, other_z)]
        return [law(a, b, c, total, least), total, *(pi - (p + q) for p, q in pairs)]

    e, b, g, d = eps1 + eps2, beta1 + beta2, gamma1 + gamma2, delta1 + delta2
    if name == "beta":  # as printed
        return [
            law(L1, L2, D2, beta1 + beta2, least),
            beta1 + beta2,
            pi - (eps1 + gamma1),
            pi - (eps - eps2 + gamma - gamma2),
            pi - (eps1 + gamma - gamma2),
            pi - (eps - eps2 + gamma1),
        ]
    equations = {
        "eps1": lambda: corner(L1, D2, L2, eps - eps2, beta, b, gamma1, gamma - gamma2),
        "gamma1": lambda: corner(L2, D2, L1, gamma - gamma2, beta, b, eps1, eps - eps2),
        "eps2": lambda: corner(D2, R, L3, eps - eps1, gamma2, gamma - gamma1, delta, d),
        "gamma2": lambda: corner(D2, L3, R, gamma - gamma1, eps2, eps - eps1, delta, d),
        "delta": lambda: corner(L3, R, D2, d, eps2, eps - eps1, gamma2, gamma - gamma1),
        "beta2": lambda: corner(L2, D1, L3, beta - beta1, gamma, g, delta2, delta - delta1),
        "gamma": lambda: corner(L2, L3, D1, g, beta2, beta - beta1, delta2, delta - delta1),
        "delta2": lambda: corner(L3, D1, L2, delta - delta1, beta2, beta - beta1, gamma, g),
        "eps": lambda: [*corner(L1, R, D1, e, beta1, beta - beta2, delta1, delta - delta2), alpha - rho],
        "beta1": lambda: corner(L1, D1, R, beta - beta2, eps, e, delta1, delta - delta2),
        "delta1": lambda: corner(R, D1, L1, delta - delta2, eps, e, beta1, beta - beta2),
        "D2": lambda: [side(L1, L2, beta), side(L3, R, delta)],
        "D1": lambda: [side(L2, L3, gamma), side(L1, R, eps)],
        "R": lambda: [side(D2, L3, gamma2), side(L1, D1, beta1)],
        "alpha": lambda: [rho + eps, rho + e],
        "rho": lambda: [alpha - eps, alpha - e],
    }
    return equations[name]()


def cycle(state, inputs, lengths, parallel, least):
    """Return a state after one cycle. Inputs replace the feedback; angles are averaged at the copies nearest the variable."""
    known = dict(zip(("L1", "L2", "L3"), lengths, strict=True)) | state | inputs
    ahead = dict(known)
    for name in NAMES:
        if name in inputs:
            continue
        seen = known if parallel else ahead
        found = computations(name, seen, least)
        if name not in LENGTHS:
            found = [x - 2 * pi * round((x - seen[name]) / (2 * pi)) for x in found]
        ahead[name] = sum(found) / len(found)
    return {name: ahead[name] for name in NAMES}


def start_of(points, lengths, joints):
    """Return the variables of a convex posture from its points, with the law of cosines alone."""
    far = {pair: math.dist(points[pair[0]], points[pair[1]]) for pair in ((0, 2), (1, 3), (0, 3))}
    D2, D1, R = far[0, 2], far[1, 3], far[0, 3]
    L1, L2, L3 = lengths

    def angle(a, b, c):
        return law(a, b, c, 0.0, 0.0)

    return {
        "eps1": angle(L1, D2, L2), "beta": angle(L1, L2, D2), "gamma1": angle(L2, D2, L1),
        "eps2": angle(D2, R, L3), "gamma2": angle(D2, L3, R), "delta": angle(L3, R, D2),
        "beta2": angle(L2, D1, L3), "gamma": angle(L2, L3, D1), "delta2": angle(L3, D1, L2),
        "eps": angle(L1, R, D1), "beta1": angle(L1, D1, R), "delta1": angle(R, D1, L1),
        "D2": D2, "D1": D1, "R": R, "alpha": joints[0], "rho": math.atan2(points[3][1], points[3][0]),
    }  # fmt: skip


def test_the_oracle_has_as_many_equations_as_limbik():
    v = dict.fromkeys((*NAMES, "L1", "L2", "L3"), 1.0)
    assert sum(len(computations(name, v, 0.1)) for name in NAMES) == 83 == len(network().triangles.computations)
    assert set(NAMES) == set(network().variables)


@pytest.mark.parametrize("update", ["parallel", "sequential"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", STARTS)
def test_the_nine_targets_agree_cycle_by_cycle(update, kind, start):
    """The whole tour, with switches of the inputs between: 30 cycles for each of the nine targets, as in the paper."""
    net = network(update=update)
    done = tour(kind, STARTS[start], 30, net=net)
    state = dict(zip(net.variables, done.runs[0].states[0].tolist(), strict=True))
    for target, run in zip(targets(), done.runs, strict=True):
        known = start_of(net.points(net.directions(target.posture)), (1.0, 1.0, 1.0), target.posture)
        names = PROBLEMS["mixed (rho, R, alpha)" if kind == CLAMPED else kind]
        inputs = {name: known[name] for name in names} | (
            {"eps": known["alpha"] - known["rho"]} if kind == CLAMPED else {}
        )
        for ahead in run.states[1:]:
            state = cycle(state, inputs, (1.0, 1.0, 1.0), update == "parallel", 0.1)
            np.testing.assert_allclose(ahead, [state[name] for name in net.variables], atol=1e-7)


@pytest.mark.parametrize("update", ["parallel", "sequential"])
def test_random_states_and_limb_lengths_agree(update, rng):
    for _ in range(40):
        lengths = rng.uniform(0.5, 1.6, 3)
        net = AngleNetwork(lengths.tolist(), Settings(update=update))
        values = np.array(
            [rng.uniform(0.02, 2.0) if name in LENGTHS else rng.uniform(-1, 3.2) for name in net.variables]
        )
        state = dict(zip(net.variables, values.tolist(), strict=True))
        inputs = {
            str(n): float(rng.uniform(0.2, 2.0)) for n in rng.choice(NAMES, int(rng.integers(0, 5)), replace=False)
        }
        held = np.array([inputs.get(name, math.nan) for name in net.variables])
        for ahead in net.run(values, held, cycles=6).states[1:]:
            state = cycle(state, inputs, lengths.tolist(), update == "parallel", 0.1 * lengths.mean())
            np.testing.assert_allclose(ahead, [state[name] for name in net.variables], atol=1e-9)


def test_completions_are_postures_by_the_oracle(rng):
    """What `complete` returns satisfies every one of the 83 equations, for convex postures with any limb lengths."""
    mmc = lk.relaxation.Mmc(lk.load("planar3_cruse"))
    checked = 0
    for _ in range(60):
        given = {"L1": float(rng.uniform(0.7, 1.4)), "L3": float(rng.uniform(0.7, 1.4)), "L2": (0.7, 1.4)}
        found = mmc.complete({**given, "R": float(rng.uniform(1.2, 2.4)), "rho": float(rng.uniform(0.3, 2.0))})
        assert found.ok
        v = {name: found[name] for name in (*NAMES, "L1", "L2", "L3")}
        if not all(0.05 < v[name] < pi - 0.05 for name in NAMES[:12]):
            continue
        checked += 1
        for name in NAMES:
            for x in computations(name, v, 0.0):
                gap = x - v[name]
                assert abs(gap if name in LENGTHS else math.remainder(gap, 2 * pi)) < 1e-7, (name, v)
    assert checked >= 30


def test_clamps_as_printed_leave_eps_free():
    net = network()
    known = dict(zip(net.variables, net.state(targets()[0].posture).tolist(), strict=True))
    free = {kind: np.isnan(clamped(net, kind, known)) for kind in KINDS}
    eps = net.variables.index("eps")
    assert free["mixed (rho, R, alpha)"][eps] and not free[CLAMPED][eps]
    assert {kind: int((~held).sum()) for kind, held in free.items()} == dict.fromkeys(KINDS, 3) | {
        "inverse (rho, R)": 2,
        CLAMPED: 4,
    }
