"""Path following: frames are on the path and inside the limits, jumps are reported, and a failure has a reason."""

import sys
from pathlib import Path as File

import numpy as np
import pytest

import limbik as lk
from limbik import Path, Status
from limbik.geometry.se3 import from_rpy

sys.path.insert(0, str(File(__file__).parents[3]))
from cases.smooth_motions import RATE, smooth_motion

FLAT = np.radians([-20, -100, 110, -100, -90, 0])
# The largest step of a joint between two frames of these motions [rad].
STEP = 0.15


def check(arm, clip, path=None):
    """Check the laws of every followed clip, or of its part before the failure."""
    assert arm.within_limits(clip.q).all()
    assert clip.position_error.max() <= 1e-8 * max(1, arm.reach) and clip.rotation_error.max() <= 1e-8
    if path is not None:
        assert np.abs(lk.pose_error(arm.forward(clip.q), path.at(clip.places))).max() <= 2e-8
    steps = np.abs(np.diff(clip.q, axis=0)).max(axis=1, initial=0.0)
    rest = np.ones(len(steps), bool)
    rest[[k - 1 for k in clip.jumps]] = False
    assert steps[rest].max(initial=0.0) < STEP, "an unreported jump"
    assert len(clip.branches) == len(clip.places) == len(clip)
    assert (clip.failed is None) == clip.ok
    if np.isfinite(arm.velocity).all() and not clip.jumps:
        assert (np.abs(np.diff(clip.q, axis=0)) <= arm.velocity * np.diff(clip.times)[:, None] * (1 + 1e-6)).all()


@pytest.mark.parametrize(
    "name,paths", [("ur5", 24), ("puma560", 24), ("kr6", 16), ("iiwa7", 8), ("panda", 8), ("scara", 8), ("gantry", 8)]
)
def test_paths_made_from_smooth_motions_are_followed(name, paths):
    seed = 11
    print("seed", seed)
    arm, rng = lk.load(name), np.random.default_rng(seed)
    for k in range(paths):
        Ts = arm.forward(smooth_motion(arm, rng, k % 4)[::2])
        clip = arm.follow(Ts, rate=RATE / 2)
        assert clip.ok, (k, clip.why)
        assert clip.jumps == () and clip.status == Status.SOLVED
        assert arm.within_limits(clip.q).all() and clip.position_error.max() <= 1e-8
        check_speed = np.where(np.isfinite(arm.velocity), arm.velocity, 50.0)
        assert (np.abs(np.diff(clip.q, axis=0)) <= check_speed * np.diff(clip.times)[:, None] * (1 + 1e-6)).all()


@pytest.mark.parametrize(
    "name", ["ur10e", "xarm7", "iiwa14", "jaco2", "human_arm_7", "human_arm_8", "planar3_chin", "k1207"]
)
def test_other_arms_follow_too(name):
    arm, rng = lk.load(name), np.random.default_rng(3)
    low, high = np.maximum(arm.lower, -2.5), np.minimum(arm.upper, 2.5)
    a = rng.uniform(low, high)
    b = np.clip(a + rng.uniform(-0.6, 0.6, arm.n), low, high)
    Ts = arm.forward(a + (b - a) * np.linspace(0, 1, 81)[:, None])
    clip = arm.follow(Ts, rate=50)
    assert clip.ok, clip.why
    check(arm, clip)


def test_a_random_six_jointed_arm_without_closed_form():
    rng = np.random.default_rng(5)
    arm = lk.Chain.from_dh([(rng.uniform(-0.4, 0.4), rng.uniform(-2, 2), rng.uniform(-0.4, 0.4), 0) for _ in range(6)])
    a = rng.uniform(-2, 2, 6)
    clip = arm.follow(arm.forward(a + rng.uniform(-0.7, 0.7, 6) * np.linspace(0, 1, 61)[:, None]), rate=30)
    assert clip.ok, clip.why
    check(arm, clip)


