"""A Django database backend for SQLite in the processes that serve the site."""
