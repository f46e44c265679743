"""Rows as tuples of integers and texts, so that equal tuples have equal bits."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def _flat(array, number):
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _flat(array.dictionary_decode(), number)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return array.to_pylist()
    valid = np.asarray(array.is_valid())
    numbers = np.asarray(array.fill_null(0) if array.null_count else array)
    # A conversion from float to double keeps the value of each number. It makes a signalling NaN quiet.
    with np.errstate(invalid="ignore"):
        converted = numbers.astype(number)
    words = converted.view({8: np.uint64, 4: np.uint32}[converted.itemsize]).tolist()
    return [word if is_valid else None for word, is_valid in zip(words, valid.tolist())]


def _column(column, number):
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        elements = _flat(array.flatten(), number)
        rows, at = [], 0
        for length in pc.list_value_length(array).to_pylist():
            rows.append(None if length is None else ("list", *elements[at : at + length]))
            at += length or 0
        return rows
    return _flat(array, number)


def number_type(answer):
    """Returns the type of numbers of an answer: float32 if each of its values is one, else float64."""
    kinds = {_element(answer.schema.field(name).type) for name in answer.column_names if name.startswith("value")}
    kinds -= {pa.string()}
    return np.float32 if kinds == {pa.float32()} else np.float64


def _element(kind):
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return kind.value_type if pa.types.is_list(kind) else kind


def of_answer(answer):
    """Returns the rows of kblake get in its order: channel, time, state, severity, status, stray, value."""
    number = number_type(answer)
    values = [None] * answer.num_rows
    for name in answer.column_names:
        if name.startswith("value"):
            found = _column(answer[name], number)
            values = [old if new is None else new for old, new in zip(values, found)]
    states = {"disconnected": 0, "connected": 1, "value": 2}
    state = [states.get(each, each) for each in _texts(answer["state"])]
    return list(
        zip(
            _texts(answer["channel"]),
            answer["time"].cast(pa.int64()).to_pylist(),
            state,
            answer["severity"].to_pylist(),
            answer["status"].to_pylist(),
            [bool(each) for each in answer["stray"].to_pylist()],
            values,
        )
    )


def _texts(column):
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return array.to_pylist()


def of_engine(table, number):
    """Returns the rows of a table as an engine reads it, in its order."""
    fixed = [table[name].to_pylist() for name in ("channel", "time", "state", "severity", "status", "stray")]
    return list(zip(*fixed, _column(table["value"], number)))


def in_any_order(rows):
    """Returns rows in one order, for a comparison that disregards theirs."""
    return sorted(rows, key=repr)
