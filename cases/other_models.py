"""Other descriptions of catalogue arms from installed packages, and how their conventions differ."""

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np


class NotInstalled(Exception):
    """A package, or a file of it, is not installed; the message names it."""


@cache
def installed(package: str, ending: str) -> Path:
    """Return the path of a file of an installed package. Raises NotInstalled."""
    try:
        files = metadata.files(package) or ()
    except metadata.PackageNotFoundError:
        raise NotInstalled(f"the package '{package}' is not installed") from None
    for file in files:
        if str(file).replace("\\", "/").endswith(ending):
            return Path(str(file.locate()))
    raise NotInstalled(f"the package '{package}' has no {ending}")


def shift(x: float, y: float, z: float) -> np.ndarray:
    """Return a translation as a 4x4 matrix."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


@dataclass(frozen=True)
class Model:
    """Another description of one robot, from an installed package, and how its conventions differ.

    base, tip: its frames that match limbik's, the tip after `tool`. joints: its joints in limbik's order; the values are equal.
    metres, radians: the accuracy of its printed digits.
    """

    package: str
    file: str
    base: str
    tip: str
    joints: tuple[str, ...]
    tool: np.ndarray = field(default_factory=lambda: np.eye(4))
    metres: float = 1e-9
    radians: float = 1e-9

    @property
    def path(self) -> Path:
        """The path of the file. Raises NotInstalled."""
        return installed(self.package, self.file)

    def xml(self) -> ET.Element:
        """Return the URDF; for a xacro file its only macro, with arithmetic evaluated."""
        constants = {"DEG2RAD": math.pi / 180}
        text = self.path.read_text(encoding="utf-8").replace("${prefix}", "")
        text = re.sub(r"\$\{([-+*/. 0-9A-Z_]+)\}", lambda m: repr(eval(m[1], {"__builtins__": {}}, constants)), text)
        return ET.fromstring(text)

    def joints_only(self) -> str:
        """Return a URDF text with only the joints of the file, without shapes."""
        joints = [joint for joint in self.xml().iter("joint") if joint.get("type")]
        links = {joint.find(end).get("link") for joint in joints for end in ("parent", "child")}
        robot = ET.Element("robot", name="other")
        robot.extend([ET.Element("link", name=link) for link in sorted(links)])
        robot.extend(joints)
        return ET.tostring(robot, encoding="unicode")


UR_JOINTS = tuple(
    f"{part}_joint" for part in ("shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3")
)
MODELS = {
    "ur3": Model("example-robot-data", "ur_description/urdf/ur3_robot.urdf", "base", "tool0", UR_JOINTS),
    "ur5": Model("example-robot-data", "ur_description/urdf/ur5_robot.urdf", "base", "tool0", UR_JOINTS),
    "ur10": Model("example-robot-data", "ur_description/urdf/ur10_robot.urdf", "base", "tool0", UR_JOINTS),
    "panda": Model("example-robot-data", "panda_description/urdf/panda.urdf", "panda_link0", "panda_link8",
                   tuple(f"panda_joint{k}" for k in range(1, 8))),
    # Right angles are printed as 1.5708.
    "xarm7": Model("example-robot-data", "xarm_description/urdf/xarm7.urdf", "link_base", "link_eef",
                   tuple(f"joint{k}" for k in range(1, 8)), metres=2e-5, radians=3e-5),
    "iiwa14": Model("pybullet", "pybullet_data/kuka_iiwa/model.urdf", "lbr_iiwa_link_0", "lbr_iiwa_link_7",
                    tuple(f"lbr_iiwa_joint_{k}" for k in range(1, 8)), tool=shift(0, 0, 0.045)),
    "kr6": Model("rtb-data", "kuka_kr6/urdf/kr6r900sixx_macro.xacro", "base_link", "tool0",
                 tuple(f"joint_a{k}" for k in range(1, 7))),
}  # fmt: skip
