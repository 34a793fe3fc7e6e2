"""Guez and Ahmad's networks: inverse kinematics of planar arms learned by back-propagation, used as initial guesses."""

from limbik.papers.guez_ahmad import (
    adaptation,
    arms,
    both_angles,
    faults,
    freedom,
    outlook,
    refinement,
    scarce,
    sine,
    singularity,
    speed,
    training_over_time,
    unprinted,
)
from limbik.papers.guez_ahmad.conclusions import CONCLUSIONS
from limbik.papers.paper import Paper, Section

PAPER = Paper(
    name="guez_ahmad",
    title="A. Guez and Z. Ahmad, Solution to the Inverse Kinematics Problem in Robotics by Neural Networks (ICNN 1988)",
    sections=(
        Section("learned mappings", (sine.EXPERIMENT, arms.TWO, arms.THREE_AT_90, arms.THREE_AT_0)),
        Section("training", (training_over_time.EXPERIMENT, unprinted.EXPERIMENT, singularity.EXPERIMENT,
                             both_angles.EXPERIMENT)),
        Section("first guesses for local methods", (refinement.EXPERIMENT,)),
        Section("features of networks", (freedom.EXPERIMENT, speed.EXPERIMENT, scarce.EXPERIMENT, adaptation.EXPERIMENT,
                                         faults.EXPERIMENT)),
        Section("outlook", (outlook.MANIPULABILITY, outlook.OBSTACLE)),
    ),
    conclusions=CONCLUSIONS,
)  # fmt: skip
