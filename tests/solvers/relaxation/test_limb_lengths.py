"""Limb lengths and prismatic joints: inputs and unknowns of the network, checked by forward kinematics of another arm."""

import math

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.measures import Measures

MMC = lk.relaxation.Mmc(lk.load("planar3_cruse"))


def telescope(low: float = 0.3, high: float = 0.9, base: float = 0.2) -> lk.Chain:
    """Return a planar arm whose second segment is 0.2 m and a prismatic joint long."""
    half = math.pi / 2
    rows = [
        (1.0, 0, 0, 0),
        (0, half, 0, half),
        (0, -half, base, 0, "prismatic", low, high),
        (0.7, 0, 0, -half),
    ]
    return lk.Chain.from_dh(rows)


def tip_of(lengths, joints):
    """Return the tip of segments with these lengths, at alpha and interior angles, by hand."""
    direction, place = joints[0], np.zeros(2)
    for k, length in enumerate(lengths):
        direction += joints[k] - math.pi if k else 0.0
        place = place + length * np.array([math.cos(direction), math.sin(direction)])
    return place


def test_lengths_as_inputs_solve_the_three_problems_of_another_arm(rng):
    for _ in range(30):
        lengths = rng.uniform(0.5, 1.6, 3)
        joints = np.array([rng.uniform(-2, 2), *rng.uniform(0.8, 2.9, 2)])
        given = dict(zip(("L1", "L2", "L3"), lengths.tolist(), strict=True))
        x, y = tip_of(lengths, joints)
        direct = MMC.complete({**given, **dict(zip(("alpha", "beta", "gamma"), joints, strict=True))})
        assert direct.ok and np.hypot(direct["x"] - x, direct["y"] - y) < 1e-9
        assert direct["L2"] == lengths[1]
        inverse = MMC.complete({**given, "x": x, "y": y})
        assert inverse.ok, inverse.why
        assert np.abs(tip_of(lengths, inverse.joints) - (x, y)).max() < 1e-7
        mixed = MMC.complete({**given, "x": x, "y": y, "alpha": joints[0]})
        assert mixed.ok and np.abs(tip_of(lengths, mixed.joints) - (x, y)).max() < 1e-7


def test_an_unknown_length_is_found(rng):
    for _ in range(30):
        lengths = np.array([1.0, rng.uniform(0.5, 1.8), 1.0])
        joints = np.array([rng.uniform(-2, 2), *rng.uniform(0.8, 2.9, 2)])
        x, y = tip_of(lengths, joints)
        # the tip and all angles: one unknown, one equation too many
        given = {"alpha": joints[0], "beta": joints[1], "gamma": joints[2], "R": math.hypot(x, y)}
        found = MMC.complete({"L2": (0.4, 2.0), **given})
        assert found.ok, found.why
        other = found.joints[3]
        assert found["L2"] == other and 0.4 <= other <= 2.0
        assert math.hypot(*tip_of([1.0, other, 1.0], joints)) == pytest.approx(math.hypot(x, y), abs=1e-8)


def test_a_length_as_an_unknown_makes_a_far_target_reachable():
    assert MMC.complete({"x": 4.0, "y": 0.0}).status.name == "OUT_OF_REACH"
    found = MMC.complete({"x": 4.0, "y": 0.0, "L2": lk.relaxation.AtLeast(0.1)})
    assert found.ok and found["L2"] >= 2.0 - 1e-8 and found.freedoms == 2
    short = MMC.complete({"x": 4.0, "y": 0.0, "L2": (0.5, 1.5)})
    assert short.status.name == "OUT_OF_REACH" and "3.5" in short.why


