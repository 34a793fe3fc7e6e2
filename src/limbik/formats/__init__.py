"""Readers and writers of files: one reader for each format, which returns a `Mechanism` or a `Recording`.

>>> import limbik as lk
>>> lk.formats.CONVENTIONS["unreal"].up
'z'
"""

from typing import TYPE_CHECKING

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik.formats.marker_files import load_markers, save_markers
    from limbik.model.convention import CONVENTIONS, Convention

__all__ = [
    "CONVENTIONS",
    "Convention",
    "load_markers",
    "save_markers",
]

HOMES = {
    "CONVENTIONS": "model.convention",
    "Convention": "model.convention",
    "load_markers": "formats.marker_files",
    "save_markers": "formats.marker_files",
}

__getattr__, __dir__ = lazy(__name__, HOMES)
