"""The explorer: a web application that shows solutions, on this computer.

Pages are rendered here (``pages``, one page a file, and ``templates``); JavaScript modules (``static``)
add clicks and keys and need no page to work. ``app`` has the table of routes.
"""