def test_the_network_itself_computes_the_length(rng):
    """The cycles alone, without the refinement, approach the length that the clamped angles and distance determine."""
    net = AngleNetwork((1.0, 1.0, 1.0), free={"L2": Range(0.3, 3.0)})
    assert len(net.variables) == 18 and len(net.triangles.computations) == 85
    joints = np.array([1.4, 2.1, 2.3, 1.3])
    goal = net.state(joints)
    held = np.full(18, np.nan)
    for name in ("alpha", "beta", "gamma", "R"):
        held[net.variables.index(name)] = goal[net.variables.index(name)]
    start = net.begin(np.array([1.4, 2.1, 2.3, 1.0]))
    run = net.run(start, held, cycles=300)
    assert run.states[-1][net.variables.index("L2")] == pytest.approx(1.3, abs=0.01)
    still = net.run(goal, np.full(18, np.nan), cycles=1).states[1]
    assert np.abs(still - goal).max() < 1e-9


def test_derivatives_by_lengths_are_those_of_finite_differences(rng):
    net = AngleNetwork((1.0, 0.8, 1.2), free={"L1": Range(0.2, 2.0), "L3": Range(0.2, 2.0)})
    measures = Measures(net, [(0.4, 0.9, 0.1)])
    for _ in range(5):
        x = np.array([rng.uniform(-2, 2), *rng.uniform(0.5, 2.9, 2), *rng.uniform(0.5, 1.5, 2)])
        for name in (*measures.names, *measures.gaps):
            slope = measures.value(name, measures.posture(x))[1]
            for k in range(5):
                e = 1e-6 * np.eye(5)[k]
                a, b = (measures.value(name, measures.posture(x + s * e))[0] for s in (1, -1))
                assert math.remainder(a - b, 2 * math.pi) / 2e-6 == pytest.approx(slope[k], abs=1e-6), (name, k)


def test_a_prismatic_joint_is_an_unknown_with_limits(rng):
    arm = telescope()
    mmc = lk.relaxation.Mmc(arm)
    assert "L2" in mmc.network.variables and "joint3" in mmc.variables
    for _ in range(30):
        q = np.array([*rng.uniform(-2, 2, 2), rng.uniform(0.3, 0.9), rng.uniform(-2, 2)])
        x, y = arm.forward(q)[:2, 3]
        state = mmc.state(q)
        assert state["L2"] == pytest.approx(q[2] + 0.2) and (state["x"], state["y"]) == pytest.approx((x, y))
        found = mmc.complete({"x": x, "y": y})
        assert found.ok and arm.within_limits(found.q), found.why
        assert np.abs(arm.forward(found.q)[:2, 3] - (x, y)).max() < 1e-7
        by_joint = mmc.complete({"x": x, "y": y, "joint3": float(q[2])})
        assert by_joint.ok and by_joint.q[2] == pytest.approx(q[2], abs=1e-8)
        by_length = mmc.complete({"x": x, "y": y, "L2": float(q[2]) + 0.2})
        assert by_length.ok and by_length.q[2] == pytest.approx(q[2], abs=1e-8)


def test_a_prismatic_joint_keeps_its_limits():
    arm = telescope()
    mmc = lk.relaxation.Mmc(arm)
    far = mmc.complete({"x": 2.85, "y": 0.0})
    assert far.status.name == "LIMITS" and arm.within_limits(far.q)
    assert mmc.complete({"x": 2.85, "y": 0.0}, limits=False).ok
    assert mmc.complete({"x": 2.79, "y": 0.0}).ok
    assert mmc.complete({"joint3": 1.5}).status.name == "LIMITS"
    assert mmc.complete({"x": 1.0, "y": 1.0}, costs={"joint3": 0.75, "joint1": (0.0, 0.01)}).q[2] == pytest.approx(
        0.75, abs=0.05
    )


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_variables_of_postures_are_never_proven_impossible(scale, rng):
    """Any few variables of a posture are completed, with a prismatic joint and in any unit of length."""
    half = math.pi / 2
    rows = [(scale, 0, 0, 0), (0, half, 0, half), (0, -half, 0.2 * scale, 0, "prismatic", 0.3 * scale, 0.9 * scale)]
    arm = lk.Chain.from_dh([*rows, (0.7 * scale, 0, 0, -half)])
    mmc = lk.relaxation.Mmc(arm)
    names = [name for name in mmc.variables if name not in ("L1", "L3")]
    for _ in range(80):
        q = np.array([*rng.uniform(-3, 3, 2), rng.uniform(0.3, 0.9) * scale, rng.uniform(-3, 3)])
        state = mmc.state(q) | dict(zip(arm.joint_names, q.tolist(), strict=True))
        picked = [str(n) for n in rng.choice(names, int(rng.integers(1, 5)), replace=False)]
        picked = [n for n in picked if n not in ("joint1", "joint2", "joint3", "joint4")] + ["joint3"]
        found = mmc.complete({n: state[n] for n in picked if n != "L2"})
        assert found.status.name not in ("OUT_OF_REACH", "LIMITS"), (picked, found.why)
        if len(picked) <= 2:
            assert found.ok, (picked, found.why)


