"""Motion as CSV and NPZ: exact, for a given robot; files of another robot are refused."""

import io
import json
import zipfile

import numpy as np
import pytest
from conftest import random_tree

import limbik as lk


def clips():
    rng = np.random.default_rng(3)
    yield lk.Clip(lk.load("panda"), rng.normal(size=(5, 7)), rate=100)
    yield lk.Clip(lk.load("gantry"), rng.normal(size=(5, 6)), [0, 0.1, 0.3, 1, 7.5], interpolation="step")
    tree = random_tree(rng, 9)
    yield lk.Clip(tree, rng.normal(size=(4, tree.n)))


@pytest.mark.parametrize("ending", ["csv", "npz"])
def test_what_is_written_reads_back_exactly(tmp_path, ending):
    for clip in clips():
        path = tmp_path / f"a.{ending}"
        clip.save(path)
        again = lk.load_clip(path, robot=clip.robot)
        assert np.array_equal(again.q, clip.q) and np.array_equal(again.times, clip.times) and again.robot == clip.robot
        assert ending == "csv" or again == clip


def test_the_header_names_degrees(tmp_path):
    clip = next(clips())
    clip.save(tmp_path / "a.csv", degrees=True)
    first = (tmp_path / "a.csv").read_text().splitlines()[0]
    assert first.startswith("time [s],panda_joint1 [deg]") or "[deg]" in first
    assert np.abs(lk.load_clip(tmp_path / "a.csv", robot=clip.robot).q - clip.q).max() < 1e-15 * 10


def test_columns_in_any_order_and_without_units(tmp_path):
    arm = lk.load("scara")
    names = list(arm.joint_names)
    path = tmp_path / "a.csv"
    path.write_text(
        f"{names[1]};time;{names[0]};{names[3]};{names[2]}\n".replace(";", ",") + "2,0,1,4,0.1\r\n\r\n3, 0.5, 2, 5, 0.1"
    )
    clip = lk.load_clip(path, robot=arm)
    assert clip.q.tolist() == [[1, 2, 0.1, 4], [2, 3, 0.1, 5]] and clip.times.tolist() == [0, 0.5]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("time,a\n", "a"),
        ("{names}\n1,2,3,4\n", "time"),
        ("time,{names},{first}\n", "two columns"),
        ("time,{names}\n", "no rows"),
        ("time,{names}\n0,1,2,3\n", "4 numbers"),
        ("time,{names}\n0,1,2,3,x\n", "'x'"),
        ("time,{names}\n0,1,2,3,nan\n", "nan"),
        ("time,{names}\n0,1,2,3,4\n0,1,2,3,4\n", "increase"),
        ("time,{first} [furlong],{rest}\n0,1,2,3,4\n", "furlong"),
        ("time,{first} [m],{rest}\n0,1,2,3,4\n", "rad"),
        ("time [kg],{names}\n0,1,2,3,4\n", "kg"),
        ('time,"{names}\n0,1,2,3,4\n', "header"),
    ],
)
def test_a_broken_table_is_refused(tmp_path, text, word):
    arm = lk.load("scara")
    names = list(arm.joint_names)
    path = tmp_path / "a.csv"
    path.write_text(text.format(names=",".join(names), first=names[0], rest=",".join(names[1:])))
    with pytest.raises(lk.LimbikError) as refused:
        lk.load_clip(path, robot=arm)
    assert word in str(refused.value) and "\n" not in str(refused.value)


def archive(path, **arrays):
    np.savez(path, **arrays)


def test_a_broken_archive_is_refused(tmp_path):
    arm = lk.load("scara")
    path = tmp_path / "a.npz"
    good = {"q": np.zeros((2, 4)), "times": np.array([0.0, 1.0])}
    archive(path, **good)
    assert len(lk.load_clip(path, robot=arm)) == 2
    broken = (
        {"q": good["q"]},
        good | {"q": np.zeros((2, 5))},
        good | {"times": np.zeros(2)},
        good | {"q": np.full((2, 4), np.nan)},
        good | {"names": np.array(["a", "b"])},
        good | {"fingerprint": np.array("0" * 64)},
        good | {"q": np.array([[None] * 4] * 2, dtype=object)},
        good | {"interpolation": np.array("wild")},
    )
    for arrays in broken:
        archive(path, **arrays)
        with pytest.raises(lk.LimbikError):
            lk.load_clip(path, robot=arm)
    archive(path, **good)
    data = path.read_bytes()
    for cut in range(0, len(data), 37):
        path.write_bytes(data[:cut])
        with pytest.raises(lk.LimbikError):
            lk.load_clip(path, robot=arm)


def test_an_archive_that_declares_too_much_is_refused(tmp_path):
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 4)})
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("q.npy", head.getvalue())
        made.writestr("times.npy", head.getvalue())
    with pytest.raises(lk.BadFile, match="its size differs"):
        lk.load_clip(path, robot=lk.load("scara"))


def test_tables_need_a_robot(tmp_path):
    clip = next(clips())
    for ending in ("csv", "npz"):
        clip.save(tmp_path / f"a.{ending}")
        for robot in (*([None] if ending == "csv" else []), "panda", lk.load("panda").model.mechanism):
            with pytest.raises(lk.BadOption, match="robot="):
                lk.load_clip(tmp_path / f"a.{ending}", robot=robot)
        with pytest.raises(lk.BadFile):
            lk.load_clip(tmp_path / f"a.{ending}", robot=lk.load("iiwa7"))


@pytest.mark.parametrize("name", ["panda", "human", "gantry", "human_upper_limb"])
def test_an_archive_holds_its_robot(name, tmp_path, rng):
    body = lk.load(name)
    clip = lk.Clip(body, body.sample(rng, 4), [0.0, 0.1, 0.25, 7.0])
    clip.save(tmp_path / "a.npz")
    again = lk.load_clip(tmp_path / "a.npz")
    assert np.array_equal(again.q, clip.q) and np.array_equal(again.times, clip.times)
    for frame in body.frames:
        np.testing.assert_array_equal(again.forward(frame), clip.forward(frame))
    assert np.array_equal(again.robot.lower, body.lower) and np.array_equal(again.robot.upper, body.upper)
    if not body.model.mechanism.muscles:
        assert again == clip


def test_an_archive_without_a_robot_or_with_a_broken_one_is_refused(tmp_path):
    good = {"q": np.zeros((2, 4)), "times": np.array([0.0, 1.0])}
    archive(tmp_path / "a.npz", **good)
    with pytest.raises(lk.BadOption, match="robot="):
        lk.load_clip(tmp_path / "a.npz")
    for text in ("", "{", "[]", "5", '{"mechanism": 5}', '{"mechanism": {}}', "[" * 100000):
        archive(tmp_path / "a.npz", **good, robot=np.array(text))
        with pytest.raises(lk.BadFile, match="robot"):
            lk.load_clip(tmp_path / "a.npz")
    lk.Clip(lk.load("scara"), good["q"], good["times"]).save(tmp_path / "b.npz")
    parts = dict(np.load(tmp_path / "b.npz"))
    for change in ({"base": 5}, {"tip": "nowhere"}, {"base": []}):
        text = json.dumps(json.loads(str(parts["robot"])) | change)
        archive(tmp_path / "a.npz", **parts | {"robot": np.array(text)})
        with pytest.raises(lk.LimbikError):
            lk.load_clip(tmp_path / "a.npz")
