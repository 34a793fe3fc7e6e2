"""Relaxation networks (MMC): every variable is the mean of several computations of it; the network rests where all agree."""
