"""The pages about people: their roles, and signing in with a link and a PIN."""
