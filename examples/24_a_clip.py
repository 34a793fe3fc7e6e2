"""A clip from five keys: a stride of the human figure, baked, mirrored, measured, saved as BVH and read back."""

import numpy as np
from scene import out_folder

import limbik as lk

out = out_folder(__doc__)
figure = lk.load("human")
joint = {name: k for k, name in enumerate(figure.joint_names)}
keys = np.tile(figure.clamp(np.zeros(figure.n)), (5, 1))
for k, phase in enumerate(np.linspace(0, 2 * np.pi, 5)):
    for side, sign in (("left", 1), ("right", -1)):
        swing = sign * np.sin(phase)
        keys[k, joint[f"{side}UpperLeg_x"]] = 0.15 + 0.45 * swing
        keys[k, joint[f"{side}LowerLeg_x"]] = 0.35 - 0.3 * sign * np.cos(phase)
        keys[k, joint[f"{side}UpperArm_x"]] = -0.4 * swing
        keys[k, joint[f"{side}LowerArm_x"]] = 0.5
    keys[k, joint["root.pz"]] = 1.3 * k / 4

stride = lk.Clip(figure, figure.clamp(keys), times=[0, 0.3, 0.6, 0.9, 1.2], interpolation="cubic")
walk = stride.baked(60)
print(f"{len(stride)} keys become {len(walk)} frames; jerk of the left hand {walk.jerk('leftHand'):.0f} m/s^3")
other = walk.mirrored()
print("in the mirror the right hand is where the left was:",
      np.allclose(other.forward("rightHand")[:, :3, 3], walk.forward("leftHand")[:, :3, 3] * [-1, 1, 1]))  # fmt: skip

walk.save(out / "stride.bvh")
again = lk.load_clip(out / "stride.bvh")
apart = np.abs(again.forward("leftHand")[:, :3, 3] - walk.forward("leftHand")[:, :3, 3]).max()
print(f"written and read again: {again}, places differ by {apart:.1e} m")
walk.film(out / "clip_film.png")
feet = {foot: walk.contacts(foot, height=0.1, speed=1.0, least=0.05) for foot in ("leftFoot", "rightFoot")}
print("feet near the ground:", {foot: [(c.start, c.end) for c in found] for foot, found in feet.items()})
