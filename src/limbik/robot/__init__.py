"""The main objects, chains and skeletons, and the functions that load them."""
