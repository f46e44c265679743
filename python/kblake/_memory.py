"""The memory that an answer may take."""

from __future__ import annotations

import os
import re
from typing import Union

import pyarrow as pa

from ._errors import KblakeError

#: A number of bytes, or a text such as ``4G``.
Size = Union[int, str]

_SIZE = re.compile(r"(\d+)([KMGT]?)i?B?", re.IGNORECASE)
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def size_bytes(size: Size | None) -> int:
    """The bytes of a size; of None half of the memory of this machine, or of the container."""
    if size is None:
        return _installed() // 2
    if isinstance(size, int):
        return size
    found = _SIZE.fullmatch(size.strip())
    if found is None:
        raise ValueError(f"not a size: {size!r}; write 4G")
    return int(found[1]) << (10 * " KMGT".index(found[2].upper() or " "))


def _installed() -> int:
    sizes = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for name in _LIMITS:
        try:
            with open(name, encoding="ascii") as file:
                text = file.read().strip()
        except OSError:
            continue
        if text.isdigit():
            sizes.append(int(text))
    return min(sizes)


class Batches:
    """The batches of an answer in memory, up to a limit."""

    def __init__(self, most: int) -> None:
        self.all: list[pa.RecordBatch] = []
        self._most = most
        self._bytes = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Adds a batch. Raises KblakeError if the answer has more bytes than the limit."""
        self.all.append(batch)
        self._bytes += batch.nbytes
        if self._bytes > self._most:
            raise KblakeError(
                f"the answer takes more than {self._most:,} bytes of memory; ask for a shorter range, fewer channels or a longer step, "
                "read events with a.batches, or open the archive with memory="
            )