def test_the_seed_determines_the_first_posture():
    arm = lk.load("ur5")
    T = arm.forward(FLAT)
    end = np.array(T)
    end[:3, 3] += (0.1, 0.2, 0.1)
    path = Path.line(T, end)
    for answer in arm.solve_all(T):
        clip = arm.follow(path, seed=answer.q)
        assert clip.ok
        assert np.allclose(clip.q[0], answer.q, atol=1e-7)
    turned = FLAT + np.array([0, 0, 0, 2 * np.pi, 0, 0])
    clip = arm.follow(path, seed=turned)
    assert clip.ok and np.allclose(clip.q[0], turned, atol=1e-7), "whole turns too"
    for name in ("panda", "iiwa7"):
        redundant = lk.load(name)
        q = redundant.home + 0.3 * np.array([1, -1, 1, -1, 1, 1, -1])
        T = redundant.forward(q)
        end = np.array(T)
        end[2, 3] -= 0.1
        clip = redundant.follow(Path.line(T, end), seed=q)
        assert clip.ok, clip.why
        check(redundant, clip, Path.line(T, end))
        assert np.abs(clip.q[0] - q).max() < 1e-9


def test_straight_through_singular_postures():
    puma = lk.load("puma560")
    a = np.radians([10, -120, 20, 0, 40, 5])
    b = np.array(a)
    b[4] *= -1
    for path in (
        Path.line(puma.forward(a), puma.forward(b)),
        puma.forward(a + (b - a) * np.linspace(0, 1, 201)[:, None]),
    ):
        clip = puma.follow(path)
        assert clip.ok
        check(puma, clip)
        assert len(set(clip.branches.tolist())) > 1, (
            "the wrist passes through, so the branch changes and no joint jumps"
        )
    ur5 = lk.load("ur5")
    path = Path.line(from_rpy((0.3, 0.15, 0.5), (np.pi, 0, 0)), from_rpy((-0.3, 0.1, 0.5), (np.pi, 0, 0)))
    clip = ur5.follow(path)
    assert clip.ok, clip.why
    check(ur5, clip, path)


def test_whole_turns_are_used_as_far_as_the_limits_allow():
    ur5, puma = lk.load("ur5"), lk.load("puma560")
    flat = ur5.forward(FLAT)
    once = Path.circle(flat, radius=0.05, turning=True)
    assert ur5.follow(once).ok, "a turn and a half fits into +-360 degrees"
    for arm, path in (
        (ur5, once.repeated(3)),
        (puma, Path.circle(puma.forward(np.radians([10, -120, 20, 10, 40, 5])), radius=0.03, turning=True).repeated(2)),
    ):
        clip = arm.follow(path)
        assert not clip.ok and clip.status == Status.LIMITS and clip.failed == len(clip) and "limit" in clip.why
        check(arm, clip, path)
        last = np.minimum(clip.q[-1] - arm.lower, arm.upper - clip.q[-1]).min()
        assert last < 0.05, "it ends where a joint meets its limit"
        jumping = arm.follow(path, jumps="allow")
        assert jumping.ok and jumping.jumps and jumping.jumps[0] == len(clip) and len(jumping) == clip.wanted
        assert "unwind" in jumping.why and f"frame {jumping.jumps[0]}" in jumping.why
        check(arm, jumping, path)
    endless = ur5.with_limits(-np.inf, np.inf)
    clip = endless.follow(once.repeated(4))
    assert clip.ok and abs(abs(clip.q[-1, 5] - clip.q[0, 5]) - 8 * np.pi) < 1e-6


def test_a_path_out_of_reach_ends_at_the_boundary():
    for name in ("ur5", "panda", "iiwa7", "scara"):
        arm = lk.load(name)
        q = arm.home + 0.2 * (np.minimum(arm.upper, 2) - arm.home)
        T = arm.forward(q)
        far = np.array(T)
        far[0, 3] += 3 * arm.reach
        path = Path.line(T, far)
        clip = arm.follow(path, rate=20)
        assert not clip.ok and clip.failed == len(clip) and "reach" in clip.why, clip.why
        first = [bool(arm.solve(path.at(t)).ok) for t in np.arange(0, clip.places[-1], 0.05)]
        assert all(first)


