"""KEKBLog archives as Arrow tables.

``kblake.open`` returns an ``Archive``. Its methods ask the ``kblake`` command. They return an ``Answer``: a ``pyarrow.Table`` with
a report of what it lacks.
"""

from ._answer import Answer, Coverage
from ._archive import Archive, open
from ._errors import IncompleteWarning, KblakeError, UnknownChannelError
from ._follow import Event, Following

__all__ = [
    "Answer",
    "Archive",
    "Coverage",
    "Event",
    "Following",
    "IncompleteWarning",
    "KblakeError",
    "UnknownChannelError",
    "open",
]
