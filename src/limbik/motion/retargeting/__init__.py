"""Motion from one figure to another: bones compared, angles read off, feet planted, limbs solved."""
