"""Write and read the file of a table or network. A damaged or foreign file raises BadFile."""

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadOption, one_line
from limbik.formats.content.archive import Kind, read_archive, write_archive
from limbik.formats.content.content import Content
from limbik.formats.content.layout import Malformed, strict_json

TABLE = Kind("limbik table", 1, "a table of limbik", "build it again: limbik table build")


def write(content: Content, path: str | PathLike[str], *, folder: Path | None = None, kind: Kind = TABLE) -> None:
    """Write a table, or another kind of content; equal content gives equal bytes. Raises FileUnwritable, BadOption.

    The file is replaced atomically. folder: where the temporary file is written.
    """
    texts = {
        "design": content.design,
        "robot": content.robot,
        "fingerprint": content.fingerprint,
        "settings": canonical_json(content.settings, "settings"),
        "statistics": canonical_json(content.statistics, "statistics"),
    }
    write_archive(Path(path), kind, texts, content.arrays, folder=folder)


def read(path: str | PathLike[str], *, fingerprint: str | None = None, kind: Kind = TABLE) -> Content:
    """Return the table, or another kind of content, in a file; its arrays are read-only.

    Arrays are copied: truncating or overwriting a memory-mapped file would end the processes that read it.

    fingerprint: of the chain that will use it. Raises FileUnreadable, and BadFile for a file that is damaged, foreign,
    of another version or made for another robot.
    """
    file = Path(path)
    texts, arrays = read_archive(file, kind)
    try:
        content = Content(
            _text(texts, "design"),
            _text(texts, "robot"),
            _text(texts, "fingerprint"),
            _object(texts, "settings"),
            _object(texts, "statistics"),
            arrays,
        )
    except Malformed as error:
        raise BadFile(f"'{path}' is not {kind.called}: {error}; {kind.remedy}") from None
    if fingerprint is not None and content.fingerprint != fingerprint:
        raise BadFile(
            f"'{path}' was made for another robot, {one_line(content.robot)!r} with fingerprint {content.fingerprint[:12]}; "
            f"this robot has {fingerprint[:12]}: load that robot, or {kind.remedy}"
        )
    return content


def canonical_json(values: Mapping[str, Any], what: str) -> str:
    """Return values as JSON; equal values give equal text. Raises BadOption for values that JSON cannot represent."""
    try:
        return json.dumps(values, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_numbers)
    except (TypeError, ValueError) as error:
        raise BadOption(f"{what} of a table must be JSON values: {one_line(error)}") from None


def _numbers(value: object) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _text(texts: Mapping[str, str], name: str) -> str:
    if name not in texts:
        raise Malformed(f"its header lacks '{name}'")
    return texts[name]


def _object(texts: Mapping[str, str], name: str) -> dict[str, Any]:
    found = strict_json(_text(texts, name))
    if not isinstance(found, dict):
        raise Malformed(f"'{name}' in its header is not a JSON object")
    return found
