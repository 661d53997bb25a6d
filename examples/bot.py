#!/usr/bin/env python3
"""A small player of Quadrangle, as a start for a bot of your own. Try it:

    nonet match quadrangle cmd:examples/bot.py level:3

It speaks the Universal Game Interface: lines of text come in, lines of text go out (docs/ugi.md describes all of them).
A bot has three things to do, and this file has a part for each: know the rules, choose a move, and hold the
conversation.

It wins where it can, prevents the other player's win where it must, and otherwise places a piece anywhere.
"""
import itertools
import random
import sys

# ---- The rules: players 1 and 2 place pieces on a 4x4 board; the first to own the corners of a rectangle wins. ----

CELLS = [file + rank for rank in "1234" for file in "abcd"]


def is_rectangle(corners, upright):
    """Four points are the corners of a rectangle if the diagonals have the same middle and the same length."""
    points = [("abcd".index(cell[0]), int(cell[1])) for cell in corners]
    if upright and len({x for x, _ in points}) != 2:
        return False
    for a, b, c, d in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):  # a-b and c-d are the diagonals
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points[a], points[b], points[c], points[d]
        same_middle = ax + bx == cx + dx and ay + by == cy + dy
        same_length = (ax - bx) ** 2 + (ay - by) ** 2 == (cx - dx) ** 2 + (cy - dy) ** 2
        if same_middle and same_length:
            return True
    return False


def rectangles(upright):
    return [set(corners) for corners in itertools.combinations(CELLS, 4) if is_rectangle(corners, upright)]


class Game:
    def __init__(self):
        self.winning = rectangles(upright=False)
        self.restart()

    def restart(self):
        self.owned = {1: set(), 2: set()}
        self.turn = 1

    def play(self, cell):
        self.owned[self.turn].add(cell)
        self.turn = 3 - self.turn

    def read(self, board, turn):
        """A position as text has the board from its top rank, A and B for the pieces: "..../.B../.A../.... 1"."""
        self.restart()
        for rank, row in zip("4321", board.split("/")):
            for file, piece in zip("abcd", row):
                if piece in "AB":
                    self.owned["AB".index(piece) + 1].add(file + rank)
        self.turn = int(turn)

    def empty(self):
        return [cell for cell in CELLS if cell not in self.owned[1] | self.owned[2]]

    def has_won(self, player):
        return any(corners <= self.owned[player] for corners in self.winning)

    def result(self):
        return "p1win" if self.has_won(1) else "p2win" if self.has_won(2) else "none" if self.empty() else "draw"


# ---- The choice: this is where your ideas go. ----


def completes(game, player, cell):
    """Whether a piece on this cell would give the player a rectangle."""
    return any(corners <= game.owned[player] | {cell} for corners in game.winning)


def choose(game):
    for player in (game.turn, 3 - game.turn):  # first win, then prevent the other's win
        for cell in game.empty():
            if completes(game, player, cell):
                return cell
    return random.choice(game.empty())


# ---- The conversation. ----


def say(line):
    print(line, flush=True)  # without the flush, the other program would wait for ever


def main():
    game = Game()
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["ugi"]:  # who are you?
                say("id name Example bot in Python")
                say("id author the Nonet maintainers")
                say("option name rectangles type combo default any var any var upright")
                say("ugiok")
            case ["isready"]:
                say("readyok")
            case ["uginewgame"]:
                game.restart()
            case ["setoption", "name", "rectangles", "value", value]:  # other options do not concern us
                game.winning = rectangles(upright=value == "upright")
            case ["position", *rest]:  # where the game stands: its beginning, and all moves since
                split = rest.index("moves") if "moves" in rest else len(rest)
                game.restart()
                if rest[0] == "fen":
                    game.read(*rest[1:split])
                for cell in rest[split + 1 :]:
                    game.play(cell)
            case ["go", *_]:  # your move; this bot is so quick that it ignores the time limit
                say(f"bestmove {choose(game)}")
            case ["query", "gameover"]:
                say("response " + ("false" if game.result() == "none" else "true"))
            case ["query", "p1turn"]:
                say("response " + ("true" if game.turn == 1 else "false"))
            case ["query", "result"]:
                say("response " + game.result())
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
