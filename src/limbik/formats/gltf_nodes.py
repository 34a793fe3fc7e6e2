"""The nodes of a glTF scene, parents first, each with its translation, rotation and scale. Loops raise BadFile."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.formats.gltf_document import Document
from limbik.formats.gltf_samplers import NO_LENGTH
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import quaternion_from_matrix

# The most nodes of a file: far above any figure.
MOST_NODES = 10_000
# The largest deviation of a node matrix's axes from right angles that is rounding.
SHEARED = 1e-4


@dataclass(frozen=True, eq=False)
class SceneNode:
    """A node. number: its index in the file. parent: its parent's index in `scene_nodes`, -1 for none. children: how many it has.

    rotation: a quaternion, x y z w.
    """

    number: int
    name: str
    parent: int
    children: int
    translation: Array
    rotation: Array
    scale: Array


def scene_nodes(document: Document) -> tuple[SceneNode, ...]:
    """Return the nodes of the default scene, or all nodes of a file without scenes. Raises BadFile."""
    nodes = document.objects("nodes")
    if not nodes:
        document.refuse("has no nodes, so it contains no figure")
    if len(nodes) > MOST_NODES:
        document.refuse(f"has {len(nodes)} nodes; limbik reads figures of at most {MOST_NODES}")
    children = [_children(document, node, k, len(nodes)) for k, node in enumerate(nodes)]
    parent_of: dict[int, int] = {}
    for k, numbers in enumerate(children):
        for child in numbers:
            if child in parent_of:
                document.refuse(f"has a node {child} with two parents, {parent_of[child]} and {k}")
            parent_of[child] = k
    roots = _roots(document, [k for k in range(len(nodes)) if k not in parent_of], parent_of)
    found: list[SceneNode] = []
    stack = [(root, -1) for root in reversed(roots)]
    while stack:
        number, parent = stack.pop()
        found.append(_node(document, nodes[number], number, parent, len(children[number])))
        index = len(found) - 1
        stack.extend((child, index) for child in reversed(children[number]))
    # nodes of other scenes are unreached too; only a loop is an error
    unreached = set(parent_of) - {node.number for node in found}
    if (number := _in_loop(sorted(unreached), parent_of)) >= 0:
        document.refuse(f"has a loop of nodes through node {number}")
    return tuple(found)


def _in_loop(numbers: list[int], parent_of: dict[int, int]) -> int:
    """Return a node that is its own ancestor, -1 if there is none. Visits each node once."""
    visited: dict[int, int] = {}
    for first in numbers:
        number = first
        while number >= 0 and number not in visited:
            visited[number] = first
            number = parent_of.get(number, -1)
        if number >= 0 and visited[number] == first:
            return number
    return -1


def _children(document: Document, node: dict[str, Any], number: int, count: int) -> list[int]:
    found = node.get("children", [])
    if not isinstance(found, list):
        document.refuse(f"has a node {number} whose children are not a list")
    for child in found:
        if not isinstance(child, int) or isinstance(child, bool) or not 0 <= child < count:
            document.refuse(f"has a node {number} with the child {child!r:.40}; an index below {count} is expected")
    return found


def _roots(document: Document, all_roots: list[int], parent_of: dict[int, int]) -> list[int]:
    scenes = document.objects("scenes")
    chosen = document.index(document.root, "scene", len(scenes), "a scene")
    if not all_roots:
        document.refuse("has a loop of nodes: every node has a parent")
    if not scenes:
        return all_roots
    found = scenes[chosen or 0].get("nodes", [])
    if not isinstance(found, list) or not all(isinstance(k, int) and not isinstance(k, bool) for k in found):
        document.refuse("has a scene whose nodes are not a list of numbers")
    known = set(all_roots)
    for number in found:
        if number in parent_of or number not in known:
            document.refuse(f"has a scene with node {number}, which is not a root")
    if len(set(found)) != len(found):
        document.refuse("has a scene that names a node twice")
    if not found:
        document.refuse("has a default scene without nodes")
    return found


def _node(document: Document, node: dict[str, Any], number: int, parent: int, children: int) -> SceneNode:
    name, what = document.text(node, "name", f"node_{number}"), f"a node {number}"
    matrix = document.numbers(node, "matrix", 16, what)
    if matrix is not None:
        position, rotation, scale = _decomposed(document, np.array(matrix).reshape(4, 4).T, number)
    else:
        position = np.array(document.numbers(node, "translation", 3, what) or (0.0, 0.0, 0.0))
        rotation = np.array(document.numbers(node, "rotation", 4, what) or (0.0, 0.0, 0.0, 1.0))
        scale = np.array(document.numbers(node, "scale", 3, what) or (1.0, 1.0, 1.0))
    length = float(np.linalg.norm(rotation))
    if length < NO_LENGTH:
        document.refuse(f"has {what} whose rotation quaternion is zero")
    return SceneNode(number, name, parent, children, position, rotation / length, scale)


def _decomposed(document: Document, matrix: Array, number: int) -> tuple[Array, Array, Array]:
    """Return the translation, the quaternion (x y z w) and the scale of a node matrix. Raises BadFile."""
    axes = matrix[:3, :3]
    scale = np.linalg.norm(axes, axis=0)
    if not np.array_equal(matrix[3], (0, 0, 0, 1)) or scale.min() < NO_LENGTH * max(scale.max(), 1e-12):
        document.refuse(f"has a node {number} whose matrix is not a rotation, a scale and a translation")
    if np.linalg.det(axes / scale) < 0:
        scale = scale * [1.0, 1.0, -1.0]
    R = axes / scale
    if np.abs(R.T @ R - np.eye(3)).max() > SHEARED:
        document.refuse(f"has a node {number} whose matrix contains shear, which no joint can represent")
    return matrix[:3, 3], quaternion_from_matrix(R), scale
