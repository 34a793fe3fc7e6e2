"""Xacro, URDF with macros: expanded by the xacro package (an extra), then read as URDF.

`$(find some_package)` needs no ROS: a package is a folder of that name (or one whose package.xml says so) beside the
file or above it.

Xacro is a language: a file may ask for `${10**10**10}` or call macros that double at every level, and nothing in this
process can bound the time and memory that takes. Expand files of strangers in a process that you can end.
"""

import contextlib
import io
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from limbik.errors import BadFile, one_line
from limbik.formats.source import need, read_bytes
from limbik.formats.urdf import read_urdf
from limbik.model.mechanism import Mechanism

# Folders above the file that are searched for packages.
HIGHEST = 6

# xacro keeps its state in module globals: one expansion at a time.
_ONE_AT_A_TIME = threading.Lock()


def read_xacro(path: Path, arguments: Mapping[str, str] | None = None) -> Mechanism:
    """Return the mechanism of a xacro file; `arguments` are its $(arg ...) values. Raises BadFile or MissingExtra."""
    return read_urdf(expand(path, arguments), f"'{path}' (expanded)")


def expand(path: Path, arguments: Mapping[str, str] | None = None) -> str:
    """Return the URDF text that a xacro file makes."""
    need("xacro", "xacro", "reading xacro")
    read_bytes(path)  # existence and size, in our words
    import xacro

    missing: list[BadFile] = []
    with _ONE_AT_A_TIME, _package_finder(path, missing), contextlib.redirect_stderr(io.StringIO()):
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
def _package_finder(path: Path, missing: list[BadFile]) -> Iterator[None]:
    """Let $(find name) look for folders near the file; collect what is not found, because xacro rewords errors."""
    from xacro import substitution_args

    original = substitution_args._eval_find

    def find(package: str) -> str:
        try:
            return str(find_package(package, path))
        except BadFile as error:
            missing.append(error)
            raise

    substitution_args._eval_find = find
    try:
        yield
    finally:
        substitution_args._eval_find = original


def find_package(name: str, near: Path) -> Path:
    """Return the folder of a ROS package, looked for beside and above a file. Raises BadFile.

    A folder whose name only lacks, or only adds, a last word (robot_support, robot_description) is taken when no other is.
    """
    here = near.resolve().parent
    renamed: list[Path] = []
    for folder in [here, *here.parents][:HIGHEST]:
        if folder.name == name or _declared_name(folder) == name:
            return folder
        if (folder / name).is_dir():
            return folder / name
        for child in sorted(folder.glob("*/package.xml")):
            if _declared_name(child.parent) == name:
                return child.parent
        near_folders = [folder, *sorted(p for p in folder.iterdir() if p.is_dir())]
        renamed += [
            p for p in near_folders if f"{name}_".startswith(f"{p.name}_") or f"{p.name}_".startswith(f"{name}_")
        ]
    if renamed:
        return max(renamed, key=lambda p: len(p.name))
    raise BadFile(f"'{near}' needs the package '{name}', which is not a folder beside or above it; put it there")


def _declared_name(folder: Path) -> str | None:
    manifest = folder / "package.xml"
    try:
        return ElementTree.parse(manifest).findtext("name") if manifest.is_file() else None
    except (ElementTree.ParseError, OSError):
        return None
