"""Write glTF 2.0 (.glb, .gltf): a node for each link, samplers for its motion, and a mesh.

The translation and rotation of a node are the pose of its link relative to the parent link, by forward kinematics, so
every kind of joint is supported. glTF is in metres with y up: a model with z up gets one more root node, which rotates
it. Numbers are float32, the only type that samplers allow. `extras.limbik` stores the mechanism, which nodes cannot
express.
"""

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.formats.bones import Z_UP_TO_Y_UP, Bone, bones_of, local_poses, poses_of, rest_of
from limbik.formats.gltf_buffer import VERTICES, Buffer, single
from limbik.formats.gltf_mechanism import KEY, SCHEMA, even_times, mechanism_to_json
from limbik.formats.gltf_meshes import normals_of, triangles_of
from limbik.formats.gltf_turns import turns_to_json
from limbik.formats.names import Names
from limbik.formats.replacing import replacing
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import quaternion_from_matrix, with_continuous_signs
from limbik.model.monotone import monotone_slopes
from limbik.model.recording import Recording

MODES = {"step": "STEP", "linear": "LINEAR", "cubic": "CUBICSPLINE"}
COLOUR = (0.55, 0.65, 0.8, 1.0)
_HALF = float(np.sqrt(0.5))
# The rotation that takes z up to y up, x y z w.
UPRIGHT = [-_HALF, 0.0, 0.0, _HALF]
TURNED_NODE = "z_up"


def write_gltf(recording: Recording, path: str | PathLike[str], skin: bool = False, mesh: bool = True) -> None:
    """Write a recording as .glb, or as .gltf in one file.

    skin: one skinned mesh, as game engines need it, instead of a rigid mesh per node. mesh: include a mesh.
    Raises FileUnwritable, BadOption.
    """
    for name, value in (("skin", skin), ("mesh", mesh)):
        if not isinstance(value, bool):
            raise BadOption(f"{name}={shown(value)}: give True or False")
    data = _Scene(recording).file(skin, mesh, Path(path).suffix.lower() != ".gltf")
    with replacing(Path(path), lasting=False) as file:
        file.write(data)


