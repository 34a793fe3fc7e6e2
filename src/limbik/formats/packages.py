"""ROS packages without ROS: the folder that `package://NAME/` and `$(find NAME)` mean.

A package is a folder of that exact name, or one whose package.xml says so. It is looked for in this order:
  1. the file's own package: a folder above the file that is the package;
  2. a source workspace around the file: folders beside it and above it;
  3. AMENT_PREFIX_PATH (ROS 2): share/NAME below each prefix;
  4. ROS_PACKAGE_PATH (ROS 1): each entry is a package, or holds packages in its folders.
The file's surroundings come first: a checkout is not read together with another version that is installed.

Collections of models rename folders and drop package.xml: where nothing has the name, the file's own folder stands for a package
whose name only lacks, or only adds, a last word (robot, robot_support), and a note says so. Other folders never do.
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
# Folders inside one another that are searched below an entry of ROS_PACKAGE_PATH, and folders in all.
DEEPEST = 5
MOST_FOLDERS = 20_000


def find_package(name: str, near: Path, notes: list[str] | None = None) -> Path:
    """Return the folder of a package that a file names. Raises BadFile, which says where it was looked for.

    notes: takes a sentence where the file's own folder, under another name, was taken; None refuses that.
    """
    if not _is_name(name):
        raise BadFile(
            f"'{near}' names the package {name[:80]!r}; a package's name has no slashes and is not '.' or '..'"
        )
    here = near.resolve().parent
    above = [here, *here.parents][:HIGHEST]
    for folder in above:
        if is_package(folder, name):
            return folder
    for folder in above:
        if (found := _inside(folder, name)) is not None:
            return found
    for prefix in _entries("AMENT_PREFIX_PATH"):
        if is_package(share := prefix / "share" / name, name):
            return share
    for entry in _entries("ROS_PACKAGE_PATH"):
        if (found := _below(entry, name)) is not None:
            return found
    own = next((folder for folder in above if _renamed(folder, name)), None)
    if notes is not None and own is not None:
        notes.append(f"the package '{name}' was not found: the file's own folder '{own.name}' was taken for it")
        return own
    alike = sorted({p.name for folder in above for p in _folders(folder) if _is_alike(p.name, name)})
    raise BadFile(
        f"'{near}' needs the package '{name}', which is no folder beside or above it, and neither in ROS_PACKAGE_PATH nor in "
        "AMENT_PREFIX_PATH; put it there under its exact name, or set one of these"
        + (f" (of another name: {', '.join(alike[:4])})" if alike else "")
    )


def is_package(folder: Path, name: str) -> bool:
    """Tell whether a folder is the package of that name: by its package.xml, else by its own name."""
    if not _stands(folder.is_dir):
        return False
    declared = _declared_name(folder)
    return folder.name == name if declared is None else declared == name or folder.name == name


def _renamed(folder: Path, name: str) -> bool:
    """Tell whether a folder that declares no package has the name but for a last word."""
    return _is_alike(folder.name, name) and _declared_name(folder) is None


def _is_alike(a: str, b: str) -> bool:
    shorter, longer = sorted((a, b), key=len)
    return bool(shorter) and longer.startswith(f"{shorter}_")


def _is_name(name: str) -> bool:
    return bool(name) and name not in (".", "..") and not any(c in name for c in "/\\\0:")


def _inside(folder: Path, name: str) -> Path | None:
    """Return the package among the folders of a folder: by its own name, else by its package.xml."""
    if is_package(folder / name, name):
        return folder / name
    return next((child for child in _folders(folder) if _declared_name(child) == name), None)


def _below(entry: Path, name: str) -> Path | None:
    """Return the package at or below an entry of ROS_PACKAGE_PATH: packages do not stand inside packages."""
    level = [entry]
    looked = 0
    for _ in range(DEEPEST):
        deeper: list[Path] = []
        for folder in level:
            looked += 1
            if looked > MOST_FOLDERS:
                return None
            if _declared_name(folder) == name or (folder.name == name and _stands(folder.is_dir)):
                return folder
            if not _stands((folder / "package.xml").is_file):
                deeper += [child for child in _folders(folder) if not _stands((child / "CATKIN_IGNORE").exists)]
        level = deeper
    return None


def _entries(variable: str) -> Iterator[Path]:
    for entry in os.environ.get(variable, "").split(os.pathsep):
        if entry and _stands(Path(entry).is_dir):
            yield Path(entry)


def _stands(look: Callable[[], bool]) -> bool:
    """Tell what a look at the disk says; no where a folder may not be looked into, or no file can have the name."""
    try:
        return look()
    except (OSError, ValueError):
        return False


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    except OSError:  # a folder that may not be looked into
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
