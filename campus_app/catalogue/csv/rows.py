"""The rows of this room's CSV files, which may have columns by the names of earlier releases."""

from functools import partial
from typing import Final

from kit.csv import rows

_RENAMED: Final[rows.Renamed] = (("item_id", "dish_id"),)

read_rows = partial(rows.read_rows, renamed=_RENAMED)
rows_from = partial(rows.rows_from, renamed=_RENAMED)
parse_rows = partial(rows.parse_rows, renamed=_RENAMED)
column_name = partial(rows.column_name, renamed=_RENAMED)
