"""REST under ``/api/v1/``: read the request, ask a selector, a service or the engine, map the error. No rules here."""
