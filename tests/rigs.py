"""Avatars as modelling programs export them: centimetres under a scaled and rotated node, with a skin and keys for all bones."""

import base64
import json

import numpy as np
from scipy.spatial.transform import Rotation

# Each bone, its parent, and its position relative to the parent [cm]; y is up, the figure faces z.
BONES = {
    "Hips": (None, (0, 100, 0)),
    "Spine": ("Hips", (0, 10, 0)),
    "Spine1": ("Spine", (0, 12, 0)),
    "Neck": ("Spine1", (0, 25, 0)),
    "Head": ("Neck", (0, 12, 0)),
    **{
        f"{side}{part}": (f"{side}{above}" if above not in ("Hips", "Spine1") else above, (sign * x, y, z))
        for side, sign in (("Left", 1), ("Right", -1))
        for part, above, (x, y, z) in (
            ("Arm", "Spine1", (18, 18, 0)),
            ("ForeArm", "Arm", (28, 0, 0)),
            ("Hand", "ForeArm", (25, 0, 0)),
            ("HandIndex1", "Hand", (9, 0, 2)),
            ("UpLeg", "Hips", (9, -5, 0)),
            ("Leg", "UpLeg", (0, -43, 0)),
            ("Foot", "Leg", (0, -42, 0)),
            ("ToeBase", "Foot", (0, -8, 13)),
        )
    },
}
NAMES = list(BONES)


def animation(rng, frames=31, rate=30.0, noise=0.0, travel=True, name="move"):
    """Return an animation with keys for translation, rotation and scale of every bone. noise: of translations [cm]."""
    times = np.arange(frames) / rate
    tracks = {}
    for bone, (above, place) in BONES.items():
        place = np.tile(np.array(place, float), (frames, 1))
        turn = np.tile([0.0, 0.0, 0.0, 1.0], (frames, 1))
        if above is None and travel:
            place[:, 2] += 100 * times
            place[:, 1] += 2 * np.sin(9 * times)
        if above is not None:
            place += rng.uniform(-noise, noise, (frames, 3))
            turn = Rotation.from_rotvec(0.3 * np.sin(5 * times[:, None] + rng.uniform(0, 6, 3))).as_quat()
        tracks[bone] = {"translation": place, "rotation": turn, "scale": np.ones((frames, 3))}
    return {"name": name, "times": times, "tracks": tracks}


def save_rig(path, animations=(), prefix="mixamorig:", skin=True, mode="LINEAR"):
    """Write an avatar as .gltf; return its path. animations: results of `animation`."""
    raw, views, accessors = bytearray(), [], []

    def add(rows):
        data = np.ascontiguousarray(rows, "<f4").tobytes()
        views.append({"buffer": 0, "byteOffset": len(raw), "byteLength": len(data)})
        raw.extend(data)
        kind = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[np.shape(rows)[1]]
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(rows), "type": kind})
        return len(accessors) - 1

    half = float(np.sqrt(0.5))
    nodes = [{"name": "Armature", "rotation": [half, 0, 0, half], "scale": [0.01] * 3, "children": [1]}]
    back = Rotation.from_quat([-half, 0, 0, half])  # bone frames are parallel to the world, under a rotated node
    for bone, (above, place) in BONES.items():
        node = {"name": prefix + bone, "translation": [float(x) for x in place]}
        if above is None:
            node |= {"translation": back.apply(place).tolist(), "rotation": back.as_quat().tolist()}
        else:
            nodes[1 + NAMES.index(above)].setdefault("children", []).append(len(nodes))
        nodes.append(node)
    made = []
    for one in animations:
        channels, samplers, start = [], [], add(one["times"][:, None])
        for bone, paths in one["tracks"].items():
            for kind, values in paths.items():
                if BONES[bone][0] is None:
                    values = {"translation": back.apply, "scale": np.asarray}.get(
                        kind, lambda turn: (back * Rotation.from_quat(turn)).as_quat()
                    )(values)
                if mode == "CUBICSPLINE":
                    slope = np.gradient(values, one["times"], axis=0)
                    values = np.stack([slope, values, slope], 1).reshape(-1, values.shape[1])
                channels.append({"sampler": len(samplers), "target": {"node": 1 + NAMES.index(bone), "path": kind}})
                samplers.append({"input": start, "output": add(values), "interpolation": mode})
        made.append({"name": one["name"], "channels": channels, "samplers": samplers})
    root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes}
    if made:
        root |= {"animations": made, "accessors": accessors, "bufferViews": views}
        uri = "data:application/octet-stream;base64," + base64.b64encode(bytes(raw)).decode()
        root["buffers"] = [{"byteLength": len(raw), "uri": uri}]
    if skin:
        root["skins"] = [{"joints": list(range(1, len(nodes)))}]
    path.write_text(json.dumps(root))
    return path
