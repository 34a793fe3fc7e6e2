"""Retargeting: match bones, compute joint values, plant feet, and solve limbs."""
