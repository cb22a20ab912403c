"""How gunicorn serves the site: ``gunicorn --config python:config.gunicorn --bind ADDRESS config.wsgi``.

Two workers, so that a page is still answered while the other one pairs a round; threads, because most of a request
is waiting for the database.
"""

from config.env import Environment

workers = Environment().whole_number("WEB_CONCURRENCY", default=2, minimum=1, maximum=64)
worker_class = "gthread"
threads = 4
timeout = 120  # seconds without a sign of life before a worker is replaced
loglevel = "warning"
control_socket_disable = True
