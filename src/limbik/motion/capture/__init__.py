"""From markers to motion: the sizes of a figure, its posture in every frame, and the motion through all of them."""