def test_given_lengths_are_met_exactly():
    short = MMC.complete({"R": 2.0, "L1": 0.5, "L2": 0.4, "L3": 0.3})
    assert short.status.name == "OUT_OF_REACH" and "1.2" in short.why and "L" not in short.why.split("allow;")[1]
    assert dict(zip(short.inputs, short.errors.tolist(), strict=True))["L3"] == 0.0


def test_steps_change_a_length_while_the_network_runs():
    states = list(MMC.steps(lambda k: {"R": 2.0, "rho": 1.0, "L1": 1.0 + 0.01 * min(k, 50)}, cycles=200))
    last = states[-1]
    assert np.linalg.norm(last.points[1]) != pytest.approx(1.0, abs=0.1) or last["R"] == 2.0
    joints = [last[name] for name in ("alpha", "beta", "gamma")]
    assert np.abs(tip_of([1.5, 1.0, 1.0], joints) - 2.0 * np.array([math.cos(1), math.sin(1)])).max() < 1e-6
    sliding = list(lk.relaxation.Mmc(telescope()).steps({"R": 1.9, "rho": 0.5}, cycles=300))
    assert 0.5 <= sliding[-1]["L2"] <= 1.1
    with pytest.raises(lk.BadOption, match="every cycle"):
        list(MMC.steps(lambda k: {"R": 2.0, "L1": 1.0 if k else (0.5, 1.5)}, cycles=3))


def test_states_go_on_with_other_lengths():
    one = MMC.complete({"R": 2.0, "rho": 1.0})
    longer = MMC.complete({"R": 2.0, "rho": 1.0, "L1": 1.1}, start=one)
    assert longer.ok and np.abs(longer.joints - one.joints).max() < 0.5
    unknown = MMC.complete({"R": 2.0, "rho": 1.0, "L1": (0.8, 1.2)}, start=longer)
    again = MMC.complete({"R": 2.0, "rho": 1.0}, start=unknown)
    assert unknown.ok and again.ok and len(unknown.joints) == 4 and len(again.joints) == 3


@pytest.mark.parametrize("wanted", [{"L1": 0.0}, {"L1": -1.0}, {"L2": (-2.0, -1.0)}, {"L1": math.nan}, {"L4": 1.0}])
def test_impossible_lengths_are_refused(wanted):
    with pytest.raises(lk.LimbikError):
        MMC.complete({"R": 1.0, **wanted})


@pytest.mark.parametrize(
    ("arm", "text"),
    [
        (lambda: telescope(-0.5, 0.5), "length 0"),
        (lambda: lk.Chain.from_dh([(0, 0, 0.2, 0, "prismatic", 0, 1), (1, 0, 0, 0), (1, 0, 0, 0)]), "slides before"),
        (
            lambda: lk.Chain.from_dh([(1, 0, 0, 0), (1, 0, 0, 0), (0, 0, 0.2, 0, "prismatic", 0, 1)]),
            "along its segment",
        ),
        (lambda: lk.load("panda"), "not parallel"),
    ],
)
def test_other_arms_are_refused(arm, text):
    with pytest.raises(lk.BadOption, match=text):
        lk.relaxation.Mmc(arm())
