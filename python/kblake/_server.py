"""Asks kblake serve: Arrow streams over HTTP."""

from __future__ import annotations

import http.client
import io
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote_plus, urlencode, urlsplit

import pyarrow as pa

from ._errors import KblakeError, UnknownChannelError
from ._memory import Batches

_MOST_NAMES = 200_000
_TOO_LARGE = (413, 414, 431)
_BUFFER_BYTES = 1 << 20
_SECONDS = 300
_FIRST, _LAST = -(1 << 63), (1 << 63) - 1


class TooLargeError(KblakeError):
    """The server does not answer a question that is so large."""


class Server:
    """A server at an address such as ``http://127.0.0.1:17668``. Each request has a connection of its own.

    token: what the server wants of its clients; None if nothing.
    """

    def __init__(self, address: str, token: str | None = None) -> None:
        parts = urlsplit(address if "//" in address else "//" + address, "http")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise KblakeError(f"not the address of a server: {address}; write http://HOST:PORT")
        self.address = address
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._path = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.zone: str = self.document("archive")["zone"]

    def document(self, path: str, **parameters: Any) -> dict[str, Any]:
        """Returns a JSON answer. Times are texts of nanoseconds."""
        connection, response = self._ask(path, {**parameters, "time": "nanos"})
        with connection:
            found: dict[str, Any] = json.loads(response.read())
        return found

    def channels(self, names: Sequence[str], groups: Sequence[str] | None) -> list[dict[str, Any]]:
        """Returns the channels of names and globs in these groups, each once."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for name in single(names):
            answer = self.document("channels", pattern=name, limit=_MOST_NAMES)["channels"]
            if not answer:
                raise UnknownChannelError(f"no such channel: {name}")
            for channel in answer:
                if groups is None or channel["group"] in groups:
                    found[channel["group"], channel["name"]] = channel
        return list(found.values())

    def table(self, path: str, most: int, **parameters: Any) -> tuple[pa.Table, dict[str, Any], str | None]:
        """Returns the table of an Arrow stream of at most so many bytes, its coverage as the command reports it, and why it is incomplete, or None."""
        connection, response = self._ask(path, {**parameters, "format": "arrow"})
        with connection:
            try:
                reader = pa.ipc.open_stream(io.BufferedReader(response, _BUFFER_BYTES))
                batches = Batches(most)
                while True:
                    batch, metadata = reader.read_next_batch_with_custom_metadata()
                    if metadata is not None and b"complete" in metadata:
                        mark = metadata[b"complete"].decode("utf-8")
                        coverage = {**_coverage(metadata[b"kblake.coverage"].decode("utf-8")), "complete": mark == "true"}
                        return pa.Table.from_batches(batches.all, reader.schema), coverage, None if mark == "true" else mark
                    batches.add(batch)
            except (StopIteration, pa.ArrowInvalid, OSError, http.client.HTTPException) as error:
                raise KblakeError(f"the answer of {self.address} was cut off: {error or 'it has no end'}") from error

    def _ask(self, path: str, parameters: dict[str, Any]) -> tuple[_Connection, http.client.HTTPResponse]:
        connection = _Connection(self._secure, self._host, self._port)
        try:
            response = connection.get(f"{self._path}/api/v1/{path}?{urlencode(parameters, doseq=True)}", self._headers)
            if response.status == 200:
                return connection, response
            text = response.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise KblakeError(f"{self.address} does not answer: {error}") from error
        except BaseException:
            connection.close()
            raise
        connection.close()
        try:
            message = str(json.loads(text)["error"])
        except (ValueError, KeyError, TypeError):
            message = f"{self.address} answers with status {response.status}"
        if response.status in _TOO_LARGE:
            raise TooLargeError(message)
        if response.status == 404 and "no such channel" in message:
            raise UnknownChannelError(message)
        raise KblakeError(message)


def single(names: Sequence[str]) -> list[str]:
    """Returns names and globs, each of which is one: commas separate them, unless they are within braces."""
    return [part for each in names for part in ([each] if "{" in each else each.split(","))]


def _coverage(text: str) -> dict[str, Any]:
    """Returns a report. Its lines are ``note TEXT``, ``span GROUP KIND FROM TO FILE BYTES MISSING DETAIL`` and
    ``lossy GROUP FROM TO COUNT REASON``; texts are URL-encoded.
    """
    spans: list[dict[str, Any]] = []
    notes = []
    lossy: list[dict[str, Any]] = []
    for line in text.split("\n"):
        kind, *words = line.split(" ")
        if kind == "note":
            notes.append(unquote_plus(words[0]))
        elif kind == "lossy":
            count = int(words[3])
            lossy.append(
                {
                    "group": unquote_plus(words[0]),
                    "fromNanos": int(words[1]),
                    "toNanos": int(words[2]),
                    "count": None if count < 0 else count,
                    "reason": unquote_plus(words[4]),
                }
            )
        elif kind == "span":
            begin, end = int(words[2]), int(words[3])
            spans.append(
                {
                    "group": unquote_plus(words[0]),
                    "kind": words[1].lower().replace("_", " "),
                    "fromNanos": None if begin == _FIRST else begin,
                    "toNanos": None if end == _LAST else end,
                    "file": None if words[4] == "~" else unquote_plus(words[4]),
                    "missing": words[6] == "true",
                    "detail": unquote_plus(words[7]) or None,
                }
            )
    return {"spans": spans, "notes": notes, "lossy": lossy}


class _Connection:
    """A connection that the end of a ``with`` block closes, so that the server ends an answer that nobody reads."""

    def __init__(self, secure: bool, host: str, port: int | None) -> None:
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._connection = kind(host, port, timeout=_SECONDS)

    def get(self, target: str, headers: dict[str, str]) -> http.client.HTTPResponse:
        self._connection.request("GET", target, headers=headers)
        return self._connection.getresponse()

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> _Connection:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
