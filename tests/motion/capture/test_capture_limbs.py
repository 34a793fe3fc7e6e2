"""Sensors on limbs: hands, feet and measured elbows are at their sensors, and there are no jumps."""

import numpy as np
import pytest
from cases import capture_problems as problems

import limbik as lk


def motion(seed, seconds=4.0):
    rng = np.random.default_rng(seed)
    figure = problems.person(rng)
    q, times = problems.random_motion(figure, rng, seconds)
    names = list(figure.joint_names)
    q[:, [names.index("leftHand_y"), names.index("rightHand_y")]] = 0.0
    return figure, q, times


@pytest.mark.parametrize("middles", [True, False])
def test_hands_and_feet_reach_their_sensors(middles):
    figure, q, times = motion(3)
    clip = lk.capture_limbs(problems.sensors_of(figure, q, middles), lk.load("human"), times=times)
    for end in ("leftHand", "rightHand", "leftFoot", "rightFoot"):
        np.testing.assert_allclose(clip.forward(end), figure.forward(q, end), atol=1e-9)
        assert clip.sensor_error[end].max() < 1e-9
    assert clip.robot.within_limits(clip.q).all() and not clip.doubtful.any()
    assert not clip.jumps and clip.clip.largest_step < 2 * lk.Clip(figure, q, times).largest_step
    assert ("third sensor" in clip.why) is not middles
    assert ("swivel" in clip.why and "leftLowerArm" in clip.why) is not middles
    if middles:
        joints = tuple(name for name in problems.JOINTS if name != "head")
        assert problems.joint_errors(clip, figure, q, joints).mean() < 2e-3
        true = {joint.name: np.linalg.norm(joint.origin[:3, 3]) for joint in figure.model.mechanism.joints}
        for name in ("leftLowerArm_x", "leftHand_x", "rightLowerLeg_x", "rightFoot_x"):
            assert clip.lengths[name] == pytest.approx(true[name], abs=1e-9)


def test_missing_sensors_are_bridged_and_flagged():
    figure, q, times = motion(4)
    sensors = problems.sensors_of(figure, q, True)
    sensors["leftHand"] = np.array(sensors["leftHand"])
    sensors["leftHand"][50:54] = np.nan
    sensors["leftHand"][120:160] = np.nan
    clip = lk.capture_limbs(sensors, lk.load("human"), times=times)
    assert clip.bridged[50:54].all() and clip.bridged[120:160].all() and clip.bridged.sum() == 44
    assert clip.doubtful[120:160].all() and clip.doubtful.sum() == 40
    assert np.isnan(clip.sensor_error["leftHand"][50:54]).all() and np.isfinite(clip.q).all()
    far = np.linalg.norm(clip.forward("leftHand")[50:54, :3, 3] - figure.forward(q, "leftHand")[50:54, :3, 3], axis=1)
    assert far.max() < 0.02


@pytest.mark.parametrize("seed", [1, 2])
def test_ends_reach_every_visible_sensor_or_are_doubtful(seed):
    """Noise and gaps together: if a shoulder sensor is missing, the trunk is bridged, and the limb is solved from there."""
    figure, q, times = motion(seed)
    rng = np.random.default_rng(seed)
    sensors = {name: np.array(T) for name, T in problems.sensors_of(figure, q, False).items()}
    for T in sensors.values():
        T[:, :3, 3] += rng.normal(scale=0.002, size=(len(T), 3))
        T[rng.random(len(T)) < 0.1] = np.nan
    clip = lk.capture_limbs(sensors, lk.load("human"), times=times)
    for end in ("leftHand", "rightHand", "leftFoot", "rightFoot"):
        far = np.linalg.norm(clip.forward(end)[:, :3, 3] - sensors[end][:, :3, 3], axis=1)
        seen = np.isfinite(far)
        assert (clip.doubtful[seen] | (far[seen] < 1e-6)).all(), (end, far[seen].max())
    assert clip.doubtful.mean() < 0.2


