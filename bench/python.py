#!/usr/bin/env python3
"""Steps a second through the Python package, in processor time: list the legal moves, pick one, play it, begin again at
the end. One by one, and many games at once. Usage: PYTHONPATH=python bench/python.py [GAME…]"""
import sys
import time

from nonet import Batch, Game

SECONDS = 2.0


def single(name):
    game, steps, began = Game(name), 0, time.process_time()
    while time.process_time() - began < SECONDS:
        for _ in range(1000):
            moves = game.numbers()
            if not moves:
                game.restart()
                moves = game.numbers()
            game.play(moves[steps * 7919 % len(moves)])
            steps += 1
    return steps / (time.process_time() - began)


def batched(name, size=500):
    batch, steps, began = Batch(name, size), 0, time.process_time()
    while time.process_time() - began < SECONDS:
        batch.choose()
        batch.step()
        batch.restart()
        steps += size
    return steps / (time.process_time() - began)


def playouts(name):
    game, moves, began = Game(name), 0, time.process_time()
    while time.process_time() - began < SECONDS:
        moves += game.playouts(100, seed=moves).moves
    return moves / (time.process_time() - began)


for name in sys.argv[1:] or ["quadrangle", "mix3", "kudosu", "trix", "kolem", "masker", "chasm", "ksar"]:
    print(f"{name:12} {single(name):12,.0f} {batched(name):12,.0f} {playouts(name):12,.0f}", flush=True)
