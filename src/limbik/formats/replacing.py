"""Files that are there whole or not at all: written under another name, then renamed."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from limbik.errors import FileUnwritable


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
    temporary = (
        target.parent if folder is None else folder
    ) / f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
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
