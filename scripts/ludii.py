#!/usr/bin/env python3
"""Writes docs/ludii/*.lud: games of Nonet in the language of Ludii. Rectangles, tris and pincers are listed one by one, which
no hand should do.

    ludii.py            writes the files
    ludii.py --check    fails if a file is not what would be written
"""
import itertools
import pathlib
import sys

folder = pathlib.Path(__file__).resolve().parent.parent / "docs/ludii"
CELLS = [(file, rank) for rank in range(4) for file in range(4)]


def name(cell):
    return f'"{"ABCD"[cell[0]]}{cell[1] + 1}"'


def sites(cells):
    return f"(sites {{{' '.join(map(name, cells))}}})"


def owned(player, cells):
    return f"(all Sites {sites(cells)} if:(= {player} (who at:(site))))"


def rectangles(upright):
    """Four cells of which two pairs have the same middle and are equally far apart: the diagonals of a rectangle."""
    found = set()
    pairs = list(itertools.combinations(CELLS, 2))
    for (a, c), (b, d) in itertools.combinations(pairs, 2):
        middle = (a[0] + c[0], a[1] + c[1]) == (b[0] + d[0], b[1] + d[1])
        length = (a[0] - c[0]) ** 2 + (a[1] - c[1]) ** 2 == (b[0] - d[0]) ** 2 + (b[1] - d[1]) ** 2
        cells = sorted({a, b, c, d}, key=CELLS.index)
        if middle and length and (not upright or len({x for x, _ in cells}) == 2 == len({y for _, y in cells})):
            found.add(tuple(cells))
    return sorted(found)


def lines(length, directions):
    """Cells next to each other in a straight line."""
    for (x, y), (dx, dy) in itertools.product(CELLS, directions):
        line = [(x + i * dx, y + i * dy) for i in range(length)]
        if all(cell in CELLS for cell in line):
            yield line


def listed(indent, texts):
    return "\n".join(" " * indent + text for text in texts)


def info(text, rules, author):
    return f'''(metadata
    (info {{
        (description "{text}")
        (rules "{rules}")
        (author "{author}")
    }})
)
'''


def quadrangle(upright):
    kind = "upright rectangle" if upright else "rectangle, tilted or upright"
    return f'''(game "Quadrangle"
    (players 2)
    (equipment {{
        (board (square 4))
        (piece "Square" Each)
        (hand Each)
    }})
    (rules
        (start (place "Square" "Hand" count:8))
        (play (move (from (handSite Mover)) (to (sites Empty))))
        (end {{
            (if (or {{
{listed(20, (owned("(mover)", cells) for cells in rectangles(upright)))}
                }})
                (result Mover Win))
            (if (is Full) (result Mover Draw))
        }})
    )
)

''' + info("Own the four corners of a rectangle.", f"In turn, place a piece on an empty cell. Who first owns the four corners of any {kind}, wins. A full board without one is a draw.", "Nazareno Signoretto")


def mix3(upright):
    def counted():
        for player, enemy in ((1, 2), (2, 1)):
            for cells in rectangles(upright):
                yield f"(if {owned(player, cells)} (addScore P{player} 2))"
            for cells in lines(3, ((1, 0), (0, 1), (1, 1), (1, -1))):
                yield f"(if {owned(player, cells)} (addScore P{player} 1))"
            for between in (1, 2):
                for first, *middle, last in lines(between + 2, ((1, 0), (0, 1))):
                    yield f"(if (and {owned(player, [first, last])} {owned(enemy, middle)}) (addScore P{player} {between}))"

    return f'''(game "Mix 3"
    (players 2)
    (equipment {{
        (board (square 4))
        (piece "Square" Each)
        (hand Each)
    }})
    (rules
        (start (place "Square" "Hand" count:8))
        (play
            (move (from (handSite Mover)) (to (sites Empty))
                (then
                    (if (is Full)
                        (and {{
{listed(28, counted())}
                        }})
                    )
                )
            )
        )
        (end (if (is Full) (byScore)))
    )
)

''' + info("Fill the board, then count rectangles, tris and pincers.", f"In turn, place a piece on an empty cell until all are filled. Rectangles ({'upright ones only' if upright else 'tilted ones too'}) count 2 points, three own pieces in a row 1 point, own pieces on both sides of one or two enemy pieces as many points as there are enemies. More points win.", "Nazareno Signoretto")


def kudosu():
    woods = ("Maple", "Zebrano", "Padouk", "Walnut")
    places = (f'(place "{wood}0" (handSite P{player} {i}) count:2)' for player in (1, 2) for i, wood in enumerate(woods))
    differs = "if:(!= (what at:(site)) (what at:(from)))"
    quadrants = ([cell for cell in CELLS if (cell[0] // 2, cell[1] // 2) == corner] for corner in itertools.product(range(2), repeat=2))
    return f'''(game "Kudosu"
    (players 2)
    (equipment {{
        (board (square 4))
{listed(8, (f'(piece "{wood}" Neutral)' for wood in woods))}
        (hand Each size:4)
    }})
    (rules
        (start {{
{listed(12, places)}
        }})
        (play
            (move
                (from (sites Hand Mover) if:(is Occupied (from)))
                (to (sites Empty)
                    if:(and {{
                        (all Sites (sites Row (row of:(to))) {differs})
                        (all Sites (sites Column (column of:(to))) {differs})
{listed(24, (f"(or (not (is In (to) {sites(cells)})) (all Sites {sites(cells)} {differs}))" for cells in quadrants))}
                    }})
                )
            )
        )
        (end (if (no Moves Next) (result Mover Win)))
    )
)

''' + info("Sudoku backwards: leave your opponent no cell that fits.", "In turn, place a piece from your own hand on an empty cell. No two pieces of the same wood may stand in the same row, column or quadrant. Who has no legal placement loses.", "Nazareno Signoretto")


FILES = {
    "kudosu.lud": kudosu(),
    "mix3-any.lud": mix3(False),
    "mix3-upright.lud": mix3(True),
    "quadrangle-any.lud": quadrangle(False),
    "quadrangle-upright.lud": quadrangle(True),
}

if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        old = [file for file, text in FILES.items() if not (folder / file).exists() or (folder / file).read_text(encoding="utf-8") != text]
        for file in old:
            print(f"docs/ludii/{file} is out of date: scripts/ludii.py writes it")
        sys.exit(bool(old))
    for file, text in FILES.items():
        (folder / file).write_text(text, encoding="utf-8")
