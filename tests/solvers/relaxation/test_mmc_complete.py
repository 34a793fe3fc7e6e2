"""Completion of a state from some variables, checked by forward kinematics; impossible inputs are reported with a reason."""

import math
import pickle
from itertools import pairwise

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.relaxation.certificate import proof
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.outputs import OUTPUTS

ARM = lk.load("planar3_cruse")
MMC = lk.relaxation.Mmc(ARM)
ARMS = {name: lk.load(name) for name in ("planar3_cruse", "planar2_guez", "planar3_chin", "planar3_guez")}
STATE = ("alpha", "beta", "gamma", "rho", "R", "eps", "delta", "D1", "D2", "x", "y", "beta1", "gamma2", "x1", "y2")


def met(mmc: lk.relaxation.Mmc, wanted: dict[str, float], found: lk.relaxation.Completion) -> bool:
    """Return whether the chain's own posture meets the inputs."""
    state = mmc.state(found.q)
    tip = mmc.arm.forward(found.q)[:2, 3]
    assert np.allclose(tip, (state["x"], state["y"]), atol=1e-9 * mmc.arm.reach)
    for name, value in wanted.items():
        gap = state[name] - value
        if mmc._measures.is_angle(name):
            gap = math.remainder(gap, 2 * math.pi)
        if abs(gap) > 1e-6 * max(1.0, mmc.arm.reach):
            return False
    return True


@pytest.mark.parametrize("name", ARMS)
def test_any_variables_of_a_posture_are_completed(name, rng):
    mmc = lk.relaxation.Mmc(ARMS[name])
    names = mmc._measures.names
    for _ in range(25):
        state = mmc.state(rng.uniform(-np.pi, np.pi, mmc.arm.n))
        wanted = {str(k): state[str(k)] for k in rng.choice(names, rng.integers(1, 5), replace=False)}
        found = mmc.complete(wanted, rng.uniform(-np.pi, np.pi, mmc.arm.n))
        assert found.ok and met(mmc, wanted, found), (wanted, found.why)
        assert np.isfinite(found.course).all() and found.course.shape == (found.cycles + 1, len(mmc.network.variables))


def test_the_example_of_the_documents():
    found = MMC.complete({"R": 1.7, "rho": 1.2, "alpha": 1.9})
    assert found.ok and found.settled and 0 < found.reached <= 60 and found.freedoms == 0
    assert found["R"] == pytest.approx(1.7, abs=1e-9) and found["alpha"] == 1.9 and set(STATE) <= set(found.state)
    np.testing.assert_allclose(ARM.forward(found.q)[:2, 3], 1.7 * np.array([math.cos(1.2), math.sin(1.2)]), atol=1e-9)


def test_joints_by_their_own_names_are_the_angles(rng):
    q = rng.uniform(-2, 2, 3)
    found = MMC.complete(dict(zip(ARM.joint_names, q.tolist(), strict=True)))
    np.testing.assert_allclose(found.q, q, atol=1e-9)
    np.testing.assert_allclose(found.points[-1], ARM.forward(q)[:2, 3], atol=1e-9)
    assert found["beta"] == pytest.approx((q[1] + np.pi) % (2 * np.pi), abs=1e-9)


def test_free_directions_depend_on_the_previous_state(rng):
    wanted = {"R": 1.7, "rho": 1.0}
    ends = [MMC.complete(wanted, start) for start in ([2.2, -1.2, -0.9], [0.2, 1.5, 0.3])]
    assert all(end.ok and end.freedoms == 1 for end in ends)
    assert np.abs(ends[0].joints - ends[1].joints).max() > 0.1
    again = MMC.complete(wanted, ends[1])  # a state that meets the inputs stays
    assert np.abs(again.q - ends[1].q).max() < 1e-6
    nothing = MMC.complete({}, [0.3, 0.4, 0.5])
    assert nothing.ok and nothing.freedoms == 3 and np.allclose(nothing.q, [0.3, 0.4, 0.5], atol=1e-9)


def test_ranges_are_kept_and_nothing_else_moves(rng):
    for _ in range(10):
        state = MMC.state(rng.uniform(-2, 2, 3))
        wanted = {"R": state["R"], "rho": state["rho"], "beta": (state["beta"] - 0.05, state["beta"] + 0.05)}
        found = MMC.complete(wanted, rng.uniform(-2, 2, 3))
        assert found.ok, found.why
        assert abs(math.remainder(found["beta"] - state["beta"], 2 * math.pi)) <= 0.05 + 1e-8
    low = MMC.complete({"R": 2.0, "rho": 1.0, "beta": lk.relaxation.AtMost(1.6)})
    high = MMC.complete({"R": 2.0, "rho": 1.0, "beta": lk.relaxation.AtLeast(2.6)})
    assert low.ok and low["beta"] <= 1.6 + 1e-8 and high.ok and high["beta"] >= 2.6 - 1e-8
    free = MMC.complete({"R": 2.0, "rho": 1.0})
    loose = MMC.complete({"R": 2.0, "rho": 1.0, "beta": lk.relaxation.AtMost(free["beta"] + 0.5)})
    np.testing.assert_allclose(loose.q, free.q, atol=1e-6)


