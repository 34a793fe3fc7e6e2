"""Networks that have learned an arm: postures to begin with, which the exact solver then finishes."""
