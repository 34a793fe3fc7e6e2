"""What a user holds: chains, skeletons, and the one door that loads them."""
