"""A game in progress."""
from __future__ import annotations

import ctypes
import json
import operator
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._library import CError, CTally, CThinking, library
from .errors import IllegalMove, as_count, as_int, error_of, text_bytes

ALL = -1  # a viewer who may know everything
PUBLIC = 0  # a spectator

_HIGHEST = 2**32
_ROOM = 4096  # moves that are listed by one call; only Fullend has positions with more
_WHOLE_WIN = 12

Move = Union[str, int]


class Result(NamedTuple):
    """How a game ended."""

    winners: Tuple[int, ...]
    points: Optional[Tuple[int, ...]]
    reason: str


class Playouts(NamedTuple):
    """Random games: how many, their moves, and the share of the wins of each player."""

    games: int
    moves: int
    shares: Tuple[float, ...]


class Reason(str):
    """Why a move is not legal, in words; `key` names the rule."""

    key: str


def version() -> str:
    """The version of the library."""
    return library.nonet_version().decode()


def games() -> List[Dict[str, Any]]:
    """All games with their players and options, as `nonet games --json` prints them."""
    found = []
    for index in range(library.nonet_shelf_size()):
        with Variant(library.nonet_shelf_game(index).decode(), {}) as variant:
            found.append(variant.facts)
    return found


class Variant:
    """A game with its options, and the language of its messages."""

    def __init__(self, game: str, options: Dict[str, Any], words: Optional[Dict[str, str]] = None) -> None:
        self.words = self.handle = None
        name = game + "".join(f"{',' if i or ':' in game else ':'}{key}={value}" for i, (key, value) in enumerate(options.items()))
        error = CError()
        if words:
            lines = "\n".join(f"{key}\t{text}" for key, text in words.items())
            self.words = library.nonet_words_open(text_bytes(lines), ctypes.addressof(error))
            if not self.words:
                raise error_of(error)
        self.handle = library.nonet_variant_open(text_bytes(name), self.words, ctypes.addressof(error))
        if not self.handle:
            raise error_of(error)
        self.name: str = library.nonet_variant_name(self.handle).decode()
        self.players: int = library.nonet_variant_players(self.handle)

    @property
    def facts(self) -> Dict[str, Any]:
        return json.loads(library.nonet_variant_json(self.handle))

    def __enter__(self) -> "Variant":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        library.nonet_variant_close(self.handle)
        library.nonet_words_close(self.words)
        self.handle = self.words = None

    def __del__(self) -> None:
        self.close()


