"""glTF of other programs: node trees, samplers, accessors and scales against a small independent reader."""

import base64
import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

import limbik as lk


class Maker:
    """A .gltf put together piece by piece."""

    def __init__(self):
        self.raw = b""
        self.root = {
            **{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [], "buffers": [{}]},
            **{"accessors": [], "bufferViews": [], "animations": [{"name": "move", "channels": [], "samplers": []}]},
        }

    def add(self, rows, code=5126, kind=None, **more):
        rows = np.asarray(rows)
        dtype = {5126: "<f4", 5122: "<i2", 5120: "<i1", 5121: "<u1", 5123: "<u2"}[code]
        data = rows.astype(dtype).tobytes()
        self.root["bufferViews"].append({"buffer": 0, "byteOffset": len(self.raw), "byteLength": len(data)})
        self.raw += data + b"\0" * (-len(data) % 4)
        kind = kind or {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[rows.shape[1]]
        self.root["accessors"].append(
            {
                "bufferView": len(self.root["bufferViews"]) - 1,
                "componentType": code,
                "count": len(rows),
                "type": kind,
                **more,
            }
        )
        return len(self.root["accessors"]) - 1

    def move(self, node, path, times, values, mode="LINEAR", animation=0, output=None):
        target = self.root["animations"][animation]
        sampler = {"input": self.add(np.reshape(times, (-1, 1))), "interpolation": mode}
        sampler["output"] = self.add(values) if output is None else output
        target["channels"].append({"sampler": len(target["samplers"]), "target": {"node": node, "path": path}})
        target["samplers"].append(sampler)

    def save(self, folder, binary_beside=False, name="a.gltf"):
        buffer = {"byteLength": len(self.raw)}
        if binary_beside:
            (folder / "data 1.bin").write_bytes(self.raw)
            buffer["uri"] = "data%201.bin"
        else:
            buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(self.raw).decode()
        self.root["buffers"] = [buffer]
        (folder / name).write_text(json.dumps(self.root))
        return folder / name


def turns(rng, count):
    return Rotation.random(count, random_state=rng).as_quat()


def two_links(rng):
    made = Maker()
    made.root["nodes"] = [
        {"name": "hip", "translation": [0.0, 1.0, 0.0], "rotation": turns(rng, 1)[0].tolist(), "children": [1]},
        {"name": "knee", "translation": [0.1, -0.4, 0.0], "rotation": turns(rng, 1)[0].tolist(), "children": [2]},
        {"name": "foot", "translation": [0.0, -0.4, 0.05]},
    ]
    return made


def pose(node, turn=None, place=None):
    T = np.eye(4)
    T[:3, :3] = Rotation.from_quat(node.get("rotation", [0, 0, 0, 1]) if turn is None else turn).as_matrix()
    T[:3, 3] = node.get("translation", [0, 0, 0]) if place is None else place
    return T


@pytest.mark.parametrize("beside", [False, True])
def test_a_straight_animation_keeps_its_keys(tmp_path, beside):
    rng = np.random.default_rng(1)
    made = two_links(rng)
    hip_times, knee_times = np.array([0.0, 0.5, 2.0]), np.array([0.25, 1.0, 1.5])
    hip, knee, places = turns(rng, 3), turns(rng, 3), rng.normal(size=(3, 3))
    made.move(0, "rotation", hip_times, hip)
    made.move(0, "translation", hip_times, places)
    made.move(1, "rotation", knee_times, knee)
    clip = lk.load_clip(made.save(tmp_path, beside))
    assert np.array_equal(clip.times, np.unique([*hip_times, *knee_times])) and clip.interpolation == "linear"
    kinds = [str(joint.kind) for joint in clip.robot.model.mechanism.joints]
    assert kinds == ["floating", "ball", "fixed"] and clip.robot.model.mechanism.up == "y"
    nodes = made.root["nodes"]
    for t in np.linspace(0, 2, 41):
        H = pose(
            nodes[0],
            Slerp(hip_times, Rotation.from_quat(hip))(t).as_quat(),
            [np.interp(t, hip_times, p) for p in places.T],
        )
        inside = np.clip(t, knee_times[0], knee_times[-1])
        K = pose(nodes[1], Slerp(knee_times, Rotation.from_quat(knee))(inside).as_quat())
        expected = H @ K @ pose(nodes[2])
        assert np.abs(clip.robot.forward(clip.at(t), "foot") - expected).max() < 2e-6, f"seed 1, {t}"


def test_steps_stay_steps(tmp_path):
    made = two_links(np.random.default_rng(2))
    values = turns(np.random.default_rng(3), 3)
    made.move(0, "rotation", [0, 1, 2], values, "STEP")
    clip = lk.load_clip(made.save(tmp_path))
    assert clip.interpolation == "step" and len(clip) == 3
    before = clip.robot.forward(clip.at(0.99), "hip")
    assert np.abs(before[:3, :3] - Rotation.from_quat(values[0]).as_matrix()).max() < 1e-6


def test_splines_are_sampled_with_a_note(tmp_path):
    made = two_links(np.random.default_rng(2))
    rng = np.random.default_rng(4)
    times = np.array([0.0, 0.7, 1.0])
    values = rng.normal(size=(9, 3))
    made.move(0, "translation", times, values, "CUBICSPLINE")
    clip = lk.load_clip(made.save(tmp_path), rate=None)
    assert any("60 frames per second" in note for note in clip.recording.notes) and len(clip) == 61
    found = clip.forward("hip")[:, :3, 3]
    for t, place in zip(clip.times, found, strict=True):
        k = min(int(np.searchsorted(times, t, side="right")) - 1, 1)
        gap = times[k + 1] - times[k]
        s = (t - times[k]) / gap
        h = (2 * s**3 - 3 * s**2 + 1, gap * (s**3 - 2 * s**2 + s), -2 * s**3 + 3 * s**2, gap * (s**3 - s**2))
        expected = (
            h[0] * values[3 * k + 1] + h[1] * values[3 * k + 2] + h[2] * values[3 * k + 4] + h[3] * values[3 * k + 3]
        )
        assert np.abs(place - expected).max() < 1e-5, t
    assert len(lk.load_clip(tmp_path / "a.gltf", rate=10)) == 11


def test_whole_numbers_and_sparse_rows(tmp_path):
    made = two_links(np.random.default_rng(5))
    values = turns(np.random.default_rng(6), 4)
    shorts = made.add(np.round(values * 32767), 5122, normalized=True)
    made.move(0, "rotation", [0, 1, 2, 3], None, output=shorts)
    plain = np.tile([0.0, 0.0, 0.0, 1.0], (4, 1))
    sparse = made.add(plain)
    row, other = made.add([[2]], 5121), made.add(values[:1])
    views = made.root["accessors"]
    views[sparse]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": views[row]["bufferView"], "componentType": 5121},
        "values": {"bufferView": views[other]["bufferView"]},
    }
    made.move(1, "rotation", [0, 1, 2, 3], None, output=sparse)
    clip = lk.load_clip(made.save(tmp_path))
    hip, knee = clip.forward("hip"), clip.forward("knee")
    assert np.abs(hip[:, :3, :3] - Rotation.from_quat(values).as_matrix()).max() < 1e-3
    local = np.linalg.inv(hip) @ knee
    assert np.abs(local[[0, 1, 3], :3, :3] - np.eye(3)).max() < 1e-6
    assert np.abs(local[2, :3, :3] - Rotation.from_quat(values[0]).as_matrix()).max() < 1e-6