class _Scene:
    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.bones = bones_of(recording)
        self.rest, self.buffer = rest_of(recording), Buffer()
        self.nodes: list[dict[str, Any]] = []
        names = Names(bone.link for bone in self.bones)
        local = local_poses(self.rest, self.bones)
        rotations = quaternion_from_matrix(local[:, :3, :3])
        children: list[list[int]] = [[] for _ in self.bones]
        for k, bone in enumerate(self.bones):
            if bone.parent >= 0:
                children[bone.parent].append(k)
        for k, bone in enumerate(self.bones):
            node: dict[str, Any] = {"name": bone.link}
            if np.any(local[k, :3, 3]):
                node["translation"] = local[k, :3, 3].tolist()
            if not np.array_equal(rotations[k], (0, 0, 0, 1)):
                node["rotation"] = rotations[k].tolist()
            self.nodes.append(node | ({"children": children[k]} if children[k] else {}))
        self.top = [0]
        if recording.mechanism.up == "z":
            self.nodes.append({"name": names.take(TURNED_NODE), "rotation": UPRIGHT, "children": [0]})
            self.top = [len(self.nodes) - 1]
        self.names = names

    def file(self, skin: bool, mesh: bool, binary: bool) -> bytes:
        recording = self.recording
        own: dict[str, Any] = {"schema": SCHEMA, "mechanism": mechanism_to_json(recording.mechanism)}
        own |= {"base": recording.compiled.base, "tip": recording.tip, "start": float(min(recording.times[0], 0.0))}
        if len(recording.times) > 1 and np.array_equal(
            recording.times, even_times(len(recording.times), self._frame_time())
        ):
            own["frame_time"] = self._frame_time()
        if recording.mechanism.muscles:
            own["muscles_left_out"] = len(recording.mechanism.muscles)
        if turns := turns_to_json(recording.compiled.variables, recording.q):
            own["turns"] = {"frames": len(recording.q), "joints": turns}
        root: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "limbik"},
            "extras": {KEY: own},
            "scene": 0,
            "nodes": self.nodes,
        }
        if animation := self._animation():
            root["animations"] = [animation]
        if mesh:
            root |= self._skin() if skin else self._rigid()
        root["scenes"] = [{"nodes": self.top}]
        return self.buffer.finished(root, binary)

    def _frame_time(self) -> float:
        """Return the time between frames [s]: the source file's, else that of the first two frames."""
        return float(getattr(self.recording.written, "frame_time", self.recording.times[1]))

    # ---- motion ------------------------------------------------------------------------------------------------------

    def _animation(self) -> dict[str, Any]:
        if not any(bone.rotates or bone.translates for bone in self.bones):
            return {}
        recording = self.recording
        exact = recording.times - min(recording.times[0], 0.0)
        times = single(exact)
        if not (np.diff(times) > 0).all():
            raise BadOption("the frames are too close in time for glTF, whose times are float32; resample them")
        local = local_poses(poses_of(recording), self.bones)
        start = self.buffer.add(times[:, None], bounds=True)
        samplers: list[dict[str, Any]] = []
        channels: list[dict[str, Any]] = []
        for k, bone in enumerate(self.bones):
            for path, values in self._curves(bone, local[:, k]):
                output = self.buffer.add(single(self._keys(values, exact)))
                channels.append({"sampler": len(samplers), "target": {"node": k, "path": path}})
                samplers.append({"input": start, "interpolation": MODES[recording.interpolation], "output": output})
        return {"name": recording.mechanism.name, "channels": channels, "samplers": samplers}

    @staticmethod
    def _curves(bone: Bone, local: Array) -> list[tuple[str, Array]]:
        found = [("translation", local[:, :3, 3])] if bone.translates else []
        return found + (
            [("rotation", with_continuous_signs(quaternion_from_matrix(local[:, :3, :3])))] if bone.rotates else []
        )

    def _keys(self, values: Array, times: Array) -> Array:
        """Return the values; for a spline with tangents that do not overshoot the keys."""
        if self.recording.interpolation != "cubic":
            return values
        slope = monotone_slopes(values, times)
        return np.stack([slope, values, slope], axis=1).reshape(-1, values.shape[1])

    # ---- body --------------------------------------------------------------------------------------------------------

    def _triangles(self) -> list[Array]:
        links = {link.name: link for link in self.recording.mechanism.links}
        return triangles_of(self.bones, self.rest, links)

    def _corners(self, triangles: Array, normals: Array) -> dict[str, int]:
        corners = single(triangles.reshape(-1, 3))
        return {
            "POSITION": self.buffer.add(corners, bounds=True, target=VERTICES),
            "NORMAL": self.buffer.add(single(np.repeat(normals, 3, axis=0)), target=VERTICES),
        }

    def _body(self, meshes: list[dict[str, Any]]) -> dict[str, Any]:
        look = {"baseColorFactor": list(COLOUR), "metallicFactor": 0.0, "roughnessFactor": 0.8}
        return {"meshes": meshes, "materials": [{"name": "limbik", "pbrMetallicRoughness": look}]} if meshes else {}

    def _rigid(self) -> dict[str, Any]:
        meshes: list[dict[str, Any]] = []
        for k, triangles in enumerate(self._triangles()):
            if len(triangles):
                attributes = self._corners(triangles, normals_of(triangles))
                self.nodes[k]["mesh"] = len(meshes)
                meshes.append({"name": self.bones[k].link, "primitives": [{"attributes": attributes, "material": 0}]})
        return self._body(meshes)

    def _skin(self) -> dict[str, Any]:
        per_bone = self._triangles()
        if not sum(map(len, per_bone)):
            return {}
        rest = self.rest.copy()
        if self.recording.mechanism.up == "z":
            upright = np.eye(4)
            upright[:3, :3] = Z_UP_TO_Y_UP
            rest = upright @ rest
        placed = np.concatenate([t @ rest[k, :3, :3].T + rest[k, :3, 3] for k, t in enumerate(per_bone)])
        owner = np.repeat(np.arange(len(per_bone)), [3 * len(t) for t in per_bone])
        joints, weights = np.zeros((len(owner), 4), np.uint16), np.zeros((len(owner), 4), np.float32)
        joints[:, 0], weights[:, 0] = owner, 1.0
        attributes = self._corners(placed, normals_of(placed))
        attributes["JOINTS_0"] = self.buffer.add(joints, target=VERTICES)
        attributes["WEIGHTS_0"] = self.buffer.add(weights, target=VERTICES)
        binds = np.linalg.inv(rest)
        binds[:, 3] = (0, 0, 0, 1)
        inverse = self.buffer.add(single(binds.swapaxes(-1, -2).reshape(-1, 16)))  # column-major
        body = self._body([{"name": "body", "primitives": [{"attributes": attributes, "material": 0}]}])
        self.nodes.append({"name": self.names.take("body"), "mesh": 0, "skin": 0})
        self.top.append(len(self.nodes) - 1)
        skin = {"name": "skin", "joints": list(range(len(self.bones))), "inverseBindMatrices": inverse, "skeleton": 0}
        return body | {"skins": [skin]}
