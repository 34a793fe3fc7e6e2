"""Retargeting: match bones, compute joint angles, plant feet, and solve limbs."""
