"""What can go wrong."""
from __future__ import annotations

import operator

from ._library import CError


class NonetError(ValueError):
    """Something was refused. `key` names the rule or the reason, if there is one; the text says it in words."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


class IllegalMove(NonetError):
    """A move that may not be played here, or no move at all."""


class Unproven(NonetError):
    """Nothing proves the value that was asked for."""


_KINDS = {4: IllegalMove, 5: Unproven}


def error_of(error: CError) -> Exception:
    """The exception for an error of the library."""
    if error.code == 6:
        return MemoryError("there is no memory left")
    return _KINDS.get(error.code, NonetError)(error.message.decode(), error.key.decode())


def text_bytes(text: str) -> bytes:
    """A text as the library takes it."""
    if "\0" in text:
        raise NonetError("a text cannot contain a zero byte")
    return text.encode()


def as_int(number: int) -> int:
    """A number as the library takes it where a C int is meant. ctypes alone would cut it off, and ask something else."""
    return _within(number, -(2**31), 2**31 - 1)


def as_count(number: int) -> int:
    """The same for an unsigned number of 64 bits."""
    return _within(number, 0, 2**64 - 1)


def _within(number: int, least: int, most: int) -> int:
    number = operator.index(number)  # whole numbers of numpy too
    if not least <= number <= most:
        raise NonetError("a number is out of its range")
    return number
