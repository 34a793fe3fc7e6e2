"""Goals (task constraints): one per file, each with its target, tolerance and free range."""
