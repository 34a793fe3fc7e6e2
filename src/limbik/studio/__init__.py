"""The animator in the browser: a session that holds all state and knows no page, and a page that shows it."""
