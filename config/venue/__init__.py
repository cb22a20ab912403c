"""The site on a laptop in the hall: addresses, https, and what the start prints."""
