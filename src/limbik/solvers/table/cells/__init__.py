"""Kim and Tarokh's tables: cells of the workspace, classified solutions in each, a small model for every solution."""
