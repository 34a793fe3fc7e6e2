"""A small network learns an arm's inverse kinematics from forward kinematics; Newton's method refines it in a step or two."""

import numpy as np
from matplotlib import pyplot
from scene import BLUE, ORANGE, RED, out_folder, save

import limbik as lk
from limbik.solvers.neural.marquardt_training import MarquardtTraining, best_of
from limbik.solvers.neural.perceptron import Perceptron

out = out_folder(__doc__)
arm = lk.load("planar2_guez")
rng = np.random.default_rng(0)


def examples(count):
    """Return positions (r, phi) in the first quadrant, and a posture (configuration) of each with the same elbow direction."""
    q = rng.uniform([-2.7, 0.0], [np.pi / 2, np.pi], (20 * count, 2))
    x, y = arm.forward(q)[:, :2, 3].T
    inside = (x >= 0) & (y >= 0)
    return np.stack([np.hypot(x, y), np.arctan2(y, x)], axis=-1)[inside][:count], q[inside][:count]


places, q = examples(400)
x_range, y_range = ([0.1, 0.0], [1.9, np.pi / 2]), (q.min(axis=0), q.max(axis=0))
starts = [Perceptron.random((2, 10, 10, 2), x_range, y_range, output="linear", start=k) for k in range(8)]
trained = MarquardtTraining().train_all(starts, places, q, iterations=150)
network = trained[best_of(trained, *examples(1000))]

tested, _ = examples(300)
points = np.stack([tested[:, 0] * np.cos(tested[:, 1]), tested[:, 0] * np.sin(tested[:, 1])], axis=-1)
missed = 1e3 * np.linalg.norm(arm.forward(network(tested))[:, :2, 3] - points, axis=1)
off_by = f"{missed.mean():.2f} mm on average, {missed.max():.1f} at most"
print(f"{len(network.weights)} weights, {len(places)} examples: the tip is off by {off_by}")

seeds = {
    "the network's answer": network(tested),
    "one posture for all": np.tile([0.0, np.pi / 2], (len(tested), 1)),
    "random postures": rng.uniform(-np.pi, np.pi, tested.shape),
}
steps = {}
for name, guess in seeds.items():
    traces = [
        lk.methods.trace(arm, lk.Position("tip", [*p, 0.0]), seed=s, method="newton")
        for p, s in zip(points, guess, strict=True)
    ]
    steps[name] = np.array([len(trace) for trace in traces])
    solved = sum(trace.ok for trace in traces)
    print(
        f"Newton's method from {name:21s} {steps[name].mean():5.2f} steps, {solved} of {len(tested)} targets solved to 1e-8 m"
    )

figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
r, phi = np.meshgrid(np.linspace(0.1, 1.9, 120), np.linspace(0, np.pi / 2, 60), indexing="ij")
x, y = r * np.cos(phi), r * np.sin(phi)
tips = arm.forward(network(np.stack([r, phi], axis=-1)))[..., :2, 3]
off = 1e3 * np.hypot(tips[..., 0] - x, tips[..., 1] - y)
image = left.contourf(x, y, off, levels=[0, 0.1, 0.2, 0.5, 1, 2, 5, 10], cmap="Blues", extend="max", norm="symlog")
figure.colorbar(image, ax=left, label="error of the network alone [mm]")
left.set(xlabel="x [m]", ylabel="y [m]", title="error over the workspace")
left.set_aspect("equal")
most = 12
for k, (name, colour) in enumerate(zip(steps, (BLUE, ORANGE, RED), strict=True)):
    share = 100 * np.bincount(np.minimum(steps[name], most), minlength=most + 1) / len(tested)
    right.bar(np.arange(most + 1) + 0.28 * (k - 1), share, 0.28, color=colour, label=f"from {name}")
right.set(xlabel=f"Newton steps to an exact posture ({most}: or more)", ylabel="targets [%]", title="steps saved")
right.legend(frameon=False)
save(figure, out / "learned_first_guess.png")
