"""Serial chains of public robots, from packages that are installed for the tests."""

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import limbik as lk

PACKAGES = ("example-robot-data", "rtb-data", "pybullet")
# Numbers of joint values; shorter and longer chains are skipped.
JOINTS = range(2, 9)


def files() -> list[Path]:
    """Return every URDF of the installed packages, sorted by name."""
    found = []
    for package in PACKAGES:
        try:
            listed = metadata.files(package) or ()
        except metadata.PackageNotFoundError:
            continue
        found += [Path(str(file.locate())) for file in listed if str(file).endswith(".urdf")]
    return sorted(found, key=lambda path: (path.name, str(path)))


def _mimics_another_chain(arm: lk.Chain) -> bool:
    """Return whether a joint mimics one that is not in this chain."""
    joints = (j for j in arm.model.mechanism.path(arm.base, arm.tip) if j.kind is not lk.model.Kind.FIXED)
    return any(arm.model.mechanism.driver(joint)[0].name not in arm.joint_names for joint in joints)


def chains() -> Iterator[tuple[str, lk.Chain]]:
    """Yield the chains from the root of each file to each of its tips, every mechanism once."""
    seen: set[str] = set()
    for file in files():
        try:
            robot = lk.load(file)
        except lk.LimbikError:
            continue
        arms = [robot] if isinstance(robot, lk.Chain) else [robot.chain(end) for end in robot.tips]
        for arm in arms:
            if arm.n not in JOINTS or arm.fingerprint in seen or not arm.reach > 0 or _mimics_another_chain(arm):
                continue
            seen.add(arm.fingerprint)
            yield f"{file.stem}/{arm.tip}", arm
