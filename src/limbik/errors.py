"""Everything limbik raises: one family, each member also the builtin that a caller would expect.

Not reaching a target is not an error: solvers return a status for that. These are for misuse and for broken input.
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
    """Something that is not numbers was passed where numbers are needed."""


class NotRigid(LimbikError, ValueError):
    """A matrix is not a rotation and a translation."""


class BadOption(LimbikError, ValueError):
    """An option has a value that it does not take."""


class BadModel(LimbikError, ValueError):
    """A mechanism contradicts itself: a zero axis, crossed limits, a loop, two roots."""


class BadFile(LimbikError, ValueError):
    """A file is not what its name says, or is too large or broken to read."""


class FileUnreadable(LimbikError, OSError):
    """A file cannot be opened."""


class FileUnwritable(LimbikError, OSError):
    """A file cannot be written; whatever stood there before still does."""


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
    """Processes or machines that share some work have gone; what they had finished is kept."""


class MissingExtra(LimbikError, ImportError):
    """An optional package is needed for this; the message gives the command that installs it."""


# Names shown before a list is cut short.
_MOST_NAMES = 12
# Characters of a value, and of another program's words, that a message quotes.
_MOST_SHOWN = 80
_MOST_QUOTED = 300

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MOST_SHOWN


def one_line(text: object, most: int = _MOST_QUOTED) -> str:
    """Return a text for a message: on one line, cut short where it is long."""
    line = " ".join(str(text).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def shown(value: object) -> str:
    """Return a value for a message: its repr on one line, cut short where it is long."""
    try:
        return one_line(_SHORT.repr(value), _MOST_SHOWN)
    except Exception:  # a repr of one's own may raise anything, and whole numbers with many digits do
        return f"something of type {type(value).__name__}"


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the tail of a message about an unknown name: what exists, and what was probably meant."""
    names = list(known)
    listed = ", ".join(names[:_MOST_NAMES]) + (
        f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    )
    lower = {n.lower(): n for n in names}
    close = difflib.get_close_matches(str(name).lower(), list(lower), n=1, cutoff=0.5)
    return f"it has {listed}" + (f"; did you mean '{lower[close[0]]}'?" if close else "")
