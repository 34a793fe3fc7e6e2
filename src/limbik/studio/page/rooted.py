"""A scene with its own root node, a new one each time a desk is set up.

If a node is removed and another one of the same name is added at once, the browser receives a change of the first,
which keeps its old pose. So every set-up uses new names.
"""

from typing import Any


class Rooted:
    """viser's scene with a prefix to the name of every node."""

    def __init__(self, scene: Any, root: str) -> None:
        self._scene, self._root = scene, root

    def find(self, name: str) -> Any:
        """Return the node of a name, None if there is none."""
        return self._scene.get_handle_by_name(f"{self._root}{name}")

    def __getattr__(self, verb: str) -> Any:
        if not verb.startswith("add_"):
            raise AttributeError(f"a rooted scene has only `find` and the methods that add nodes, not '{verb}'")
        add = getattr(self._scene, verb)
        return lambda name, *rest, **options: add(f"{self._root}{name}", *rest, **options)
