"""The operator's command line: `make ops ARGS="..."` or `python -m campus_app.ops`.

Parse, call one service, print. It works beside the running server, on the same database.
Source: specification C1.6 to C1.14.
"""
