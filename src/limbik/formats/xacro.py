"""Xacro, URDF with macros: expanded by the xacro package (an extra), then read as URDF.

`$(find some_package)` needs no ROS: `formats/packages.py` says where a package is looked for.

Xacro is a language: a file may ask for `${10**10**10}` or call macros that double at every level, and nothing in this
process can bound the time and memory that takes. Expand files of strangers in a process that you can end.
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
    """Return the URDF text that a xacro file makes. notes: takes what was settled about packages."""
    need("xacro", "xacro", "reading xacro")
    read_bytes(path)  # existence and size, in our words
    import xacro

    missing: list[BadFile] = []
    with _ONE_AT_A_TIME, _package_finder(path, missing, notes), contextlib.redirect_stderr(io.StringIO()):
        try:
            mappings = {str(name): str(value) for name, value in (arguments or {}).items()}
            document = xacro.process_file(str(path), mappings=mappings)
            return str(document.toxml())
        except RecursionError:
            raise BadFile(f"'{path}' does not expand: its macros or includes call one another without end") from None
        except Exception as error:  # whatever a macro language can raise
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
