"""Columns of the command as columns for people: zone-aware times, categories."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

STATES = ("disconnected", "connected", "value")
SEVERITIES = ("none", "minor", "major", "invalid")

#: The type of enums. No other type of an archive has it.
_ENUM = pa.uint16()


def decode(table: pa.Table, zone: str) -> pa.Table:
    """Gives times their zone, and makes categories of state, severity and enums. The values stay as they are."""
    columns = [_column(field, column, zone) for field, column in zip(table.schema, table.columns)]
    return pa.Table.from_arrays(columns, names=table.column_names)


def _column(field: pa.Field, column: pa.ChunkedArray, zone: str) -> pa.ChunkedArray:
    kind = field.type
    name = field.name.rsplit(":", 1)[-1]
    if pa.types.is_timestamp(kind):
        return column.cast(pa.timestamp("ns", zone))
    if kind == pa.uint8() and name == "state":
        return _categories(column, STATES, ordered=False)
    if kind == pa.uint8() and name == "severity":
        return _categories(column, SEVERITIES, ordered=True)
    if kind == _ENUM and name in ("value", "first", "last"):
        return _choices(column)
    return column


def _categories(column: pa.ChunkedArray, names: tuple[str, ...], ordered: bool) -> pa.ChunkedArray:
    largest = pc.max(column).as_py() or 0
    texts = pa.array([*names, *(str(code) for code in range(len(names), largest + 1))], pa.string())
    index = pa.int8() if len(texts) < 128 else pa.int16()
    # Codes up to 127 have the same bits as signed numbers, so nothing is copied. All codes have a text.
    chunks = [
        pa.DictionaryArray.from_arrays(
            chunk.view(index) if index == pa.int8() else chunk.cast(index), texts, ordered=ordered, safe=False
        )
        for chunk in column.chunks
    ]
    return pa.chunked_array(chunks, pa.dictionary(index, pa.string(), ordered))


def _choices(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The categories are the numbers of the choices that occur, in ascending order."""
    choices = pc.unique(column).drop_null()
    choices = choices.take(pc.sort_indices(choices))
    chunks = [pa.DictionaryArray.from_arrays(pc.index_in(chunk, choices), choices) for chunk in column.chunks]
    return pa.chunked_array(chunks, pa.dictionary(pa.int32(), _ENUM))
