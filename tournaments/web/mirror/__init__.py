"""Pages: the mirror of a tournament, as files and as a page of settings."""
