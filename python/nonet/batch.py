"""Many games at once."""
from __future__ import annotations

import ctypes
from array import array
from typing import Any, List, Optional, Sequence

from ._library import CError, library
from .errors import as_count, error_of
from .game import Variant

ON, OVER, REFUSED = 0, 1, 2  # what a step did


class Batch:
    """So many games of a variant, each of which makes a move by one call: `Batch("kudosu", 1000, chance=1)`.

    `moves`, `steps`, `turns` and `winners` are arrays with an entry for each game. The library reads and writes them in
    place, and so can numpy (`numpy.frombuffer(batch.moves, "u4")`).
    """

    def __init__(self, game: str, size: int, *, chance: int = 0, **options: Any) -> None:
        """`chance` decides whatever is dealt or chosen at random."""
        self._handle = None
        size, chance = as_count(size), as_count(chance)
        self._error = CError()
        self._at = ctypes.addressof(self._error)
        with Variant(game, options) as variant:
            self._handle = library.nonet_batch_open(variant.handle, size, chance, self._at)
            self.players = variant.players
        if not self._handle:
            raise error_of(self._error)
        self.size = size
        self.moves = (ctypes.c_uint32 * size)()
        self.steps = (ctypes.c_uint8 * size)()
        self._turns = (ctypes.c_uint8 * size)()
        self._winners = (ctypes.c_uint8 * size)()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.nonet_batch_close(self._handle)
            self._handle = None

    def __len__(self) -> int:
        return self.size

    def choose(self) -> None:
        """Writes a random legal move of each game into `moves`."""
        library.nonet_batch_choose(self._handle, ctypes.addressof(self.moves), self._at)

    def step(self, moves: Optional[Sequence[int]] = None) -> None:
        """Plays the moves, by default those in `moves`. `steps` tells what became of them: ON, OVER or REFUSED."""
        if moves is not None:
            self.moves[:] = array("I", moves)  # which refuses what is no number of 32 bits
        library.nonet_batch_step(self._handle, ctypes.addressof(self.moves), ctypes.addressof(self.steps), self._at)

    def restart(self) -> int:
        """Begins the finished games again; returns how many."""
        return library.nonet_batch_restart(self._handle)

    @property
    def turns(self) -> "ctypes.Array[ctypes.c_uint8]":
        """Whose turn it is in each game; 0 where it is over."""
        library.nonet_batch_turns(self._handle, ctypes.addressof(self._turns), self._at)
        return self._turns

    @property
    def winners(self) -> "ctypes.Array[ctypes.c_uint8]":
        """The winners of each finished game: bit p-1 for player p."""
        library.nonet_batch_winners(self._handle, ctypes.addressof(self._winners), self._at)
        return self._winners

    def legal(self, index: int) -> List[int]:
        """The legal moves of one game, as numbers."""
        room = (ctypes.c_uint32 * 4096)()
        return room[: library.nonet_batch_legal(self._handle, as_count(index), 0, ctypes.addressof(room), len(room))]