def test_scales_are_folded_or_refused(tmp_path):
    rng = np.random.default_rng(7)
    made = two_links(rng)
    made.move(1, "rotation", [0, 1], turns(rng, 2))
    plain = lk.load_clip(made.save(tmp_path))
    made.root["nodes"][0]["scale"] = [2.0, 2.0, 2.0]
    made.root["nodes"][2]["scale"] = [1.0, 5.0, 1.0]  # it has no children
    twice = lk.load_clip(made.save(tmp_path))
    middle = np.array([0.0, 1.0, 0.0])
    assert (
        np.abs((twice.forward("foot")[:, :3, 3] - middle) - 2 * (plain.forward("foot")[:, :3, 3] - middle)).max() < 1e-6
    )
    made.root["nodes"][0]["scale"] = [2.0, 2.0, 1.0]
    with pytest.raises(lk.BadFile, match="hip"):
        lk.load_clip(made.save(tmp_path))
    made.root["nodes"][0].pop("scale")
    made.move(0, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]])
    with pytest.raises(lk.BadFile, match="scale"):
        lk.load_clip(made.save(tmp_path))


def test_matrices_skins_and_several_animations(tmp_path):
    rng = np.random.default_rng(8)
    made = two_links(rng)
    plain = two_links(np.random.default_rng(8))
    for node in made.root["nodes"]:
        T = pose(node)
        node.pop("translation"), node.pop("rotation", None)
        node["matrix"] = T.T.ravel().tolist()
    first, second = turns(rng, 2), turns(rng, 3)
    made.root["animations"].append({"channels": [], "samplers": []})
    made.move(0, "rotation", [0, 1], first)
    made.move(1, "rotation", [0, 1, 2], second, animation=1)
    made.root["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 0, "path": "weights"}})
    made.root["skins"] = [{"joints": [0, 1, 2]}]
    path = made.save(tmp_path)
    figure = lk.load(path)
    assert figure.n == 9 and "hip" in figure.frames
    one, two = lk.load_clip(path), lk.load_clip(path, animation="animation_1")
    assert (
        len(one) == 2 and len(two) == 3 and two == lk.load_clip(path, animation=1) and one.robot == two.robot == figure
    )
    assert any("2 animations" in note for note in one.recording.notes) and any(
        "weights" in note for note in one.recording.notes
    )
    nodes = plain.root["nodes"]
    expected = pose(nodes[0]) @ pose(nodes[1], second[1]) @ pose(nodes[2])
    assert np.abs(two.forward("foot")[1] - expected).max() < 2e-6
    for wrong in ("walk", 2, -1, True, 1.5):
        with pytest.raises(lk.BadOption, match="animation"):
            lk.load_clip(path, animation=wrong)


def test_places_that_are_repeated_make_no_joint_float(tmp_path):
    rng = np.random.default_rng(9)
    made = two_links(rng)
    made.move(1, "translation", [0, 1], [[0.1, -0.5, 0.0]] * 2)
    made.move(1, "rotation", [0, 1], turns(rng, 2))
    clip = lk.load_clip(made.save(tmp_path))
    assert clip.robot.model.mechanism.joint_of["knee"].kind is lk.model.Kind.BALL
    assert np.allclose(clip.robot.model.mechanism.joint_of["knee"].origin[:3, 3], [0.1, -0.5, 0.0], atol=1e-7)
