"""Every posture at once, from the geometry: no start, no steps."""
