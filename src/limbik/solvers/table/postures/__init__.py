"""Tables of postures (configurations): cells fitted incrementally to postures that the look-up misses."""