def test_an_unreachable_first_pose():
    arm = lk.load("ur5")
    far = from_rpy((5, 0, 0), (0, 0, 0))
    clip = arm.follow(Path.line(far, from_rpy((6, 0, 0), (0, 0, 0))))
    assert not clip.ok and clip.failed == 0 and len(clip) == 1 and clip.status == Status.OUT_OF_REACH
    assert clip.position_error[0] > 1 and "frame 0" in clip.why


def test_valid_is_respected():
    arm = lk.load("ur5")
    T = arm.forward(FLAT)
    end = np.array(T)
    end[:3, 3] += (0.1, 0.2, 0.1)
    path = Path.line(T, end)
    clip = arm.follow(path, valid=lambda q: q[2] > 0)
    assert clip.ok and (clip.q[:, 2] > 0).all()
    assert (arm.follow(path, valid=lambda q: q[2] < 0).q[:, 2] < 0).all()
    none = arm.follow(path, valid=lambda q: False)
    assert not none.ok and none.status == Status.BLOCKED and none.failed == 0
    half = arm.follow(path, valid=lambda q: arm.forward(q)[1, 3] < T[1, 3] + 0.1)
    assert not half.ok and half.status == Status.BLOCKED and 10 < len(half) < half.wanted
    panda = lk.load("panda")
    T = panda.forward(panda.home)
    end = np.array(T)
    end[2, 3] -= 0.2
    clip = panda.follow(Path.line(T, end), rate=30, valid=lambda q: q[6] > 0.1)
    assert clip.ok and (clip.q[:, 6] > 0.1).all()


def test_closed_paths_return():
    for name in ("ur5", "panda", "iiwa7"):
        arm = lk.load(name)
        T = arm.forward(
            0.5 * arm.home + 0.5 * np.clip(arm.home + 1.0, arm.lower, arm.upper)
            if name != "panda"
            else [0, -0.5, 0, -2, 0, 1.6, 0.8]
        )
        clip = arm.follow(Path.circle(T, radius=0.05), rate=40, closed=True)
        assert clip.ok, clip.why
        assert np.abs(clip.q[0] - clip.q[-1]).max() < 1e-5


def test_it_is_deterministic_and_leaves_its_input_alone():
    for name in ("ur5", "panda"):
        arm = lk.load(name)
        Ts = np.array(arm.forward(arm.home + 0.3 * np.sin(np.linspace(0, 2, 60))[:, None]))
        before = Ts.copy()
        one, two = arm.follow(Ts), lk.load(name).follow(Ts)
        assert np.array_equal(Ts, before) and np.array_equal(one.q, two.q) and one == two and one.why == two.why


def test_redundant_arms_move_smoothly_between_the_places_of_the_grid():
    for name in ("panda", "iiwa7"):
        arm = lk.load(name)
        T = arm.forward(arm.home + 0.3 * np.array([1, -1, 1, -1, 1, 1, -1]))
        end = np.array(T)
        end[:3, 3] += (0.0, 0.15, -0.1)
        clip = arm.follow(Path.line(T, end).with_duration(4.0))
        assert clip.ok
        bend = np.abs(np.diff(clip.q, 2, axis=0)).max()
        assert bend < 1e-3, "no staircase"


def test_few_frames_and_one():
    arm = lk.load("ur5")
    T = arm.forward(FLAT)
    one = arm.follow(T[None])
    assert one.ok and len(one) == 2 and np.allclose(one.q[0], one.q[1])
    coarse = arm.follow(Path.circle(T, radius=0.1, turning=True).with_duration(1.0), rate=4, velocity=np.inf)
    assert coarse.ok and len(coarse) == 5 and coarse.position_error.max() < 1e-8


