"""A person's own account: password, a new one if forgotten, and where signed in."""
