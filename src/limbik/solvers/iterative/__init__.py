"""Methods that start somewhere and step towards the goal."""
