"""Tables after Kim and Tarokh: cells of the workspace, and in each cell a small regression model of every solution."""
