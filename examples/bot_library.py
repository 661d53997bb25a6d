#!/usr/bin/env python3
"""A bot for all nine games in a few lines, with the Python package. Usage: bot_library.py [GAME [option=value]…]

It sits at every seat, and knows what that seat may know. Of some moves it plays the one after which it wins most of some
random games."""
import random
import sys

from nonet import Game

name, options = sys.argv[1] if sys.argv[1:] else "quadrangle", dict(word.split("=") for word in sys.argv[2:])
game = Game(name, **options)
first = [game.text_for(seat) for seat in range(1, game.players + 1)]
while not game.over:
    me, worth = game.to_move, {}
    known = Game.seen(name, me, first[me - 1], game.played, game.text_for(me), **options)
    for index in random.sample(range(known.legal_count), min(known.legal_count, 25)):
        move = known.nth(index)
        known.play(move)
        worth[move] = known.playouts(4).shares[me - 1]
        known.undo()
    game.play(max(worth, key=worth.get))
    print(f"{game.ply}. player {me}: {game.played[-1]}")
print(game, game.result())
