"""Long builds in pieces: in this process, in several, or on a cluster; resumable and bitwise reproducible."""
