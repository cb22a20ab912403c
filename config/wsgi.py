"""The WSGI application that config/server.py serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connections

from config.unavailable import for_visitors

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
for_visitors(connections.settings)
