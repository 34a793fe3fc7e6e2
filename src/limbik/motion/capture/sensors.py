"""Validation of sensors: poses over time, by bone."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, NotRigid, ShapeError, shown
from limbik.geometry.arrays import LARGEST, Array, numbers
from limbik.geometry.se3 import RIGID_TOLERANCE, matrices
from limbik.model.humanoid import Humanoid
from limbik.model.units import metres_per


def checked_sensors(given: Any, bones: Humanoid, unit: Any) -> dict[str, Array]:
    """Return {bone: poses (frames, 4, 4) in metres}, NaN if missing. Raises BadOption, ShapeError, NotFinite, NotRigid."""
    if not isinstance(given, Mapping) or not given:
        raise BadOption(f"sensors must be {{bone: poses (frames, 4, 4)}}; got {shown(given)}")
    metres = metres_per(unit)
    out: dict[str, Array] = {}
    frames = -1
    for bone, poses in given.items():
        bones[bone]
        T = numbers(matrices(poses), f"the sensor '{bone}' must be poses of shape (frames, 4, 4)")
        if T.ndim != 3 or T.shape[1:] != (4, 4) or not len(T):
            raise ShapeError(f"the sensor '{bone}' must be poses of shape (frames, 4, 4); got {T.shape}")
        if frames not in (-1, len(T)):
            raise ShapeError(f"the sensor '{bone}' has {len(T)} frames, the others {frames}")
        frames = len(T)
        gone = np.isnan(T).any(axis=(1, 2))
        if gone.all():
            raise BadOption(f"the sensor '{bone}' is missing in every frame; leave it out")
        seen = T[~gone]
        if not (np.abs(seen) <= LARGEST).all():
            raise NotFinite(f"the sensor '{bone}' contains infinity; mark a missing frame by NaN")
        R = seen[:, :3, :3]
        off = np.abs(R.transpose(0, 2, 1) @ R - np.eye(3)).max(axis=(1, 2))
        wrong = (off > RIGID_TOLERANCE) | (np.linalg.det(R) < 0) | (seen[:, 3] != (0, 0, 0, 1)).any(axis=1)
        if wrong.any():
            frame = int(np.flatnonzero(~gone)[int(np.argmax(wrong))])
            raise NotRigid(f"the sensor '{bone}' is not a rigid pose in frame {frame}")
        u, _, vt = np.linalg.svd(R)
        T[~gone, :3, :3] = u @ vt
        T[gone] = np.nan
        T[:, :3, 3] *= metres
        out[bone] = T
    return out
