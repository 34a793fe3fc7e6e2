"""Folders of clips: any number of processes gives the same files, existing files stay, and broken ones are reported."""

import json
import sys

import numpy as np
import pytest
from examples.walk import generated_walk

import limbik as lk
from limbik.cli.main import main

HUMAN = "human"


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """A folder with two clips, one of them in a folder of its own, and a broken one."""
    folder = tmp_path_factory.mktemp("clips")
    (folder / "more").mkdir()
    generated_walk(0.6, 30.0).save(folder / "walk.bvh")
    generated_walk(0.4, 30.0).save(folder / "more" / "short.glb")
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT")
    return folder


@pytest.fixture
def shell(tmp_path, capsys, monkeypatch):
    """The shell, in this process: (what it returned, what it printed, what it printed as errors)."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["limbik", "retarget", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run


def test_a_folder_is_retargeted_and_a_second_run_changes_nothing(shell, clips, tmp_path):
    code, printed, errors = shell(clips, "--to", HUMAN, "--legs", "1.2", "--out", "out", "--format", "npz", "--json")
    rows = {row["clip"].rpartition("/")[2]: row for row in json.loads(printed)["clips"]}
    assert code == 1 and rows["broken.bvh"]["status"] == "failed" and "broken.bvh" in errors
    assert {name: row["status"] for name, row in rows.items() if name != "broken.bvh"} == {
        "walk.bvh": "done", "short.glb": "done",
    }  # fmt: skip
    assert rows["walk.bvh"]["frames"] == 19 and rows["walk.bvh"]["slide"] < 0.01
    figure = lk.load(HUMAN).with_proportions({f"{s}{p}Leg": 1.2 for s in ("left", "right") for p in ("Upper", "Lower")})
    written = tmp_path / "out" / "walk.npz"
    again = lk.load_clip(written, robot=figure)
    expected = lk.retarget(lk.load_clip(clips / "walk.bvh"), figure)
    np.testing.assert_array_equal(again.q, expected.q)
    assert (tmp_path / "out" / "more" / "short.npz").exists() and not list((tmp_path / "out").glob("*.parts"))
    before = written.stat().st_mtime_ns
    second = json.loads(shell(clips, "--to", HUMAN, "--out", "out", "--format", "npz", "--json")[1])
    assert [row["status"] for row in second["clips"]].count("there") == 2 and written.stat().st_mtime_ns == before
    shell(clips, "--to", HUMAN, "--out", "out", "--format", "npz", "--force")
    assert written.stat().st_mtime_ns != before


def test_processes_write_the_same_bytes(clips, tmp_path):
    sources = [clips / "walk.bvh", clips / "more" / "short.glb", clips / "broken.bvh"]
    results = []
    for workers, folder in ((1, "one"), (2, "two")):
        outs = [tmp_path / folder / f"{source.stem}.bvh" for source in sources]
        seen = []
        rows = lk.retarget_library(
            sources, outs, lk.load(HUMAN), workers=workers, progress=lambda *step, seen=seen: seen.append(step)
        )
        assert seen[-1] == (3, 3, "retargeting")
        results.append([(row.status, row.frames, row.slide, row.why) for row in rows])
    assert results[0] == results[1] and [row[0] for row in results[0]] == ["done", "done", "failed"]
    for source in sources[:2]:
        one, two = ((tmp_path / folder / f"{source.stem}.bvh").read_bytes() for folder in ("one", "two"))
        assert one == two


def test_a_cluster_gives_the_same(clips, tmp_path):
    pytest.importorskip("distributed")
    rows = lk.retarget_library(
        [clips / "walk.bvh"], [tmp_path / "walk.npz"], lk.load(HUMAN), workers=1, cluster="local"
    )
    assert [row.status for row in rows] == ["done"]
    here = lk.retarget(lk.load_clip(clips / "walk.bvh"), lk.load(HUMAN))
    np.testing.assert_array_equal(lk.load_clip(tmp_path / "walk.npz", robot=lk.load(HUMAN)).q, here.q)


def test_one_file_and_what_it_says(shell, clips, tmp_path):
    code, printed, _ = shell(clips / "walk.bvh", "--to", HUMAN, "--out", "walk.glb")
    assert code == 0 and "inside the joint limits" in " ".join(printed.split())
    assert len(lk.load_clip(tmp_path / "walk.glb")) == 19


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.bvh", "--to", HUMAN, "--out", "x.bvh"), "no file or folder"),
        (("{walk}", "--to", "panda", "--out", "x.bvh"), "chain"),
        (("{walk}", "--to", "nobody", "--out", "x.bvh"), "nobody"),
        (("{walk}", "--to", HUMAN, "--out", "x.mov"), "must end in"),
        (("{walk}", "--to", HUMAN, "--out", "x.bvh", "--format", "mov"), "--format"),
        (("{folder}", "--to", HUMAN, "--out", "x.bvh"), "folder"),
        (("{walk}", "--to", HUMAN, "--out", "x.bvh", "--legs", "-1"), "above 0"),
        (("{walk}", "--to", HUMAN, "--out", "x.bvh", "--workers", "0"), "workers"),
    ],
)
def test_mistakes_are_one_sentence(shell, clips, words, said):
    code, printed, errors = shell(*(w.format(walk=clips / "walk.bvh", folder=clips) for w in words))
    assert code == 2 and said in errors and errors.count("\n") == 1 and not printed, errors


def test_lists_must_fit(clips, tmp_path):
    figure = lk.load(HUMAN)
    assert lk.retarget_library([], [], figure) == []
    for given in (
        ([clips / "walk.bvh"], []),
        ("walk.bvh", ["x.bvh"]),
        ([clips / "walk.bvh"] * 2, [tmp_path / "x.bvh"] * 2),
        (["walk.txt"], [tmp_path / "x.bvh"]),
        ([3], [tmp_path / "x.bvh"]),
    ):
        with pytest.raises(lk.BadOption):
            lk.retarget_library(*given, figure)
    with pytest.raises(lk.BadOption):
        lk.retarget_library([clips / "walk.bvh"], [tmp_path / "x.bvh"], lk.load("panda"))
    rows = lk.retarget_library([tmp_path / "gone.bvh"], [tmp_path / "x.bvh"], figure)
    assert rows[0].status == "failed" and "gone.bvh" in rows[0].why
    rows = lk.retarget_library([clips / "walk.bvh"], [tmp_path / "x.bvh"], figure, rest="sideways")
    assert rows[0].status == "failed" and "sideways" in rows[0].why
