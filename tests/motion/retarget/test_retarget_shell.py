"""Wrong options of `limbik retarget`: one error for all clips, before any is read."""

import json
import sys

import pytest
from examples.walk import generated_walk

from limbik.cli.main import main


@pytest.fixture
def shell(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clips").mkdir()
    for name in ("one", "two"):
        generated_walk(0.2, 30.0).save(tmp_path / "clips" / f"{name}.bvh")

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["limbik", "retarget", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run


@pytest.mark.parametrize(
    "wrong", [("--unit", "foo"), ("--up", "x"), ("--rest", "foo"), ("--tolerance-mm", "0"), ("--tolerance-mm", "nan")]
)
def test_an_option_for_all_clips_fails_once(shell, wrong):
    code, _, errors = shell("clips", "--to", "human", "--out", "out", *wrong)
    assert code == 2
    assert errors.strip().count("\n") == 0 and wrong[1] in errors
    code, printed, _ = shell("clips", "--to", "human", "--out", "out", "--json", *wrong)
    assert code == 2 and wrong[1] in json.loads(printed)["error"]


def test_a_clip_is_not_written_over_itself(shell, tmp_path):
    clip = tmp_path / "clips" / "one.bvh"
    before = clip.read_bytes()
    for out in ("clips/one.bvh", "clips/../clips/one.bvh"):
        code, _, errors = shell("clips/one.bvh", "--to", "human", "--out", out, "--force")
        assert code == 2 and "another output file" in errors
    assert shell("clips", "--to", "human", "--out", "clips", "--force")[0] == 2
    assert clip.read_bytes() == before


def test_errors_are_json_where_json_is_asked_for(shell):
    for words in (("nothing.bvh", "--to", "human"), ("clips", "--to", "nobody"), ("clips", "--to", "panda")):
        code, printed, _ = shell(*words, "--out", "out", "--json")
        assert code == 2 and json.loads(printed)["error"]
