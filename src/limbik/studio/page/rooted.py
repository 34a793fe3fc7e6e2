"""A scene whose nodes hang under a root of their own, a new one each time a desk is set up.

A node that is taken away and one of the same name that is added at once reach a browser as a change of the first, which keeps
its old pose. So names are not used twice.
"""

from typing import Any


class Rooted:
    """viser's scene with a prefix to every name that is added or asked for."""

    def __init__(self, scene: Any, root: str) -> None:
        self._scene, self._root = scene, root

    def find(self, name: str) -> Any:
        """Return the node of a name, None where there is none."""
        return self._scene.get_handle_by_name(f"{self._root}{name}")

    def __getattr__(self, verb: str) -> Any:
        if not verb.startswith("add_"):
            raise AttributeError(f"a rooted scene adds and finds; it does not '{verb}'")
        add = getattr(self._scene, verb)
        return lambda name, *rest, **options: add(f"{self._root}{name}", *rest, **options)
