"""One function a page: parse, ask a selector or a service, answer. No rules here."""
