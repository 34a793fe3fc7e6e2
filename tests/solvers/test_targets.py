"""Valid targets: every representation of one rigid pose or many; all else is refused with a sentence."""

import importlib.metadata
import math

import numpy as np
import pytest
from scipy.spatial import transform

import limbik as lk

ARM = lk.load("panda")
POSTURES = ARM.sample(np.random.default_rng(12), 16)
POSES = ARM.forward(POSTURES)


class Homogeneous:
    """A pose in the form of Pinocchio."""

    def __init__(self, T):
        self.homogeneous = T


class AsMatrix:
    """A pose, or many, in the form of SciPy."""

    def __init__(self, T):
        self.T = T

    def as_matrix(self):
        return self.T


def printed(T):
    return [[float(f"{x:.6f}") for x in row] for row in T]


# Representations of one pose, and the rounding error of each.
REPRESENTATIONS = {
    "float32": (lambda T: T.astype(np.float32), 1e-6),
    "float16 apart from the rotation": (
        lambda T: np.r_[np.c_[T[:3, :3], T[:3, 3].astype(np.float16)], [[0, 0, 0, 1]]],
        1e-3,
    ),
    "printed with 6 decimals": (printed, 1e-5),
    "nested lists": (lambda T: T.tolist(), 0),
    "nested tuples": (lambda T: tuple(map(tuple, T.tolist())), 0),
    "numbers as objects": (lambda T: T.astype(object), 0),
    "columns first": (np.asfortranarray, 0),
    "strided": (lambda T: np.repeat(np.repeat(T, 2, 0), 3, 1)[::2, ::3], 0),
    "backwards in memory": (lambda T: T[::-1].copy()[::-1], 0),
    "the other byte order": (lambda T: T.astype(">f8"), 0),
    "read-only": (lambda T: np.frombuffer(T.tobytes()).reshape(4, 4), 0),
    "a subclass of ndarray": (lambda T: T.view(np.matrix), 0),
    "with .homogeneous": (Homogeneous, 0),
    "with .as_matrix()": (AsMatrix, 0),
    "with .as_matrix() that gives lists": (lambda T: AsMatrix(T.tolist()), 0),
}


def check(answers, expected, rounding):
    for answer, T in zip(answers, expected, strict=True):
        R = answer.target[:3, :3]
        assert np.abs(R.T @ R - np.eye(3)).max() < 1e-14, "the errors refer to a rotation"
        assert np.abs(answer.target - T).max() <= max(rounding, 1e-15)
        reached = ARM.forward(answer.q)
        assert answer.ok and np.abs(reached - answer.target).max() < 2e-8


@pytest.mark.parametrize("form", REPRESENTATIONS)
def test_every_representation_of_a_target_is_solved(form):
    write, rounding = REPRESENTATIONS[form]
    written = [write(np.array(T)) for T in POSES]
    singles = [ARM.solve(T, q) for T, q in zip(written, POSTURES, strict=True)]
    check(singles, POSES, rounding)
    # A list of them is a batch, whose rows are these answers, bit for bit.
    assert list(ARM.solve_batch(written, POSTURES)) == singles
    if rounding == 0:
        assert singles == [ARM.solve(T, q) for T, q in zip(POSES, POSTURES, strict=True)]


@pytest.mark.parametrize("kind", [np.float32, ">f8", object])
def test_batches_of_other_numbers_are_their_rows(kind):
    Ts = POSES.astype(kind)
    assert list(ARM.solve_batch(Ts, POSTURES)) == [ARM.solve(T, q) for T, q in zip(Ts, POSTURES, strict=True)]
    assert list(ARM.solve_batch(Ts.tolist(), POSTURES)) == list(ARM.solve_batch(Ts, POSTURES))


def test_poses_of_pinocchio():
    pin = pytest.importorskip("pinocchio")
    written = [pin.SE3(np.array(T)) for T in POSES]
    check([ARM.solve(T, q) for T, q in zip(written, POSTURES, strict=True)], POSES, 1e-15)
    assert ARM.solve_batch(written).ok.all()


def test_transforms_of_scipy():
    if not hasattr(transform, "RigidTransform"):
        pytest.skip(f"SciPy {importlib.metadata.version('scipy')} has no RigidTransform (1.16 brought it)")
    many = transform.RigidTransform.from_matrix(np.array(POSES))
    check([ARM.solve(one, q) for one, q in zip(many, POSTURES, strict=True)], POSES, 1e-12)
    assert ARM.solve_batch(many) == ARM.solve_batch(list(many)) and ARM.solve_batch(many).ok.all()
    with pytest.raises(lk.ShapeError, match="use solve_batch"):
        ARM.solve(many)


