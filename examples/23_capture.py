"""Motion capture: from noisy markers on a person of unknown size to a clip of a figure with that person's bone lengths.

The only input is the bone that carries each marker. Bone lengths and marker offsets are estimated from a motion in which all
joints rotate. Any other motion of the same person can then use them.
"""

import numpy as np
from scene import BLUE, GREEN, INK, ORANGE, PALE, RED, Scene, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)
rng = np.random.default_rng(4)
human = lk.load("human")
BONES = ("hips", "spine", "head", *(s + b for s in ("left", "right") for b in
         ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")))  # fmt: skip

# A person: every bone up to 8 % longer or shorter than the figure's. Markers: three on each bone, 3 to 6 cm beside it.
joints = []
for joint in human.model.mechanism.joints:
    origin = np.array(joint.origin)
    origin[:3, 3] *= rng.uniform(0.92, 1.08) if joint.name != "root" else 1.0
    joints.append(joint.moved_to(origin=origin))
person = lk.Skeleton(human.model.mechanism.replaced(joints))
along = {link.name: np.array(link.centre_of_mass) for link in human.model.mechanism.links}
places = {}
for bone in BONES:
    for k in range(3):
        beside = rng.normal(size=3)
        offset = along[bone] * (0.3 + 0.7 * k) + beside / np.linalg.norm(beside) * rng.uniform(0.03, 0.06)
        places[f"{bone}.{k}"] = bone, offset


def measured(clip: lk.Clip) -> lk.Markers:
    """Return observed markers: 2 mm noise in every coordinate, one marker in ten missing."""
    frames = [clip.forward(bone) for bone, _ in places.values()]
    points = np.stack(
        [T[:, :3, 3] + T[:, :3, :3] @ o for T, (_, o) in zip(frames, places.values(), strict=True)], axis=1
    )
    points += rng.normal(size=points.shape) * 0.002
    points[rng.uniform(size=points.shape[:2]) < 0.1] = np.nan
    return lk.Markers(tuple(places), points, clip.times)


def errors(found: lk.Clip, true: lk.Clip) -> np.ndarray:
    """Return the position errors of the joints, (frames, joints) [mm]."""
    return 1000 * np.stack(
        [np.linalg.norm(found.forward(b)[:, :3, 3] - true.forward(b)[:, :3, 3], axis=1) for b in BONES], axis=1
    )


# Exercises: one posture (configuration) per second, joined smoothly; all joints use most of their range.
keys = person.home + 0.55 * (person.sample(rng, 16) - person.home)
keys[:, :6] = rng.normal(size=(16, 6)) * (0.3, 0.02, 0.3, 0.1, 0.4, 0.1)
exercises = lk.Clip(person, person.clamp(keys), rate=1.0, interpolation="cubic").resampled(60)
markers = measured(exercises)
print(markers)
found = lk.capture(markers, human)
print(found.why)
far = errors(found, exercises)
print(f"joints are {far.mean():.2f} mm off on average, {far.mean(axis=1).max():.2f} mm in the worst frame")
true = {joint.name: np.linalg.norm(joint.origin[:3, 3]) for joint in joints}
worst = max(abs(length - true[name]) for name, length in found.lengths.items())
print(f"{len(found.lengths)} bone lengths, the worst {1000 * worst:.1f} mm off, the same in every frame")

raw = lk.capture(markers, found.robot, found.marker_set, estimate=(), smoothing=None)
rough = errors(raw, exercises)
print(f"without smoothing joints are {rough.mean():.2f} mm off")

picture, (left, right) = panels(2, (5.0, 4.6))
frame = 330
scene = Scene(left, up="y", look=(8.0, 60.0))
scene.body(found.robot, found.q[frame], BLUE)
for k in range(len(markers.names)):
    if not markers.missing[frame, k]:
        scene.dot(markers.positions[frame, k], ORANGE, 5)
    else:
        scene.dot(found.filled.positions[frame, k], RED, 5)
scene.show("markers (orange), filled ones (red), fitted figure")
right.plot(raw.times, rough.mean(axis=1), color=PALE, lw=1.2, label=f"every frame by itself, {rough.mean():.1f} mm")
right.plot(found.times, far.mean(axis=1), color=BLUE, lw=1.8, label=f"all frames together, {far.mean():.1f} mm")
right.axhline(2, color=GREEN, lw=1, ls="--", label="noise of a marker's coordinate, 2 mm")
right.set(xlabel="time [s]", ylabel="mean error of the joints [mm]", ylim=(0, 4.6), xlim=(0, found.times[-1]))
right.set_title("how far joints are from the truth", color=INK, fontsize=11)
right.legend(frameon=False, loc="upper left", bbox_to_anchor=(0.0, 0.99), fontsize=9)
right.spines[["top", "right"]].set_visible(False)
save(picture, out / "capture.png")
