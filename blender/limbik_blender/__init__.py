"""limbik in Blender: bake IK, show all branches, retarget. The sidebar of the 3D view has a tab `limbik`."""

import bpy
from bpy.props import PointerProperty, StringProperty

from .operators import OPERATORS
from .panel import LIMBIK_PT_panel

CLASSES = (*OPERATORS, LIMBIK_PT_panel)


def register():
    """Register the operators and the panel with Blender."""
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.limbik_target = PointerProperty(type=bpy.types.Object, name="Target")
    bpy.types.Scene.limbik_bone = StringProperty(name="Bone")


def unregister():
    """Unregister them."""
    del bpy.types.Scene.limbik_target, bpy.types.Scene.limbik_bone
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