def test_stretched_limbs_determine_their_length():
    figure, q, times = motion(5)
    names = list(figure.joint_names)
    q[10:20, [names.index("leftLowerLeg_x"), names.index("rightLowerLeg_x")]] = 0.0
    clip = lk.capture_limbs(problems.sensors_of(figure, q, False), lk.load("human"), times=times, stretched=True)
    true = {joint.name: np.linalg.norm(joint.origin[:3, 3]) for joint in figure.model.mechanism.joints}
    for side in ("left", "right"):
        whole = sum(true[f"{side}{bone}_x"] for bone in ("LowerLeg", "Foot"))
        found = sum(clip.lengths[f"{side}{bone}_x"] for bone in ("LowerLeg", "Foot"))
        assert found == pytest.approx(whole, abs=3e-3)


def test_invalid_sensors_raise():
    figure = lk.load("human")
    sensors = problems.sensors_of(figure, np.tile(figure.home, (3, 1)), False)
    scaled = np.array(sensors["leftHand"])
    scaled[1, :3, :3] *= 2
    nothing = np.full((3, 4, 4), np.nan)
    for wrong, error in (
        ({}, lk.BadOption),
        ({"leftHand": sensors["leftHand"]}, lk.BadOption),
        ({"head": sensors["leftHand"]}, lk.BadOption),
        (sensors | {"leftPaw": sensors["leftHand"]}, lk.errors.UnknownFrame),
        (sensors | {"leftHand": sensors["leftHand"][:2]}, lk.ShapeError),
        (sensors | {"leftHand": sensors["leftHand"][0]}, lk.ShapeError),
        (sensors | {"leftHand": scaled}, lk.NotRigid),
        (sensors | {"leftHand": nothing}, lk.BadOption),
    ):
        with pytest.raises(error):
            lk.capture_limbs(wrong, figure)
    with pytest.raises(lk.BadOption):
        lk.capture_limbs(sensors, lk.load("panda"))
    far = {name: np.array(T) for name, T in sensors.items()}
    for T in far.values():
        T[:, :3, 3] *= 1000
    with pytest.raises(lk.BadOption, match="mm"):
        lk.capture_limbs(far, figure, lengths=False)


def test_a_trunk_that_is_not_where_its_sensors_are_is_doubtful():
    """Both hip sensors are missing in a frame, so the trunk is bridged, and the shoulder sensors are elsewhere."""
    rng = np.random.default_rng(3)
    figure = problems.person(rng)
    q, times = problems.random_motion(figure, rng, 4.0)
    sensors = {name: np.array(T) for name, T in problems.sensors_of(figure, q, False).items()}
    for T in sensors.values():
        T[:, :3, 3] += rng.normal(scale=0.002, size=(len(T), 3))
        T[rng.random(len(T)) < 0.1] = np.nan
    clip = lk.capture_limbs(sensors, lk.load("human"), times=times)
    trunk = np.stack([clip.sensor_error[bone][:, 0] for bone in sensors if "Upper" in bone], axis=1)
    far = np.nan_to_num(trunk).max(axis=1)
    assert far.max() > 0.02 and clip.doubtful[far > 0.015].all() and "does not follow them in 1 frame" in clip.why
    assert clip.doubtful.sum() < 5


def test_an_elbow_whose_sensor_is_missing_for_a_while_is_bridged():
    figure, q, times = motion(3)
    sensors = {name: np.array(T) for name, T in problems.sensors_of(figure, q, True).items()}
    gone = np.random.default_rng(1).random(len(q)) < 0.1
    gone[[0, -1]] = False
    sensors["leftLowerArm"][gone] = np.nan
    sensors["rightLowerLeg"][100:160] = np.nan
    clip = lk.capture_limbs(sensors, lk.load("human"), times=times)
    far = np.linalg.norm(clip.forward("leftLowerArm")[:, :3, 3] - figure.forward(q, "leftLowerArm")[:, :3, 3], axis=1)
    assert far.max() < 0.01 and clip.bridged[gone].all() and not clip.jumps
    assert clip.doubtful[100:160].all() and clip.doubtful.sum() == 60
