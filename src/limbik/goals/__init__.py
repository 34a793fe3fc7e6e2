"""What you want of a posture: one goal per file, each with its numbers, its tolerance and the part of it that is free."""
