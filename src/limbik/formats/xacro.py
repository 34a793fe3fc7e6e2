"""Read xacro, URDF with macros: the xacro package (an extra) expands it, then it is read as URDF.

`$(find some_package)` works without ROS: `formats/packages.py` describes the search for packages.

Xacro is a programming language: a file may compute `${10**10**10}`, or call macros that double at every level. Nothing
in this process can bound the time and memory of that. Expand untrusted files in a process that you can end.
"""

import contextlib
import io
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from limbik.errors import BadFile, one_line
from limbik.formats.packages import find_package
from limbik.formats.source import need, read_bytes
from limbik.formats.urdf import LOCKED, read_urdf
from limbik.model.mechanism import Mechanism

# xacro keeps its state in module globals: one expansion at a time.
_ONE_AT_A_TIME = threading.Lock()


def read_xacro(path: Path, arguments: Mapping[str, str] | None = None, zero_limits: str = LOCKED) -> Mechanism:
    """Return the mechanism of a xacro file; `arguments` are its $(arg ...) values. Raises BadFile or MissingExtra."""
    notes: list[str] = []
    mechanism = read_urdf(expand(path, arguments, notes), f"'{path}' (expanded)", zero_limits)
    return replace(mechanism, notes=(*dict.fromkeys(notes), *mechanism.notes))


def expand(path: Path, arguments: Mapping[str, str] | None = None, notes: list[str] | None = None) -> str:
    """Return the URDF text that a xacro file makes. notes: receives notes on packages."""
    need("xacro", "xacro", "reading xacro")
    read_bytes(path)  # checks existence and size
    import xacro

    missing: list[BadFile] = []
    with _ONE_AT_A_TIME, _package_finder(path, missing, notes), contextlib.redirect_stderr(io.StringIO()):
        try:
            mappings = {str(name): str(value) for name, value in (arguments or {}).items()}
            document = xacro.process_file(str(path), mappings=mappings)
            return str(document.toxml())
        except RecursionError:
            raise BadFile(f"'{path}' does not expand: its macros or includes call one another without end") from None
        except Exception as error:  # a macro can raise any exception
            if missing:
                raise missing[0] from None
            raise BadFile(f"'{path}' does not expand: {type(error).__name__}: {one_line(error)}") from None


@contextlib.contextmanager
def _package_finder(path: Path, missing: list[BadFile], notes: list[str] | None) -> Iterator[None]:
    """Let $(find name) look for packages without ROS; collect what is not found, because xacro rewords errors."""
    from xacro import substitution_args

    original = substitution_args._eval_find

    def find(package: str) -> str:
        try:
            return str(find_package(package, path, notes))
        except BadFile as error:
            missing.append(error)
            raise

    substitution_args._eval_find = find
    try:
        yield
    finally:
        substitution_args._eval_find = original
