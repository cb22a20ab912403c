"""Pages: the mirror of a tournament or an event, as files and as a page of settings."""
