"""Limbs of two bones in closed form: an arm or a leg whose end goes to a target while its elbow points to a pole."""
