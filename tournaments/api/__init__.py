"""REST under ``/api/v1/``: read the request, call a selector, a service or the engine, map errors.

No rules here.
"""
