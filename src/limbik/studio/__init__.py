"""The animator in the browser: a session, which holds all state and does not depend on the page, and the page that shows it."""
