"""What a chain carries beside its mechanism: a table, a network. Made once by long work, read from a file, shared by copies."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from limbik.errors import BadFile, BadOption, shown
from limbik.robot.stepping import Stepping
from limbik.solvers.neural.content import read_network
from limbik.solvers.table.content import Content
from limbik.solvers.table.file import read

TABLE, NETWORK = "table", "network"
_READERS: Mapping[str, Callable[..., Content]] = {TABLE: read, NETWORK: read_network}


class Carried(NamedTuple):
    """Something that a chain carries, and the file that it was read from where it was."""

    content: Content
    file: Path | None


class Carrying(Stepping):
    """A chain that may carry a table or a network."""

    _carried: Mapping[str, Carried] = MappingProxyType({})

    def _loaded(self, what: str, given: str | PathLike[str] | Content) -> Self:
        """Return this chain with a table or network, from a file or as it was made. Raises BadFile, FileUnreadable, BadOption."""
        if isinstance(given, Content):
            if (given.design == NETWORK) != (what == NETWORK):
                raise BadOption(f"with_{what} takes a {what}; this is one of design {shown(given.design)}")
            if given.fingerprint != self.fingerprint:
                raise BadFile(
                    f"the {what} was made for another robot than '{self.name}', or for other limits or another tool"
                )
            if not all(isinstance(array, np.ndarray) for array in given.arrays.values()):
                raise BadOption(f"the arrays of a {what} are NumPy arrays")
            arrays = {name: frozen(array) for name, array in given.arrays.items()}
            carried = Carried(replace(given, arrays=arrays), None)
        elif isinstance(given, str | PathLike):
            file = Path(given).absolute()
            carried = Carried(_READERS[what](file, fingerprint=self.fingerprint), file)
        else:
            raise BadOption(f"with_{what} takes the name of a file, or a {what}; got {shown(given)}")
        made = self._again()
        made._take({**self._carried, what: carried})
        return made

    def _take(self, carried: Mapping[str, Carried]) -> None:
        """For those who have just made this chain: nobody has seen it without."""
        object.__setattr__(self, "_carried", MappingProxyType(dict(carried)))

    @abstractmethod
    def _again(self) -> Self:
        """Return this chain as if newly made, carrying nothing."""

    def _packed(self) -> dict[str, Any] | None:
        """Return what is carried, to be pickled: a table that was read from a file is read again."""
        if not self._carried:
            return None
        return {what: (None if c.file and what == TABLE else c.content, c.file) for what, c in self._carried.items()}

    def _unpack(self, packed: Mapping[str, tuple[Content | None, Path | None]]) -> None:
        carried = {}
        for what, (content, file) in packed.items():
            if content is None:
                assert file is not None
                content = _READERS[what](file, fingerprint=self.fingerprint)
            carried[what] = Carried(content, file)
        self._take(carried)


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy that nobody can write to: the core checks a table once, when it takes it."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)
