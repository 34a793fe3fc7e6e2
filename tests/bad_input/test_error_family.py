"""The error family: each error is also the builtin error that a caller expects."""

import pickle

import pytest

from limbik import BadFile, BadModel, BadOption, LimbikError, NotFinite, NotRigid, ShapeError
from limbik.errors import (
    FileUnreadable,
    FileUnwritable,
    MissingExtra,
    NotNumeric,
    UnknownFrame,
    UnknownJoint,
    UnknownRobot,
    UnknownRow,
    WorkerLost,
)


@pytest.mark.parametrize(
    "kind, builtin",
    [
        (ShapeError, ValueError), (NotFinite, ValueError), (NotNumeric, TypeError), (NotRigid, ValueError),
        (BadOption, ValueError), (BadModel, ValueError), (BadFile, ValueError), (FileUnreadable, OSError),
        (UnknownFrame, LookupError), (UnknownJoint, LookupError), (UnknownRobot, LookupError),
        (UnknownRow, IndexError), (MissingExtra, ImportError),
        (FileUnwritable, OSError), (WorkerLost, RuntimeError),
    ],
)  # fmt: skip
def test_every_error_is_also_the_builtin_one_expects(kind, builtin):
    assert issubclass(kind, LimbikError) and issubclass(kind, builtin)
    assert str(pickle.loads(pickle.dumps(kind("a sentence")))) == "a sentence"
