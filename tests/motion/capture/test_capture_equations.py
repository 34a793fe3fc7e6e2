"""The normal equations of postures agree with the marker Jacobians, for every kind of joint and for mimic joints."""

import numpy as np
import pytest

import limbik as lk
from limbik.motion.capture.body import Body


def body_of(name: str, seed: int) -> tuple[Body, np.ndarray]:
    robot = lk.load(name)
    rng = np.random.default_rng(seed)
    on = tuple(rng.choice(robot.frames[1:], 9))
    tip = robot.tip if isinstance(robot, lk.Chain) else None
    body = Body(robot.model.mechanism, robot.base, tip, on, rng.normal(size=(9, 3)))
    return body, np.atleast_2d(robot.sample(rng, 200))


@pytest.mark.parametrize("name", ["human", "human_balls", "quadruped", "panda", "scara"])
@pytest.mark.parametrize("seed", range(3))
def test_equations_are_those_of_jacobians(name, seed):
    body, q = body_of(name, seed)
    rng = np.random.default_rng(seed)
    pull, weights = (
        rng.normal(size=(len(q), 9, 3)),
        rng.uniform(size=(len(q), 9)) * (rng.uniform(size=(len(q), 9)) > 0.2),
    )
    A, g = body.normal_equations(q, pull, weights)
    J = body.marker_jacobians(q)[0]
    np.testing.assert_allclose(A, np.einsum("fmki,fm,fmkj->fij", J, weights, J), atol=1e-11)
    np.testing.assert_allclose(g, np.einsum("fmki,fm,fmk->fi", J, weights, pull), atol=1e-11)


def test_a_joint_value_that_moves_several_joints():
    finger = (
        '<link name="{0}"/><joint name="{0}" type="{1}"><parent link="{2}"/><child link="{0}"/><origin xyz="{3}"/>'
        '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>{4}</joint>'
    )
    mimic = '<mimic joint="a" multiplier="0.5"/>'
    text = '<robot name="gripper"><link name="base"/>' + "".join(
        finger.format(*row)
        for row in (
            ("a", "revolute", "base", "0.1 0 0", ""),
            ("b", "revolute", "a", "0.1 0 0", mimic),
            ("c", "prismatic", "base", "0 0.1 0", mimic),
        )
    )
    robot = lk.load(text + "</robot>")
    rng = np.random.default_rng(0)
    body = Body(robot.model.mechanism, robot.base, None, ("a", "b", "c", "c"), rng.normal(size=(4, 3)))
    q = np.atleast_2d(robot.sample(rng, 20))[:, : body.n]
    pull, weights = rng.normal(size=(20, 4, 3)), rng.uniform(size=(20, 4))
    A, g = body.normal_equations(q, pull, weights)
    step = 1e-6
    change = (body.positions(q + step) - body.positions(q - step)) / (2 * step)
    np.testing.assert_allclose(A[:, 0, 0], (weights[..., None] * change**2).sum(axis=(1, 2)), rtol=1e-7)
    np.testing.assert_allclose(g[:, 0], (weights[..., None] * change * pull).sum(axis=(1, 2)), rtol=1e-6, atol=1e-8)
