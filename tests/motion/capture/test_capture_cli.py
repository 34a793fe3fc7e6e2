"""`limbik capture`: markers in, a clip out; errors are one sentence and exit code 2."""

import json
import sys

import numpy as np
import pytest
from cases import capture_problems as problems

import limbik as lk
from limbik.cli.main import main


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("markers")
    problem = problems.human_problem(3, 1.0)
    markers = problem.markers
    lk.formats.save_markers(markers, folder / "markers.csv")
    lk.formats.save_markers(
        lk.Markers(markers.names, markers.positions * 1000, markers.times), folder / "millimetres.csv"
    )
    return problem, folder


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["limbik", "capture", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


@pytest.mark.parametrize(("name", "ending", "options"), [
    ("markers", "bvh", ()), ("millimetres", "glb", ("--unit", "mm")), ("millimetres", "npz", ("--unit", "0.001")),
])  # fmt: skip
def test_a_clip_is_written_and_summarised(files, monkeypatch, capsys, tmp_path, name, ending, options):
    problem, folder = files
    out = tmp_path / f"clip.{ending}"
    assert run(monkeypatch, folder / f"{name}.csv", "--figure", "human", *options, "--out", out, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["frames"] == len(problem.markers) and facts["file"] == str(out)
    assert facts["marker_error_m"] < 0.006 and "hardly determine" in facts["why"]
    if ending != "npz":
        again = lk.load_clip(out)
        assert len(again) == len(problem.markers)
        far = np.linalg.norm(again.forward("leftLowerLeg")[:, :3, 3] - problem.figure.forward(problem.q, "leftLowerLeg")[:, :3, 3], axis=1)  # fmt: skip  # noqa: E501
        assert np.median(far) < 0.05


def test_the_summary_describes_the_result(files, monkeypatch, capsys, tmp_path):
    _, folder = files
    out = tmp_path / "clip.csv"
    assert run(monkeypatch, folder / "markers.csv", "--estimate", "lengths", "--smoothing", "6", "--out", out) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "60 frames" in printed and "note: 42 markers" in printed
    assert out.exists()


@pytest.mark.parametrize(("source", "options", "sentence"), [
    ("millimetres.csv", (), "unit='mm'"),
    ("markers.csv", ("--estimate", "angles"), "use lengths, offsets"),
    ("markers.csv", ("--smoothing", "much"), "a cutoff in Hz"),
    ("markers.csv", ("--smoothing", "-1"), "above 0 Hz"),
    ("markers.csv", ("--figure", "humam"), "human"),
    ("markers.csv", ("--unit", "feet"), "feet"),
    ("gone.csv", (), "gone.csv"),
])  # fmt: skip
def test_errors_are_one_sentence(files, monkeypatch, capsys, tmp_path, source, options, sentence):
    _, folder = files
    out = tmp_path / "clip.bvh"
    assert run(monkeypatch, folder / source, *options, "--out", out) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("limbik: ") and sentence in printed.err and len(printed.err.strip().splitlines()) == 1
    assert not printed.out and not out.exists()


def test_a_table_without_times_is_reported(files, monkeypatch, capsys, tmp_path):
    _, folder = files
    rows = [line.partition(",")[2] for line in (folder / "markers.csv").read_text().splitlines()]
    (folder / "untimed.csv").write_text("\n".join(rows))
    options = ("--figure", "human", "--out", tmp_path / "clip.npz")
    assert run(monkeypatch, folder / "untimed.csv", *options) == 0
    assert "no column of times: 60 frames per second are assumed" in " ".join(capsys.readouterr().out.split())
    assert run(monkeypatch, folder / "untimed.csv", *options, "--rate", "120") == 0
    assert "no column of times" not in capsys.readouterr().out


def test_out_must_be_a_clip_and_another_file(files, monkeypatch, capsys, tmp_path):
    _, folder = files
    assert run(monkeypatch, folder / "markers.csv", "--out", tmp_path / "clip.fbx") == 2
    assert ".bvh" in capsys.readouterr().err
    assert run(monkeypatch, folder / "markers.csv", "--out", folder / "markers.csv") == 2
    assert "also the source" in capsys.readouterr().err


def test_help_has_an_example(monkeypatch, capsys):
    assert run(monkeypatch, "--help") == 0
    assert "limbik capture markers.csv --figure human --unit mm --out clip.bvh" in " ".join(
        capsys.readouterr().out.split()
    )
