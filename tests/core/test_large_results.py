"""The memory pages of large results are reused, but never while an array still uses them."""

import pickle
import threading

import numpy as np
import pytest

import limbik as lk

# Enough rows that the poses take more than 4 MiB, above which pages are kept.
ROWS = 100_000


@pytest.fixture(scope="module")
def arm():
    return lk.load("panda")


@pytest.fixture(scope="module")
def q(arm):
    return arm.sample(np.random.default_rng(0), ROWS)


def test_results_in_use_are_not_overwritten(arm, q):
    first = arm.forward(q)
    copy = first.copy()
    second = arm.forward(q[::-1])
    assert not np.shares_memory(first, second)
    assert np.array_equal(first, copy)


def test_the_next_result_takes_the_pages_of_the_last(arm, q):
    T = arm.forward(q)
    where = T.ctypes.data
    del T
    assert arm.forward(q).ctypes.data == where


def test_sizes_may_change_from_call_to_call(arm, q):
    rng = np.random.default_rng(1)
    expected = arm.forward(q)
    for rows in rng.integers(1, ROWS, 50):
        assert np.array_equal(arm.forward(q[:rows]), expected[:rows])


def test_arrays_own_their_memory(arm, q):
    T = arm.forward(q)
    assert T.flags.owndata
    assert np.array_equal(pickle.loads(pickle.dumps(T)), T)
    expected = T[:1000].copy()
    T.resize((1000, 4, 4), refcheck=False)
    assert np.array_equal(T, expected)
    del T
    assert np.array_equal(arm.forward(q)[:1000], expected)


def test_arrays_of_numpy_are_its_own(arm, q):
    before = np._core.multiarray.get_handler_name()
    T = arm.forward(q)
    assert np._core.multiarray.get_handler_name() == before
    assert np._core.multiarray.get_handler_name(T) != before
    assert np._core.multiarray.get_handler_name(np.empty(T.shape)) == before


def test_threads_do_not_share_a_result(arm, q):
    expected = arm.forward(q)
    wrong = []

    def work():
        for _ in range(10):
            if not np.array_equal(arm.forward(q), expected):
                wrong.append(threading.get_ident())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
