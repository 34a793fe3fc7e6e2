"""Endurance at small size: memory does not grow, workers of every kind agree; `make soak` runs it at full size."""

import numpy as np
import pytest
from benchmarks import endurance

# Solves in the small version: a second or two.
SOLVES = 200_000


def test_memory_does_not_grow():
    solves, grown = endurance.growth(endurance.Mix().round, SOLVES)
    assert solves >= SOLVES and grown <= endurance.NO_LEAK


def test_a_leak_would_be_noticed():
    kept = []

    def leaking():
        kept.append(np.ones(1 << 20))  # more than earlier tests have left free
        return 10_000

    assert endurance.growth(leaking, SOLVES, warm_up=2)[1] > endurance.NO_LEAK


# The test forks while the test runner has threads, on purpose.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_threads_and_processes_get_the_same_answers():
    counts = endurance.disagreeing(workers=3)
    assert "threads" in counts and "processes by spawn" in counts and not any(counts.values()), counts
