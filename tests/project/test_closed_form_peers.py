"""The comparison with EAIK detects missing and wrong postures (configurations)."""

import numpy as np
import pytest
from benchmarks import closed_form_peers as peers

import limbik as lk
from limbik.cli.contest import apart, numpy_forward

pytest.importorskip("eaik")


def test_nothing_is_missing_beside_eaik():
    tallies = peers.closed_form_peers(seed=3, targets=300, arms=1, each=50)
    assert set(peers.ROBOTS) < set(tallies) and len(tallies) > 12
    for name, tally in tallies.items():
        assert not tally.of("EAIK only") and not tally.of("limbik wrong"), (name, list(map(str, tally.differences)))


@pytest.fixture
def puma():
    arm = lk.load("puma560")
    q = arm.sample(np.random.default_rng(5))
    return arm, numpy_forward(arm, q[None])[0]


def test_a_removed_posture_is_reported_as_missing(puma):
    arm, T = puma
    all_of_them = arm.solve_all(T, limits=False).q
    kind, error = peers._explained(arm, all_of_them[0], all_of_them[1:], T, "EAIK")
    assert kind == "EAIK only" and error <= peers.EXACT
    assert peers._explained(arm, all_of_them[0] + 1e-7, all_of_them, T, "EAIK")[0] == "same"


def test_a_row_off_the_target_is_reported_as_wrong(puma):
    arm, T = puma
    far = T.copy()
    far[:3, 3] *= 10
    q = arm.solve_all(T, limits=False).q[0]
    assert peers._explained(arm, q, np.zeros((0, 6)), far, "limbik")[0] == "limbik wrong"


def test_a_straight_wrist_is_a_family():
    arm = lk.load("puma560")
    q = np.array([0.3, -0.5, 0.4, 0.2, 0.0, 0.1])
    T = numpy_forward(arm, q[None])[0]
    moved = q + 0.2 * np.array([0, 0, 0, 1, 0, -1.0])
    assert peers._explained(arm, moved, q[None], T, "limbik")[0] == "family"


def test_a_correction_converges_to_the_posture_nearby(puma):
    arm, T = puma
    for q in arm.solve_all(T, limits=False).q:
        fixed, error, movable = peers.corrected(arm, q + 1e-3, T)
        assert error <= peers.EXACT and not movable and apart(arm, fixed, q) < 1e-9