BAD = {
    "path": {"path": "a"},
    "shape": {"path": np.eye(4)},
    "nan": {"path": np.full((3, 4, 4), np.nan)},
    "empty": {"path": np.zeros((0, 4, 4))},
    "rate": {"rate": 0},
    "rate nan": {"rate": np.nan},
    "frames": {"rate": 1e9},
    "seed": {"seed": [1, 2]},
    "seed nan": {"seed": [np.nan] * 6},
    "jumps": {"jumps": "maybe"},
    "jumps kind": {"jumps": True},
    "limits": {"limits": "yes"},
    "closed": {"closed": 1},
    "velocity": {"velocity": -1},
    "velocity shape": {"velocity": [1, 2]},
    "acceleration": {"acceleration": 0},
    "valid": {"valid": 3},
    "fastest": {"fastest": True, "velocity": np.inf},
}


@pytest.mark.parametrize("what", BAD)
def test_misuse_is_refused_with_a_sentence(what):
    arm = lk.load("ur5")
    T = arm.forward(FLAT)
    end = np.array(T)
    end[2, 3] += 0.1
    with pytest.raises(lk.LimbikError) as error:
        arm.follow(**{"path": Path.line(T, end)} | BAD[what])
    assert len(str(error.value)) > 15


def test_the_page_about_paths_prints_its_outputs():
    """Run the Python blocks in sequence, as a reader would paste them."""
    import contextlib
    import io
    import re

    known: dict = {}
    text = (File(__file__).parents[3] / "docs" / "paths.md").read_text()
    for code, output in re.findall(r"```python\n(.*?)```\s*```\n(.*?)```", text, re.S):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "paths.md", "exec"), known)
        assert printed.getvalue() == output


def test_two_hands_of_a_figure_follow_their_paths():
    figure = lk.load("human")
    hands = [tip for tip in figure.tips if "and" in tip.lower()][:2]
    paths = {}
    for k, tip in enumerate(hands):
        T = figure.forward(figure.home, tip)
        end = np.array(T)
        end[:3, 3] += (0.05, -0.05 * k, 0.08)
        paths[tip] = Path.line(T, end).with_duration(0.5)
    clip = figure.follow(paths, rate=20)
    assert clip.ok, clip.why
    assert len(clip) == 11 and clip.position_error.max() < 1e-6
    for tip, path in paths.items():
        assert np.abs(clip.forward(tip) - path.at(clip.times)).max() < 1e-6
    far = np.array(paths[hands[0]].start)
    far[:3, 3] += 9
    stuck = figure.follow({hands[0]: Path.line(paths[hands[0]].start, far)}, rate=2, frozen=["root"])
    assert not stuck.ok and "frame" in stuck.why and stuck.failed == len(stuck)
    for bad in ({}, 3, {"nobody": paths[hands[0]]}, {hands[0]: "x"}):
        with pytest.raises(lk.LimbikError):
            figure.follow(bad)


def test_long_steps_of_a_figure_are_bisected_and_jumps_are_reported():
    """At 2 frames per second an arm has long steps, which are not jumps; a discontinuous path is one."""
    figure = lk.load("human")
    rng = np.random.default_rng(4)
    q = figure.home + 0.8 * (figure.sample(rng, 2) - figure.home)
    q[:, :6] = 0.0
    start, end = figure.forward(q, "leftHand")
    path = Path.line(start, end).with_duration(1.0)
    clip = figure.follow({"leftHand": path}, q[0], rate=2, frozen=["root"])
    assert clip.ok, clip.why
    finely = figure.follow({"leftHand": path}, q[0], rate=64, frozen=["root"])
    assert finely.ok and np.abs(np.diff(clip.q, axis=0)).max() > 0.2
    assert np.abs(np.diff(finely.q, axis=0)).max() < 0.15
    assert np.abs(finely.q[-1] - clip.q[-1]).max() < 0.3, "both take the same trajectory"
    turn = lk.Path.of(lambda t: start if t < 0.5 else end, 1.0)
    stopped = figure.follow({"leftHand": turn}, q[0], rate=10, frozen=["root"])
    assert not stopped.ok and "jump" in stopped.why
