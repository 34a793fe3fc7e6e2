"""Uniform times are recovered from rounded, cut and float32 times; uneven times are reported as such."""

import numpy as np
import pytest

import limbik as lk
from limbik.formats.printed_times import meant_times
from limbik.model.even_times import OFF_BEAT, beat_of, even

RATES = [24, 25, 29.97, 30, 50, 59.94, 60, 90, 100, 119.88, 120, 144, 240, 300, 480]


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("count", [3, 10, 1000])
@pytest.mark.parametrize("start", [0.0, 12.345])
def test_times_in_milliseconds_are_their_beat(rate, count, start):
    exact = start + np.arange(count) / rate
    found = even(np.round(exact, 3))
    assert np.abs(found - exact).max() <= 1.3e-3
    assert np.abs(found - np.round(exact, 3)).max() <= 0.53e-3
    if count == 1000:
        assert (len(found) - 1) / (found[-1] - found[0]) == pytest.approx(rate, rel=1e-5)


@pytest.mark.parametrize("rate", RATES)
def test_times_in_single_precision_are_their_beat(rate):
    exact = 3 + np.arange(500) / rate
    found = even(exact.astype(np.float32).astype(float))
    np.testing.assert_allclose(np.diff(found), 1 / rate, rtol=1e-5)


def test_uniform_times_are_unchanged_to_the_last_digit(rng):
    for step in (1 / 30, 0.0083333, rng.uniform(1e-4, 10)):
        times = rng.uniform(-5, 5) + np.arange(2236) * step
        assert even(times) is times
        assert beat_of(times).step == pytest.approx(step, rel=1e-12)
    assert even(np.array([0.25])) is not None and beat_of(np.array([0.0, 0.4])).step == 0.4


@pytest.mark.parametrize("part", [0.3, 0.9, 0.99])
def test_the_bound_is_a_hundredth_of_a_frame(part, rng):
    exact = np.arange(200) * 0.0123456
    off = rng.uniform(-1, 1, 200)
    off[[0, 50, 100, -1]] = 1, -1, 1, -1  # no line is nearer
    assert even(exact + part * OFF_BEAT * 0.0123456 * off) is not None
    assert even(exact + 1.5 / part * OFF_BEAT * 0.0123456 * off) is None


@pytest.mark.parametrize("times", [
    [0, 1, 3], [0, 0.5, 1.1, 1.6], [0, 0.1, 0.3], [0, 1, 2, 4, 5], [0, 0.001, 0.003], [0, 0.033, 0.066, 0.1, 0.12],
    [0, 0.04, 0.08, 0.12, 0.163, 0.2], [0, 1e-6, 0.01, 0.02, 0.03],
])  # fmt: skip
def test_uneven_times_are_recognised(times):
    assert even(np.array(times, float)) is None
    assert np.array_equal(meant_times(np.array(times, float)), times)


def test_no_beat_is_missed_that_is_within_the_bound(rng):
    """The search finds the beat for every error within the bound that is added to the times."""
    for _ in range(300):
        count = int(rng.integers(3, 60))
        step = 10 ** rng.uniform(-3, 1)
        exact = rng.uniform(-10, 10) + np.arange(count) * step
        times = exact + rng.choice([-1, 1], count) * rng.uniform(0, 0.999) * OFF_BEAT * step * 0.99
        found = even(times)
        assert found is not None and np.abs(found - times).max() <= 1.0101 * OFF_BEAT * step


def test_an_announced_rate_is_used_where_the_times_agree_with_it():
    exact = np.arange(300) / 120
    coarse = np.round(exact, 2)  # 0.01, 0.02, 0.02: hundredths repeat
    assert (np.diff(coarse) == 0).any()
    np.testing.assert_allclose(meant_times(coarse, 120.0), exact, atol=1e-12)
    assert np.array_equal(meant_times(coarse), coarse)
    np.testing.assert_allclose(meant_times(np.round(exact, 3), 60.0), exact, atol=1e-9)  # a rate that is wrong


@pytest.fixture
def clip():
    arm = lk.load("ur5")
    times = np.arange(400) * 0.0083333
    return lk.Clip(arm, 0.3 * np.sin(times[:, None] + np.arange(arm.n)), times)


