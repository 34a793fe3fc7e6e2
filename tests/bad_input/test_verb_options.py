"""Options of the methods: threads, frames, sizes of samples."""

import math

import numpy as np
import pytest
from hostile import ARM, FIGURE, POSTURES, refused

from limbik import BadOption, ShapeError
from limbik.errors import UnknownFrame


@pytest.mark.parametrize("threads", [-1, -(2**40), "2", 2.5, None, [2], math.nan])
def test_invalid_thread_counts_are_refused(threads):
    for verb in (ARM.forward, ARM.jacobian, ARM.forward_jacobian, ARM.model.forward_all):
        with refused(BadOption, "threads"):
            verb(POSTURES, threads=threads)


@pytest.mark.parametrize("threads", [0, 1, 2, 7, 10**6, np.int64(3), 2**40])
def test_any_number_of_threads_gives_the_same_bits(threads):
    q = np.tile(POSTURES, (50, 1))
    assert np.array_equal(ARM.forward(q, threads=threads), ARM.forward(q, threads=1))
    assert np.array_equal(ARM.model.forward_all(q, threads=threads), ARM.model.forward_all(q, threads=1))


@pytest.mark.parametrize("frame", ["tol", "TOOL", "", "tool\n", 5, -1, [], ("tool",), b"tool", 1.5])
def test_unknown_frames_are_refused(frame):
    for verb in (ARM.forward, ARM.jacobian, ARM.forward_jacobian):
        with refused(UnknownFrame, "frame", "panda", "link7"):
            verb(ARM.home, frame)
    with refused(UnknownFrame, "human"):
        FIGURE.forward(FIGURE.home, frame)


def test_a_misspelt_frame_gets_a_suggestion():
    with refused(UnknownFrame, "did you mean 'tool'"):
        ARM.forward(ARM.home, "tol")
    with refused(UnknownFrame, "did you mean 'leftHand'"):
        FIGURE.jacobian(FIGURE.home, "lefthand")
    with refused(UnknownFrame, "did you mean 'leftHand'"):
        FIGURE.chain("leftHnd")


def test_a_skeleton_requires_a_frame():
    with refused(BadOption, "several tips", "frame="):
        FIGURE.forward(FIGURE.home)


@pytest.mark.parametrize("rng", [None, 0, np.random, np.random.RandomState(0)])
def test_sampling_needs_a_generator(rng):
    with refused(BadOption, "default_rng"):
        ARM.sample(rng, 3)


@pytest.mark.parametrize("size", [-1, 2.5, "a", None, (2, -1), (2, "a"), (2.5,), [[1]], {}])
def test_invalid_sample_sizes_are_refused(size):
    with refused((BadOption, ShapeError), "size"):
        ARM.sample(np.random.default_rng(0), size)


def test_sample_takes_any_whole_number():
    plain = ARM.sample(np.random.default_rng(0), 5)
    for size in (np.int64(5), np.uint8(5), [5], (np.int32(5),)):
        assert np.array_equal(ARM.sample(np.random.default_rng(0), size), plain)
