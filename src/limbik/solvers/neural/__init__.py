"""Neural networks for inverse kinematics: they propose start postures (configurations) for the solver."""
