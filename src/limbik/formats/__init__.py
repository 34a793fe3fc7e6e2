"""How a mechanism is written down: one reader per format, each giving a `model.Mechanism`."""
