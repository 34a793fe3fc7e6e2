"""Numbers, rotations, rigid transforms and angles: what every other part computes with."""
