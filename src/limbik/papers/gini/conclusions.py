"""What the paper concludes, judged by the figures of all its sections."""

from limbik.papers.gini import camera, circles, links, table_2, table_3, workspace
from limbik.papers.gini.arm import LAP
from limbik.papers.gini.printed import LEAST, RELATIVE, STEPS, WANTED
from limbik.papers.verdict import Conclusion, Figures, Finding, Holds

# An error beside which another is small.
DECADES = 100.0
# How many times as fast is much faster.
MUCH = 10.0


def _by_count(good: int, all_: int) -> Holds:
    return Holds.FULLY if good == all_ else Holds.PARTLY if good else Holds.NOT


def closed_form_is_faster(figures: Figures) -> Finding:
    """Section 6: the closed form is much faster than a solver of equations."""
    found = figures[table_2.EXPERIMENT.name]
    ratio = found["relative"]
    sentence = (
        f"it takes {found['core time']:.2g} us in the core ({1e6 * found['closed form time']:.3g} us as a call that "
        "checks everything), and "
        f"SciPy's fsolve {ratio:.3g} times as long; the paper has {RELATIVE:.0f} in Matlab"
    )
    return Finding(Holds.FULLY if ratio >= MUCH else Holds.PARTLY if ratio > 1 else Holds.NOT, sentence)


def smaller_error(figures: Figures) -> Finding:
    """Table 3: fast gradient following with annealing reduces the error."""
    found = figures[table_3.EXPERIMENT.name]
    good = [point for point in table_3.SWEEPS if found[f"{point} ratio"] >= DECADES]
    parts = [f"{p}: {found[f'{p} modified']:.1e} beside {found[f'{p} classical']:.2g} cm" for p in table_3.SWEEPS]
    reached = " and ".join(f"{found[f'{p} reached']:.0f}" for p in table_3.SWEEPS)
    sentence = f"medians of 100 starts, {', '.join(parts)}; but only {reached} % of them come within 1 cm"
    return Finding(_by_count(len(good), len(table_3.SWEEPS)), sentence)


def escapes_minima(figures: Figures) -> Finding:
    """Section 4: reheating lets it leave local minima, with a probability."""
    found = figures[table_3.EXPERIMENT.name]
    least = min(found[f"{p} reached"] for p in table_3.SWEEPS)
    sentence = (
        f"{least:.0f} % of the starts, at the worse point, end within 1 cm; the others stay in a minimum to the end"
    )
    return Finding(Holds.FULLY if least >= 99 else Holds.PARTLY if least > 50 else Holds.NOT, sentence)


def seven_steps(figures: Figures) -> Finding:
    """Section 6: 1 cm takes at least 7 steps; 11 lose nothing of it."""
    found = figures[circles.EXPERIMENT.name]
    names = circles.NAMES[:3]
    by = {s: max(found[f"{n} {s}"] for n in names) for s in STEPS}
    kept = [s for s in STEPS if by[s] <= WANTED]
    sentence = "mean error on the worst of the three circles: " + ", ".join(
        f"{by[s]:.2g} cm with {s} steps" for s in STEPS
    )
    holds = Holds.FULLY if kept == [7, 11] else Holds.PARTLY if 7 in kept and 11 in kept else Holds.NOT
    return Finding(holds, sentence)


def square_cost(figures: Figures) -> Finding:
    """Section 6: K n (n + 1) operations for each step."""
    slope = figures[links.EXPERIMENT.name]["slope"]
    return Finding(
        Holds.FULLY if 1.8 <= slope <= 2.1 else Holds.NOT, f"the time grows with the power {slope:.2f} of the links"
    )


def real_time(figures: Figures) -> Finding:
    """Sections 6 and 7: the inverse kinematics runs in real time; 3 s a circle is the least."""
    found = figures[circles.EXPERIMENT.name]
    sentence = (
        f"a lap of {LAP} points takes {1e3 * found['lap 11']:.3g} ms by the descent with 11 steps and "
        f"{1e3 * found['lap closed']:.3g} ms in closed form: {found['points 3 s']:.0f} points in {LEAST:g} s"
    )
    return Finding(Holds.FULLY if found["lap 11"] <= LEAST else Holds.NOT, sentence)


def joints_then_muscles(figures: Figures) -> Finding:
    """Section 7: with an analysis of the workspace the joint-space solution can be converted to muscles."""
    found = figures[workspace.EXPERIMENT.name]
    sentence = (
        f"with the paper's ranges all joint-space solutions are admissible at {found['0 all']:.0f} % of the points "
        "that are reached; with "
        f"muscles that contract by a quarter at {found['1 all']:.0f} %, and none at {found['1 none']:.0f} %; choosing "
        "the swivel by the "
        f"muscles solves {found['1 solved']:.4g} % of the targets that can be"
    )
    return Finding(Holds.FULLY if found["0 all"] >= 99 and found["1 solved"] >= 100 else Holds.PARTLY, sentence)


def by_camera(figures: Figures) -> Finding:
    """Section 7: a measured distance can stand in for direct kinematics."""
    found = figures[camera.EXPERIMENT.name]
    parts = ", ".join(f"{found[f'noise {n:g}']:.2g} cm with {n:g} mm" for n in camera.NOISE)
    good = sum(found[f"noise {n:g}"] <= WANTED for n in camera.NOISE)
    return Finding(_by_count(good, len(camera.NOISE)), f"median error by the noise of the sensor: {parts}")


CONCLUSIONS = (
    Conclusion("the closed form of the direct kinematics is much faster (Table 2)", Holds.FULLY, closed_form_is_faster),
    Conclusion("the modified gradient reduces the error (Table 3)", Holds.FULLY, smaller_error),
    Conclusion("reheating leaves local minima (section 4)", Holds.FULLY, escapes_minima),
    Conclusion("1 cm takes at least 7 steps, and 11 keep it (section 6)", Holds.FULLY, seven_steps),
    Conclusion("a step costs K n (n + 1) operations (Figure 10)", Holds.FULLY, square_cost),
    Conclusion("the inverse kinematics runs in real time (section 7)", Holds.FULLY, real_time),
    Conclusion("joint-space solutions can be converted to muscles after an analysis of the workspace (section 7)", Holds.PARTLY,
               joints_then_muscles),
    Conclusion("a camera can stand in for the direct kinematics (section 7)", Holds.PARTLY, by_camera),
)  # fmt: skip
