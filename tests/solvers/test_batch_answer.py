"""A BatchAnswer is a frozen value: read-only arrays, rows as answers, equality, pickles."""

import copy
import pickle

import numpy as np
import pytest

import limbik as lk

ARM = lk.load("puma560")


@pytest.fixture(scope="module")
def targets():
    """Solved, out of reach (beyond the reach, inside the inner hollow), and one matrix that is no pose."""
    T = np.array(ARM.forward(ARM.sample(np.random.default_rng(8), 40)))
    T[3, :3, 3] *= 9.0
    T[5, :3, 3] = [0.0, 0.0, 0.02]
    T[7, 0, 0] = np.nan
    return T


@pytest.fixture(scope="module")
def batch(targets):
    return ARM.solve_batch(targets, invalid="mark")


@pytest.mark.parametrize("method", [None, "lm", "closed_form"])
def test_each_row_is_an_answer_equal_to_the_single_solve(targets, method):
    batch = ARM.solve_batch(targets, invalid="mark", method=method)
    statuses = [answer.status for answer in batch]
    assert {lk.Status.SOLVED, lk.Status.OUT_OF_REACH, lk.Status.INVALID} <= set(statuses)
    assert (lk.Status.NOT_FOUND in statuses) == (method == "lm")
    for k, answer in enumerate(batch):
        assert isinstance(answer, lk.Answer) and answer == batch[k] == batch[np.int64(k)] == batch[k - len(batch)]
        if answer.status != lk.Status.INVALID:
            single = ARM.solve(targets[k], method=method)
            assert answer == single and answer.why == single.why and hash(answer) == hash(single)
    assert "no rigid pose" in batch[7].why and np.isnan(batch[7].target[:3]).all()


def test_rows_are_indexed_as_in_an_array(batch):
    assert isinstance(batch[2:9], lk.BatchAnswer) and list(batch[2:9]) == list(batch)[2:9]
    failed = batch[~batch.ok]
    assert not failed.ok.any() and len(failed) == 3 and list(failed) == [batch[3], batch[5], batch[7]]
    assert batch[[7, 3]] == batch[np.array([7, 3])] and batch[[7, 3]][1] == batch[3]
    assert len(batch[[]]) == 0 and len(batch[:0]) == 0 and batch[:] == batch
    for wrong in (40, -41, [40], np.ones(3, bool), "q", None, 1.5, (1, 2, 3.5), np.zeros((2, 2), int)):
        with pytest.raises(lk.errors.UnknownRow, match="batch of 40"):
            batch[wrong]
    with pytest.raises(IndexError):
        batch[40]


def test_it_cannot_be_changed(batch):
    for name in ("q", "status", "position_error", "rotation_error", "attempt", "tried", "timed_out", "target"):
        for one in (batch, pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch), batch[2:9]):
            with pytest.raises(ValueError, match="read-only"):
                getattr(one, name)[0] = 0
        with pytest.raises(AttributeError):
            setattr(batch, name, 0)


def test_equal_batches_are_equal(targets, batch):
    again = ARM.solve_batch(targets, invalid="mark", threads=2)
    assert batch == again and batch == pickle.loads(pickle.dumps(batch)) == copy.deepcopy(batch)
    assert batch != batch[:-1] and batch != list(batch) and batch != ARM.solve_batch(targets[::-1], invalid="mark")
    assert batch[:3] == ARM.solve_batch(targets[:3])
    with pytest.raises(TypeError, match="unhashable"):
        hash(batch)


def test_its_repr_counts_the_statuses(batch):
    assert repr(batch) == "BatchAnswer(40: 37 SOLVED, 2 OUT_OF_REACH, 1 INVALID)"
    assert len(batch) == 40 and batch.closed[0] and batch.target.shape == (40, 4, 4)
    assert repr(ARM.solve_batch(np.zeros((0, 4, 4)))) == "BatchAnswer(0)"
