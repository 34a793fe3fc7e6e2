"""Bone positions that are constant up to rounding become no joints; real stretch does."""

import numpy as np
import pytest
from mocap import written
from rigs import BONES, NAMES, animation, save_rig

import limbik as lk

FLOATING = lk.model.Kind.FLOATING


def floating(clip):
    return [j.name for j in clip.robot.model.mechanism.joints if j.kind is FLOATING]


def lengths(clip):
    """The distance of each bone from its parent, (bones, frames) [m]."""
    at = {bone: clip.forward(f"mixamorig:{bone}")[:, :3, 3] for bone in NAMES}
    return {b: np.linalg.norm(at[b] - at[above], axis=1) for b, (above, _) in BONES.items() if above}


@pytest.mark.parametrize("mode", ["LINEAR", "STEP", "CUBICSPLINE"])
@pytest.mark.parametrize("noise", [1e-5, 1e-3])  # float32 in centimetres, and a hundredth of a millimetre
def test_bones_with_rounded_places_stay_in_their_sockets(noise, mode, tmp_path, rng):
    clip = lk.load_clip(save_rig(tmp_path / "a.gltf", [animation(rng, noise=noise)], mode=mode))
    assert floating(clip) == ["mixamorig:Hips"]
    for bone, length in lengths(clip).items():
        np.testing.assert_allclose(length, np.linalg.norm(BONES[bone][1]) / 100, atol=4e-2 * noise)
        assert np.ptp(length) < 1e-12
    assert any("constant" in note for note in clip.recording.notes)
    hips = clip.forward("mixamorig:Hips")[:, :3, 3]
    assert hips[-1, 2] - hips[0, 2] == pytest.approx(clip.duration, abs=1e-5)


def test_what_a_figure_far_from_the_origin_loses_in_float32_is_no_motion(tmp_path, rng):
    made = animation(rng)
    way = 3e4 + np.cumsum(rng.uniform(0, 3, (31, 3)), axis=0)  # 300 m away, in centimetres
    for bone, paths in made["tracks"].items():
        if BONES[bone][0]:  # as exporters do it: the difference of two places in the world
            there, here = (way + 1.013 * paths["translation"]).astype(np.float32), way.astype(np.float32)
            paths["translation"] = (there - here).astype(float)
    assert np.ptp(made["tracks"]["LeftHandIndex1"]["translation"], axis=0).max() > 1e-3
    clip = lk.load_clip(save_rig(tmp_path / "a.gltf", [made]))
    assert floating(clip) == ["mixamorig:Hips"]


@pytest.mark.parametrize(("bone", "by"), [("LeftLeg", 0.01), ("LeftHandIndex1", 0.02), ("Spine1", 0.01)])
def test_stretch_is_kept(bone, by, tmp_path, rng):
    made = animation(rng, noise=1e-5)
    wave = np.sin(np.linspace(0, 6, 31))[:, None]
    made["tracks"][bone]["translation"] = np.array(BONES[bone][1]) * (1 + by * wave)
    clip = lk.load_clip(save_rig(tmp_path / "a.gltf", [made]))
    assert floating(clip) == ["mixamorig:Hips", f"mixamorig:{bone}"]
    expected = np.linalg.norm(BONES[bone][1]) / 100 * (1 + by * wave[:, 0])
    np.testing.assert_allclose(lengths(clip)[bone], expected, atol=1e-6)


def test_bones_that_two_animations_hold_at_two_places_move_in_neither(tmp_path, rng):
    made = [animation(rng, noise=1e-5, name=name) for name in "ab"]
    made[1]["tracks"]["LeftLeg"]["translation"] *= 1.1
    path = save_rig(tmp_path / "a.gltf", made)
    for name, factor in (("a", 1.0), ("b", 1.1)):
        clip = lk.load_clip(path, animation=name)
        assert floating(clip) == ["mixamorig:Hips"]
        np.testing.assert_allclose(lengths(clip)["LeftLeg"], 0.43 * factor, atol=1e-6)


def test_scales_hold_still_within_the_same_bound(tmp_path, rng):
    made = animation(rng)
    made["tracks"]["Spine"]["scale"] += rng.uniform(-2e-4, 2e-4, (31, 3))
    clip = lk.load_clip(save_rig(tmp_path / "a.gltf", [made]))
    np.testing.assert_allclose(lengths(clip)["Head"], 0.12, atol=1e-4)
    made["tracks"]["Spine"]["scale"][7] *= 1.01
    with pytest.raises(lk.BadFile, match="scale"):
        lk.load_clip(save_rig(tmp_path / "b.gltf", [made]))


SIX = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"


def six_channels(rng, decimals, stretch=0.0, frames=40):
    """A figure with six channels per joint, in centimetres with this many decimals."""
    offsets = {
        "hip": (0, 0, 0),
        "thigh": (9, -5, 0),
        "shin": (0.3, -43.25, 1.1),
        "foot": (0, -42.4, 2),
        "toe": (0, -3, 1),
    }
    text, rows = ["HIERARCHY"], []
    for k, (name, offset) in enumerate(offsets.items()):
        text += [f"{'JOINT' if k else 'ROOT'} {name}", "{", f"OFFSET {offset[0]} {offset[1]} {offset[2]}", SIX]
        place = np.tile(np.array(offset, float), (frames, 1))
        # a value at the edge between two printed ones falls to either side
        place += 0.5 * 10.0**-decimals + rng.uniform(-1e-6, 1e-6, place.shape)
        if k == 0:
            place[:, 2] = np.arange(frames) * 3.0
        if name == "shin":
            place[:, 1] *= 1 + stretch * np.sin(np.arange(frames))
        rows += [place, rng.uniform(-40, 40, (frames, 3))]
    text += ["End Site", "{", "OFFSET 0 0 5", "}", *["}"] * len(offsets), f"MOTION\nFrames: {frames}\nFrame Time: 0.01"]
    text += [" ".join(f"{x:.{decimals}f}" for x in row) for row in np.concatenate(rows, axis=1)]
    return "\n".join(text) + "\n"


@pytest.mark.parametrize("decimals", [2, 3, 4, 6])
def test_printed_positions_that_flicker_by_one_digit_make_no_joints(decimals, tmp_path, rng):
    path = written(tmp_path, six_channels(rng, decimals))
    clip = lk.load_clip(path)
    assert floating(clip) == ["hip"]
    assert {str(j.kind) for j in clip.robot.model.mechanism.joints[1:-1]} == {"ball"}
    assert any("constant" in note for note in clip.recording.notes)
    clip.save(tmp_path / "again.bvh")
    again = lk.load_clip(tmp_path / "again.bvh")
    assert np.array_equal(again.recording.written.values, clip.recording.written.values)  # nothing is lost in a file
    assert lk.load_clip(path, positions="keep").robot.n == 30


def test_printed_positions_that_stretch_a_bone_are_kept(tmp_path, rng):
    clip = lk.load_clip(written(tmp_path, six_channels(rng, 4, stretch=0.02)))
    moving = {j.name for j in clip.robot.model.mechanism.joints if j.kind is lk.model.Kind.PRISMATIC}
    assert moving == {"shin_Yposition"}
    apart = np.linalg.norm(clip.forward("shin")[:, :3, 3] - clip.forward("thigh")[:, :3, 3], axis=1)
    assert np.ptp(apart) == pytest.approx(0.4325 * 0.04, rel=0.01)
