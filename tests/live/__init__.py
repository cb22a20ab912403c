"""The real server as ``./run`` starts it: spoken to over HTTP, killed, started again, and put under load."""
