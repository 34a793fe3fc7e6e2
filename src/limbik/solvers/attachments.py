"""Attachments of a model: tables and networks. Computed once, read from a file, shared by copies of the model."""

from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from limbik.errors import BadFile, BadOption, shown
from limbik.formats.content.content import Content
from limbik.formats.content.file import read
from limbik.model.model import Model

TABLE, NETWORK = "table", "network"


class Attachment(NamedTuple):
    """A table or a network, and its file."""

    content: Content
    file: Path | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by file name: another process maps the same file."""
        if self.file is not None and self.content.design != NETWORK:
            return _read_again, (self.file, self.content.fingerprint)
        return Attachment, (self.content, self.file)


def attached(model: Model, what: str) -> Content | None:
    """Return the attachment with this name; None if there is none."""
    found = model.attachments.get(what)
    return None if found is None else found.content


def attach(model: Model, what: str, given: str | PathLike[str] | Content, read: Callable[..., Content] = read) -> Model:
    """Return the model with a table or a network, given in memory or as a file for `read`.

    Raises BadFile, FileUnreadable, BadOption.
    """
    if isinstance(given, Content):
        if (given.design == NETWORK) != (what == NETWORK):
            raise BadOption(f"with_{what} takes a {what}; this is one of design {shown(given.design)}")
        if given.fingerprint != model.fingerprint:
            raise BadFile(
                f"the {what} was made for another robot than '{model.name}', or for other limits or another tool"
            )
        if not all(isinstance(array, np.ndarray) for array in given.arrays.values()):
            raise BadOption(f"the arrays of a {what} are NumPy arrays")
        arrays = {name: frozen(array) for name, array in given.arrays.items()}
        attachment = Attachment(replace(given, arrays=arrays))
    elif isinstance(given, str | PathLike):
        file = Path(given).absolute()
        attachment = Attachment(read(file, fingerprint=model.fingerprint), file)
    else:
        raise BadOption(f"with_{what} takes the name of a file, or a {what}; got {shown(given)}")
    return model.with_attachments({**model.attachments, what: attachment})


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a read-only copy: the core checks a table only once, when it is attached."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def _read_again(file: Path, fingerprint: str) -> Attachment:
    return Attachment(read(file, fingerprint=fingerprint), file)
