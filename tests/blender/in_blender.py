"""Run in Blender, or a Python with bpy, by test_blender_addon.py: builds armatures, runs the operators, prints the results."""

import json
import math
import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

sys.path.insert(0, str(Path(__file__).parents[2] / "blender"))
import limbik_blender

import limbik as lk

report = {"blender": bpy.app.version_string}


def fresh():
    """Create an empty scene of twenty frames."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 20


def make_armature(name, bones):
    """Create an armature from {bone: (parent, head, tail)}, active and in pose mode."""
    thing = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = thing
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, (parent, head, tail) in bones.items():
        made = thing.data.edit_bones.new(bone)
        made.head, made.tail = Vector(head), Vector(tail)
        if parent is not None:
            made.parent = thing.data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="POSE")
    return thing


def tail_of(thing, bone):
    """Return the position of a bone's tail in the world, by Blender."""
    graph = bpy.context.evaluated_depsgraph_get()
    posed = thing.evaluated_get(graph)
    return np.array(posed.matrix_world @ posed.pose.bones[bone].tail)


def run_baking():
    """Two bones follow a keyed empty; the armature is rotated, scaled and translated."""
    fresh()
    bones = {"root": (None, (0, 0, 0), (0, 0, 1)), "upper": ("root", (0, 0, 1), (0, 0.2, 1.8)),
             "lower": ("upper", (0, 0.2, 1.8), (0, 0.0, 2.5))}  # fmt: skip
    thing = make_armature("limb", bones)
    thing.matrix_world = Matrix.Translation((1, 2, 0.5)) @ Matrix.Rotation(0.4, 4, "Z") @ Matrix.Scale(1.5, 4)
    for bone in thing.pose.bones:
        bone.rotation_mode = "XYZ" if bone.name == "lower" else "QUATERNION"
    empty = bpy.data.objects.new("target", None)
    bpy.context.collection.objects.link(empty)
    bpy.context.view_layer.update()
    start = tail_of(thing, "lower")
    for frame, way in ((1, (0, 0, -0.2)), (10, (0.3, 0.4, -0.5)), (20, (-0.4, 0.2, -0.3))):
        empty.location = Vector(start + way)
        empty.keyframe_insert("location", frame=frame)
    scene = bpy.context.scene
    scene.limbik_target, scene.limbik_bone = empty, "lower"
    result = bpy.ops.limbik.bake_ik(chain_length=2)
    worst = 0.0
    root = []
    for frame in range(1, 21):
        scene.frame_set(frame)
        worst = max(worst, float(np.linalg.norm(tail_of(thing, "lower") - np.array(empty.matrix_world.translation))))
        root.append(np.array(thing.pose.bones["root"].matrix_basis))
    report["bake"] = {"result": sorted(result), "worst": worst, "keyed": thing.animation_data is not None,
                    "root_moves": float(np.abs(np.array(root) - np.eye(4)).max())}  # fmt: skip


def run_branches():
    """Six bones with one axis each: every posture that reaches a pose becomes a ghost."""
    fresh()
    heights = [0.0, 0.4, 0.9, 1.35, 1.45, 1.55, 1.7]
    bones = {f"b{k}": (f"b{k - 1}" if k else None, (0, 0, heights[k]), (0, 0, heights[k + 1])) for k in range(6)}
    thing = make_armature("arm", bones)
    for k, axis in enumerate("yxxyxy"):
        for other in "xyz":
            setattr(thing.pose.bones[f"b{k}"], f"lock_ik_{other}", other != axis)
    angles = (0.3, 0.5, 0.7, -0.4, 0.6, 0.2)
    for k, axis in enumerate("yxxyxy"):
        thing.pose.bones[f"b{k}"].matrix_basis = Matrix.Rotation(angles[k], 4, axis.upper())
    bpy.context.view_layer.update()
    empty = bpy.data.objects.new("target", None)
    bpy.context.collection.objects.link(empty)
    last = thing.matrix_world @ thing.pose.bones["b5"].matrix
    empty.matrix_world = last @ Matrix.Translation((0, thing.pose.bones["b5"].length, 0))
    bpy.context.view_layer.update()
    scene = bpy.context.scene
    scene.limbik_target, scene.limbik_bone = empty, "b5"
    bpy.ops.limbik.show_branches(chain_length=0)
    bpy.context.view_layer.update()
    ghosts = [other for other in bpy.data.objects if other.name.startswith("limbik branch")]
    off = [float(np.linalg.norm(tail_of(g, "b5") - np.array(empty.matrix_world.translation))) for g in ghosts]
    bpy.ops.limbik.show_branches(chain_length=0)  # again: the old ghosts are removed
    again = [other for other in bpy.data.objects if other.name.startswith("limbik branch")]
    report["branches"] = {"ghosts": len(ghosts), "again": len(again), "worst": max(off, default=math.nan)}


