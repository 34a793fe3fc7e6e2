"""What a mechanism is: data, and what can be read off it."""
