"""Questions to a server, and its answers as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ._answer import Answer, Coverage, reasons
from ._decode import decode
from ._errors import warn_incomplete
from ._options import Names, name_list, optional
from ._server import Server, TooLargeError, single
from ._times import Time, time_text


class Served:
    """The questions that a server answers. Answers are None if the command answers in its place.

    zone: of answers. memory: the bytes that an answer may take. alone: whether there is no command.
    """

    def __init__(self, server: Server, zone: str, memory: int, alone: bool) -> None:
        self._server = server
        self._zone = zone
        self._memory = memory
        self._alone = alone
        self.address: str = server.address

    def table(
        self,
        path: str,
        options: list[str],
        channels: Names,
        start: Time | None,
        end: Time | None,
        group: Names | None,
        when: Names | None = None,
        **more: str,
    ) -> Answer | None:
        """Asks for events, or for a table of held values, unless there are options that no server has."""
        own = {"--from", "--to", "--group", "--when", *(f"--{name}" for name in more)} | ({"--wide"} if path == "table" else set())
        conditions = optional(when)
        if _of_files(conditions):
            return None
        if any(option.split("=")[0] not in own for option in options) or (start is None and end is not None):
            return None
        parameters = {**more, "channel": single(name_list(channels)), "when": conditions, **self._scope(start, end, group)}
        try:
            table, coverage, missing = self._server.table(path, self._memory, **parameters)
        except TooLargeError:
            if self._alone:
                raise
            return None
        if path == "data" and b" " not in table.schema.metadata[b"kblake.groups"]:
            table = table.drop_columns(["group"])
        lines = (*(() if missing is None else (f"kblake get: incomplete: {missing}",)), *coverage["notes"])
        if missing is not None:
            warn_incomplete(reasons(lines))
        return Answer(decode(table, self._zone), complete=missing is None, lines=lines, coverage=Coverage(coverage, self._zone))

    def intervals(
        self, conditions: Names, start: Time | None, end: Time | None, any_of: bool, group: Names | None
    ) -> Answer | None:
        """Asks for the intervals in which conditions are met."""
        texts = name_list(conditions)
        if (start is None and end is not None) or _of_files(texts):
            return None
        parameters = {"condition": texts, "any": "true" if any_of else "false", **self._scope(start, end, group)}
        found = self._server.document("when", **parameters)
        begins, ends = ([int(nanos) for nanos in found["intervals"][name]] for name in ("from", "to"))
        kind = pa.timestamp("ns", self._zone)
        columns = {"from": pa.array(begins, pa.int64()).cast(kind), "to": pa.array(ends, pa.int64()).cast(kind)}
        seconds = pa.array([(last - first) / 1e9 for first, last in zip(begins, ends)], pa.float64())
        lines = () if found["complete"] else (found["missing"],)
        if lines:
            warn_incomplete(lines)
        lines = (*lines, *found["notes"])
        return Answer(pa.table({**columns, "seconds": seconds}), complete=found["complete"], lines=lines)

    def compared(
        self, question: str, options: dict[str, str], channels: Names, group: Names | None
    ) -> tuple[list[dict[str, Any]], bool, tuple[str, ...], Coverage | None] | None:
        """Asks for the channels that differ. Returns a row for each, whether they are all, remarks, and the coverage if there is one."""
        groups, names = optional(group), single(name_list(channels))
        try:
            found = self._server.document(question, **options, channel=names, group=groups)
        except TooLargeError:
            if self._alone:
                raise
            return None
        lines: tuple[str, ...] = ()
        if not found["complete"]:
            lines = (f"kblake {question}: incomplete: {found['missing']}",)
            warn_incomplete(reasons(lines))
        lines += tuple(found["notes"])
        coverage = None
        if "coverage" in found:
            coverage = Coverage.of_groups(found, self._zone)
            gaps = sum(kind != "answered" for kind in coverage.table["kind"].to_pylist()) - len(coverage.missing)
            lines += (f"gaps of the archiver: {gaps}; .coverage has them",) if gaps else ()
        return [{**row, "channel": row["name"]} for row in found["channels"]], found["complete"], lines, coverage

    def channels(self, channels: Names, group: Names | None) -> list[dict[str, Any]]:
        """Returns what a server knows of channels: name, group, type and elements of each."""
        return self._server.channels(name_list(channels), None if group is None else name_list(group))

    def _scope(self, start: Time | None, end: Time | None, group: Names | None) -> dict[str, Any]:
        found: dict[str, Any] = {} if group is None else {"group": name_list(group)}
        for name, time in (("from", start), ("to", end)):
            if time is not None:
                found[name] = time_text(time, self._zone)
        return found


def _of_files(conditions: Sequence[str]) -> bool:
    """Whether a condition is a file with intervals. The server reads no files of this machine."""
    return any(text.strip().removeprefix("not ").strip().startswith("@") for text in conditions)
