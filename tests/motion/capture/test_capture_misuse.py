"""Invalid markers, marker sets and files raise one sentence."""

import numpy as np
import pytest
from cases import capture_problems as problems

import limbik as lk
from limbik.motion.capture.capture import _places


@pytest.fixture(scope="module")
def small():
    return problems.human_problem(1, 0.5)


def changed(markers, **parts):
    return lk.Markers(parts.get("names", markers.names), parts.get("positions", markers.positions), markers.times)


def test_wrong_units_are_guessed(small):
    figure = lk.load("human")
    for factor, word in ((1000, "mm"), (100, "cm")):
        with pytest.raises(lk.BadOption, match=f"are the markers in {word}"):
            lk.capture(changed(small.markers, positions=small.markers.positions * factor), figure)
    millimetres = lk.Markers(small.markers.names, small.markers.positions * 1000, small.markers.times, unit="mm")
    np.testing.assert_allclose(millimetres.positions, small.markers.positions, rtol=1e-12)


def test_invalid_markers_raise():
    good = np.zeros((4, 2, 3))
    for names, positions, error in (
        (("a", "a"), good, lk.BadOption),
        ((), good, lk.BadOption),
        (("a", 1), good, lk.BadOption),
        (("a", "b", "c"), good, lk.ShapeError),
        (("a", "b"), good[0], lk.ShapeError),
        (("a", "b"), good[:0], lk.ShapeError),
        (("a", "b"), good + np.inf, lk.NotFinite),
        (("a", "b"), "far", lk.errors.NotNumeric),
    ):
        with pytest.raises(error):
            lk.Markers(names, positions)
    for options in ({"times": [0, 1, 1, 2]}, {"rate": 0}, {"rate": 60, "times": range(4)}, {"unit": "feet"}):
        with pytest.raises(lk.BadOption):
            lk.Markers(("a", "b"), good, **options)
    half = np.array(good)
    half[1, 0, 2] = np.nan
    assert lk.Markers(("a", "b"), half).missing.sum() == 1


def test_misused_capture_raises(small):
    figure, markers = lk.load("human"), small.markers
    lost = np.array(markers.positions)
    lost[:, 3] = np.nan
    with pytest.raises(lk.BadOption, match=r"missing in every frame.*without"):
        lk.capture(changed(markers, positions=lost), figure)
    with pytest.raises(lk.BadOption, match="at least 3"):
        lk.capture(markers.only(["hips.1", "hips.2"]), figure)
    with pytest.raises(lk.BadOption, match="no marker's name"):
        lk.capture(changed(markers, names=tuple(f"m{k}" for k in range(42))), figure)
    with pytest.raises(lk.errors.UnknownFrame, match="did you mean 'leftHand'"):
        lk.capture(markers, figure, {"hips.1": "leftHnd"})
    for options in (
        {"estimate": ("weights",)},
        {"smoothing": -1},
        {"smoothing": "much"},
        {"symmetric": 1},
        {"marker_set": {}},
    ):
        with pytest.raises(lk.LimbikError):
            lk.capture(markers, figure, **options)
    for markers_, figure_ in ((np.zeros((3, 3, 3)), figure), (markers, "human")):
        with pytest.raises(lk.BadOption):
            lk.capture(markers_, figure_)


def test_few_frames_and_single_ones_are_answered(small):
    seen = ~small.markers.missing[0]
    names = [name for name, there in zip(small.markers.names, seen, strict=True) if there]
    one = lk.Markers(names, small.markers.positions[:1, seen])
    clip = lk.capture(one, lk.load("human"), small.places)
    assert len(clip) == 1 and "longer motion" in clip.why and np.isfinite(clip.q).all()


def test_markers_named_like_the_links_inside_a_joint_are_on_its_segment():
    human = lk.load("human")
    names = ("leftUpperArm_1", "leftUpperArm_2", "leftUpperArm_3", "LEFTLOWERARM_1", "hips_1", "HIPS.2")
    points = np.random.default_rng(0).normal(size=(3, len(names), 3))
    places, _ = _places(lk.Markers(names, points, np.arange(3) / 60), human, None)
    assert list(places.frames.values()) == ["leftUpperArm"] * 3 + ["leftLowerArm"] + ["hips"] * 2


def test_names_determine_frames():
    figure = lk.load("human")
    names = ("LASI", "RKNE", "LFHD", "C7", "leftHand", "rightFoot_toe", "Bob:LWRA", "thing")
    found = lk.MarkerSet.named(names, figure.frames, lk.humanoid(figure))
    assert found.frames == {"LASI": "hips", "RKNE": "rightUpperLeg", "LFHD": "head", "C7": "spine", "leftHand": "leftHand",
                            "rightFoot_toe": "rightFoot", "Bob:LWRA": "leftLowerArm"}  # fmt: skip
    with pytest.raises(lk.ShapeError, match="estimated"):
        lk.MarkerSet({"a": ("hips", (1, 2))})
    assert lk.MarkerSet({"a": ("hips", [1, 2, 3])}) == lk.MarkerSet({"a": ("hips", (1.0, 2.0, 3.0))})


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_files_give_markers_back(small, tmp_path, suffix):
    path = tmp_path / f"markers{suffix}"
    lk.formats.save_markers(small.markers, path)
    assert lk.formats.load_markers(path) == small.markers


def test_a_trc_file_is_read(tmp_path):
    path = tmp_path / "walk.trc"
    path.write_text(
        "PathFileType\t4\t(X/Y/Z)\twalk.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n100\t100\t2\t2\tmm\n"
        "Frame#\tTime\tLASI\t\t\tRASI\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
        "1\t0.00\t100\t900\t50\t-100\t900\t50\n2\t0.01\t101\t900\t50\t0\t0\t0\n"
    )
    markers = lk.formats.load_markers(path)
    assert markers.names == ("LASI", "RASI") and markers.frame_rate == pytest.approx(100)
    np.testing.assert_allclose(markers.positions[0, 0], (0.1, 0.9, 0.05))
    assert markers.missing.tolist() == [[False, False], [False, True]]


def test_broken_files_raise(tmp_path):
    for name, text in (
        ("a.csv", "time,a.x,a.y\n0,1,2\n"),
        ("b.csv", "time,a.x,a.y,a.z\n0,1,2\n"),
        ("c.csv", "time,a.x,a.y,a.z\n0,1,2,far\n"),
        ("d.csv", "time,a.x,a.y,b.z\n0,1,2,3\n"),
        ("e.csv", ""),
        ("f.trc", "time\n"),
        ("g.npz", "nothing"),
        ("h.txt", "nothing"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(lk.BadFile):
            lk.formats.load_markers(tmp_path / name)
    with pytest.raises(lk.errors.FileUnreadable):
        lk.formats.load_markers(tmp_path / "none.csv")
    with pytest.raises(lk.BadFile):
        lk.formats.save_markers(lk.Markers(("a",), np.zeros((1, 1, 3))), tmp_path / "x.txt")
