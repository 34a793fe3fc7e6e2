"""Misused clips raise one sentence of a LimbikError; changed copies keep the jumps."""

import numpy as np
import pytest

import limbik as lk
from limbik.motion.measures import Contact

ARM = lk.load("ur5")


def clip(frames=20, **options):
    return lk.Clip(ARM, np.linspace(0, 1, frames)[:, None] * np.ones(ARM.n), rate=10, **options)


class BytesPath:
    def __fspath__(self):
        return b"o.bvh"


class RaisingPath:
    def __fspath__(self):
        raise RuntimeError("no")


MISUSE = {
    "ragged postures": lambda: lk.Clip(ARM, [[1, 2], [3]]),
    "no postures": lambda: lk.Clip(ARM, None),
    "tiny cutoff": lambda: clip().low_passed(1e-12),
    "jumps 5": lambda: clip(jumps=5),
    "jumps None": lambda: clip(jumps=None),
    "jumps text": lambda: clip(jumps="ab"),
    "jumps past the end": lambda: clip(jumps=(99,)),
    "jumps below 0": lambda: clip(jumps=(-1,)),
    "jumps at 0": lambda: clip(jumps=(0,)),
    "jumps broken": lambda: clip(jumps=(1.5,)),
    "pairs": lambda: lk.Clip(ARM, ARM.home[None]).mirrored(pairs={"shoulder_pan_joint": ["x"]}),
    "contacts numbers": lambda: clip().foot_slide("tip", contacts=[1]),
    "contacts one number": lambda: clip().foot_slide("tip", contacts=5),
    "contacts pairs": lambda: clip().foot_slide("tip", contacts=[(0, 1)]),
    "contacts of text": lambda: clip().foot_slide("tip", contacts=[Contact("a", "b", 0.0, 0.0)]),
    "contacts outside": lambda: clip().foot_slide("tip", contacts=[Contact(0, 99, 0.0, 0.0)]),
    "plot 5": lambda: clip().plot(5),
    "plot None": lambda: clip().plot(None),
    "plot bytes": lambda: clip().plot(b"o.png"),
    "film 5": lambda: clip().film(5),
    "film None": lambda: clip().film(None),
    "film bytes": lambda: clip().film(b"o.png"),
    "film path of bytes": lambda: clip().film(BytesPath()),
    "plot joints 5": lambda: clip().plot("o.png", 5),
    "plot joints as one text": lambda: clip().plot("o.png", "shoulder_pan_joint"),
    "plot joints of lists": lambda: clip().plot("o.png", [["a"]]),
    "save at bytes": lambda: clip().save(BytesPath()),
    "save at a path that raises": lambda: clip().save(RaisingPath()),
    "load from bytes": lambda: lk.load_clip(BytesPath()),
    "load from a path that raises": lambda: lk.load_clip(RaisingPath()),
    "ground NaN": lambda: clip().contacts("tip", ground=np.nan),
    "ground infinite": lambda: clip().contacts("tip", ground=np.inf),
    "degrees": lambda: clip().save("o.csv", degrees="no"),
    "rate True": lambda: lk.Clip(ARM, ARM.home[None], rate=True),
    "resampled True": lambda: clip().resampled(True),
}


@pytest.mark.parametrize("what", MISUSE)
def test_misuse_raises_one_sentence(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(lk.LimbikError) as error:
        MISUSE[what]()
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["folder", "picture"])
@pytest.mark.parametrize("draw", ["plot", "film"])
def test_a_picture_without_a_kind_says_what_to_do(name, draw, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(lk.BadFile, match=r"\.png"):
        getattr(clip(), draw)(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_an_empty_batch_of_times_gives_an_empty_batch_of_postures():
    for kind in ("step", "linear", "cubic"):
        assert clip().with_interpolation(kind).at([]).shape == (0, ARM.n)
    assert clip().at(np.zeros((3, 0))).shape == (3, 0, ARM.n)
    assert lk.Clip(ARM, ARM.home[None]).at([]).shape == (0, ARM.n)


def test_a_blur_narrower_than_a_frame_changes_nothing():
    np.testing.assert_array_equal(clip().blurred(1e-300).q, clip().q)


def test_edits_that_keep_frames_keep_jumps():
    made = clip(jumps=(7, 3))
    assert made.jumps == (3, 7)
    for other in (
        made.with_interpolation("cubic"),
        made.stretched(2.0),
        made.low_passed(2.0),
        made.blurred(0.2),
        made.despiked(3),
        made.converted("blender"),
    ):
        assert other.jumps == (3, 7)


def test_jumps_lead_to_the_same_posture_after_other_edits():
    made = clip(jumps=(3, 7))
    back = made.reversed()
    assert back.jumps == (13, 17)
    for k, j in zip(made.jumps, reversed(back.jumps), strict=True):
        np.testing.assert_array_equal(back.q[[j - 1, j]], made.q[[k, k - 1]])
    assert back.reversed().jumps == made.jumps
    assert made.joined(made).jumps == (3, 7, 23, 27)
    assert made.trimmed(0.2, 0.9).jumps == (1, 5)
    assert made.trimmed(0.3, 0.9).jumps == (4,)  # it starts after the first jump
    assert made.trimmed(0.35, 0.65).jumps == (4,)  # it ends between the two frames of the second
    assert made.resampled(20).jumps == (6, 14)
    assert made.resampled(10).jumps == (3, 7)
    assert made.resampled(4).jumps == (2, 3)
    assert made.resampled(0.6).jumps == (1,)
    assert made.resampled(0.1).jumps == ()


def test_mirrored_keeps_jumps():
    figure = lk.load("human")
    moved = lk.Clip(figure, np.tile(figure.home, (4, 1)), jumps=(2,))
    assert moved.mirrored().jumps == (2,)
