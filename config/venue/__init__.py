"""The site on a laptop in the hall: its addresses, https with a certificate of its own,
and what the start prints.
"""
