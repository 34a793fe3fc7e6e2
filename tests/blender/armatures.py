"""Armatures without Blender: objects with the attributes that the add-on reads."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np

FOLDER = Path(__file__).parents[2] / "blender" / "limbik_blender"


def add_on(part):
    """Return a module of the add-on that does not need bpy, imported without the package's __init__."""
    if "limbik_blender" not in sys.modules:
        package = ModuleType("limbik_blender")
        package.__path__ = [str(FOLDER)]
        sys.modules["limbik_blender"] = package
    __import__(f"limbik_blender.{part}")
    return sys.modules[f"limbik_blender.{part}"]


def bone(name, parent, rest, length=1.0, constraints=(), **options):
    """Return a bone and its pose bone."""
    data = SimpleNamespace(name=name, parent=parent, matrix_local=np.asarray(rest).tolist(), length=length)
    pose = SimpleNamespace(name=name, matrix_basis=np.eye(4).tolist(), constraints=list(constraints), **options)
    return data, pose


def armature(*pairs):
    """Return an armature object of (bone, pose bone) pairs."""
    data, pose = zip(*pairs, strict=True)
    return SimpleNamespace(data=SimpleNamespace(bones=list(data)), pose=SimpleNamespace(bones=list(pose)))
