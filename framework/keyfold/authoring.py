"""What the authors of composite strategies and fast reducers build on.

A strategy that wraps another asks it for its columns, labels and fields through these,
so that a plain strategy, which has nothing but `key`, can be wrapped as well.
"""

from __future__ import annotations

from keyfold._arguments import key_strategy, of_type, one_of, refuse
from keyfold._columns import columns_of, components_of
from keyfold._describe import expression_of, fields_of, name_of, shown
from keyfold._labels import labels_of
from keyfold._positions import shown_position
from keyfold._units import constant_units, grouped

__all__ = [
    "columns_of",
    "components_of",
    "constant_units",
    "expression_of",
    "fields_of",
    "grouped",
    "key_strategy",
    "labels_of",
    "name_of",
    "of_type",
    "one_of",
    "refuse",
    "shown",
    "shown_position",
]
