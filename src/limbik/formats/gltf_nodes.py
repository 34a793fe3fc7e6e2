"""The nodes of a glTF scene, parents first, each with its place, turn and scale; loops and lost ends are refused."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.formats.gltf_document import Document
from limbik.formats.gltf_samplers import NO_LENGTH
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import quaternion_from_matrix

# Nodes past which a file is not a figure.
MOST_NODES = 10_000
# Parts by which the axes of a matrix may be off right angles.
SHEARED = 1e-4


@dataclass(frozen=True, eq=False)
class SceneNode:
    """A node. number: in the file. parent: its place among the nodes of the scene, -1 for none. rotation: x y z w."""

    number: int
    name: str
    parent: int
    children: int
    translation: Array
    rotation: Array
    scale: Array


def scene_nodes(document: Document) -> tuple[SceneNode, ...]:
    """Return the nodes of the scene that the file shows, or of all of it where it names none. Raises BadFile."""
    nodes = document.objects("nodes")
    if not nodes:
        document.refuse("has no nodes: there is no figure in it")
    if len(nodes) > MOST_NODES:
        document.refuse(f"has {len(nodes)} nodes; limbik reads figures of at most {MOST_NODES}")
    children = [_children(document, node, k, len(nodes)) for k, node in enumerate(nodes)]
    carried: dict[int, int] = {}
    for k, numbers in enumerate(children):
        for child in numbers:
            if child in carried:
                document.refuse(f"has a node {child} below two others, {carried[child]} and {k}")
            carried[child] = k
    roots = _roots(document, [k for k in range(len(nodes)) if k not in carried], carried)
    found: list[SceneNode] = []
    stack = [(root, -1) for root in reversed(roots)]
    while stack:
        number, parent = stack.pop()
        found.append(_node(document, nodes[number], number, parent, len(children[number])))
        here = len(found) - 1
        stack.extend((child, here) for child in reversed(children[number]))
    lost = set(carried) - {node.number for node in found}
    if (number := _in_loop(sorted(lost), carried)) >= 0:
        document.refuse(f"has a loop of nodes through node {number}")
    return tuple(found)


def _in_loop(numbers: list[int], carried: dict[int, int]) -> int:
    """Return one of some nodes that hangs on itself, -1 where none does. Each node is passed once."""
    passed: dict[int, int] = {}
    for first in numbers:
        number = first
        while number >= 0 and number not in passed:
            passed[number] = first
            number = carried.get(number, -1)
        if number >= 0 and passed[number] == first:
            return number
    return -1


def _children(document: Document, node: dict[str, Any], number: int, count: int) -> list[int]:
    found = node.get("children", [])
    if not isinstance(found, list):
        document.refuse(f"has a node {number} whose children are not a list")
    for child in found:
        if not isinstance(child, int) or isinstance(child, bool) or not 0 <= child < count:
            document.refuse(f"has a node {number} with the child {child!r:.40}, and {count} nodes")
    return found


def _roots(document: Document, all_roots: list[int], carried: dict[int, int]) -> list[int]:
    scenes = document.objects("scenes")
    chosen = document.index(document.root, "scene", len(scenes), "a scene")
    if not all_roots:
        document.refuse("has a loop of nodes: none of them is the first")
    if not scenes:
        return all_roots
    found = scenes[chosen or 0].get("nodes", [])
    if not isinstance(found, list) or not all(isinstance(k, int) and not isinstance(k, bool) for k in found):
        document.refuse("has a scene whose nodes are not a list of numbers")
    known = set(all_roots)
    for number in found:
        if number in carried or number not in known:
            document.refuse(f"has a scene with node {number}, which is no root")
    if len(set(found)) != len(found):
        document.refuse("has a scene that names a node twice")
    if not found:
        document.refuse("shows a scene without nodes")
    return found


def _node(document: Document, node: dict[str, Any], number: int, parent: int, children: int) -> SceneNode:
    name, what = document.text(node, "name", f"node_{number}"), f"a node {number}"
    matrix = document.numbers(node, "matrix", 16, what)
    if matrix is not None:
        place, turn, scale = _taken_apart(document, np.array(matrix).reshape(4, 4).T, number)
    else:
        place = np.array(document.numbers(node, "translation", 3, what) or (0.0, 0.0, 0.0))
        turn = np.array(document.numbers(node, "rotation", 4, what) or (0.0, 0.0, 0.0, 1.0))
        scale = np.array(document.numbers(node, "scale", 3, what) or (1.0, 1.0, 1.0))
    length = float(np.linalg.norm(turn))
    if length < NO_LENGTH:
        document.refuse(f"has {what} whose rotation quaternion is zero")
    return SceneNode(number, name, parent, children, place, turn / length, scale)


def _taken_apart(document: Document, matrix: Array, number: int) -> tuple[Array, Array, Array]:
    """Return place, turn and scale of a matrix."""
    axes = matrix[:3, :3]
    scale = np.linalg.norm(axes, axis=0)
    if not np.array_equal(matrix[3], (0, 0, 0, 1)) or scale.min() < NO_LENGTH * max(scale.max(), 1e-12):
        document.refuse(f"has a node {number} whose matrix is not a rotation, a scale and a translation")
    if np.linalg.det(axes / scale) < 0:
        scale = scale * [1.0, 1.0, -1.0]
    turn = axes / scale
    if np.abs(turn.T @ turn - np.eye(3)).max() > SHEARED:
        document.refuse(f"has a node {number} whose matrix contains shear, which no joint can represent")
    return matrix[:3, 3], quaternion_from_matrix(turn), scale