HUMAN = {
    "hips": (None, (0, 0, 1.0), (0, 0, 1.1)), "spine": ("hips", (0, 0, 1.1), (0, 0, 1.5)),
    "head": ("spine", (0, 0, 1.55), (0, 0, 1.75)),
}  # fmt: skip
for _side, _s in (("left", 1), ("right", -1)):
    HUMAN |= {
        f"{_side}UpperArm": ("spine", (_s * 0.2, 0, 1.45), (_s * 0.5, 0, 1.45)),
        f"{_side}LowerArm": (f"{_side}UpperArm", (_s * 0.5, 0, 1.45), (_s * 0.75, 0, 1.45)),
        f"{_side}Hand": (f"{_side}LowerArm", (_s * 0.75, 0, 1.45), (_s * 0.9, 0, 1.45)),
        f"{_side}UpperLeg": ("hips", (_s * 0.1, 0, 1.0), (_s * 0.1, -0.01, 0.55)),
        f"{_side}LowerLeg": (f"{_side}UpperLeg", (_s * 0.1, -0.01, 0.55), (_s * 0.1, 0, 0.1)),
        f"{_side}Foot": (f"{_side}LowerLeg", (_s * 0.1, 0, 0.1), (_s * 0.1, -0.15, 0.02)),
    }


def run_retargeting():
    """Transfer the motion of one human armature to another; a message if limbik cannot."""
    fresh()
    source = make_armature("source", HUMAN)
    bone = source.pose.bones["leftUpperArm"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (20, 0.8)):
        bone.rotation_euler = (angle, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.object.mode_set(mode="OBJECT")
    target = make_armature(
        "target", {n: (p, np.multiply(h, 1.2), np.multiply(t, 1.2)) for n, (p, h, t) in HUMAN.items()}
    )
    bpy.context.scene.limbik_target = source
    try:
        bpy.ops.limbik.retarget()
        bpy.context.scene.frame_set(20)
        moved = np.array(target.pose.bones["leftUpperArm"].matrix_basis)
        report["retarget"] = {"there": True, "turned": float(np.abs(moved - np.eye(4)).max())}
    except RuntimeError as error:
        report["retarget"] = {"there": False, "error": str(error), "has": hasattr(lk, "retarget")}


def run_round_trip():
    """Pass a clip of limbik through Blender and back, as BVH and as GLB."""
    figure, hinged = lk.load("human_balls"), lk.load("human")
    q = np.tile(figure.match(hinged, np.zeros(hinged.n)), (20, 1))
    arm = figure.joint_names.index("leftUpperArm.rx")
    q[:, arm : arm + 3] += np.linspace(0, 0.3, 20)[:, None] * np.array([1, 0.2, 0.5])
    q[:, 2] += np.linspace(0, 0.5, 20)
    clip = lk.Clip(figure, q, rate=30)
    places = clip.forward("leftHand")[:, :3, 3]
    expected = np.stack([places[:, 0], -places[:, 2], places[:, 1]], axis=1)  # Blender has z up
    with tempfile.TemporaryDirectory() as folder:
        for kind, first, options in (("bvh", 1, {}), ("glb", 0, {"skin": True})):
            fresh()
            scene = bpy.context.scene
            scene.render.fps, scene.render.fps_base = 30, 1.0
            there, back = f"{folder}/there.{kind}", f"{folder}/back.{kind}"
            clip.save(there, **options)
            if kind == "bvh":
                bpy.ops.import_anim.bvh(filepath=there, global_scale=0.01)
            else:
                bpy.ops.import_scene.gltf(filepath=there)
            thing = next(other for other in bpy.data.objects if other.type == "ARMATURE")
            off = []
            for k in range(20):
                scene.frame_set(k + first)
                off.append(np.abs(np.array(thing.matrix_world @ thing.pose.bones["leftHand"].head) - expected[k]).max())
            bpy.context.view_layer.objects.active = thing
            thing.select_set(True)
            scene.frame_start, scene.frame_end = first, first + 19
            if kind == "bvh":
                bpy.ops.export_anim.bvh(filepath=back, frame_start=1, frame_end=20)
                again = lk.load_clip(back, unit="m", up="z").forward("leftHand")[:, :3, 3]
                returned = np.abs(again - expected).max()
            else:
                bpy.ops.export_scene.gltf(filepath=back, export_force_sampling=True)
                read = lk.load_clip(back)
                again = read.at(clip.times)
                returned = np.abs(read.robot.forward(again, "leftHand")[:, :3, 3] - places).max()
            report[kind] = {"there": float(max(off)), "back": float(returned)}


def run_misuse():
    """Without a target: a message and no traceback."""
    fresh()
    make_armature("limb", {"root": (None, (0, 0, 0), (0, 0, 1))})
    try:
        bpy.ops.limbik.bake_ik()
        report["misuse"] = ""
    except RuntimeError as error:
        report["misuse"] = str(error)


limbik_blender.register()
for step in (run_baking, run_branches, run_retargeting, run_round_trip, run_misuse):
    step()
limbik_blender.unregister()
print("REPORT " + json.dumps(report))
