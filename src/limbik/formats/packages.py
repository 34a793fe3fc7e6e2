"""Find ROS packages without ROS: the folders of `package://NAME/` and `$(find NAME)`.

A package is a folder of exactly that name, or one whose package.xml has the name. It is searched in this order:
  1. the file's own package: a folder above the file that is the package;
  2. a source workspace around the file: folders beside it and above it;
  3. AMENT_PREFIX_PATH (ROS 2): share/NAME below each prefix;
  4. ROS_PACKAGE_PATH (ROS 1): each entry is a package, or holds packages in its folders.
The file's surroundings come first, so that a checkout is not mixed with another installed version.

Collections of models rename folders and omit package.xml. So if no package has the name, the file's own folder (or one
above it) is used if the two names differ by a last word only (robot, robot_support), with a note.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from limbik.errors import BadFile
from limbik.formats.source import read_text
from limbik.formats.xml import read_xml

# Folders above the file that are searched for packages.
HIGHEST = 6
# The deepest nesting below an entry of ROS_PACKAGE_PATH that is searched, and the most folders.
DEEPEST = 5
MOST_FOLDERS = 20_000


def find_package(name: str, near: Path, notes: list[str] | None = None) -> Path:
    """Return the folder of a package. near: the file that names it. Raises BadFile, which lists the searched places.

    notes: receives a note if a folder with a similar name is used; None: such a folder is not used.
    """
    if not _is_name(name):
        raise BadFile(
            f"'{near}' names the package {name[:80]!r}; a package's name has no slashes and is not '.' or '..'"
        )
    here = near.resolve().parent
    ancestors = [here, *here.parents][:HIGHEST]
    for folder in ancestors:
        if is_package(folder, name):
            return folder
    for folder in ancestors:
        if (found := _inside(folder, name)) is not None:
            return found
    for prefix in _entries("AMENT_PREFIX_PATH"):
        if is_package(share := prefix / "share" / name, name):
            return share
    for entry in _entries("ROS_PACKAGE_PATH"):
        if (found := _below(entry, name)) is not None:
            return found
    own = next((folder for folder in ancestors if _renamed(folder, name)), None)
    if notes is not None and own is not None:
        notes.append(f"the package '{name}' was not found: the folder '{own.name}' is used instead")
        return own
    alike = sorted({p.name for folder in ancestors for p in _folders(folder) if _is_alike(p.name, name)})
    raise BadFile(
        f"'{near}' needs the package '{name}', which was not found beside or above the file, in ROS_PACKAGE_PATH or in "
        "AMENT_PREFIX_PATH; put it beside the file under its exact name, or set one of these variables"
        + (f" (found with a similar name: {', '.join(alike[:4])})" if alike else "")
    )


def is_package(folder: Path, name: str) -> bool:
    """Return whether a folder is the package of that name, by its package.xml or its own name."""
    if not _safe(folder.is_dir):
        return False
    declared = _declared_name(folder)
    return folder.name == name if declared is None else declared == name or folder.name == name


def _renamed(folder: Path, name: str) -> bool:
    """Return whether a folder without package.xml has a name that differs by a last word only."""
    return _is_alike(folder.name, name) and _declared_name(folder) is None


def _is_alike(a: str, b: str) -> bool:
    shorter, longer = sorted((a, b), key=len)
    return bool(shorter) and longer.startswith(f"{shorter}_")


def _is_name(name: str) -> bool:
    return bool(name) and name not in (".", "..") and not any(c in name for c in "/\\\0:")


def _inside(folder: Path, name: str) -> Path | None:
    """Return the package among the subfolders of a folder, by folder name first, then by package.xml."""
    if is_package(folder / name, name):
        return folder / name
    return next((child for child in _folders(folder) if _declared_name(child) == name), None)


def _below(entry: Path, name: str) -> Path | None:
    """Return the package at or below an entry of ROS_PACKAGE_PATH: packages do not contain packages."""
    level = [entry]
    looked = 0
    for _ in range(DEEPEST):
        deeper: list[Path] = []
        for folder in level:
            looked += 1
            if looked > MOST_FOLDERS:
                return None
            if _declared_name(folder) == name or (folder.name == name and _safe(folder.is_dir)):
                return folder
            if not _safe((folder / "package.xml").is_file):
                deeper += [child for child in _folders(folder) if not _safe((child / "CATKIN_IGNORE").exists)]
        level = deeper
    return None


def _entries(variable: str) -> Iterator[Path]:
    for entry in os.environ.get(variable, "").split(os.pathsep):
        if entry and _safe(Path(entry).is_dir):
            yield Path(entry)


def _safe(test: Callable[[], bool]) -> bool:
    """Return the result of a file-system test; False if access is denied or the name is invalid."""
    try:
        return test()
    except (OSError, ValueError):
        return False


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    except OSError:  # access denied
        return []


def _declared_name(folder: Path) -> str | None:
    """Return the name that a folder's package.xml gives, or none."""
    manifest = folder / "package.xml"
    try:
        if not manifest.is_file():
            return None
        root: Element = read_xml(read_text(manifest), str(manifest))
    except (BadFile, OSError):
        return None
    return (root.findtext("name") or "").strip() or None
