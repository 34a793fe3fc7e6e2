"""Guez and Ahmad's networks: inverse kinematics of planar arms learned by back-propagation, as a first guess for others."""

from limbik.papers.guez_ahmad import (
    adaptation,
    arms,
    both_angles,
    course,
    faults,
    freedom,
    refinement,
    scarce,
    sine,
    singularity,
    speed,
)
from limbik.papers.guez_ahmad.conclusions import CONCLUSIONS
from limbik.papers.paper import Paper, Section

PAPER = Paper(
    name="guez_ahmad",
    title="A. Guez and Z. Ahmad, Solution to the Inverse Kinematics Problem in Robotics by Neural Networks (ICNN 1988)",
    sections=(
        Section("learned mappings", (sine.EXPERIMENT, arms.TWO, arms.THREE_AT_90, arms.THREE_AT_0)),
        Section("how they were learned", (course.EXPERIMENT, singularity.EXPERIMENT, both_angles.EXPERIMENT)),
        Section("first guesses for local methods", (refinement.EXPERIMENT,)),
        Section("features of networks", (freedom.EXPERIMENT, speed.EXPERIMENT, scarce.EXPERIMENT, adaptation.EXPERIMENT,
                                         faults.EXPERIMENT)),
    ),
    conclusions=CONCLUSIONS,
)  # fmt: skip
