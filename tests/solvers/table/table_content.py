"""A small table with arrays of every sort, for tests of its file."""

import numpy as np

from limbik.formats.content.content import Content

SEED = 20


def content(**changes):
    rng = np.random.default_rng(SEED)
    arrays = {
        "q": rng.normal(size=(5, 3)).astype(np.float32),
        "cells": rng.integers(0, 9, (2, 3, 2)).astype(np.uint16),
        "offsets": np.arange(4, dtype=np.int64),
        "solid": np.array([True, False, True]),
        "none": np.zeros((0, 4)),
        "one": np.array(3.5),
    }
    facts = {
        "design": "toy",
        "robot": "ärm [bold]",
        "fingerprint": "ab" * 32,
        "settings": {"step": 0.1, "names": ["a", "b"]},
        "statistics": {"cells": 3, "histogram": {"edges": [0, 1, 2], "counts": [4, 5]}},
        "arrays": arrays,
    }
    return Content(**{**facts, **changes})


def same(a, b):
    assert (a.design, a.robot, a.fingerprint, a.settings, a.statistics) == (
        b.design, b.robot, b.fingerprint, b.settings, b.statistics,
    )  # fmt: skip
    assert set(a.arrays) == set(b.arrays)
    for name, array in a.arrays.items():
        other = b.arrays[name]
        assert array.dtype == other.dtype and array.shape == other.shape and array.tobytes() == other.tobytes()
