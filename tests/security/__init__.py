"""One command for each claim about security: see ``python -m tests.security``."""
