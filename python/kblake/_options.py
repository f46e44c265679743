"""Arguments of questions as options of the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from ._times import Time, time_text

#: A name or a glob, or several.
Names = Union[str, Sequence[str]]


def name_list(names: Names) -> list[str]:
    """Returns the names. Raises TypeError if one is no text, and ValueError if there is none."""
    found = [names] if isinstance(names, str) else list(names)
    for name in found:
        if not isinstance(name, str):
            raise TypeError(f"not a text: {name!r}")
    if not found:
        raise ValueError("an empty list; name at least one")
    return found


def optional(names: Names | None) -> list[str]:
    """Returns the names, or none of None."""
    return [] if names is None else name_list(names)


def group_options(group: Names | None) -> list[str]:
    """Returns the groups that a question selects."""
    return [f"--group={each}" for each in optional(group)]


def when_options(conditions: Names | None) -> list[str]:
    """Returns the conditions that restrict the times of an answer."""
    return [f"--when={each}" for each in optional(conditions)]


def range_options(start: Time | None, end: Time | None, zone: str) -> list[str]:
    """Returns the ends of a range. Times without an offset are in the zone."""
    ends = (("from", start), ("to", end))
    return [f"--{name}={time_text(time, zone)}" for name, time in ends if time is not None]


def filter_options(
    *,
    last: int | None = None,
    held: bool = False,
    where: Names | None = None,
    severity: str | None = None,
    columns: Names | None = None,
    strays: bool = False,
) -> list[str]:
    """Returns which events and columns an answer has."""
    options = [] if last is None else [f"--last={last}"]
    if held:
        options.append("--held")
    options.extend(f"--where={condition}" for condition in optional(where))
    if severity is not None:
        options.append(f"--severity={severity}")
    if columns is not None:
        options.append("--columns=" + ",".join(name_list(columns)))
    if strays:
        options.append("--strays")
    return options
