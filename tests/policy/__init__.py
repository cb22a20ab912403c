"""C.04.2 article by article, against a deputy who wants to evade it:
over HTTP and by calling the services.
"""