def test_cartesian_inputs_alone_and_together():
    both = MMC.complete({"x": 0.6, "y": 1.5})
    assert both.ok and np.allclose(both.points[-1], (0.6, 1.5), atol=1e-8)
    one = MMC.complete({"x": 0.6}, both)
    assert one.ok and np.allclose(one.q, both.q, atol=1e-6)
    other = MMC.complete({"y": lk.relaxation.AtLeast(2.0), "x": (-0.2, 0.2)})
    assert other.ok and other["y"] >= 2.0 - 1e-8 and -0.2 - 1e-8 <= other["x"] <= 0.2 + 1e-8
    elbow = MMC.complete({"x": 0.6, "y": 1.5, "x1": lk.relaxation.AtMost(0.0)})
    assert elbow.ok and elbow["x1"] <= 1e-8


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"R": 3.5}, "above 3"),
        ({"R": -0.1}, "below 0"),
        ({"R": 2.0, "beta": 0.1}, "D2"),
        ({"x": 2.9, "y": 2.9}, "away"),
        ({"D1": 2.5}, "above 2"),
        ({"R": 2.9, "rho": 0.0, "alpha": 1.5}, "distance"),
        ({"y": lk.relaxation.AtLeast(4.0)}, "away"),
        ({"x1": 1.5}, "joint 2"),
        ({"x2": 1.8, "y2": 1.8}, "joint 3"),
    ],
)
def test_impossible_inputs_are_proven_and_explained(wanted, reason):
    found = MMC.complete(wanted)
    assert found.status == lk.Status.OUT_OF_REACH and reason in found.why and found.errors.max() > 1e-3
    assert np.isfinite(found.values).all()


def test_contradictory_inputs_are_a_compromise_with_the_error_of_each():
    found = MMC.complete({"alpha": 1.0, "beta": 2.0, "gamma": 2.0, "R": 1.0})
    assert found.status == lk.Status.COMPROMISE and dict(zip(found.inputs, found.errors, strict=True))["R"] > 0.1
    assert "R = 1" in found.why
    state = MMC.state([0.4, -1.0, -0.7])
    more = MMC.complete({name: state[name] for name in ("alpha", "beta", "gamma", "R", "rho", "x", "y", "D1", "eps")})
    assert more.ok and np.allclose(more.q, [0.4, -1.0, -0.7], atol=1e-8)  # redundant but consistent


def test_no_existing_posture_is_proven_impossible(rng):
    """Certificates are sound: no subset of the variables of a posture is proven impossible."""
    for name, arm in ARMS.items():
        mmc = lk.relaxation.Mmc(arm)
        for _ in range(40):
            state = mmc.state(rng.uniform(-np.pi, np.pi, arm.n))
            inputs = {k: Range(v - 1e-12, v + 1e-12) for k, v in state.items()}
            assert proof(mmc.network, inputs) == "", name


def test_singular_inputs_are_completed():
    straight = MMC.complete({"R": 3.0, "rho": 0.4})
    assert straight.ok and straight.freedoms == 0 and np.allclose(straight.q, (0.4, 0, 0), atol=1e-3)
    home = MMC.complete({"R": 0.0, "rho": 1.0})
    assert home.ok and abs(home["R"]) < 1e-7
    folded = MMC.complete({"R": 2.0, "rho": 0.5}, [0.7, np.pi, np.pi])  # the network alone does not leave this start
    assert folded.ok


def test_limits_of_the_arm_are_kept_unless_switched_off():
    arm = ARM.with_limits([-0.5, -1.0, -1.0], [0.5, 1.0, 1.0])
    mmc = lk.relaxation.Mmc(arm)
    inside = mmc.complete({"x": 2.75, "y": 0.4})
    assert inside.ok and arm.within_limits(inside.q)
    outside = mmc.complete({"alpha": 1.0, "R": 2.5})
    assert outside.status == lk.Status.LIMITS and "limits" in outside.why and arm.within_limits(outside.q)
    assert mmc.complete({"alpha": 1.0, "R": 2.5}, limits=False).ok
    blocked = mmc.complete({"x": -2.0, "y": 0.0})
    assert not blocked.ok and arm.within_limits(blocked.q) and mmc.complete({"x": -2.0, "y": 0.0}, limits=False).ok


