"""Atomic replacement of files: written under another name, then renamed."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from limbik.errors import FileUnwritable


def check_writable(path: Path) -> None:
    """Try whether a file can be written at a path, before work is spent on it; nothing is left behind. Raises FileUnwritable."""
    if "\0" in str(path):
        raise FileUnwritable(f"cannot write {str(path)!r}: a name has no NUL in it")
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise FileUnwritable(f"cannot write '{path}': it is a directory")
        if not target.parent.is_dir():
            raise FileUnwritable(f"cannot write '{path}': there is no folder '{path.parent}'")
        trial = _beside(target)
        try:
            trial.open("xb").close()
        finally:
            _remove(trial)
    except OSError as error:
        if isinstance(error, FileUnwritable):
            raise
        raise FileUnwritable(f"cannot write '{path}': {error.strerror or error}") from None


def _beside(target: Path, folder: Path | None = None) -> Path:
    """Return the name under which a file is written before it takes its own."""
    return (target.parent if folder is None else folder) / f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp"


@contextmanager
def replacing(path: Path, *, lasting: bool = True, folder: Path | None = None) -> Iterator[BinaryIO]:
    """Open a new file that takes the place of `path`, with its mode, when the block ends well, and is removed when it does not.

    lasting: have it on the disk before it takes its name, so that a loss of power leaves the old file or the new. folder: where
    it stands until then, on the same disk; beside `path` by default. Raises FileUnwritable.
    """
    target, mode = path, None
    with suppress(OSError, ValueError):
        target = Path(os.path.realpath(path))  # a link stays a link: what it leads to is replaced
        mode = stat.S_IMODE(target.stat().st_mode)
    temporary = _beside(target, folder)
    try:
        with temporary.open("xb") as file:
            yield file
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        if mode is not None:
            with suppress(OSError):
                temporary.chmod(mode)
        temporary.replace(target)
        if lasting:
            _keep_name(target.parent)
    except OSError as error:
        _remove(temporary)
        raise FileUnwritable(f"cannot write '{path}': {error.strerror or error}") from None
    except BaseException:
        _remove(temporary)
        raise


def _keep_name(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system has a way to ask for it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
