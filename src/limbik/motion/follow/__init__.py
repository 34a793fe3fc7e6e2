"""Following paths: the branch, the 2-pi copies and the self-motion are chosen for the whole path, then the times."""
