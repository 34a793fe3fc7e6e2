"""Spatial tendons of MJCF as muscles of a mechanism.

A spatial tendon through sites alone is a muscle with a straight segment between consecutive sites; its length is MuJoCo's. A
tendon that wraps around a geom, or divides at a pulley, has another length: it is left out and named in a note, and so are
fixed tendons, which are sums of joint values and not lengths. Forces, activation and other properties of actuators are not read.
"""

import math
from typing import Any

from limbik.formats.names import Names
from limbik.model.muscle import Attachment, Muscle

# Names that a note lists before it only counts.
MOST_NAMED = 5


def tendon_muscles(model: Any, body_names: list[str], notes: list[str]) -> tuple[Muscle, ...]:
    """Return the muscles of a compiled `mujoco.MjModel`. body_names: the links of the bodies. What is not read is noted."""
    import mujoco

    wrap = mujoco.mjtWrap
    joint, pulley, site = int(wrap.mjWRAP_JOINT), int(wrap.mjWRAP_PULLEY), int(wrap.mjWRAP_SITE)
    given = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_TENDON, k) for k in range(model.ntendon)]
    names = Names(name for name in given if name)
    muscles: list[Muscle] = []
    left_out: dict[str, list[str]] = {
        "wraps around geoms": [],
        "divides at a pulley": [],
        "is a sum of joint values": [],
    }
    for k in range(model.ntendon):
        name = given[k] or names.take(f"tendon{k}")
        parts = range(int(model.tendon_adr[k]), int(model.tendon_adr[k] + model.tendon_num[k]))
        kinds = {int(model.wrap_type[part]) for part in parts}
        if joint in kinds:
            left_out["is a sum of joint values"].append(name)
        elif pulley in kinds:
            left_out["divides at a pulley"].append(name)
        elif kinds != {site}:
            left_out["wraps around geoms"].append(name)
        else:
            sites = [int(model.wrap_objid[part]) for part in parts]
            path = tuple(Attachment(body_names[model.site_bodyid[s]], tuple(model.site_pos[s].tolist())) for s in sites)
            low, high = (float(x) for x in model.tendon_range[k]) if model.tendon_limited[k] else (0.0, math.inf)
            muscles.append(Muscle(name, path, lower=max(low, 0.0), upper=high if high > max(low, 0.0) else math.inf))
    for why, which in left_out.items():
        if which:
            notes.append(f"{len(which)} tendon(s) left out, each {why}: {_listed(which)}")
    _note_actuators(model, notes)
    return tuple(muscles)


def _note_actuators(model: Any, notes: list[str]) -> None:
    """Note the muscle actuators, whose forces are not read."""
    import mujoco

    dynamics, gain = int(mujoco.mjtDyn.mjDYN_MUSCLE), int(mujoco.mjtGain.mjGAIN_MUSCLE)
    drives = [
        mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, k) or f"actuator{k}"
        for k in range(model.nu)
        if int(model.actuator_dyntype[k]) == dynamics or int(model.actuator_gaintype[k]) == gain
    ]
    if drives:
        notes.append(f"forces and activation of {len(drives)} muscle actuator(s) are not read: {_listed(drives)}")


def _listed(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    more = len(names) - MOST_NAMED
    return ", ".join(f"'{name}'" for name in names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
