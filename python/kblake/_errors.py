"""Errors and warnings."""

from __future__ import annotations

import os
import sys
import warnings

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


class KblakeError(Exception):
    """The request cannot be answered. The text is the message of the command.

    ``status`` is the command's exit status: 1 cannot be answered, 2 wrong usage. It is None if the command did not run.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class UnknownChannelError(KblakeError, LookupError):
    """The archive has no such channel. The text has similar names, if there are any."""


class IncompleteWarning(UserWarning):
    """An answer lacks events. The text has the first reason. ``Answer.coverage`` has the spans."""


def warn_incomplete(problems: tuple[str, ...]) -> None:
    """Warns at the line of the caller outside of this package."""
    text = "the answer is incomplete"
    if problems:
        text += ": " + problems[0]
    if len(problems) > 1:
        text += f" ({len(problems) - 1} more in .problems)"
    level = 1
    frame = sys._getframe(0)
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _PACKAGE:
        frame = frame.f_back
        level += 1
    warnings.warn(IncompleteWarning(text), stacklevel=level)
