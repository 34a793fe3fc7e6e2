"""The page's colours: Okabe and Ito's, which colour-blind people can distinguish. No meaning depends on colour alone."""

Colour = tuple[int, int, int]

BLUE: Colour = (0, 114, 178)
SKY: Colour = (86, 180, 233)
GREEN: Colour = (0, 158, 115)
ORANGE: Colour = (230, 159, 0)
VERMILION: Colour = (213, 94, 0)
PURPLE: Colour = (204, 121, 167)
INK: Colour = (31, 45, 61)

# The roles of colours: links, joints, an unreached target, other postures, other times, tips, limits, traces, the ground.
LINK: Colour = (122, 158, 196)
JOINT: Colour = (38, 84, 130)
SHORT: Colour = VERMILION
GHOST: Colour = SKY
ONION: Colour = PURPLE
TARGET: Colour = GREEN
LIMIT: Colour = ORANGE
WATCHED: Colour = PURPLE
GRID, GRID_LINES = (222, 228, 235), (196, 206, 217)


def css(colour: Colour) -> str:
    """Return a colour as a style sheet writes it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
