"""The operator's command line: `make ops ARGS="..."` or `python -m campus_app.ops`.

Each command parses its options, calls one service and prints the result. It runs beside the
server, on the same database.
Source: specification C1.6 to C1.14.
"""
