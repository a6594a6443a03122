"""Whose work it is, so that queues in a process serve owners in turn, and nobody waits behind all work of another.

An owner is a batch with all of its rows, or a job that is part of none.
"""

import contextlib
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Generic, TypeVar

T = TypeVar("T")

_owner: ContextVar[str] = ContextVar("owner", default="")


@contextlib.contextmanager
def owned_by(owner: str) -> Iterator[None]:
    """Say whose work the block does, and the tasks that begin there."""
    before = _owner.set(owner)
    try:
        yield
    finally:
        _owner.reset(before)


def owner_at_work() -> str:
    """Whose work this is: the id of a batch or of a job; "" for work that nobody asked for, such as indexing."""
    return _owner.get()


class OwnersQueue(Generic[T]):
    """What waits, in a line for each owner. Owners are served in turn, and each line in the order of its items."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[T]] = {}
        """The owner whose turn it is comes first."""

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def __bool__(self) -> bool:
        return bool(self._lines)

    def append(self, owner: str, item: T) -> None:
        """Let an item wait behind the others of its owner."""
        self._lines.setdefault(owner, deque()).append(item)

    @property
    def first(self) -> T | None:
        """What `popleft` would take; None if nothing waits."""
        return next(iter(self._lines.values()))[0] if self._lines else None

    def popleft(self) -> T:
        """The next item of the owner whose turn it is; the turn of that owner comes again after all others.

        Raises:
            IndexError: nothing waits.
        """
        if not self._lines:
            raise IndexError("nothing waits")
        owner = next(iter(self._lines))
        line = self._lines.pop(owner)
        item = line.popleft()
        if line:
            self._lines[owner] = line
        return item

    def remove(self, owner: str, item: T) -> bool:
        """Take an item out; False if it does not wait."""
        line = self._lines.get(owner)
        if line is None or item not in line:
            return False
        line.remove(item)
        if not line:
            del self._lines[owner]
        return True
