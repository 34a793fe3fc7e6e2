"""The finished parts of a build, kept in a folder beside its file: an interrupted build resumes from them.

Each part stores a digest of its build and a checksum. A damaged part, or one of another build, counts as missing.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from limbik._core import LEVEL
from limbik.errors import BadFile, BadOption, FileUnreadable, FileUnwritable
from limbik.formats.content.archive import Kind, read_archive, write_archive
from limbik.formats.content.file import canonical_json
from limbik.formats.content.layout import Arrays

try:
    import fcntl
except ImportError:  # a system without these locks: the user must avoid two builds of one file at once
    fcntl = None  # type: ignore[assignment]

PART = Kind("limbik part", 1, "a part of a build", "build it again")
_LOCK = "lock"
_PATTERNS = ("*.part", ".*.tmp")


@dataclass(frozen=True)
class Parts:
    """The parts of one build, by name. identity: a digest of everything that determines them."""

    folder: Path
    identity: str

    def keep(self, name: str, arrays: Arrays) -> None:
        """Store a part, without syncing it to disk: a damaged part is made again. Raises FileUnwritable."""
        texts = {"identity": self.identity, "name": name}
        write_archive(self._file(name), PART, texts, arrays, lasting=False)

    def find(self, name: str, *, mapped: bool = False) -> Arrays | None:
        """Return a part; None if it is missing, damaged or of another build.

        mapped: map the file instead of copying it, for large parts; every mapped part keeps a file open.
        """
        try:
            texts, arrays = read_archive(self._file(name), PART, mapped=mapped)
        except (BadFile, FileUnreadable):
            return None
        return arrays if texts.get("identity") == self.identity and texts.get("name") == name else None

    def get(self, name: str, *, mapped: bool = False) -> Arrays:
        """Return an existing part. Raises BadFile."""
        found = self.find(name, mapped=mapped)
        if found is None:
            raise BadFile(f"'{self._file(name)}' was lost or damaged during the build; run the build again, it resumes")
        return found

    def drop(self, name: str) -> None:
        """Remove a part if it exists."""
        with suppress(OSError):
            self._file(name).unlink()

    def sweep(self, pattern: str) -> None:
        """Remove the files of the folder whose names match a pattern."""
        for file in self.folder.glob(pattern):
            with suppress(OSError):
                file.unlink()

    def remove(self) -> None:
        """Remove all parts, and the folder if nothing else is in it."""
        for pattern in (*_PATTERNS, _LOCK):
            self.sweep(pattern)
        with suppress(OSError):
            self.folder.rmdir()

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.part"


def folder_of(path: Path) -> Path:
    """Return where the parts of a file are kept."""
    return path.with_name(f"{path.name}.parts")


def digest(identity: Mapping[str, Any]) -> str:
    """Return a digest of what determines the parts: the plan, and the code version and instruction set."""
    code = {"limbik": version("limbik"), "numpy": np.__version__, "level": LEVEL, "schema": PART.schema}
    return hashlib.sha256(canonical_json({"plan": identity, "code": code}, "identity").encode()).hexdigest()


def check_place(path: Path) -> None:
    """Raise FileUnwritable for a path at which no file can be written."""
    if "\0" in str(path):
        raise FileUnwritable(f"cannot write {str(path)!r}: a file name cannot contain NUL")
    if path.is_dir() or not path.parent.is_dir():
        reason = f"there is no folder '{path.parent}'" if not path.is_dir() else "it is a directory"
        raise FileUnwritable(f"cannot write '{path}': {reason}")


@contextmanager
def claimed(path: Path, identity: Mapping[str, Any], *, fresh: bool = False) -> Iterator[Parts]:
    """Lock the parts of a file for this process. fresh: discard existing parts. Raises FileUnwritable, BadOption."""
    check_place(path)
    parts = Parts(folder_of(path), digest(identity))
    try:
        parts.folder.mkdir(exist_ok=True)
        lock = os.open(parts.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise FileUnwritable(f"cannot write '{parts.folder}': {error.strerror or error}") from None
    try:
        _acquire(lock, path)
        with _tidied(parts):
            for pattern in _PATTERNS if fresh else _PATTERNS[1:]:
                parts.sweep(pattern)
            yield parts
    finally:
        os.close(lock)


@contextmanager
def _tidied(parts: Parts) -> Iterator[None]:
    """Remove half-written parts at the end, and the folder if it is empty."""
    try:
        yield
    finally:
        parts.sweep(_PATTERNS[1])
        if not any(parts.folder.glob(_PATTERNS[0])):
            parts.remove()


def _acquire(lock: int, path: Path) -> None:
    """Lock an open lock file. Raises BadOption if another process holds the lock."""
    if fcntl is None:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadOption(f"'{path}' is being built by another process; wait for it, or give another name") from None
    except OSError:
        pass  # a disk without locks
