"""The conclusions of the paper, judged by the measured values of all sections."""

from limbik.papers.gini import camera, circles, links, table_2, table_3, workspace
from limbik.papers.gini.arm import LAP
from limbik.papers.gini.printed import LEAST, RELATIVE, STEPS, WANTED
from limbik.papers.verdict import Conclusion, Figures, Finding, Holds

# The ratio of two errors from which on one is small beside the other.
DECADES = 100.0
# The ratio of two times from which on one is much faster.
MUCH = 10.0


def closed_form_is_faster(figures: Figures) -> Finding:
    """Judge section 6: the closed form is much faster than a numerical solver of the equations."""
    found = figures[table_2.EXPERIMENT.name]
    ratio = found["relative"]
    sentence = (
        f"the closed form takes {found['core time']:.2g} us in the core ({1e6 * found['closed form time']:.3g} us as a "
        f"Python call with all checks), SciPy's fsolve {ratio:.3g} times as long as the core; the paper has a ratio of "
        f"{RELATIVE:.0f} in Matlab"
    )
    return Finding(Holds.FULLY if ratio >= MUCH else Holds.PARTLY if ratio > 1 else Holds.NOT, sentence)


def smaller_error(figures: Figures) -> Finding:
    """Judge Table 3: fast gradient following with annealing reduces the error."""
    found = figures[table_3.EXPERIMENT.name]
    good = [found[f"{point} ratio"] >= DECADES for point in table_3.SWEEPS]
    parts = [
        f"{p} modified {found[f'{p} modified']:.1e} cm, classical {found[f'{p} classical']:.2g} cm"
        for p in table_3.SWEEPS
    ]
    reached = " and ".join(f"{found[f'{p} reached']:.0f}" for p in table_3.SWEEPS)
    sentence = f"median errors of 100 starts: {'; '.join(parts)}; but only {reached} % of the starts end within 1 cm"
    return Finding(Holds.by_parts(*good), sentence)


def escapes_minima(figures: Figures) -> Finding:
    """Judge section 4: by reheating the descent leaves local minima, with some probability."""
    found = figures[table_3.EXPERIMENT.name]
    least = min(found[f"{p} reached"] for p in table_3.SWEEPS)
    sentence = (
        f"at the worse point {least:.0f} % of the starts end within 1 cm of the target; the others end farther away"
    )
    return Finding(Holds.FULLY if least >= 99 else Holds.PARTLY if least > 50 else Holds.NOT, sentence)


def seven_steps(figures: Figures) -> Finding:
    """Judge section 6: an error of 1 cm needs at least 7 steps, and 11 steps keep it."""
    found = figures[circles.EXPERIMENT.name]
    names = circles.NAMES[:3]
    by = {s: max(found[f"{n} {s}"] for n in names) for s in STEPS}
    enough = [s for s in STEPS if by[s] <= WANTED]
    sentence = "mean error on the worst of the three circles: " + ", ".join(
        f"{by[s]:.2g} cm with {s} steps" for s in STEPS
    )
    holds = Holds.FULLY if enough == [7, 11] else Holds.PARTLY if 7 in enough and 11 in enough else Holds.NOT
    return Finding(holds, sentence)


def square_cost(figures: Figures) -> Finding:
    """Judge section 6: each step takes K n (n + 1) operations."""
    slope = figures[links.EXPERIMENT.name]["slope"]
    return Finding(
        Holds.FULLY if 1.8 <= slope <= 2.1 else Holds.NOT,
        f"the time grows with the number of links to the power {slope:.2f}",
    )


def real_time(figures: Figures) -> Finding:
    """Judge sections 6 and 7: the inverse kinematics runs in real time; a circle takes at least 3 s."""
    found = figures[circles.EXPERIMENT.name]
    sentence = (
        f"a lap of {LAP} points takes {1e3 * found['lap 11']:.3g} ms by the descent with 11 steps and "
        f"{1e3 * found['lap closed']:.3g} ms in closed form; the descent computes {found['points 3 s']:.0f} points in {LEAST:g} s"
    )
    return Finding(Holds.FULLY if found["lap 11"] <= LEAST else Holds.NOT, sentence)


def joints_then_muscles(figures: Figures) -> Finding:
    """Judge section 7: after an analysis of the workspace, joint-space solutions can be converted to muscle lengths."""
    found = figures[workspace.EXPERIMENT.name]
    sentence = (
        f"with the paper's ranges all joint-space solutions are admissible at {found['0 all']:.0f} % of the reachable "
        f"points; with muscles that contract by a quarter all are at {found['1 all']:.0f} % and none at "
        f"{found['1 none']:.0f} %; if the swivel is chosen by the muscles, {found['1 solved']:.4g} % of the solvable "
        "targets are solved"
    )
    return Finding(Holds.FULLY if found["0 all"] >= 99 and found["1 solved"] >= 100 else Holds.PARTLY, sentence)


def by_camera(figures: Figures) -> Finding:
    """Judge section 7: a measured distance can replace direct kinematics."""
    found = figures[camera.EXPERIMENT.name]
    parts = ", ".join(f"{found[f'noise {n:g}']:.2g} cm with {n:g} mm" for n in camera.NOISE)
    good = [found[f"noise {n:g}"] <= WANTED for n in camera.NOISE]
    return Finding(Holds.by_parts(*good), f"median error by the standard deviation of the sensor's noise: {parts}")


CONCLUSIONS = (
    Conclusion("the closed form of the direct kinematics is much faster (Table 2)", Holds.FULLY, closed_form_is_faster),
    Conclusion("the modified gradient reduces the error (Table 3)", Holds.FULLY, smaller_error),
    Conclusion("by reheating the descent leaves local minima (section 4)", Holds.FULLY, escapes_minima),
    Conclusion("an error of 1 cm needs at least 7 steps, and 11 keep it (section 6)", Holds.FULLY, seven_steps),
    Conclusion("a step costs K n (n + 1) operations (Figure 10)", Holds.FULLY, square_cost),
    Conclusion("the inverse kinematics runs in real time (section 7)", Holds.FULLY, real_time),
    Conclusion("after an analysis of the workspace joint-space solutions can be converted to muscles (section 7)", Holds.PARTLY,
               joints_then_muscles),
    Conclusion("a camera can replace the direct kinematics (section 7)", Holds.PARTLY, by_camera),
)  # fmt: skip
