"""Answers, and what they lack."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    import pandas
    import polars

SPANS = (
    ("group", "group", pa.string()),
    ("kind", "kind", pa.string()),
    ("start", "fromNanos", None),
    ("end", "toNanos", None),
    ("missing", "missing", pa.bool_()),
    ("file", "file", pa.string()),
    ("detail", "detail", pa.string()),
)

LOSSY = (
    ("group", "group", pa.string()),
    ("start", "fromNanos", None),
    ("end", "toNanos", None),
    ("count", "count", pa.int64()),
    ("reason", "reason", pa.string()),
)


class Coverage:
    """Which spans of a range are answered, and which are not.

    ``complete`` is False if events may be missing. ``notes`` are the remarks of the command. ``lossy`` has the spans in which recorders
    may have lost events, which ``complete`` does not count.
    """

    def __init__(self, report: Mapping[str, Any], zone: str) -> None:
        self._report = report
        self._zone = zone
        self.complete: bool = bool(report["complete"])
        self.notes: tuple[str, ...] = tuple(str(note) for note in report.get("notes", ()))

    @classmethod
    def of_groups(cls, answer: Mapping[str, Any], zone: str) -> Coverage:
        """The coverage that a server has sent, with times as texts of nanoseconds."""
        spans = [
            {
                "group": group["group"],
                "kind": span["state"].replace("-", " "),
                "fromNanos": int(span["from"]),
                "toNanos": int(span["to"]),
                "missing": span["missing"],
                "detail": span["reason"],
            }
            for group in answer["coverage"]
            for span in group["spans"]
        ]
        lossy = [{**span, "fromNanos": int(span["from"]), "toNanos": int(span["to"])} for span in answer.get("lossy", ())]
        return cls({"complete": answer["complete"], "spans": spans, "lossy": lossy}, zone)

    @property
    def table(self) -> pa.Table:
        """A row for each span: group, kind, start, end, missing, file, detail. An open end is null.

        A kind is answered, pending, unavailable, damaged, archiver down, or not recorded.
        """
        return span_table(self._report["spans"], SPANS, self._zone)

    @property
    def missing(self) -> pa.Table:
        """The spans of which events may be missing."""
        table = self.table
        return table.filter(table["missing"])

    @property
    def lossy(self) -> pa.Table:
        """A row for each span in which events may be lost: group, start, end, count (at least; null if unknown), reason."""
        return span_table(self._report.get("lossy", ()), LOSSY, self._zone)

    def to_pandas(self) -> pandas.DataFrame:
        """The spans as a data frame."""
        return self.table.to_pandas()

    def __repr__(self) -> str:
        count = len(self._report["spans"])
        return f"<kblake.Coverage {'complete' if self.complete else 'incomplete'}, {count} spans>"


class Answer:
    """A table, and what it lacks.

    ``complete`` is False if events may be missing. ``problems`` has a line for each reason. ``notes`` are other remarks of the command,
    such as why an answer has no rows. ``coverage`` is None if the question has no range.
    """

    def __init__(
        self,
        table: pa.Table,
        *,
        complete: bool = True,
        lines: tuple[str, ...] = (),
        coverage: Coverage | None = None,
    ) -> None:
        self.table: pa.Table = table
        self.complete = complete
        self.problems: tuple[str, ...] = () if complete else reasons(lines)
        self.notes: tuple[str, ...] = tuple(line for line in lines if not _reason(line) and line not in self.problems)
        self.coverage = coverage

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """A data frame. Options are those of ``pyarrow.Table.to_pandas``."""
        return self.table.to_pandas(**options)

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame."""
        import polars

        frame = polars.from_arrow(self.table)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __getitem__(self, column: str) -> pa.ChunkedArray:
        return self.table[column]

    def __repr__(self) -> str:
        state = "" if self.complete else ", incomplete"
        text = f"<kblake.Answer {self.table.num_rows} rows{state}: {', '.join(self.table.column_names)}>"
        return "\n".join([text, *self.problems, *self.notes])


def reasons(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the lines that state what an incomplete answer lacks."""
    return tuple(text for line in lines if (text := _reason(line))) or lines


def _reason(line: str) -> str | None:
    found = re.match(r"kblake [a-z]+: incomplete: (.*)", line)
    return found[1] if found else None


def span_table(spans: Any, columns: Any, zone: str) -> pa.Table:
    """Returns a table of spans. Columns are names, keys of JSON, and types. A type of None is a time."""
    time = pa.timestamp("ns", zone)
    arrays = {}
    for name, key, kind in columns:
        arrays[name] = pa.array([span.get(key) for span in spans], time if kind is None else kind)
    return pa.table(arrays)
