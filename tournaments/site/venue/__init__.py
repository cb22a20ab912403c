"""Whether computer and network are ready for an event:
what the page *Is my venue ready?* checks.
"""
