"""Markers to motion: the joints are where they were, lengths are constant, nothing flips; what cannot be known is said."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from benchmarks import capture_problems as problems

import limbik as lk

MOCAP = Path(__file__).parents[3] / "shared" / "data" / "mocap"


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
    true = {joint.name: np.linalg.norm(joint.origin[:3, 3]) for joint in problem.figure.mechanism.joints}
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
    assert clip.largest_step < 1.5 * true.largest_step + 0.02
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
    assert clip.rejected.sum() > 100 and "left out" in clip.why
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
    assert problem.errors(clip)[~clip.doubtful].mean() < 2e-3 and clip.largest_step < 0.3


def test_smoothing_lowers_the_error_and_none_keeps_every_frame_apart():
    problem = problems.human_problem(8, 5)
    options = {"marker_set": problem.places, "estimate": ("lengths",)}
    error = {s: problem.errors(lk.capture(problem.markers, lk.load("human"), smoothing=s, **options)).mean()
             for s in ("auto", 6.0, None)}  # fmt: skip
    assert error["auto"] < 0.7 * error[None] and error[6.0] < 0.8 * error[None]


def test_symmetric_bones_have_one_length_and_no_noise_gives_the_truth():
    problem = problems.human_problem(9, 4, noise=0.0, missing=0.0)
    clip = lk.capture(problem.markers, lk.load("human"), problem.places, estimate=("lengths",), smoothing=None)
    assert problem.errors(clip).max() < 1e-4
    same = lk.capture(problem.markers, lk.load("human"), problem.places, estimate=("lengths",), symmetric=True)
    for name, length in same.lengths.items():
        assert length == pytest.approx(same.lengths[name.replace("left", "right")], rel=1e-12)


def test_a_figure_with_ball_joints():
    path = MOCAP / "13_11.bvh"
    if not path.exists():
        pytest.skip("the clip is not here")
    clip = lk.load_clip(path, unit=0.05644).trimmed(1.0, 2.5)
    problem = problems.bvh_problem(clip, 1)
    found = lk.capture(problem.markers, clip.robot, problem.places, estimate=("lengths",))
    assert problem.errors(found).mean() < 3e-3
    assert "stay at rest" in found.why


def test_a_captured_clip_is_a_clip(moved):
    _, clip = moved
    again = pickle.loads(pickle.dumps(clip))
    assert isinstance(clip, lk.Clip) and again == clip and again.why == clip.why
    assert type(clip.trimmed(1.0, 2.0)) is lk.Clip
    with pytest.raises(ValueError, match="read-only"):
        clip.marker_error[0, 0] = 0
