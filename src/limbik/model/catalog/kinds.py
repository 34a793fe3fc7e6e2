"""The names of arms and of figures in the catalogue, for type checkers: `load("panda")` is a Chain."""

from typing import Literal

ChainName = Literal[
    "gantry", "human_arm_6", "human_arm_7", "human_arm_8", "human_leg_7", "human_upper_limb", "iiwa14", "iiwa7", "jaco2",
    "k1207", "kr6", "maximum_one", "panda", "planar2_guez", "planar3_chin", "planar3_cruse", "planar3_guez", "puma560",
    "scara", "ur10", "ur10e", "ur3", "ur5", "xarm7",
]  # fmt: skip
SkeletonName = Literal["human", "human_balls", "quadruped"]
