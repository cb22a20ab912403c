"""The real server: gunicorn as ``./run`` starts it, spoken to over HTTP, killed, started again, and put under load."""
