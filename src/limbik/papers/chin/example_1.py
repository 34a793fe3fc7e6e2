"""Example 1 of the thesis (section 6.2): the hand moves by one unit along x and y.

The start of 0.5 is in degrees: only then does forward kinematics give the printed matrix. The thesis printed the angles at which
Newton's method ended. The closed form gives the exact angles, which are listed below beside the printed ones.
"""

import numpy as np

from limbik.papers.chin.arm import UNIT, appendix_b, in_units
from limbik.papers.claim import Claim, at_most, exactly, within
from limbik.papers.paper import Experiment, Findings, Setting

START_DEG = 0.5
STEP = (1.0, 1.0, 0.0)

# C_EE, the pose of the hand before the step, as printed; lengths in the thesis' units.
C_EE = np.array(
    [
        [-0.999960, 0.008954, -0.000079, 0.959823],
        [-0.000155, -0.026099, -0.999659, -109.984770],
        [-0.008953, -0.999619, 0.026099, 1.483471],
    ]
)
# The number of entries of C_EE, and half a unit of their sixth decimal, with a margin for the rounding of 110.
ENTRIES, SIXTH_DECIMAL = C_EE.size, 0.5e-6 + 1e-12

# The angles after the step [degrees]: as printed, and those of the exact solution to five decimals.
PRINTED_DEG = (1.03021, -7.64128, 15.43075, 0.48902, -6.28465, 1.08795)
EXACT_DEG = (1.03021, -7.64119, 15.43056, 0.48902, -6.28457, 1.08795)
# The bars on the differences to the printed angles (Newton's stopping criterion) and to the exact ones [degrees].
NEWTON_STOP, FIFTH_DECIMAL = 2.5e-4, 1e-5
# The printed difference between D_EE, the target pose, and New_EE, the reached pose.
RESIDUAL = 0.000024


def measure(setting: Setting) -> Findings:
    """Compute C_EE by forward kinematics, then solve for the moved hand and take the closest configuration."""
    arm = appendix_b()
    start = np.full(arm.n, np.radians(START_DEG))
    T = np.array(arm.forward(start))
    decimals = int((np.abs(in_units(T)[:3] - C_EE) <= SIXTH_DECIMAL).sum())
    T[:3, 3] += UNIT * np.array(STEP)
    every = arm.solve_all(T, seed=start)
    q = every.q[np.abs(every.q - start).max(axis=1).argmin()]
    deg = np.degrees(q)
    values = {
        "entries": float(decimals),
        "exact": float(np.abs(deg - EXACT_DEG).max()),
        "residual": float(np.linalg.norm(in_units(arm.forward(q)) - in_units(T))),
    }
    values |= {f"t{k + 1}": float(deg[k]) for k in range(arm.n)}
    return Findings(values)


EXPERIMENT = Experiment(
    name="Example 1",
    claims=(
        Claim("entries", "Example 1: entries of C_EE that agree to 6 decimals", "of 12", ENTRIES, exactly(ENTRIES)),
        *(
            Claim(f"t{k + 1}", f"Example 1: angle {k + 1} after the step", "deg", paper, within(NEWTON_STOP, paper))
            for k, paper in enumerate(PRINTED_DEG)
        ),
        Claim(
            "exact", "Example 1: largest difference from the exact angles", "deg", None, at_most(FIFTH_DECIMAL)
        ),
        Claim("residual", "Example 1: |D_EE - New_EE|", "units", RESIDUAL, at_most(RESIDUAL)),
    ),
    measure=measure,
)  # fmt: skip
