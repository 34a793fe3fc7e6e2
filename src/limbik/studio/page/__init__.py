"""The page: what a browser shows of a session, one small file per panel. Needs the extra `studio`."""