class Game:
    """A game in progress: `Game("ksar", frame="8x8")`.

    Options are keyword arguments; `games()` lists them. `start` is the text of another first position, and `moves` are
    played at once. `words` maps keys of messages to texts in another language.

    A move is a text, as in the rules, or a number, which is quicker. Seats count from 1.
    """

    def __init__(self, game: str, *, start: Optional[str] = None, moves: Iterable[Move] = (), words: Optional[Dict[str, str]] = None,
                 **options: Any) -> None:
        self._handle = None
        variant = Variant(game, options, words)
        error = CError()
        handle = library.nonet_round_open(variant.handle, None if start is None else text_bytes(start), ctypes.addressof(error))
        self._take(handle, variant, error)
        for move in moves:
            self.play(move)

    def _take(self, handle: Optional[int], variant: Optional[Variant], error: CError) -> None:
        """Takes the library's round. What is used for every move is looked up once, here."""
        self._handle = handle
        if not handle:
            raise error_of(error)
        self._variant = variant  # its words are used as long as this game
        self._error = error
        self._at = ctypes.addressof(error)
        self._buffer = (ctypes.c_uint32 * _ROOM)()
        self._buffer_at = ctypes.addressof(self._buffer)
        self._play = library.nonet_round_play
        self._legal = library.nonet_round_legal
        self._turn = library.nonet_round_turn
        self.players: int = library.nonet_round_players(handle)

    @classmethod
    def _of(cls, handle: Optional[int], variant: Optional[Variant], error: CError) -> "Game":
        game = cls.__new__(cls)
        game._take(handle, variant, error)
        return game

    @classmethod
    def seen(cls, game: str, seat: int, first: str, moves: Sequence[str] = (), now: Optional[str] = None, **options: Any) -> "Game":
        """A game as one seat knows it: the text that it saw first, the moves since, and the text that it sees now.
        Whatever it cannot know is made up so that it fits."""
        variant = Variant(game, options)
        error = CError()
        texts = (ctypes.c_char_p * (len(moves) + 1))(*map(text_bytes, moves))
        handle = library.nonet_round_open_seen(variant.handle, as_int(seat), text_bytes(first), texts, len(moves),
                                               None if now is None else text_bytes(now), ctypes.addressof(error))
        return cls._of(handle, variant, error)

    @classmethod
    def load(cls, lines: str) -> "Game":
        """A game from what `save` gave."""
        error = CError()
        return cls._of(library.nonet_round_read(text_bytes(lines), None, ctypes.addressof(error)), None, error)

    def save(self) -> str:
        """The whole game as lines of text, secrets included."""
        return self._text(library.nonet_round_write(self._handle, self._at))

    def copy(self) -> "Game":
        """The same game again, to go on in another way."""
        error = CError()
        return self._of(library.nonet_round_copy(self._handle, ctypes.addressof(error)), self._variant, error)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.nonet_round_close(self._handle)
            self._handle = None

    def __repr__(self) -> str:
        return f"<nonet.Game {self.save().splitlines()[0]}: {self.text}>"

    def _text(self, text: Optional[bytes]) -> str:
        if text is None:
            raise error_of(self._error)
        return text.decode()

    def _json(self, text: Optional[bytes]) -> Dict[str, Any]:
        return json.loads(self._text(text))

    # ---- Playing ----

    def number(self, move: Move) -> int:
        """The number of a move's text; a number stays as it is."""
        if not isinstance(move, str):
            move = operator.index(move)  # whole numbers of numpy too
            if not 0 <= move < _HIGHEST:
                raise IllegalMove("this is not a move of this game", "common.no-such-move")
            return move
        found = ctypes.c_uint32()
        if library.nonet_round_parse(self._handle, text_bytes(move), ctypes.addressof(found), self._at):
            raise error_of(self._error)
        return found.value

    def move_text(self, move: int) -> str:
        """The text of a move's number."""
        return self._text(library.nonet_round_move_text(self._handle, self.number(move), self._at))

    def numbers(self) -> List[int]:
        """The legal moves as numbers, in a fixed order. Fullend has millions of moves: see `legal_count` and `nth`."""
        count = self._legal(self._handle, 0, self._buffer_at, _ROOM)
        if count < _ROOM:
            return self._buffer[:count]
        count = self.legal_count
        every = (ctypes.c_uint32 * count)()
        self._legal(self._handle, 0, ctypes.addressof(every), count)
        return every[:]

    def legal(self) -> List[str]:
        """The legal moves as texts, in a fixed order."""
        text, handle, at = library.nonet_round_move_text, self._handle, self._at
        return [text(handle, move, at).decode() for move in self.numbers()]

    @property
    def legal_count(self) -> int:
        """How many moves are legal."""
        return library.nonet_round_legal_count(self._handle)

    def nth(self, index: int) -> int:
        """One of the legal moves, as a number."""
        if not 0 <= index < 2**64 or not self._legal(self._handle, index, self._buffer_at, 1):
            raise IndexError("there is no such legal move")
        return self._buffer[0]

    def play(self, move: Move) -> None:
        """Plays a move. Raises IllegalMove, with the reason, if it may not be played."""
        if move.__class__ is not int or not 0 <= move < _HIGHEST:
            move = self.number(move)
        if self._play(self._handle, move, self._at):
            raise error_of(self._error)

    def why(self, move: Move) -> Optional[Reason]:
        """Why a move may not be played now; None if it may."""
        try:
            number = self.number(move)
            if library.nonet_round_why(self._handle, number, self._at) == 0:
                return None
            raise error_of(self._error)
        except IllegalMove as refused:
            reason = Reason(refused)
            reason.key = refused.key
            return reason

    def undo(self) -> bool:
        """Takes a move back; False if there is none."""
        return bool(library.nonet_round_undo(self._handle))

    def redo(self) -> bool:
        """Plays the move again that was taken back; False if there is none."""
        return bool(library.nonet_round_redo(self._handle))

    def restart(self) -> None:
        """Goes back to where the game was opened, and forgets all moves."""
        library.nonet_round_restart(self._handle)

    @property
    def to_move(self) -> int:
        """Whose turn it is, from 1; 0 if the game is over."""
        return self._turn(self._handle)

    @property
    def over(self) -> bool:
        return self._turn(self._handle) == 0

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return library.nonet_round_ply(self._handle)

    @property
    def played(self) -> List[str]:
        """The moves so far."""
        moves, found = [], ctypes.c_uint32()
        for index in range(self.ply):
            library.nonet_round_played(self._handle, index, ctypes.addressof(found), self._at)
            moves.append(self.move_text(found.value))
        return moves

    @property
    def winners(self) -> Tuple[int, ...]:
        """Who won: one, several who share the win, all for a draw; nobody while the game goes on."""
        bits = library.nonet_round_winners(self._handle)
        return tuple(player for player in range(1, self.players + 1) if bits >> player - 1 & 1)

    def share(self, player: int) -> float:
        """What a player has of a finished game: 1 for a win, a part of it for a shared one, 0 for a loss."""
        return library.nonet_round_share(self._handle, as_int(player)) / _WHOLE_WIN

    def result(self) -> Optional[Result]:
        """Winners, points and the reason; None while the game goes on."""
        if not self.over:
            return None
        points: Optional[List[int]] = []
        for player in range(1, self.players + 1):
            found = ctypes.c_int()
            if library.nonet_round_points(self._handle, player, ctypes.addressof(found), self._at):
                points = None
                break
            points.append(found.value)
        reason = self._text(library.nonet_round_reason(self._handle, self._at))
        return Result(self.winners, None if points is None else tuple(points), reason)

    # ---- What is seen ----

    @property
    def text(self) -> str:
        """The position as a line of text, which `start` takes."""
        return self.text_for(ALL)

    def text_for(self, viewer: int) -> str:
        """The same as a seat, or a spectator (PUBLIC), may know it."""
        return self._text(library.nonet_round_text(self._handle, as_int(viewer), self._at))

    def position(self) -> Dict[str, Any]:
        """Everything about the position, as `nonet position` prints it."""
        return self.observe(ALL)

    def observe(self, seat: int) -> Dict[str, Any]:
        """The same as a seat, or a spectator (PUBLIC), may know it."""
        return self._json(library.nonet_round_position(self._handle, as_int(seat), self._at))

    def scene(self, viewer: int = ALL) -> Dict[str, Any]:
        """Places and pieces, for drawing."""
        return self._json(library.nonet_round_scene(self._handle, as_int(viewer), self._at))

    def draw(self, viewer: int = ALL, svg: bool = False) -> str:
        """A drawing for a terminal, or an SVG picture."""
        return self._text(library.nonet_round_draw(self._handle, as_int(viewer), int(svg), self._at))

    def __str__(self) -> str:
        return self.draw()

    # ---- What a position is worth ----

    def probe(self, seconds: float = 300) -> Dict[str, Any]:
        """The proven value of the position and of every move, as `nonet probe` prints it. Raises Unproven."""
        return self._json(library.nonet_round_probe(self._handle, seconds, self._at))

    @staticmethod
    def _thinking(level: int, nodes: int, seed: int, seconds: float, threads: int, memory: int) -> CThinking:
        return CThinking(as_count(nodes), as_count(seed), as_count(memory), seconds, as_int(level), as_int(threads))

    def think(self, *, level: int = 10, nodes: int = 0, seed: int = 0, seconds: float = 0, threads: int = 1, memory: int = 0) -> Dict[str, Any]:
        """What a computer player thinks of the position, as `nonet think` prints it. With nodes, or a level below 10, one
        thread and no seconds, the same game always gets the same answer."""
        thinking = self._thinking(level, nodes, seed, seconds, threads, memory)
        return self._json(library.nonet_round_think(self._handle, ctypes.addressof(thinking), self._at))

    def choose(self, *, level: int = 10, nodes: int = 0, seed: int = 0, seconds: float = 0, threads: int = 1, memory: int = 0) -> str:
        """The move that a computer player would play."""
        thinking = self._thinking(level, nodes, seed, seconds, threads, memory)
        found = ctypes.c_uint32()
        if library.nonet_round_choose(self._handle, ctypes.addressof(thinking), ctypes.addressof(found), self._at):
            raise error_of(self._error)
        return self.move_text(found.value)

    def playouts(self, count: int, seed: int = 0) -> Playouts:
        """Random games from here to the end."""
        tally = CTally()
        if library.nonet_round_playouts(self._handle, as_count(count), as_count(seed), ctypes.addressof(tally), self._at):
            raise error_of(self._error)
        shares = tuple(tally.shares[player] / _WHOLE_WIN / max(count, 1) for player in range(self.players))
        return Playouts(tally.games, tally.moves, shares)
