"""glTF of other programs: linear cost, fields of the wrong type, positions that belong to one animation."""

import json
import sys

import numpy as np
import pytest
from test_gltf_read import Maker

import limbik as lk


def many(folder, count):
    """A file with this many nodes, each with its own track, accessors and views."""
    made = Maker()
    made.root["nodes"] = [{"children": list(range(1, count))}, *({} for _ in range(count - 1))]
    for k in range(count):
        made.move(k, "rotation", [0.0, 1.0], [[0, 0, 0, 1], [0, 0, 1, 0]])
    return made.save(folder, name=f"{count}.gltf")


def calls(work):
    """Return the number of function calls of some work, a measure that does not depend on the machine."""
    seen = [0]

    def count(*_):
        seen[0] += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return seen[0]


def test_reading_takes_work_in_proportion_to_the_file(tmp_path):
    small, large = many(tmp_path, 150), many(tmp_path, 600)
    lk.load_clip(small)
    assert calls(lambda: lk.load_clip(large)) < 6 * calls(lambda: lk.load_clip(small))


@pytest.mark.parametrize("value", [5, "x", [], True])
def test_extensions_of_a_view_that_are_no_object_are_refused(value, tmp_path):
    path = many(tmp_path, 3)
    root = json.loads(path.read_text())
    root["bufferViews"][0]["extensions"] = value
    path.write_text(json.dumps(root))
    with pytest.raises(lk.BadFile, match="extensions"):
        lk.load_clip(path)


@pytest.mark.parametrize("key", ["origin", "axis", "lower", "upper", "velocity", "twist", "mimic", "swing"])
@pytest.mark.parametrize("huge", [10**400, -(10**400)], ids=["large", "small"])
def test_numbers_that_no_float_holds_make_a_foreign_figure(key, huge, tmp_path):
    arm = lk.load("ur5")
    lk.Clip(arm, np.zeros((2, arm.n)) + [[0], [1]], rate=1).save(tmp_path / "a.gltf", mesh=False)
    root = json.loads((tmp_path / "a.gltf").read_text())
    joint = root["extras"]["limbik"]["mechanism"]["joints"][1]
    if key in ("origin", "axis"):
        joint[key][0] = huge
    else:
        joint[key] = {"twist": [huge, 1], "mimic": [joint["name"], huge, 0]}.get(key, huge)
    (tmp_path / "b.gltf").write_text(json.dumps(root))
    back = lk.load_clip(tmp_path / "b.gltf")
    assert any("any other figure" in note for note in back.recording.notes)
    lk.load(tmp_path / "b.gltf")


@pytest.mark.parametrize(
    "change",
    [
        {"start": 10**400},
        {"frame_time": 10**400},
        {"base": 5},
        {"tip": []},
        {"turns": 5},
        {"turns": {"frames": 2, "joints": 5}},
        {"turns": {"frames": 2, "joints": {"shoulder_pan_joint": [[0, 10**400]]}}},
    ],
)
def test_other_broken_parts_of_limbiks_own_do_no_harm(change, tmp_path):
    arm = lk.load("ur5")
    lk.Clip(arm, np.zeros((2, arm.n)) + [[0], [1]], rate=1).save(tmp_path / "a.gltf", mesh=False)
    root = json.loads((tmp_path / "a.gltf").read_text())
    root["extras"]["limbik"].update(change)
    (tmp_path / "b.gltf").write_text(json.dumps(root))
    assert len(lk.load_clip(tmp_path / "b.gltf")) == 2


def test_a_place_that_one_animation_holds_is_not_the_place_under_another(tmp_path):
    made = Maker()
    made.root["nodes"] = [{"name": "hip", "children": [1]}, {"name": "knee", "translation": [0.0, -0.4, 0.0]}]
    made.root["animations"] = [{"name": name, "channels": [], "samplers": []} for name in "ab"]
    half = [[0, 0, 0, 1], [0, 0, np.sqrt(0.5), np.sqrt(0.5)]]
    for k in range(2):
        made.move(0, "rotation", [0.0, 1.0], half, animation=k)
    made.move(1, "translation", [0.0, 1.0], [[0.0, -0.9, 0.0]] * 2, animation=1)
    path = made.save(tmp_path)
    own, held = [0.0, -0.4, 0.0], [0.0, -0.9, 0.0]
    np.testing.assert_allclose(lk.load_clip(path, animation="a").forward("knee")[0, :3, 3], own, atol=1e-6)
    np.testing.assert_allclose(lk.load_clip(path, animation="b").forward("knee")[0, :3, 3], held, atol=1e-6)
    figure = lk.load(path)
    np.testing.assert_allclose(figure.forward(np.zeros(figure.n), "knee")[:3, 3], own, atol=1e-6)


@pytest.mark.parametrize("rate", [7.3, 30.0, 0.5, 1.9])
def test_a_foreign_file_is_sampled_at_the_rate_that_was_asked_for(rate, tmp_path):
    made = Maker()
    made.root["nodes"] = [{"name": "hip", "children": [1]}, {"name": "knee"}]
    made.move(0, "translation", [0.0, 2.0], [[0, 0, 0], [2, 0, 0]])
    clip = lk.load_clip(made.save(tmp_path), rate=rate)
    np.testing.assert_allclose(np.diff(clip.times), 1 / rate, rtol=1e-9)
    assert clip.times[-1] <= 2.0 < clip.times[-1] + 1 / rate * (1 + 1e-9)
    np.testing.assert_allclose(clip.forward("hip")[:, 0, 3], clip.times, atol=1e-6)
