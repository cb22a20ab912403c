"""SQLite for the processes that serve the site: a database backend of Django's."""
