"""Networks that learn postures from examples."""
