"""What a model carries beside its geometry: a table, a network. Made once by long work, read from a file, shared by copies."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from limbik.errors import BadFile, BadOption, shown
from limbik.model.model import Model
from limbik.solvers.neural.content import read_network
from limbik.solvers.table.content import Content
from limbik.solvers.table.file import read

TABLE, NETWORK = "table", "network"
_READERS: Mapping[str, Callable[..., Content]] = {TABLE: read, NETWORK: read_network}


class Attachment(NamedTuple):
    """A table or a network, and the file that it was read from."""

    content: Content
    file: Path | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """A table that was read from a file is read again, so that processes share it."""
        if self.file is not None and self.content.design != NETWORK:
            return _read_again, (self.file, self.content.fingerprint)
        return Attachment, (self.content, self.file)


def attached(model: Model, what: str) -> Content | None:
    """Return the content that a model carries under a name."""
    found = model.attachments.get(what)
    return None if found is None else found.content


def attach(model: Model, what: str, given: str | PathLike[str] | Content) -> Model:
    """Return the model with a table or a network, from a file or in memory. Raises BadFile, FileUnreadable, BadOption."""
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
        attachment = Attachment(_READERS[what](file, fingerprint=model.fingerprint), file)
    else:
        raise BadOption(f"with_{what} takes the name of a file, or a {what}; got {shown(given)}")
    return model.with_attachments({**model.attachments, what: attachment})


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy that nobody can write to: the core checks a table once, when it takes it."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def _read_again(file: Path, fingerprint: str) -> Attachment:
    return Attachment(read(file, fingerprint=fingerprint), file)
