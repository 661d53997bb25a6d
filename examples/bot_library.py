#!/usr/bin/env python3
"""A bot for all nine games in a few lines, with the Python package. Usage: bot_library.py [GAME [option=value]…]

It wins where it can; otherwise it plays the move after which it wins most of some random games."""
import sys

from nonet import Game

game = Game(sys.argv[1] if len(sys.argv) > 1 else "quadrangle", **dict(word.split("=") for word in sys.argv[2:]))
while not game.over:
    me, best, most = game.to_move, None, -1.0
    for move in game.numbers() if game.legal_count < 4000 else [game.nth(i * 7919 % game.legal_count) for i in range(3)]:
        game.play(move)
        share = game.playouts(4 if game.legal_count < 4000 else 1, seed=game.ply).shares[me - 1]
        game.undo()
        if share > most:
            best, most = move, share
    print(f"{game.ply + 1}. player {me}: {game.move_text(best)}")
    game.play(best)
print(game, game.result())
