"""A person's own account: the password, a new one when it is forgotten,
and where the person is signed in.
"""
