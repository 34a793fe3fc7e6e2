"""A network learns an arm and proposes seeds; a redundant arm learns preferred postures (configurations); the solver refines."""

import numpy as np
from scene import BLUE, ORANGE, RED, Scene, align, out_folder, panels, save

import limbik as lk

out = out_folder(__doc__)

# A few seconds of training; `limbik train ur5 -o ur5.network` trains longer and saves the weights.
arm = lk.load("ur5")
T = arm.forward(arm.sample(np.random.default_rng(0), 2000))
learned = arm.with_network(lk.train(arm, steps=600))
by_network, by_chance = learned.solve_batch(T, method="neural"), arm.solve_batch(T, method="lm")
print(f"ur5: {learned.solve(T[0], method='neural').why}")
print(f"  {100 * (by_network.attempt < 0).mean():.1f} % of {len(T)} targets are solved from the network's seeds")
print(
    f"  {by_network.steps.mean():.1f} steps a target, {by_chance.steps.mean():.1f} by lm; solved: {by_network.ok.all()}"
)

# A redundant arm whose network is trained to keep the elbow away from a ball.
arm = lk.load("iiwa7")
ELBOW, BALL = "link4", lk.Sphere((0.0, 0.42, 0.55), 0.16)


def elbow_is_away(q: np.ndarray) -> np.ndarray:
    """Return how far the elbow is from the ball [m]."""
    return np.linalg.norm(arm.forward(q, ELBOW)[:, :3, 3] - BALL.centre, axis=1) - BALL.radius


careful = arm.with_network(lk.train(arm, prefer=elbow_is_away, examples=4000, steps=3000, check=500))
T = arm.forward(arm.sample(np.random.default_rng(1), 3000))
T = T[np.linalg.norm(T[:, :3, 3] - BALL.centre, axis=1) > 0.4]
answers = {"lm": arm.solve_batch(T, method="lm"), "neural": careful.solve_batch(T, method="neural")}
near = {name: elbow_is_away(found.q) < 0.05 for name, found in answers.items()}
for name, found in answers.items():
    share = f"{100 * near[name].mean():.1f} % of {len(T)} targets"
    print(f"iiwa7 by {name}: solved {found.ok.all()}, elbow within 5 cm of the ball at {share}")

worst = np.flatnonzero(near["lm"] & (elbow_is_away(answers["neural"].q) > 0.15))[0]
figure, axes = panels(2, (4.4, 4.4))
for panel, (name, found) in zip(axes, answers.items(), strict=True):
    scene = Scene(panel, look=(22, -25))
    scene.floor((-0.5, -0.5), (0.7, 0.7), 0.2)
    scene.body(arm, found.q[worst], BLUE)
    scene.shape(BALL, RED if near[name][worst] else ORANGE, 1.0)
    scene.show()
    away = elbow_is_away(found.q[worst : worst + 1])[0]
    panel.set_title(f"{name}: elbow {100 * away:.0f} cm from the ball")
align(axes)
save(figure, out / "network.png")
