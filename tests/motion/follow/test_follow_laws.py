"""Laws of every followed clip: jumps are reported, the seed is kept, `valid` allows every frame, bounds hold next to jumps."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import limbik as lk
from limbik import Path
from limbik.geometry.se3 import from_rpy
from limbik.motion.follow.continuity import jumps_of
from limbik.motion.follow.follower import Follower
from limbik.motion.path import as_path

RATE = 100.0


def interior(arm, seed):
    """A smooth motion inside the limits."""
    print("seed", seed)
    rng = np.random.default_rng(seed)
    low, high = np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi)
    low, high = low + 0.03 * (high - low), high - 0.03 * (high - low)
    while True:
        knots = rng.uniform(low, high, (4, arm.n))
        q = CubicSpline(np.linspace(0, 1, 4), knots, bc_type="natural")(np.linspace(0, 1, 600))
        if (q >= low).all() and (q <= high).all():
            return q[:: max(1, int(0.03 / np.abs(np.diff(q, axis=0)).max()))][:400]


def leaving(arm, seed):
    """A smooth motion that leaves the limits, so that a trajectory inside the limits must jump."""
    print("seed", seed)
    rng = np.random.default_rng(seed)
    middle, half = 0.5 * (arm.lower + arm.upper), 0.5 * (arm.upper - arm.lower)
    knots = middle + rng.uniform(-1.3, 1.3, (5, arm.n)) * half
    q = CubicSpline(np.linspace(0, 1, 5), knots)(np.linspace(0, 1, 1500))
    return q[:: max(1, int(0.03 / np.abs(np.diff(q, axis=0)).max()))][:300]


def unreported(arm, Ts, clip):
    path = as_path(Ts, RATE)
    source = Follower(arm, path, RATE, None, True, None, arm.velocity).source
    return sorted(set(jumps_of(source, path, clip.places, clip.q).tolist()) - set(clip.jumps))


@pytest.mark.parametrize("seed", [14, 17, 23, 25, 28, 45])
def test_redundant_arms_have_no_unreported_jumps(seed):
    arm = lk.load("panda")
    q = interior(arm, seed)
    Ts = arm.forward(q)
    clip = arm.follow(Ts, velocity=np.inf, seed=q[0] if seed % 2 else None)
    assert clip.ok, clip.why
    assert clip.jumps == () and unreported(arm, Ts, clip) == []
    assert np.abs(np.diff(clip.q, axis=0)).max() < 0.3


@pytest.mark.parametrize("name,seed", [("kr6", 1), ("kr6", 14), ("puma560", 3)])
def test_every_jump_is_listed(name, seed):
    arm = lk.load(name)
    Ts = arm.forward(leaving(arm, seed))
    for jumps in ("refuse", "allow"):
        clip = arm.follow(Ts, jumps=jumps, velocity=np.inf)
        assert unreported(arm, Ts, clip) == []
        assert jumps == "allow" or clip.jumps == ()


class Curve:
    """An arm with one posture at each place of a line along x."""

    weight = np.ones(1)

    def __init__(self, function):
        self._of = function

    def solve_near(self, Ts, seeds):
        return self._of(Ts[:, 0, 3])[:, None], np.ones(len(Ts), bool)


def test_fast_motion_is_distinguished_from_jumps():
    path = Path.line(np.eye(4), from_rpy((1, 0, 0), (0, 0, 0))).with_duration(1.0)
    times = np.linspace(0, 1, 60)
    for width, jumps in ((1e-1, []), (1e-2, []), (1e-3, []), (1e-4, []), (1e-12, [30])):
        curve = Curve(lambda x, width=width: 0.1 * x + np.arctan((x - 0.5) / width))
        assert jumps_of(curve, path, times, curve._of(times)[:, None]).tolist() == jumps
    assert jumps_of(curve, path, times[:1], np.zeros((1, 1))).tolist() == []


@pytest.mark.parametrize("name", ["panda", "iiwa7", "xarm7", "ur5"])
def test_a_seed_that_reaches_the_first_pose_is_the_first_frame(name):
    arm = lk.load(name)
    q = np.array([0.3, -0.35, 0.2, -2.1, 0.1, 1.9, 0.5] if arm.n == 7 else [-0.3, -1.7, 1.9, -1.7, -1.5, 0.0])
    q = np.clip(q, arm.lower + 0.2, arm.upper - 0.2)
    still = np.stack([arm.forward(q)] * 20)
    clip = arm.follow(still, seed=q)
    assert clip.ok and np.abs(clip.q - q).max() < 1e-9
    end = np.array(still[0])
    end[:3, 3] -= (0.03, 0.02, 0.05)
    for options in ({}, {"velocity": 0.3}, {"velocity": 0.5, "acceleration": 2.0}):
        clip = arm.follow(Path.line(still[0], end), seed=q, **options)
        assert clip.ok and np.abs(clip.q[0] - q).max() < 1e-9, options


def test_a_seed_keeps_its_whole_turns():
    arm = lk.load("ur5")
    q = np.array([0.3, -1.2, 1.4, 4.6, 0.8, -5.0])
    clip = arm.follow(arm.forward(q + 0.5 * np.sin(np.linspace(0, 3, 60))[:, None]), seed=q, velocity=np.inf)
    assert clip.ok and np.abs(clip.q[0] - q).max() < 1e-9


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_valid_allows_every_returned_frame(name):
    arm = lk.load(name)
    a = arm.home + 0.3 * np.array([1, -1, 1, -1, 1, 1, -1])[: arm.n]
    Ts = arm.forward(a + np.linspace(0, 0.6, 61)[:, None] * np.array([1, 0.5, -0.5, 0.5, 1, -1, 1])[: arm.n])

    def striped(q):
        steps = (q[0] - a[0]) / 0.01
        return abs(steps - np.rint(steps)) < 0.3

    for options in ({}, {"velocity": 0.4}, {"velocity": 0.7, "acceleration": 3.0}, {"velocity": 1.0, "fastest": True}):
        clip = arm.follow(Ts, seed=a, valid=striped, **options)
        assert clip.ok or name == "panda", "the frames' own postures are allowed"
        assert len(clip) == 1 or all(striped(q) for q in clip.q), options
        speed = np.abs(np.diff(clip.q, axis=0)) / np.diff(clip.times)[:, None]
        assert speed.max(initial=0.0) <= options.get("velocity", np.inf) * (1 + 1e-6)


@pytest.mark.parametrize("options", [{"velocity": 0.8}, {"velocity": 1.0, "acceleration": 4.0}])
def test_bounds_are_kept_beside_jumps(options):
    arm = lk.load("puma560")
    Ts = arm.forward(leaving(arm, 12))
    clip = arm.follow(Ts, jumps="allow", **options)
    assert len(clip.jumps) > 1
    assert (np.diff(clip.times) > 0).all() and (np.diff(clip.places) >= 0).all()
    for piece in np.split(np.arange(len(clip)), clip.jumps):
        v = np.diff(clip.q[piece], axis=0) / np.diff(clip.times[piece])[:, None]
        assert np.abs(v).max(initial=0.0) <= options["velocity"] * (1 + 1e-6)
        if "acceleration" in options and len(piece) > 2:
            still = np.zeros((1, arm.n))
            bend = np.diff(np.vstack([still, v, still]), axis=0)
            assert np.abs(bend).max() <= options["acceleration"] * np.diff(clip.times[piece]).max() * (1 + 1e-6)
    own = arm.follow(Ts, jumps="allow", velocity=np.inf)
    assert clip.duration > own.duration and len(clip.jumps) == len(own.jumps)


def test_an_arm_without_a_closed_form_gives_a_reason():
    arm = lk.load("k1207")
    T = arm.forward(np.full(arm.n, 0.5))
    clip = arm.follow(Path.screw(T, axis=T[:3, 2], angle=40.0), rate=20)
    assert not clip.ok and "was not reached" in clip.why and clip.failed == len(clip)
    assert clip.status == lk.Status.NOT_FOUND, "nothing is proven of an arm whose postures cannot be listed"


def test_slowed_clips_report_failures_in_the_same_way():
    arm = lk.load("ur5")
    q = np.radians([-20, -100, 110, -100, -90, 0])
    out = np.array(arm.forward(q))
    out[0, 3] += 2.0
    path = Path.line(arm.forward(q), out)
    for options in ({}, {"velocity": 0.1}, {"velocity": 0.5, "acceleration": 1.0}):
        clip = arm.follow(path, seed=q, rate=30, **options)
        assert not clip.ok and clip.failed == len(clip)
        assert clip.why.startswith(f"frame {clip.failed} of {clip.wanted} ("), clip.why


@pytest.mark.parametrize("seed", [17, 51, 55, 59])
def test_a_motion_inside_the_limits_is_followed_from_its_own_start(seed):
    arm = lk.load("panda")
    q = interior(arm, seed)
    clip = arm.follow(arm.forward(q), seed=q[0], velocity=np.inf)
    assert clip.ok and np.abs(clip.q[0] - q[0]).max() < 1e-9, clip.why
    assert unreported(arm, arm.forward(q), clip) == []


def test_motions_beside_singular_postures_are_followed():
    rng = np.random.default_rng(2)
    arm = lk.Chain.from_dh(
        [
            (rng.uniform(-0.4, 0.4), rng.choice([-1, 1]) * rng.uniform(0.2, 2.9), rng.uniform(-0.4, 0.4), 0)
            for _ in range(6)
        ]
    )
    middle = np.array([-0.5938, 0.685, 2.2541, 2.8805, -0.8558, -0.0201])
    swing = np.array([0.9496, 1.0501, 0.5976, 0.03, 1.5592, 2.5118])
    often = np.array([0.6085, 0.5406, 0.2909, 0.8736, 0.9992, 0.834])
    since = np.array([1.6561, 4.2203, 1.3421, 4.8264, 5.6505, 1.9534])
    first = middle + swing * np.sin(2 * np.pi * often * np.linspace(0, 1, 4000)[::9, None] + since)
    jaco = lk.load("jaco2")
    knots = [
        [1.195, 3.025, 3.021, -1.657, 2.544, -1.346],
        [-1.39, 4.325, 3.548, 0.099, 0.419, -2.301],
        [-2.309, 5.231, 4.213, 0.677, 0.359, -1.567],
        [-2.027, 3.509, 0.554, -2.79, -0.926, 0.506],
    ]
    second = CubicSpline(np.linspace(0, 1, 4), knots, bc_type="natural")(np.linspace(0, 1, 4000)[::8])
    for robot, q in ((arm, first), (jaco, second)):
        clip = robot.follow(robot.forward(q), velocity=np.inf)
        assert clip.ok, clip.why
        assert unreported(robot, robot.forward(q), clip) == []


def test_frames_stay_evenly_spaced_when_joints_are_slowed_down():
    """Near a singular posture a trajectory is fast: postures are inserted between its frames, so that they stay even."""
    arm, rng = lk.load("panda"), np.random.default_rng(9)
    slowed = 0
    for _ in range(12):
        q = interior(arm, int(rng.integers(1000)))
        clip = arm.follow(arm.forward(q), rate=RATE)
        assert clip.ok, clip.why
        spans = np.diff(clip.times)
        slowed += clip.times[-1] > (len(q) - 1) / RATE * (1 + 1e-9)
        assert spans.max() < spans.min() * (1 + 1e-6)
        assert (np.abs(np.diff(clip.q, axis=0)) <= arm.velocity * spans[:, None] * (1 + 1e-6)).all()
    assert slowed


def test_valid_may_distinguish_whole_turns():
    """A cable keeps a joint on one side: 2-pi copies of a posture are different postures."""
    arm = lk.load("ur5")
    q = np.radians([-20, -100, 110, -100, -90, 200.0])
    T, end = arm.forward(q), arm.forward(q)
    end[:3, 3] += (0.05, 0.1, 0.05)
    path = Path.line(T, end)
    for seed in (None, q):
        clip = arm.follow(path, seed, valid=lambda q: q[5] > 2.0)
        assert clip.ok and (clip.q[:, 5] > 2.0).all(), clip.why
    wound = Path.of(lambda t: arm.forward(np.radians([-20, -100, 110, -100, -90, 100 + 80 * t])), 3.0)
    assert arm.follow(wound, valid=lambda q: q[5] > 1.5).ok
    asked = []
    blocked = arm.follow(path, valid=lambda q: asked.append(q) or False)
    assert not blocked.ok and "valid" in blocked.why
    assert len(asked) < 20_000, "valid is not called for 2-pi copies that it does not distinguish"


def fourier(arm, seed, periodic=False):
    """A smooth motion inside the limits, as a function on [0, 1]. periodic: it ends in its first posture."""
    print("seed", seed)
    rng = np.random.default_rng(seed)
    low, high = np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi)
    middle = rng.uniform(low + 0.3 * (high - low), high - 0.3 * (high - low))
    size = 0.25 * (high - low) * rng.uniform(0.2, 1.0, arm.n)
    turns = np.ones(arm.n) if periodic else rng.uniform(0.3, 1.2, arm.n)
    phase = rng.uniform(0, 2 * np.pi, arm.n)
    return lambda x: middle + size * np.sin(2 * np.pi * turns * x + phase)


@pytest.mark.parametrize("name", ["iiwa7", "panda", "ur5"])
@pytest.mark.parametrize("seed", [4, 5, 6])
def test_a_closed_trajectory_returns_to_the_seed(name, seed):
    arm = lk.load(name)
    motion = fourier(arm, seed, periodic=True)
    path = Path.of(lambda t: arm.forward(motion(t / 4.0)), 4.0)
    clip = arm.follow(path, motion(0.0), closed=True)
    assert clip.ok, clip.why
    assert np.abs(clip.q[0] - motion(0.0)).max() < 1e-6
    assert np.abs(clip.q[-1] - clip.q[0]).max() < 1e-6


def test_a_trajectory_that_cannot_return_is_reported():
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    end = T.copy()
    end[:3, 3] += (0.05, 0.0, 0.0)
    clip = arm.follow(Path.line(T, end), closed=True)
    assert clip.ok and "from its first posture" in clip.why
    assert "from its first posture" not in arm.follow(Path.line(T, end)).why


@pytest.mark.parametrize("name,seed", [("ur5", 1), ("ur5", 7), ("kr6", 2), ("puma560", 3)])
def test_accelerations_are_kept_at_the_requested_rate(name, seed):
    """A trajectory does not switch between branches that nearly meet: even a small jump would need an infinite acceleration."""
    arm = lk.load(name)
    motion = fourier(arm, seed)
    path = Path.of(lambda t: arm.forward(motion(t / 3.0)), 3.0)
    clip = arm.follow(path, motion(0.0), acceleration=8.0)
    assert clip.ok, clip.why
    spans = np.diff(clip.times)
    assert np.allclose(spans, 1 / RATE, rtol=0.02)
    v = np.diff(clip.q, axis=0) / spans[:, None]
    assert np.abs(np.diff(v, axis=0) / spans[1:, None]).max() < 8.0 * 1.05


class TwoBranches:
    """An arm with one joint and two branches, q = +-(d + x^2), which nearly meet at x = 0."""

    weight = np.ones(1)

    def __init__(self, gap):
        self._gap = gap

    def solve_near(self, Ts, seeds):
        x = Ts[:, 0, 3]
        return np.where(seeds[:, 0] >= 0, 1, -1)[:, None] * (0.5 * self._gap + x**2)[:, None], np.ones(len(Ts), bool)


@pytest.mark.parametrize("gap,jumps", [(0.02, 1), (0.002, 1), (0.0, 0)])
def test_branches_that_nearly_meet_are_distinguished(gap, jumps):
    path = Path.line(from_rpy((-0.5, 0, 0), (0, 0, 0)), from_rpy((0.5, 0, 0), (0, 0, 0))).with_duration(1.0)
    times = np.linspace(0, 1, 101)
    x = times - 0.5
    branch = (x > 0).astype(np.int64)
    q = (np.where(x > 0, 1, -1) * (0.5 * gap + x**2))[:, None]
    assert len(jumps_of(TwoBranches(gap), path, times, q, branch)) == jumps
    assert len(jumps_of(TwoBranches(gap), path, times, q, np.full(101, -1))) == 0
