"""Read files: opened once, bounded in size, with errors that name the path."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from limbik.errors import BadFile, BadOption, FileUnreadable, MissingExtra, shown

# The largest robot description that is read [bytes]. Real ones have up to 2 MB; meshes are separate files.
LARGEST_FILE = 16 * 2**20
# The largest file of motion that is read [bytes]: some hours of a character.
LARGEST_MOTION = 2**30


def as_path(given: Any, what: str) -> Path:
    """Return a path from text or a path-like object. what: the start of the message, as "load takes". Raises BadOption."""
    try:
        text = os.fspath(given)
    except Exception:  # an object's own conversion may raise anything
        text = None
    if not isinstance(text, str):
        raise BadOption(f"{what} a path, not {shown(given)}")
    return Path(text)


def exists(path: Path) -> bool:
    """Return whether a path exists; False for a name that no file can have."""
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, circular links, or a NUL byte
        return False


@contextmanager
def read_errors(path: Path) -> Iterator[None]:
    """Raise FileUnreadable, with the path, for errors of the operating system."""
    try:
        yield
    except OSError as error:
        raise FileUnreadable(f"cannot read '{path}': {error.strerror or error}") from None
    except ValueError as error:  # a NUL byte in the name
        if isinstance(error, BadFile):
            raise
        raise FileUnreadable(f"cannot read {str(path)!r}: {error}") from None


def read_bytes(path: Path, largest: int = LARGEST_FILE) -> bytes:
    """Return a file's content, at most `largest` bytes. Raises FileUnreadable or BadFile."""
    with read_errors(path):
        if path.is_dir():
            raise BadFile(f"'{path}' is a directory; give the file inside it that describes the robot")
        size = path.stat().st_size
        if size > largest:
            what = "robot descriptions (meshes are separate files)" if largest == LARGEST_FILE else "such files"
            raise BadFile(
                f"'{path}' has {size / 2**20:.0f} MB; limbik reads {what} of at most {largest // 2**20} MB: is it the right file?"
            )
        if not path.is_file():
            raise BadFile(f"'{path}' is not a regular file")
        with path.open("rb") as file:
            return file.read(largest + 1)


def read_text(path: Path) -> str:
    """Return a file's text (UTF-8). Raises FileUnreadable or BadFile."""
    data = read_bytes(path)
    if not data.strip():
        raise BadFile(f"'{path}' is empty")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"'{path}' is not text: byte {error.start} is not UTF-8") from None


def need(module: str, extra: str, what: str) -> None:
    """Raise MissingExtra, with the command that installs it, if an optional package is not installed."""
    if find_spec(module) is None:
        raise MissingExtra(f"{what} needs the package '{module}': pip install 'limbik[{extra}]'")
