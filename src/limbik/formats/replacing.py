"""Replace files atomically: write a temporary file, then rename it."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from limbik.errors import FileUnwritable


def check_writable(path: Path) -> None:
    """Check, before a long computation, that a file can be written; leaves nothing behind. Raises FileUnwritable."""
    if "\0" in str(path):
        raise FileUnwritable(f"cannot write {str(path)!r}: a file name cannot contain NUL")
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
    """Return the path of the temporary file."""
    return (target.parent if folder is None else folder) / f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp"


@contextmanager
def replacing(path: Path, *, lasting: bool = True, folder: Path | None = None) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces `path`, with its mode, at the end of the block; an exception removes it.

    lasting: flush it to the disk before renaming, so that a power failure leaves the old file or the new one. folder:
    of the temporary file, on the same disk; None: beside `path`. Raises FileUnwritable.
    """
    target, mode = path, None
    with suppress(OSError, ValueError):
        target = Path(os.path.realpath(path))  # a symbolic link stays; its target is replaced
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
            _flush_folder(target.parent)
    except OSError as error:
        _remove(temporary)
        raise FileUnwritable(f"cannot write '{path}': {error.strerror or error}") from None
    except BaseException:
        _remove(temporary)
        raise


def _flush_folder(folder: Path) -> None:
    """Flush the entries of a folder to the disk, if the system supports it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
