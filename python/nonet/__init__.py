"""Nonet: nine wooden-box games by exact rules.

    >>> from nonet import Game
    >>> game = Game("ksar", frame="8x8")
    >>> game.play("2x3@a1")
    >>> game.to_move
    2

docs/python.md explains it with examples.
"""
from .batch import Batch
from .errors import IllegalMove, NonetError, Unproven
from .game import ALL, PUBLIC, Game, Playouts, Reason, Result, games, version

__all__ = ["ALL", "PUBLIC", "Batch", "Game", "IllegalMove", "NonetError", "Playouts", "Reason", "Result", "Unproven", "games", "version"]
