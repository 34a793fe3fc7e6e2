"""Path following: choose the branch, the 2-pi copies and the self-motion for the whole path, then the times of the frames."""
