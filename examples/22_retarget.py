"""A walk on longer legs: feet and hands keep the positions of the source, joints stay inside their limits.

--clip FILE --unit METRES uses a recorded clip instead.
"""

import argparse
import math
from pathlib import Path

from walk import generated_walk

import limbik as lk

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("pictures"))
parser.add_argument("--clip", type=Path)
parser.add_argument("--unit", type=float)
options = parser.parse_args()
out: Path = options.out
out.mkdir(parents=True, exist_ok=True)

human = lk.load("human")
legs = [f"{side}{part}Leg" for side in ("left", "right") for part in ("Upper", "Lower")]
figure = human.with_proportions(dict.fromkeys(legs, 1.2))

clip = generated_walk() if options.clip is None else lk.load_clip(options.clip, unit=options.unit)
print(f"{len(clip)} frames of '{clip.robot.name}': {lk.humanoid(clip.robot)}")

result = lk.retarget(clip, figure)
print(result.why)
for bone, stances in result.contacts.items():
    times = ", ".join(f"{result.times[s.start]:.2f}-{result.times[s.end]:.2f} s" for s in stances)
    print(f"{bone:10s} stands {times}; slides {1e3 * max((s.slide for s in stances), default=0):.1f} mm")
for bone, angle in result.bone_angles.items():
    print(f"{bone:14s} points {math.degrees(angle):4.1f} degrees from where the source's points, on average")
for missed in result.reported[:5]:
    print(missed)

print(f"inside the ranges in all frames: {figure.within_limits(result.q).all()}")
result.save(Path(out, "retargeted.bvh"))
result.film(out / "retarget.png" if options.clip is None else out / "retarget_recorded.png", 9)