def test_the_cheapest_posture_is_the_cheapest_of_all(rng):
    """Compared with a scan of all postures of the target (Cruse 1986: the least sum of costs)."""
    best, weights = np.array([1.4, 2.1, 2.6]), np.array([1.0, 0.5, 2.0])
    place = np.array([0.9, 1.1])
    found = MMC.complete(
        {"x": 0.9, "y": 1.1},
        costs={n: (b, w) for n, b, w in zip(("alpha", "beta", "gamma"), best, weights, strict=True)},
    )
    least = math.inf
    for alpha in np.linspace(-np.pi, np.pi, 20001):
        rest = place - [math.cos(alpha), math.sin(alpha)]
        far = math.hypot(*rest)
        if far > 2:
            continue
        gamma = math.acos(1 - far * far / 2)
        for sign in (1, -1):
            direction = math.atan2(rest[1], rest[0]) + sign * (math.pi - gamma) / 2
            joints = np.array([alpha, math.pi + direction - alpha, math.pi - sign * (math.pi - gamma)])
            gap = np.array([math.remainder(x, 2 * math.pi) for x in joints - best])
            least = min(least, float(weights @ gap**2))
    assert found.ok and found.cost == pytest.approx(least, abs=1e-5)
    asked = MMC.complete({"x": 0.9, "y": 1.1}, costs={"beta": lambda x: (x - 2.0) ** 4})
    assert asked.ok and asked["beta"] == pytest.approx(2.0, abs=0.05)


def test_no_segment_enters_a_free_region(rng):
    """The elbow avoids the region; if no posture does, the status reports it."""
    wanted = {"x": 1.2, "y": 1.2}
    plain = MMC.complete(wanted)

    def gap(points: np.ndarray, centre: np.ndarray) -> float:
        return min(
            float(np.linalg.norm(a + t * (b - a) - centre)) for a, b in pairwise(points) for t in np.linspace(0, 1, 400)
        )

    for k in (1, 2):
        centre = plain.points[k]
        around = MMC.complete(wanted, free=[lk.Sphere((*centre, 0.0), 0.3)])
        assert around.ok and gap(plain.points, centre) < 0.01 and gap(around.points, centre) > 0.3 - 1e-4, around.why
        np.testing.assert_allclose(around.points[-1], (1.2, 1.2), atol=1e-7)
    blocked = MMC.complete(wanted, free=lk.Sphere((1.2, 1.2, 0.0), 0.3))
    assert blocked.status == lk.Status.BLOCKED and "regions" in blocked.why
    above = MMC.complete(wanted, free=lk.Sphere((1.2, 1.2, 0.5), 0.3))  # it does not intersect the plane
    assert above.ok and np.allclose(above.q, plain.q, atol=1e-6)
    for bad in (3, "x", [1], None):
        with pytest.raises(lk.BadOption):
            MMC.complete(wanted, free=bad)


def test_scaling_the_arm_changes_nothing_but_lengths():
    large = lk.relaxation.Mmc(ARM.scaled(1000.0))
    a, b = MMC.complete({"R": 1.3, "alpha": 1.0, "rho": 0.3}), large.complete({"R": 1300.0, "alpha": 1.0, "rho": 0.3})
    assert a.ok and b.ok and a.cycles == b.cycles
    np.testing.assert_allclose(a.q, b.q, atol=1e-8)


