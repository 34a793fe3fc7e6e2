"""Joint values: every method refuses invalid ones; unusual but valid arrays give the usual result."""

import array
import math

import numpy as np
import pytest
from hostile import ARM, FIGURE, HUGE, POSTURES, VERBS, refused, warnings_off

from limbik import LimbikError, NotFinite, ShapeError
from limbik.errors import NotNumeric

BAD_Q = {
    "NaN": ([math.nan] * 7, NotFinite, "NaN"),
    "one NaN in a batch": (np.where(np.arange(70).reshape(10, 7) == 40, np.nan, 0.0), NotFinite, "row 5"),
    "infinity": ([math.inf] * 7, NotFinite, "infinity"),
    "minus infinity": (np.full(7, -np.inf), NotFinite, "infinity"),
    "too few": ([0.0] * 6, ShapeError, "(6,)"),
    "too many": ([0.0] * 8, ShapeError, "(8,)"),
    "empty": ([], ShapeError, "(0,)"),
    "transposed": (np.zeros((7, 3)), ShapeError, "(7, 3)"),
    "one number": (0.5, ShapeError, "()"),
    "0-d array": (np.array(0.5), ShapeError, "()"),
    "20 axes": (np.zeros((1,) * 19 + (7,)), ShapeError, "axes"),
    "60 axes": (np.zeros((1,) * 59 + (7,)), ShapeError, "axes"),
    "text": ("abc", NotNumeric, "str"),
    "texts": (["a"] * 7, NotNumeric, "numbers"),
    "bytes": (b"abcdefg", NotNumeric, "bytes"),
    "None": (None, (NotNumeric, ShapeError, NotFinite), "q"),
    "Nones": ([None] * 7, (NotNumeric, NotFinite), "q"),
    "ragged": ([[0.0, 1.0], [2.0]], NotNumeric, "equal length"),
    "complex list": ([1j] * 7, NotNumeric, "numbers"),
    "complex array": (np.full(7, 1j), NotNumeric, "numbers"),
    "numbers as text": (["1"] * 7, NotNumeric, "numbers"),
    "dates": (np.zeros(7, "M8[s]"), NotNumeric, "numbers"),
    "too large": ([1e101] * 7, NotFinite, "too large"),
    "dict": ({"q": 1}, NotNumeric, "dict"),
    "set": ({1.0, 2.0}, NotNumeric, "set"),
    "objects": (np.array([object()] * 7), NotNumeric, "numbers"),
    "object None": (np.array([None] * 7), (NotNumeric, NotFinite), "q"),
    "function": (len, NotNumeric, "numbers"),
    "too great a number": ([HUGE] * 7, (NotNumeric, NotFinite), "q"),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("bad", BAD_Q)
def test_bad_q_is_refused(verb, bad):
    q, kind, word = BAD_Q[bad]
    if verb.startswith(("integrate", "difference")) and word == "q":
        word = verb.split()[1]
    with warnings_off(), refused(kind, word):
        VERBS[verb](q)


class Hostile:
    """An object whose conversion to an array raises."""

    def __array__(self, dtype=None, copy=None):
        raise ZeroDivisionError("gotcha")


def test_an_object_that_breaks_inside_is_refused():
    with refused(NotNumeric, "Hostile"):
        ARM.forward(Hostile())


def test_a_batch_that_does_not_fit_in_memory_is_not_called_text():
    giant = np.broadcast_to(ARM.home, (10**13, 7))
    with pytest.raises((MemoryError, LimbikError)) as caught:
        ARM.forward(giant)
    assert "must be numbers" not in str(caught.value)


def test_two_batches_of_different_length_are_refused():
    with refused(ShapeError, "(3, 7)", "(4, 7)"):
        ARM.model.integrate(np.zeros((3, 7)), np.zeros((4, 7)))
    with refused(ShapeError, "(3, 7)", "(7,)"):
        ARM.model.difference(np.zeros((3, 7)), np.zeros(7))


def swapped(x):
    return x.astype(x.dtype.newbyteorder())


def unaligned(x):
    raw = np.zeros(x.nbytes + 1, np.uint8)
    view = raw[1:].view(np.float64).reshape(x.shape)
    view[:] = x
    return view


def read_only(x):
    x = x.copy()
    x.setflags(write=False)
    return x


GOOD_Q = {
    "negative stride": lambda x: x[::-1].copy()[::-1],
    "reversed columns": lambda x: x[:, ::-1].copy()[:, ::-1],
    "every other": lambda x: np.repeat(x, 2, axis=0)[::2],
    "Fortran": np.asfortranarray,
    "read-only": read_only,
    "byte-swapped": swapped,
    "unaligned": unaligned,
    "lists": lambda x: x.tolist(),
    "tuples": lambda x: tuple(map(tuple, x.tolist())),
    "list of arrays": list,
    "objects": lambda x: x.astype(object),
    "long double": lambda x: x.astype(np.longdouble),
    "memory view": lambda x: memoryview(np.ascontiguousarray(x)),
    "matrix": lambda x: np.matrix(x),
    "repeated by a zero stride": lambda x: x,
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("form", GOOD_Q)
def test_unusual_arrays_give_the_plain_result(form):
    given = GOOD_Q[form](POSTURES)
    assert np.array_equal(ARM.forward(given), ARM.forward(POSTURES))
    assert np.array_equal(ARM.jacobian(given), ARM.jacobian(POSTURES))
    assert np.array_equal(ARM.model.forward_all(given), ARM.model.forward_all(POSTURES))
    assert np.array_equal(ARM.clamp(given), POSTURES)
    assert np.array_equal(ARM.model.integrate(given, given), POSTURES + POSTURES)
    assert ARM.within_limits(given).all()


def test_other_kinds_of_number_give_the_result_of_their_values():
    single = POSTURES.astype(np.float32)
    assert np.array_equal(ARM.forward(single), ARM.forward(single.astype(np.float64)))
    assert ARM.forward(single).dtype == np.float64
    whole = np.arange(14).reshape(2, 7)
    for kind in (np.int8, np.uint16, np.int64, np.float16):
        assert np.array_equal(ARM.forward(whole.astype(kind)), ARM.forward(whole.astype(float)))
    assert np.array_equal(ARM.forward([True] * 7), ARM.forward(np.ones(7)))
    assert np.array_equal(ARM.forward(array.array("d", [0.5] * 7)), ARM.forward(np.full(7, 0.5)))
    row = np.broadcast_to(POSTURES[0], (5, 7))
    assert np.array_equal(ARM.forward(row), np.repeat(ARM.forward(POSTURES[:1]), 5, axis=0))


@pytest.mark.parametrize("batch", [(0,), (0, 3), (3, 0), (1, 0, 2)])
def test_empty_batches_work(batch):
    for body, frame in ((ARM, None), (FIGURE, "leftHand")):
        n, q = body.n, np.zeros((*batch, body.n))
        assert body.forward(q, frame).shape == (*batch, 4, 4)
        assert body.jacobian(q, frame).shape == (*batch, 6, n)
        assert body.model.forward_all(q).shape == (*batch, len(body.frames), 4, 4)
        for out in (body.clamp(q), body.model.integrate(q, q), body.model.difference(q, q)):
            assert out.shape == q.shape
        assert body.within_limits(q).shape == batch
        assert body.sample(np.random.default_rng(0), batch).shape == q.shape
    assert ARM.forward(np.zeros((*batch, 7)), threads=8).shape == (*batch, 4, 4)
