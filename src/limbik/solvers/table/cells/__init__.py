"""Kim and Tarokh's tables: cells of the workspace, the solutions in each told apart, a small model for every solution."""
