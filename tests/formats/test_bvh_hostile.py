"""BVH files of other programs, truncated files and hostile ones."""

import numpy as np
import pytest
from mocap import generated, written

import limbik as lk

HEAD = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 2 0\n}\n}\n"
MOTION = "MOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n10 20 30\n"
SOUND = HEAD + MOTION

BROKEN = {
    "nothing": ("", "empty"),
    "blanks": (" \n\t\n", "empty"),
    "other text": ("hello", "HIERARCHY"),
    "no root": ("HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 1\n", "ROOT"),
    "joint without root": ("HIERARCHY\nJOINT a\n{\nOFFSET 0 0 0\n}\n", "JOINT"),
    "cut in the hierarchy": (HEAD[:60], ""),
    "not closed": (HEAD.rstrip()[:-1] + MOTION, "cut short"),
    "closed twice": (HEAD + "}\n" + MOTION, "not opened"),
    "no offset": (SOUND.replace("OFFSET 0 0 0", ""), "OFFSET"),
    "offset of two": (SOUND.replace("OFFSET 0 0 0", "OFFSET 0 0"), "offset"),
    "offset nan": (SOUND.replace("OFFSET 0 2 0", "OFFSET 0 nan 0"), "nan"),
    "offset huge": (SOUND.replace("OFFSET 0 2 0", "OFFSET 0 1e300 0"), "1e300"),
    "offset hexadecimal": (SOUND.replace("OFFSET 0 2 0", "OFFSET 0 0x1 0"), "0x1"),
    "unknown channel": (SOUND.replace("Xrotation", "Xscale"), "Xscale"),
    "channels miscounted": (SOUND.replace("CHANNELS 3", "CHANNELS 4"), "channel"),
    "channels overcounted": (SOUND.replace("CHANNELS 3", "CHANNELS 999999999"), "channels"),
    "channels negative": (SOUND.replace("CHANNELS 3", "CHANNELS -3"), "channels"),
    "a position twice": (SOUND.replace("Zrotation Xrotation", "Xposition Xposition"), "twice"),
    "a joint in an end": (SOUND.replace("OFFSET 0 2 0\n", "OFFSET 0 2 0\nJOINT b\n{\nOFFSET 0 0 0\n}\n"), "JOINT"),
    "no counts": (HEAD + "MOTION\n0 0 0\n", "Frames"),
    "negative frames": (SOUND.replace("Frames: 2", "Frames: -2"), "-2"),
    "frames a word": (SOUND.replace("Frames: 2", "Frames: two"), "two"),
    "frames of a programmer": (SOUND.replace("Frames: 2", "Frames: 0_2"), "0_2"),
    "frames of many digits": (SOUND.replace("Frames: 2", "Frames: " + "9" * 5000), "frames"),
    "a billion frames": (SOUND.replace("Frames: 2", "Frames: 1000000000"), "1000000000"),
    "too few frames": (SOUND.replace("Frames: 2", "Frames: 3"), "cut short"),
    "too many frames": (SOUND.replace("Frames: 2", "Frames: 1"), "1 frames"),
    "no time": (SOUND.replace("Frame Time: 0.5", "Frame Time: 0"), "Frame Time"),
    "negative time": (SOUND.replace("Frame Time: 0.5", "Frame Time: -1"), "Frame Time"),
    "time nan": (SOUND.replace("Frame Time: 0.5", "Frame Time: nan"), "Frame Time"),
    "nan in the motion": (SOUND.replace("10 20 30", "10 nan 30"), "nan"),
    "quiet nan in the motion": (SOUND.replace("10 20 30", "10 1.#QNAN 30"), "QNAN"),
    "infinity in the motion": (SOUND.replace("10 20 30", "10 inf 30"), "inf"),
    "huge in the motion": (SOUND.replace("10 20 30", "10 1e200 30"), "1e200"),
    "commas": (SOUND.replace("10 20 30", "10,5 20 30"), "10,5"),
    "a row too long": (SOUND.replace("10 20 30", "10 20 30 40"), "2"),
    "a row too short": (SOUND.replace("10 20 30", "10 20"), "2"),
    "bytes": (SOUND.replace("ROOT a", "ROOT a\0b"), "name"),
    "no frames": (HEAD + "MOTION\nFrames: 0\nFrame Time: 0.1\n", "limbik.load"),
    "no motion": (HEAD, "limbik.load"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused_in_a_sentence(tmp_path, case):
    text, word = BROKEN[case]
    path = written(tmp_path, text)
    with pytest.raises(lk.LimbikError) as refused:
        lk.load_clip(path)
    assert word in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("cut", range(0, len(SOUND) - 8, 7))
def test_a_file_cut_anywhere_is_refused(tmp_path, cut):
    with pytest.raises(lk.LimbikError):
        lk.load_clip(written(tmp_path, SOUND[:cut]))


ODD = {
    "windows": SOUND.replace("\n", "\r\n"),
    "old macintosh": SOUND.replace("\n", "\r"),
    "tabs": SOUND.replace(" ", "\t"),
    "blank lines": SOUND.replace("\n", "\n\n"),
    "lower case": SOUND.lower(),
    "no last line end": SOUND.rstrip(),
    "brackets on the line": SOUND.replace("ROOT a\n{\n", "ROOT a {\n").replace("End Site\n{", "End Site {"),
    "a byte order mark": "\ufeff" + SOUND,
    "a bare point": SOUND.replace("0.5", ".5"),
    "powers and signs": SOUND.replace("10 20 30", "+1e1 2.0E+1 30."),
    "an end with a name": SOUND.replace("End Site", "End Site tip"),
    "rows folded": SOUND.replace("10 20 30", "10\n20 30"),
    "no blank after the colon": SOUND.replace(": ", ":"),
    "all on few lines": SOUND.replace("\n", " ").replace("MOTION", "\nMOTION").replace("ROOT a", "ROOT a\n"),
}


@pytest.mark.parametrize("case", ODD)
def test_an_odd_file_reads_like_the_plain_one(tmp_path, case):
    plain = lk.load_clip(written(tmp_path, SOUND, "a.bvh"))
    assert lk.load_clip(written(tmp_path, ODD[case], "a.bvh")) == plain


def test_a_figure_needs_no_frames(tmp_path):
    for text in (HEAD, HEAD + "MOTION\nFrames: 0\nFrame Time: 0.1\n"):
        assert lk.load(written(tmp_path, text)).n == 3
    one = lk.load_clip(written(tmp_path, HEAD + "MOTION\nFrames: 1\nFrame Time: 0\n1 2 3\n"))
    assert len(one) == 1 and one.duration == 0


def test_names_are_kept_and_made_unique(tmp_path):
    text = generated(np.random.default_rng(1), joints=6).replace("joint2", "joint1").replace("joint3", "world")
    text = text.replace("joint4", "mixamorig:Left Arm").replace("joint5", "")
    clip = lk.load_clip(written(tmp_path, text))
    frames = clip.robot.frames
    assert {"joint0", "joint1", "joint1_2", "world", "world_2", "mixamorig:Left Arm", "joint"} <= set(frames)
    assert clip.robot.base == "world_2" and len(set(frames)) == len(frames)
    assert any("name" in note for note in clip.recording.notes)
    clip.save(tmp_path / "again.bvh")
    assert lk.load_clip(tmp_path / "again.bvh").recording.written == clip.recording.written


def test_names_in_other_encodings_are_read(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_bytes(SOUND.replace("ROOT a", "ROOT H\xfcfte").encode("latin-1"))
    clip = lk.load_clip(path)
    assert "H\xfcfte" in clip.robot.frames and any("Latin-1" in note for note in clip.recording.notes)


def test_a_deep_figure_is_read_and_a_crowd_refused(tmp_path):
    def deep(count):
        head = "".join(
            f"{'JOINT' if k else 'ROOT'} j{k}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Zrotation\n" for k in range(count)
        )
        return f"HIERARCHY\n{head}{'}' * count}\nMOTION\nFrames: 1\nFrame Time: 1\n{'1 ' * count}\n"

    assert lk.load_clip(written(tmp_path, deep(1500))).robot.n == 1500
    with pytest.raises(lk.BadFile, match="10000"):
        lk.load_clip(written(tmp_path, deep(10_001)))


def test_what_is_no_file_is_refused(tmp_path):
    for path, error in ((tmp_path, lk.BadFile), (tmp_path / "no.bvh", lk.errors.FileUnreadable),
                        ("a\0.bvh", lk.errors.FileUnreadable),
                        (5, lk.BadOption), (None, lk.BadOption), (tmp_path / "a.fbx", lk.BadFile)):  # fmt: skip
        with pytest.raises(error):
            lk.load_clip(path)
    path = written(tmp_path, SOUND)
    for options in (
        {"unit": "parsec"},
        {"unit": 0},
        {"up": "x"},
        {"animation": 1},
        {"rate": 30},
        {"robot": lk.load("ur5")},
    ):
        with pytest.raises(lk.BadOption):
            lk.load_clip(path, **options)