def test_a_target_is_neither_changed_nor_kept():
    T = POSES[0].astype(np.float32)
    before = T.copy()
    answer = ARM.solve(T)
    assert np.array_equal(T, before)
    target = answer.target
    T[:] = 0
    assert np.array_equal(answer.target, target)
    Ts = np.array(POSES)
    batch = ARM.solve_batch(Ts)
    Ts[:] = 0
    assert np.allclose(batch.target, POSES)


def with_entry(row, column, value):
    T = np.array(POSES[0])
    T[row, column] = value
    return T


def scaled(*by):
    T = np.array(POSES[0])
    T[:3, :3] = T[:3, :3] * np.array(by)
    return T


# Invalid targets: the class of the error, and a word of its message.
REFUSED = {
    "NaN in the position": (with_entry(0, 3, math.nan), lk.NotFinite, "NaN"),
    "NaN in the rotation": (with_entry(1, 1, math.nan), lk.NotFinite, "NaN"),
    "infinity": (with_entry(2, 3, -math.inf), lk.NotFinite, "infinity"),
    "too far to compute with": (with_entry(2, 3, 1e200), lk.NotFinite, "too far"),
    "mirrored": (scaled(1, 1, -1), lk.NotRigid, "mirrored"),
    "turned inside out": (scaled(-1, -1, -1), lk.NotRigid, "mirrored"),
    "scaled": (scaled(2, 2, 2), lk.NotRigid, "scaled"),
    "scaled by a millimetre's factor": (scaled(1e-3, 1e-3, 1e-3), lk.NotRigid, "scaled"),
    "sheared": (with_entry(0, 1, 0.9), lk.NotRigid, "not a rotation"),
    "just not rigid": (scaled(1.001, 1, 1), lk.NotRigid, "not a rotation"),
    "no rotation at all": (np.diag([0.0, 0, 0, 1]), lk.NotRigid, "not a rotation"),
    "transposed": (POSES[0].T, lk.NotRigid, "(0, 0, 0, 1)"),
    "a last row of its own": (with_entry(3, 3, 2.0), lk.NotRigid, "(0, 0, 0, 1)"),
}
MISSHAPEN = {
    "3x4": (POSES[0][:3], lk.ShapeError, "4x4"),
    "3x3": (POSES[0][:3, :3], lk.ShapeError, "4x4"),
    "a position": (POSES[0][:3, 3], lk.ShapeError, "4x4"),
    "sixteen in a row": (POSES[0].ravel(), lk.ShapeError, "4x4"),
    "a rotation of SciPy's": (transform.Rotation.identity(), lk.ShapeError, "4x4"),
    "many": (POSES, lk.ShapeError, "solve_batch"),
    "a list of many": (list(POSES), lk.ShapeError, "solve_batch"),
    "a list of many objects": ([Homogeneous(T) for T in POSES], lk.ShapeError, "solve_batch"),
    "text": ("here", lk.errors.NotNumeric, "4x4"),
    "nothing": (None, lk.errors.NotNumeric, "4x4"),
    "ragged lists": ([[1, 0, 0, 0], [0, 1]], lk.errors.NotNumeric, "4x4"),
    "complex numbers": (POSES[0] + 0j, lk.errors.NotNumeric, "4x4"),
}


@pytest.mark.parametrize("what", [*REFUSED, *MISSHAPEN])
def test_invalid_targets_are_refused_with_a_sentence(what):
    T, kind, word = {**REFUSED, **MISSHAPEN}[what]
    forms = [T, T.tolist(), T.astype(np.float32)] if what in REFUSED and what != "too far to compute with" else [T]
    for given in forms:
        with pytest.raises(kind) as caught:
            ARM.solve(given)
        assert word in str(caught.value) and "target" in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("what", REFUSED)
def test_an_invalid_row_is_named_or_marked(what):
    T, kind, word = REFUSED[what]
    rows = np.stack([POSES[1], POSES[2], T, POSES[3]])
    for form in (rows, rows.tolist(), [Homogeneous(row) for row in rows]):
        with pytest.raises(kind) as caught:
            ARM.solve_batch(form)
        assert word in str(caught.value) and "target 2" in str(caught.value)
        batch = ARM.solve_batch(form, invalid="mark")
        assert batch.status.tolist() == [0, 0, lk.Status.INVALID, 0]
        assert batch[[0, 1, 3]] == ARM.solve_batch(rows[[0, 1, 3]])


@pytest.mark.parametrize(
    "Ts", [POSES[0], POSES[:, :3], POSES[None], np.eye(4)[0], 3.0, "here", None, [POSES[0], np.eye(3)]]
)
def test_batches_of_another_shape_are_refused(Ts):
    with pytest.raises((lk.ShapeError, lk.errors.NotNumeric), match="target"):
        ARM.solve_batch(Ts)
