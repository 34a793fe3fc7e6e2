"""Check the files that an MJCF file names and the sizes it requests: MuJoCo blocks on pipes and allocates any size."""

import math
import stat
from pathlib import Path
from xml.etree.ElementTree import Element

from limbik.errors import BadFile

# The largest mesh, texture or height field that is opened [bytes].
LARGEST_ASSET = 2**30
# The most numbers that one element may allocate: a height field of 4096 x 4096 has 17 million.
MOST_NUMBERS = 2**25
# The most records of data that grow with the model: keyframes, user data.
MOST_RECORDS = 100_000
# Sizes of buffers of the simulation, which reading does not allocate.
SIMULATION_SIZES = ("nstack", "njmax", "nconmax")
# Attributes of <compiler> that name folders of files.
_FOLDERS = ("meshdir", "texturedir", "assetdir")
# The most files that a model may name, and the most folders that are searched for them.
MOST_NAMED, MOST_FOLDERS = 10_000, 100
# The numbers that an element allocates are the product of these attributes.
_ALLOCATED = {"hfield": ("nrow", "ncol"), "texture": ("width", "height"), "numeric": ("size",)}


class Assets:
    """The files that a model names, and the folders in which they are searched."""

    def __init__(self) -> None:
        self._named: set[tuple[str, Path, Path]] = set()
        self._folders: set[str] = {""}

    def add(self, element: Element, here: Path, model: Path) -> None:
        """Add the files that an element names. here: the file of the element. Raises BadFile for excessive sizes."""
        self._folders |= {folder for key in _FOLDERS if (folder := element.get(key))}
        self._named |= {(name, here, model) for key, name in element.attrib.items() if key.startswith("file") and name}
        if len(self._named) > MOST_NAMED or len(self._folders) > MOST_FOLDERS:
            raise BadFile(f"'{model}' names more than {MOST_NAMED} files, or more than {MOST_FOLDERS} folders for them")
        if keys := _ALLOCATED.get(element.tag):
            _bound(element, here, math.prod(_number(element.get(key)) for key in keys), keys, MOST_NUMBERS)
        if element.tag == "size":
            for key in element.attrib:
                if key.startswith("n"):
                    most = MOST_NUMBERS if key in SIMULATION_SIZES else MOST_RECORDS
                    _bound(element, here, _number(element.get(key)), (key,), most)

    def check(self) -> None:
        """Raise BadFile if a file to be opened is not a regular file, or is too large. Missing files are ignored."""
        for name, here, model in self._named:
            for root in {here.parent, model.parent}:
                for folder in self._folders:
                    for file in {name, Path(name).name}:  # MuJoCo has an option that strips paths
                        _check(root / folder / file, here)


def _number(text: str | None) -> float:
    """Return a size; 1 for an invalid one, which MuJoCo reports."""
    try:
        return max(1.0, float(text or "1"))
    except ValueError:
        return 1.0


def _bound(element: Element, here: Path, count: float, keys: tuple[str, ...], most: int) -> None:
    if count > most:
        given = ", ".join(f"{key}={element.get(key)}" for key in keys)
        raise BadFile(f"'{here}': <{element.tag}> asks for {count:.3g} numbers ({given}); limbik allows at most {most}")


def _check(path: Path, here: Path) -> None:
    try:
        state = path.stat()
    except (OSError, ValueError):
        return
    if not (stat.S_ISREG(state.st_mode) or stat.S_ISDIR(state.st_mode)):
        raise BadFile(f"'{here}' names '{path}', which is not a regular file")
    if stat.S_ISREG(state.st_mode) and state.st_size > LARGEST_ASSET:
        raise BadFile(
            f"'{here}' names '{path}', which has {state.st_size / 2**20:.0f} MB; limbik allows at most {LARGEST_ASSET >> 20} MB"
        )
