"""Motion in files: a walk as BVH, GLB and NPZ, in Blender's axes, and a new target for a hand of the figure that was read."""

import numpy as np
from scene import out_folder

import limbik as lk

out = out_folder(__doc__)

# A generated walk instead of a recorded one; replace it by the path of your own .bvh file.
human = lk.load("human")
joint = {name: k for k, name in enumerate(human.joint_names)}
times = np.arange(181) / 60
q = np.zeros((len(times), human.n))
q[:, joint["root.pz"]] = 1.2 * times
q[:, joint["root.py"]] = 0.02 * np.cos(4 * np.pi * times)
for side, sign in (("left", 1), ("right", -1)):
    swing = sign * np.sin(2 * np.pi * times)
    q[:, joint[f"{side}UpperLeg_x"]] = 0.15 + 0.45 * swing
    q[:, joint[f"{side}LowerLeg_x"]] = 0.35 - 0.3 * sign * np.cos(2 * np.pi * times)
    q[:, joint[f"{side}UpperArm_x"]] = -0.4 * swing
    q[:, joint[f"{side}LowerArm_x"]] = 0.5 - 0.2 * swing
lk.Clip(human, human.clamp(q), times).save(out / "walk.bvh")

walk = lk.load_clip(out / "walk.bvh")  # centimetres, unless unit= says otherwise
print(walk)
print("its figure:", repr(walk.robot))

walk.save(out / "walk.glb", skin=True)
again = lk.load_clip(out / "walk.glb")
apart = np.abs(again.forward("leftHand")[:, :3, 3] - walk.forward("leftHand")[:, :3, 3]).max()
print(f"as GLB and back: the same figure ({again.robot == walk.robot}), the left hand at most {apart:.0e} m off")

walk.save(out / "walk.npz")
print("as NPZ and back, exactly:", np.array_equal(lk.load_clip(out / "walk.npz", robot=walk.robot).q, walk.q))

blender = walk.converted("blender")
print("the head in frame 0:", walk.forward("head")[0, :3, 3].round(3), "with y up,", end=" ")
print(blender.forward("head")[0, :3, 3].round(3), "in Blender's axes")

figure = walk.robot
point = walk.forward("leftHand")[60, :3, 3] + [0.0, 0.3, 0.1]
answer = figure.solve({"leftHand": lk.Position("leftHand", point), "hips": walk.forward("hips")[60]}, seed=walk[60])
print(
    "left hand 30 cm higher:",
    answer.status.name,
    f"{1000 * np.abs(figure.forward(answer.q, 'leftHand')[:3, 3] - point).max():.1e} mm off",
)
walk.trimmed(0, 1).film(out / "motion_files.png", count=9)
