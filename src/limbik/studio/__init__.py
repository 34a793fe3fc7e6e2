"""The animator in the browser: a session with all state, independent of the page, and a page that shows it."""
