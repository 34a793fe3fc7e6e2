"""Markers to motion: joints are at their true positions, lengths are constant, nothing flips, unobservable values are named."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from cases import capture_problems as problems

import limbik as lk

MOCAP = Path(__file__).parents[4] / "shared" / "data" / "mocap"


@pytest.fixture(scope="module")
def moved():
    """A motion of all joints of a person, and the figure that is fitted to it with unknown offsets and lengths."""
    problem = problems.human_problem(5, 12)
    return problem, lk.capture(problem.markers, lk.load("human"))


def test_joints_are_found_below_the_noise_with_unknown_offsets(moved):
    problem, clip = moved
    errors = problem.errors(clip)
    assert errors.mean() < 2e-3, errors.mean(axis=0)
    assert errors.max() < 0.02
    assert clip.noise == pytest.approx(2e-3, rel=0.15)


def test_lengths_are_those_of_the_person_and_constant(moved):
    problem, clip = moved
    true = {joint.name: np.linalg.norm(joint.origin[:3, 3]) for joint in problem.figure.model.mechanism.joints}
    assert len(clip.lengths) == 14
    for name, length in clip.lengths.items():
        assert length == pytest.approx(true[name], abs=max(5 * clip.length_error[name], 4e-3)), name
    elbow, shoulder = (clip.forward(f)[:, :3, 3] for f in ("leftLowerArm", "leftUpperArm"))
    apart = np.linalg.norm(elbow - shoulder, axis=1)
    assert np.ptp(apart) < 1e-12 and apart[0] == pytest.approx(clip.lengths["leftLowerArm_x"])


def test_nothing_flips(moved):
    problem, clip = moved
    true = lk.Clip(problem.figure, problem.q, problem.times)
    assert clip.robot.within_limits(clip.q).all()
    assert clip.clip.largest_step < 1.5 * true.largest_step + 0.02
    assert not clip.doubtful.any() and not clip.jumps


def test_marker_errors_are_by_forward_kinematics(moved):
    problem, clip = moved
    for k in (0, 17, 41):
        name = problem.markers.names[k]
        T = clip.forward(clip.marker_set.frames[name])
        far = np.linalg.norm(T[:, :3, 3] + T[:, :3, :3] @ clip.offsets[name] - problem.markers.positions[:, k], axis=1)
        np.testing.assert_allclose(clip.marker_error[:, k], far, atol=1e-12)
    assert not clip.filled.missing.any()
    there = ~problem.markers.missing & ~clip.rejected
    np.testing.assert_array_equal(clip.filled.positions[there], problem.markers.positions[there])


def test_sizes_of_one_motion_serve_another(moved):
    problem, clip = moved
    q, times = problems.walking(problem.figure, 6)
    rng = np.random.default_rng(8)
    markers = lk.Markers(tuple(problem.places), problems.seen(problem.figure, q, problem.places, rng), times)
    walk = lk.capture(markers, clip.robot, clip.marker_set, estimate=())
    errors = problems.joint_errors(walk, problem.figure, q, problems.JOINTS)
    assert errors.mean() < 2e-3
    assert dict(walk.lengths) == pytest.approx(dict(clip.lengths), abs=1e-12)
    knees = [list(walk.robot.joint_names).index(f"{side}LowerLeg_x") for side in ("left", "right")]
    assert (walk.q[:, knees] >= 0).all()


def test_known_offsets_gaps_and_swaps():
    problem = problems.human_problem(6, 8)
    rng = np.random.default_rng(6)
    markers = problems.with_swaps(problems.with_gaps(problem.markers, rng, 10, 40), rng, 6, 20)
    clip = lk.capture(markers, lk.load("human"), problem.places, estimate=("lengths",))
    assert problem.errors(clip).mean() < 2e-3
    assert clip.rejected.sum() > 100 and "rejected" in clip.why
    for name, (_, offset) in problem.places.items():
        np.testing.assert_array_equal(clip.offsets[name], offset)


def test_a_limb_without_markers_for_long_is_doubtful_and_bridged():
    problem = problems.human_problem(7, 6, missing=0.0)
    positions = np.array(problem.markers.positions)
    hidden = [k for k, name in enumerate(problem.markers.names) if name.startswith(("leftLowerArm", "leftHand"))]
    positions[100:160, hidden] = np.nan
    positions[200:205, hidden] = np.nan
    markers = lk.Markers(problem.markers.names, positions, problem.times)
    clip = lk.capture(markers, lk.load("human"), problem.places, estimate=("lengths",))
    assert clip.doubtful[102:158].all() and not clip.doubtful[:99].any() and not clip.doubtful[162:].any()
    assert clip.bridged[201:204].all() and "guess" in clip.why
    assert problem.errors(clip)[~clip.doubtful].mean() < 2e-3 and clip.clip.largest_step < 0.3


def test_smoothing_lowers_the_error_and_none_fits_frames_independently():
    problem = problems.human_problem(8, 5)
    options = {"marker_set": problem.places, "estimate": ("lengths",)}
    error = {s: problem.errors(lk.capture(problem.markers, lk.load("human"), smoothing=s, **options)).mean()
             for s in ("auto", 6.0, None)}  # fmt: skip
    assert error["auto"] < 0.7 * error[None] and error[6.0] < 0.8 * error[None]


def test_symmetric_bones_have_one_length_and_exact_markers_give_exact_sizes():
    problem = problems.human_problem(9, 4, noise=0.0, missing=0.0)
    clip = lk.capture(problem.markers, lk.load("human"), problem.places, estimate=("lengths",), smoothing=None)
    assert problem.errors(clip).max() < 1e-4
    same = lk.capture(problem.markers, lk.load("human"), problem.places, estimate=("lengths",), symmetric=True)
    for name, length in same.lengths.items():
        assert length == pytest.approx(same.lengths[name.replace("left", "right")], rel=1e-12)


@pytest.mark.parametrize(("name", "first", "last"), [("13_11", 1.0, 2.5), ("02_01", 0.5, 1.5), ("02_06", 2.0, 3.0)])
def test_recorded_figures_with_ball_joints(name, first, last):
    path = MOCAP / f"{name}.bvh"
    if not path.exists():
        pytest.skip("the clip is not here")
    clip = lk.load_clip(path, unit=0.05644).trimmed(first, last)
    problem = problems.bvh_problem(clip, 1)
    for estimate in ((), ("lengths",)):
        found = lk.capture(problem.markers, clip.robot, problem.places, estimate=estimate)
        assert problem.errors(found).mean() < 2e-3, estimate
        assert not found.doubtful.any() and "stay at rest" in found.why


def ball_jointed_arms(seed, frames=150):
    """A trunk with two fast arms: consecutive balls that rotate the same markers, so that only their sum is observable."""
    rng = np.random.default_rng(seed)
    joint = (
        "{indent}JOINT {name}\n{indent}{{\n{indent}OFFSET {offset}\n{indent}CHANNELS 3 Zrotation Xrotation Yrotation\n"
    )
    rows = [("Lower", "0 0 0"), ("Spine", "0 0 0"), ("Chest", "0 0.2 0")]
    text = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    text += "".join(joint.format(indent="", name=name, offset=offset) for name, offset in rows)
    for side, sign in (("Left", 1), ("Right", -1)):
        arm = [
            ("Shoulder", "0 0.2 0"),
            ("Arm", f"{0.15 * sign} 0 0"),
            ("ForeArm", f"{0.3 * sign} 0 0"),
            ("Hand", f"{0.25 * sign} 0 0"),
        ]
        text += "".join(joint.format(indent="", name=side + name, offset=offset) for name, offset in arm)
        text += f"End Site\n{{\nOFFSET {0.1 * sign} 0 0\n}}\n" + "}\n" * len(arm)
    text += "}\n" * (len(rows) + 1)
    t = np.arange(frames) / 60
    angles = np.zeros((frames, 6 + 3 * 11))
    for k in range(3, angles.shape[1]):
        fast = 2.0 if k >= 15 else 0.3
        angles[:, k] = rng.uniform(5, 35) * np.sin(2 * np.pi * fast * rng.uniform(0.6, 1) * t + rng.uniform(0, 6))
    lines = [" ".join(f"{x:.6f}" for x in row) for row in angles]
    return text + f"MOTION\nFrames: {frames}\nFrame Time: {1 / 60:.8f}\n" + "\n".join(lines) + "\n"


def test_consecutive_balls_share_their_rotation_and_fast_arms_are_smoothed_less_than_trunks(tmp_path):
    path = tmp_path / "arms.bvh"
    path.write_text(ball_jointed_arms(4))
    clip = lk.load_clip(path, unit="m")
    rng = np.random.default_rng(4)
    bones = ("Hips", "Chest", "LeftArm", "LeftForeArm", "LeftHand", "RightArm", "RightForeArm", "RightHand")
    places = {f"{bone}.{k}": (bone, tuple(rng.uniform(-0.07, 0.07, 3))) for bone in bones for k in range(3)}
    markers = lk.Markers(tuple(places), problems.seen(clip.robot, clip.q, places, rng), clip.times)
    found = lk.capture(markers, clip.robot, places, estimate=())
    errors = problems.joint_errors(found, clip.robot, clip.q, bones)
    assert errors.mean() < 2e-3, errors.mean(axis=0)
    assert not found.rejected.any() and not found.place_error and not found.doubtful.any()


def test_joints_that_a_walk_does_not_determine_are_named():
    problem = problems.human_problem(5, 6, kind="walk")
    clip = lk.capture(problem.markers, lk.load("human"))
    errors = problem.errors(clip).mean(axis=0)
    for joint, error in zip(problem.joints, errors, strict=True):
        assert clip.place_error[joint] > 0.5 * error, joint
        if error > 0.01:
            assert clip.place_error[joint] > 0.01, joint
    assert "hardly determines the positions of these joints" in clip.why and "Hand" in clip.why


def test_a_capture_has_a_clip(moved):
    _, found = moved
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(found, lk.MotionResult) and again == found and again.why == found.why
    assert type(found.clip.trimmed(1.0, 2.0)) is lk.Clip
    with pytest.raises(AttributeError, match=r"use \.clip\.trimmed"):
        found.trimmed(1.0, 2.0)
    with pytest.raises(ValueError, match="read-only"):
        found.marker_error[0, 0] = 0


@pytest.mark.parametrize("seed", [20, 37])
def test_short_clips_with_unknown_offsets_avoid_local_minima(seed):
    """With a single start, a limb stays in a local minimum: the mean joint errors are 27 and 4.5 mm."""
    problem = problems.wide_problem(seed)
    clip = lk.capture(problem.markers, lk.load("human"))
    errors = problem.errors(clip)
    assert errors.mean() < 3.5e-3, errors.mean(axis=0)
    assert errors.mean(axis=0).max() < 0.025
