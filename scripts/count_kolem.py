#!/usr/bin/env python3
"""Counts Kolem's stable positions on a board of any size, cell by cell, without listing any of them.

Usage: scripts/count_kolem.py [SIDE [MOST]]     (default 5 9: the board and the pieces of the game)

Stable: every piece has an enemy neighbour, and none has more than three neighbours. A position is a pair of sets, the
pieces of the player to move and those of the other; both have 3 to MOST pieces. Shares nothing with the engine.

The cells are filled row by row. Of the part already filled, only the last cell of each column matters: it is empty, or
has a piece of some colour, with a number of neighbours so far, that has or has not met an enemy. The program counts how
many ways lead to each such outline and each pair of numbers of pieces.
"""
import sys

SIDE = int(sys.argv[1]) if len(sys.argv) > 1 else 5
MOST = int(sys.argv[2]) if len(sys.argv) > 2 else 9
EMPTY = None


def meet(old, colour):
    """The piece `old` when a piece of `colour` comes to stand beside it, or False if it has too many neighbours."""
    own, met, beside = old
    return (own, met or own != colour, beside + 1) if beside < 3 else False


def settled(cell):
    """A cell that gets no more neighbours: empty, or in touch with the enemy."""
    return cell is EMPTY or cell[1]


def fill(outline, column, colour):
    """The outline after the next cell of a column, with a piece or without; None if that breaks a requirement."""
    above = outline[column]
    left = outline[column - 1] if column > 0 else EMPTY
    cells = list(outline)
    piece = EMPTY
    if colour is not EMPTY:
        piece = (colour, False, 0)
        if above is not EMPTY:
            above = meet(above, colour)
            if above is False:
                return None
            piece = (colour, above[0] != colour, 1)
        if left is not EMPTY:
            left = meet(left, colour)
            if left is False:
                return None
            piece = (colour, piece[1] or left[0] != colour, piece[2] + 1)
            cells[column - 1] = left
    if not settled(above):
        return None
    cells[column] = piece
    return tuple(cells)


counts = {((EMPTY,) * SIDE): {(0, 0): 1}}
for cell in range(SIDE * SIDE):
    after = {}
    for outline, ways in counts.items():
        for colour in (EMPTY, 0, 1):
            new = fill(outline, cell % SIDE, colour)
            if new is None:
                continue
            sums = after.setdefault(new, {})
            for (first, second), number in ways.items():
                pieces = (first + (colour == 0), second + (colour == 1))
                if max(pieces) <= MOST:
                    sums[pieces] = sums.get(pieces, 0) + number
    counts = after
    print(f"\rcell {cell + 1} of {SIDE * SIDE}, {len(counts)} outlines", end="", file=sys.stderr)
print(file=sys.stderr)

final = {}
for outline, ways in counts.items():
    if all(settled(cell) for cell in outline):
        for pieces, number in ways.items():
            final[pieces] = final.get(pieces, 0) + number
total = 0
print("    " + "".join(f"{second:>16}" for second in range(3, MOST + 1)))
for first in range(3, MOST + 1):
    row = [final.get((first, second), 0) for second in range(3, MOST + 1)]
    total += sum(row)
    print(f"{first:>3} " + "".join(f"{number:>16,}" for number in row))
print(f"total {total:,}")
