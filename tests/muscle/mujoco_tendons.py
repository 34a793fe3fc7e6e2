"""MuJoCo as an independent oracle of muscles: the same arm in MJCF, with a spatial tendon through the points of each muscle."""

from xml.sax.saxutils import quoteattr

import numpy as np
from scipy.spatial.transform import Rotation

from limbik.model.joint import Kind


def _numbers(values):
    return " ".join(repr(float(x)) for x in values)


def mjcf_of(arm):
    """Return the MJCF of an arm of revolute, prismatic and fixed joints, with a tendon for each part of a muscle."""
    mechanism = arm.model.mechanism
    below = {}
    for joint in mechanism.joints:
        below.setdefault(joint.parent, []).append(joint)
    sites = {}
    for k, muscle in enumerate(mechanism.muscles):
        for i, point in enumerate(muscle.path):
            sites.setdefault(point.link, []).append((f"{k}.{i}", point.xyz))

    def body(link, joint):
        inner = "".join(f'<site name="{name}" pos="{_numbers(xyz)}"/>' for name, xyz in sites.get(link, ()))
        if joint is None:
            return inner + "".join(body(j.child, j) for j in below.get(link, ()))
        moves = ""
        if joint.kind is not Kind.FIXED:
            kind = "slide" if joint.kind is Kind.PRISMATIC else "hinge"
            moves = f'<joint name={quoteattr(joint.name)} type="{kind}" axis="{_numbers(joint.axis)}"/>'
        x, y, z, w = Rotation.from_matrix(joint.origin[:3, :3]).as_quat()
        frame = f'pos="{_numbers(joint.origin[:3, 3])}" quat="{_numbers((w, x, y, z))}"'
        inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        return f"<body {frame}>{inertia}{moves}{inner}{''.join(body(j.child, j) for j in below.get(link, ()))}</body>"

    tendons = ""
    for k, muscle in enumerate(mechanism.muscles):
        if muscle.path:
            places = "".join(f'<site site="{k}.{i}"/>' for i in range(len(muscle.path)))
            tendons += f'<spatial name="{k} path">{places}</spatial>'
        if muscle.pulleys:
            wheels = "".join(f'<joint joint={quoteattr(p.joint)} coef="{p.radius!r}"/>' for p in muscle.pulleys)
            tendons += f'<fixed name="{k} pulleys">{wheels}</fixed>'
    world = body(mechanism.root, None)
    return f'<mujoco><compiler angle="radian"/><worldbody>{world}</worldbody><tendon>{tendons}</tendon></mujoco>'


def lengths_and_arms(arm, q):
    """Return MuJoCo's lengths (m,) and moment arms (m, n) of the muscles of an arm at a posture."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf_of(arm))
    data = mujoco.MjData(model)
    columns = [model.jnt_dofadr[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)] for name in arm.joint_names]
    data.qpos[columns] = q
    mujoco.mj_forward(model, data)
    jacobian = tendon_jacobian(model, data)
    muscles = arm.model.mechanism.muscles
    lengths, arms = np.array([m.rest for m in muscles]), np.zeros((len(muscles), arm.n))
    for k in range(len(muscles)):
        for part in ("path", "pulleys"):
            tendon = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_TENDON, f"{k} {part}")
            if tendon >= 0:
                lengths[k] += data.ten_length[tendon]
                arms[k] += jacobian[tendon][columns]
    return lengths, arms


def tendon_jacobian(model, data):
    """Return the derivatives of the lengths of tendons, (tendons, dof)."""
    found = np.asarray(data.ten_J)
    if found.ndim == 2:
        return found
    # The sparse form: its pattern belongs to the data or, in later versions, to the model.
    held = data if hasattr(data, "ten_J_rownnz") else model
    columns = np.asarray(held.ten_J_colind).reshape(-1)
    dense = np.zeros((model.ntendon, model.nv))
    for tendon in range(model.ntendon):
        first, count = int(held.ten_J_rowadr[tendon]), int(held.ten_J_rownnz[tendon])
        dense[tendon, columns[first : first + count]] = found.reshape(-1)[first : first + count]
    return dense
