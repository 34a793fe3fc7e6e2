"""The exceptions of limbik: one family, whose members are also the builtin exceptions that a caller would expect.

Not reaching a target is not an error: solvers return a status for it. Exceptions are for misuse and invalid input.
"""

import difflib
import reprlib
from collections.abc import Iterable


class LimbikError(Exception):
    """The base of all errors that limbik raises on purpose."""


class ShapeError(LimbikError, ValueError):
    """An array has the wrong shape."""


class NotFinite(LimbikError, ValueError):
    """An array holds NaN or infinity."""


class NotNumeric(LimbikError, TypeError):
    """An argument that must be numeric is not."""


class NotRigid(LimbikError, ValueError):
    """A matrix is not a rigid transform, or not a rotation."""


class BadOption(LimbikError, ValueError):
    """An argument or option has an invalid value."""


class BadModel(LimbikError, ValueError):
    """A mechanism contradicts itself: a zero axis, crossed limits, a loop, two roots."""


class BadFile(LimbikError, ValueError):
    """A file has invalid content, or is too large to read."""


class FileUnreadable(LimbikError, OSError):
    """A file cannot be opened."""


class FileUnwritable(LimbikError, OSError):
    """A file cannot be written; an existing one is unchanged."""


class UnknownFrame(LimbikError, LookupError):
    """No frame of that name."""


class UnknownJoint(LimbikError, LookupError):
    """No joint of that name."""


class UnknownRow(LimbikError, IndexError):
    """A batch has no such row."""


class UnknownRobot(LimbikError, LookupError):
    """Neither a robot of the catalogue nor a file."""


class UnknownPaper(LimbikError, LookupError):
    """No paper of that name can be reproduced."""


class WorkerLost(LimbikError, RuntimeError):
    """Worker processes or machines have stopped; their finished work is kept."""


class MissingExtra(LimbikError, ImportError):
    """A function needs an optional package; the message gives the command that installs it."""


# The largest number of names that a message lists.
_MOST_NAMES = 12
# The largest number of characters that a message quotes from a value, and from another program's message.
_MOST_SHOWN = 80
_MOST_QUOTED = 300

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MOST_SHOWN


def one_line(text: object, most: int = _MOST_QUOTED) -> str:
    """Return a text for a message: on one line, truncated to `most` characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def shown(value: object) -> str:
    """Return a value for a message: its repr on one line, truncated if it is long."""
    try:
        return one_line(_SHORT.repr(value), _MOST_SHOWN)
    except Exception:  # the repr of a user's class may raise anything, and that of a very long integer does
        return f"something of type {type(value).__name__}"


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the known names, and the most similar one."""
    names = list(known)
    listed = ", ".join(names[:_MOST_NAMES]) + (
        f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    )
    lower = {n.lower(): n for n in names}
    close = difflib.get_close_matches(str(name).lower(), list(lower), n=1, cutoff=0.5)
    return f"it has {listed}" + (f"; did you mean '{lower[close[0]]}'?" if close else "")
