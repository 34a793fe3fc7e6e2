"""The panel in the sidebar of the 3D view: the target, the bone and three buttons."""

import bpy


class LIMBIK_PT_panel(bpy.types.Panel):  # noqa: N801
    """limbik in the sidebar"""

    bl_idname = "LIMBIK_PT_panel"
    bl_label = "limbik"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "limbik"

    def draw(self, context):
        """Draw the fields and buttons."""
        layout, scene = self.layout, context.scene
        layout.prop(scene, "limbik_target", text="Target")
        if context.object is not None and context.object.type == "ARMATURE":
            layout.prop_search(scene, "limbik_bone", context.object.pose, "bones", text="Bone")
        layout.operator("limbik.bake_ik")
        layout.operator("limbik.show_branches")
        layout.operator("limbik.retarget")
