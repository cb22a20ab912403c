"""Whether computer and network are ready, for the page *Is my venue ready?*."""
