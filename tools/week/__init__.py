"""`make week`: a week of the business, played at the desk and again with `ops` alone.

In this order: `effort.py` (what work costs a person), `world.py` (the running product),
`people.py` (students, a cook and buyers in browsers), `operator_work.py` (what an operator has to
do), `at_desk.py` and `by_ops.py` (the two ways to do it), `ledger.py` (what must be true in the
end), `days.py` (the week), `run.py`.
"""
