"""Operators: bake IK, show all branches, retarget."""

import bpy
import numpy as np
from bpy.props import BoolProperty, IntProperty
from mathutils import Matrix

import limbik as lk

from .armature import bones_of, chain_above, in_armature, planted, pose_at, pose_of, q_of, skeleton_of
from .solving import branches, follow

# The name prefix of the ghosts.
GHOST = "limbik branch"
# The keyed properties of rotation modes other than Euler angles.
ROTATIONS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}


class LimbikOperator:
    """The base of all operators: errors of limbik are shown as messages."""

    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context):
        """Return whether an armature is active."""
        return context.object is not None and context.object.type == "ARMATURE"

    def execute(self, context):
        """Run the operator, and report errors of limbik."""
        try:
            return self.run(context)
        except lk.LimbikError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}


def _active_bone(context):
    bone = context.active_pose_bone or (context.object.pose.bones[-1] if len(context.object.pose.bones) else None)
    name = context.scene.limbik_bone
    if name and name in context.object.pose.bones:
        bone = context.object.pose.bones[name]
    if bone is None:
        raise lk.BadOption("choose the bone whose tail is to reach the target")
    return bone


def _target(context):
    target = context.scene.limbik_target
    if target is None:
        raise lk.BadOption("choose the object to reach, for example an empty, under Target")
    return target


def write_pose(armature, pose, key_frame=None):
    """Write matrices to pose bones; with key_frame, key the rotations, and the locations of roots."""
    for name, basis in pose.items():
        bone = armature.pose.bones[name]
        bone.matrix_basis = Matrix(basis.tolist())
        if key_frame is None:
            continue
        path = ROTATIONS.get(bone.rotation_mode, "rotation_euler")
        bone.keyframe_insert(path, frame=key_frame)
        if bone.parent is None:
            bone.keyframe_insert("location", frame=key_frame)


class LIMBIK_OT_bake_ik(LimbikOperator, bpy.types.Operator):  # noqa: N801
    """Key the chain above the active bone so that its tail follows the target over the scene's frames"""

    bl_idname = "limbik.bake_ik"
    bl_label = "Bake IK"

    chain_length: IntProperty(name="Chain length", default=2, min=0, description="Number of bones that move; 0: all")
    use_rotation: BoolProperty(name="Rotation", default=False, description="Match the target's rotation")

    def run(self, context):
        """Follow the target and key every frame."""
        armature, scene = context.object, context.scene
        target, bone = _target(context), _active_bone(context)
        frames = list(range(scene.frame_start, scene.frame_end + 1))
        now, targets = scene.frame_current, []
        for frame in frames:
            scene.frame_set(frame)
            graph = context.evaluated_depsgraph_get()
            targets.append(in_armature(armature.matrix_world, target.evaluated_get(graph).matrix_world))
        scene.frame_set(frames[0])
        bones = planted(bones_of(armature), pose_of(armature))
        moving = chain_above(bones, bone.name, self.chain_length)
        skeleton = skeleton_of(bones)
        start = q_of(skeleton, bones, pose_of(armature))
        found, errors = follow(bones, moving, start, targets, self.use_rotation)
        for frame, q in zip(frames, found, strict=True):
            pose = pose_at(skeleton, bones, q)
            write_pose(armature, {name: pose[name] for name in moving}, frame)
        scene.frame_set(now)
        missed = sum(error > 1e-5 for error in errors)
        text = (
            f"{len(frames)} frames baked, {len(frames) - missed} on the target; the largest error is {max(errors):.4g}"
        )
        self.report({"WARNING" if missed else "INFO"}, text)
        return {"FINISHED"}


class LIMBIK_OT_show_branches(LimbikOperator, bpy.types.Operator):  # noqa: N801
    """Show all postures in which the chain above the active bone reaches the target's pose, as wireframe ghosts"""

    bl_idname = "limbik.show_branches"
    bl_label = "Show All Branches"

    chain_length: IntProperty(name="Chain length", default=0, min=0, description="Number of bones that move; 0: all")

    def run(self, context):
        """Make one ghost for each posture."""
        armature = context.object
        target, bone = _target(context), _active_bone(context)
        for old in [thing for thing in bpy.data.objects if thing.name.startswith(GHOST)]:
            bpy.data.objects.remove(old)
        bones = planted(bones_of(armature), pose_of(armature))
        skeleton = skeleton_of(bones)
        start = q_of(skeleton, bones, pose_of(armature))
        T = in_armature(armature.matrix_world, target.matrix_world)
        found, why = branches(bones, chain_above(bones, bone.name, self.chain_length), start, T)
        for k, q in enumerate(found, start=1):
            ghost = armature.copy()
            ghost.name = f"{GHOST} {k}"
            ghost.animation_data_clear()
            ghost.show_in_front = False
            ghost.display_type = "WIRE"
            context.collection.objects.link(ghost)
            write_pose(ghost, pose_at(skeleton, bones, q))
        self.report({"INFO" if found else "WARNING"}, why)
        return {"FINISHED"}


class LIMBIK_OT_retarget(LimbikOperator, bpy.types.Operator):  # noqa: N801
    """Transfer the motion of the target armature to the active one, over the scene's frames"""

    bl_idname = "limbik.retarget"
    bl_label = "Retarget"

    def run(self, context):
        """Read the source's poses, retarget them, and key the result."""
        if not hasattr(lk, "retarget"):
            raise lk.errors.MissingExtra("this version of limbik has no retargeting: pip install --upgrade limbik")
        armature, source, scene = context.object, _target(context), context.scene
        if source.type != "ARMATURE":
            raise lk.BadOption(f"the target is '{source.name}', a {source.type.lower()}; retargeting takes an armature")
        source_bones, bones = bones_of(source), bones_of(armature)
        figure, skeleton = skeleton_of(source_bones, source.name), skeleton_of(bones, armature.name)
        frames, now, q = list(range(scene.frame_start, scene.frame_end + 1)), scene.frame_current, []
        for frame in frames:
            scene.frame_set(frame)
            q.append(q_of(figure, source_bones, pose_of(source)))
        scene.frame_set(now)
        rate = scene.render.fps / scene.render.fps_base
        result = lk.retarget(lk.Clip(figure, np.array(q), rate=rate), skeleton)
        clip = getattr(result, "clip", result)
        for frame, posture in zip(frames, clip.q, strict=False):
            write_pose(armature, pose_at(skeleton, bones, posture), frame)
        self.report({"INFO"}, f"{len(frames)} frames of '{source.name}' transferred to '{armature.name}'")
        return {"FINISHED"}


OPERATORS = (LIMBIK_OT_bake_ik, LIMBIK_OT_show_branches, LIMBIK_OT_retarget)