@pytest.mark.parametrize("ends", [(0.5, 1.5), (0.1, 3.0), (0.499998, 1.5), (None, 2.0), (0.0083334, 0.0166665)])
@pytest.mark.parametrize("ending", ["bvh", "glb"])
def test_a_part_of_a_clip_can_be_saved(clip, ends, ending, tmp_path):
    part = clip.trimmed(*ends)
    assert set(part.times) <= set(clip.times)
    part.save(tmp_path / f"a.{ending}")
    again = lk.load_clip(tmp_path / f"a.{ending}")
    assert len(again) == len(part)
    np.testing.assert_allclose(np.diff(again.times), 0.0083333, rtol=1e-4)


def test_a_part_that_begins_between_frames_keeps_its_ends_and_the_error_gives_the_remedy(clip, tmp_path):
    part = clip.trimmed(0.503, 1.507)
    assert (part.times[0], part.times[-1]) == (0.503, 1.507)
    with pytest.raises(lk.BadOption, match=r"resampled\(120"):
        part.save(tmp_path / "a.bvh")
    assert not list(tmp_path.iterdir())
    part.resampled(120).save(tmp_path / "a.bvh")


@pytest.mark.parametrize("ending", ["bvh", "glb"])
def test_parts_of_a_loaded_clip_can_be_saved(clip, ending, tmp_path):
    clip.save(tmp_path / f"a.{ending}")
    read = lk.load_clip(tmp_path / f"a.{ending}")
    read.trimmed(0.5, 1.5).save(tmp_path / "b.bvh")
    read.trimmed(0.5, 1.5).save(tmp_path / "b.glb")
    assert len(lk.load_clip(tmp_path / "b.bvh")) == len(lk.load_clip(tmp_path / "b.glb")) == 121


def test_a_clip_with_rounded_times_is_saved_and_filtered(clip, tmp_path):
    rounded = lk.Clip(clip.robot, clip.q, np.round(np.arange(len(clip)) / 120, 3))
    rounded.save(tmp_path / "a.bvh")
    np.testing.assert_allclose(np.diff(lk.load_clip(tmp_path / "a.bvh").times), 1 / 120, rtol=1e-9)
    exact = lk.Clip(clip.robot, clip.q, rate=120)
    np.testing.assert_allclose(rounded.low_passed(6).q, exact.low_passed(6).q, atol=1e-9)


def markers_in(folder, name, decimals, rate=120.0, count=60, announced=None):
    """A file of one marker, with times printed to this number of decimals."""
    times = np.arange(count) / rate
    if name.endswith("csv"):
        lines = ["time,A.x,A.y,A.z", *(f"{t:.{decimals}f},1,2,{k}" for k, t in enumerate(times))]
    else:
        lines = [f"PathFileType\t4\t(X/Y/Z)\t{name}", "DataRate\tNumFrames\tUnits",
                 f"{announced or rate:.2f}\t{count}\tmm", "Frame#\tTime\tA\t\t", "\t\tX1\tY1\tZ1"]  # fmt: skip
        lines += [f"{k + 1}\t{t:.{decimals}f}\t1\t2\t{k + 1}" for k, t in enumerate(times)]
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder / name


@pytest.mark.parametrize("decimals", [3, 4, 5])
@pytest.mark.parametrize("name", ["a.csv", "a.trc"])
def test_markers_have_the_beat_that_their_file_means(name, decimals, tmp_path):
    markers = lk.formats.load_markers(markers_in(tmp_path, name, decimals))
    np.testing.assert_allclose(np.diff(markers.times), 1 / 120, rtol=1e-6)


def test_markers_with_repeated_times_and_an_announced_rate_are_read(tmp_path):
    markers = lk.formats.load_markers(markers_in(tmp_path, "a.trc", 2))
    np.testing.assert_allclose(markers.times, np.arange(60) / 120, atol=1e-12)
    with pytest.raises(lk.BadOption, match="increase"):
        lk.formats.load_markers(markers_in(tmp_path, "a.csv", 2))


@pytest.mark.parametrize("times", [np.round(np.arange(50) / 30, 3), np.arange(40) / 30, np.array([0.0, 0.1])])
def test_a_beat_is_made_of_plain_numbers(times):
    assert all(type(number) is float for number in beat_of(times))
