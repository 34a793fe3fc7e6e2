"""Uploaded files: limited in size, checked, read in a temporary folder, and never opened by their own path.

Formats that can name other files or run code (xacro, MJCF with its includes, a .gltf with its .bin) cannot be uploaded; only the
person who starts the studio can open them. For a broken file the reader's message names the uploaded file.
"""

import re
import tempfile
from pathlib import Path, PurePath

from limbik.errors import BadFile, LimbikError
from limbik.motion.clip import Clip
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.robot.load_clip import load_clip
from limbik.robot.skeleton import Skeleton

# The largest upload [bytes].
LARGEST = 64 * 2**20
ROBOTS, CLIPS, PROJECTS = (".urdf", ".toml"), (".bvh", ".glb"), (".json",)


def receive(name: str, content: bytes) -> Chain | Skeleton | Clip | bytes:
    """Return the robot (.urdf, .toml), clip (.bvh, .glb) or project (.json, its bytes) in an upload. Raises LimbikError."""
    shown_name = re.sub(r"[^\w .()+-]", "_", PurePath(str(name).replace("\\", "/")).name)[-80:] or "upload"
    suffix = PurePath(shown_name).suffix.lower()
    if suffix not in ROBOTS + CLIPS + PROJECTS:
        raise BadFile(f"'{shown_name}' cannot be uploaded; the studio takes {', '.join(ROBOTS + CLIPS + PROJECTS)}")
    if not content:
        raise BadFile(f"'{shown_name}' is empty")
    if len(content) > LARGEST:
        raise BadFile(
            f"'{shown_name}' has {len(content) / 2**20:.0f} MB; the limit of uploads is {LARGEST // 2**20} MB"
        )
    if suffix in PROJECTS:
        return bytes(content)
    with tempfile.TemporaryDirectory(prefix="limbik_upload_") as folder:
        path = Path(folder) / f"{PurePath(shown_name).stem.strip() or 'upload'}{suffix}"
        path.write_bytes(content)
        try:
            return load_clip(path) if suffix in CLIPS else load(path)
        except LimbikError as error:
            raise type(error)(str(error).replace(str(path), shown_name).replace(folder, "")) from None