def test_a_rotated_and_mirrored_arm_gives_the_same_result():
    """Axes that point down, and a plane other than the x-y plane of the base."""
    rows = [(1.0, 0, 0, 0.3), (1.0, 0, 0, -0.5), (1.0, 0, 0, 0.2)]
    upright = lk.Chain.from_dh(rows)
    turn = np.eye(4)
    turn[:3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    turned = upright.with_base(turn)
    for arm in (upright, turned):
        mmc = lk.relaxation.Mmc(arm)
        q = np.array([0.4, -0.8, -0.6])
        state = mmc.state(q)
        found = mmc.complete({"alpha": state["alpha"], "R": state["R"], "rho": state["rho"]}, q)
        assert found.ok and np.allclose(found.q, q, atol=1e-7)


@pytest.mark.parametrize(
    "wanted",
    [
        [1],
        None,
        "R",
        {"S": 1},
        {3: 1},
        {"R": math.nan},
        {"R": math.inf},
        {"R": None},
        {"R": "a"},
        {"R": (2, 1)},
        {"R": (1, 2, 3)},
        {"R": (math.nan, 1)},
        {"joint1": 1.0, "alpha": 1.0},
        {"R": 1e300},
        {"R": 1j},
        {"R": [1, 2, 3]},
        {"R": (math.inf, math.inf)},
    ],
)
def test_invalid_inputs_raise(wanted):
    with pytest.raises(lk.LimbikError) as error:
        MMC.complete(wanted)
    assert len(str(error.value)) > 10


def test_other_misuse_raises():
    for call in (
        lambda: lk.relaxation.Mmc(lk.load("panda")),
        lambda: lk.relaxation.Mmc(lk.load("human")),
        lambda: lk.relaxation.Mmc(None),
        lambda: lk.relaxation.Mmc(ARM, update="x"),
        lambda: lk.relaxation.Mmc(ARM, speed=1),
        lambda: lk.relaxation.Mmc(ARM, 3),
        lambda: MMC.complete({}, start=[1, 2]),
        lambda: MMC.complete({}, start=[1, 2, np.nan]),
        lambda: MMC.complete({}, start="x"),
        lambda: MMC.complete({}, start={"R": 1}),
        lambda: MMC.complete({}, cycles=-1),
        lambda: MMC.complete({}, cycles=1.5),
        lambda: MMC.complete({}, limits=1),
        lambda: MMC.complete({}, costs={}),
        lambda: MMC.complete({}, costs={"R": 1}),
        lambda: MMC.complete({"R": 1}, costs={"beta": math.nan}),
        lambda: MMC.complete({"R": 1}, costs={"beta": (1, -1)}),
        lambda: MMC.complete({"R": 1.0}, costs={"beta": lambda x: math.nan}),
        lambda: MMC.complete({"R": 1.0}, costs={"beta": lambda x: None}),
        lambda: lk.relaxation.AtMost(math.nan),
        lambda: lk.relaxation.AtLeast("x"),
        lambda: list(MMC.steps({}, output="x")),
        lambda: list(MMC.steps({}, share=0)),
        lambda: MMC.state([1, 2]),
        lambda: MMC.complete({}, lk.relaxation.Mmc(ARMS["planar2_guez"]).complete({})),
    ):
        with pytest.raises(lk.LimbikError):
            call()


def test_results_are_frozen_and_pickle():
    found = MMC.complete({"R": 1.7, "rho": 1.2})
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found and pickle.loads(pickle.dumps(MMC)).complete({"R": 1.7, "rho": 1.2}) == found
    with pytest.raises(ValueError, match="read-only"):
        found.q[0] = 1.0
    assert "SOLVED" in repr(found) and repr(MMC) == "<Mmc 'planar3_cruse': 17 variables, 83 computations>"


def test_steps_yield_every_cycle_and_inputs_can_change():
    states = list(MMC.steps({"R": 1.7, "rho": 1.2}, [2.2, -1.2, -0.9], cycles=60))
    assert [s.cycle for s in states] == list(range(61)) and states[-1].rests
    assert states[-1]["R"] == 1.7 and np.linalg.norm(states[-1].points[-1]) == pytest.approx(1.7, abs=0.01)
    np.testing.assert_allclose(ARM.forward(states[-1].q)[:2, 3], states[-1].points[-1], atol=1e-9)
    course = MMC.complete({"R": 1.7, "rho": 1.2}, [2.2, -1.2, -0.9]).course
    np.testing.assert_allclose([s.values for s in states[:60]], course[:60], atol=1e-9)
    # the tip is clamped, then released and a joint clamped instead
    changing = list(
        MMC.steps(lambda k: {"R": 1.5, "rho": 1.0} if k < 50 else {"beta": 1.0}, [2.2, -1.2, -0.9], cycles=150)
    )
    assert abs(changing[50]["R"] - 1.5) < 1e-6 and changing[-1]["beta"] == 1.0 and changing[-1].rests


def test_remedies_for_oscillations():
    jumpy = lk.relaxation.Mmc(ARM, update="parallel")
    ways = {
        output: list(jumpy.steps({"R": 1.0, "rho": 0.5}, [1.2, -1.5, 0.5], cycles=80, output=output))
        for output in OUTPUTS
    }
    rough = {o: np.abs(np.diff([s.q for s in w[:40]], 2, axis=0)).sum() for o, w in ways.items()}
    assert rough["low_pass"] < 0.7 * rough["raw"]
    frozen, second = ways["frozen"], ways["every_second"]
    assert np.array_equal(frozen[10].values, frozen[0].values) and np.array_equal(
        frozen[-1].values, ways["raw"][-1].values
    )
    assert all(np.array_equal(second[k].values, second[k + 1].values) for k in range(0, 80, 2))
