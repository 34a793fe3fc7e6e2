"""Two-bone limbs in closed form: an arm or a leg with a target for its tip and a pole for its elbow or knee."""
