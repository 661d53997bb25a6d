#!/usr/bin/env python3
"""Writes docs/ludii/*.lud: games of Nonet in the language of Ludii. Rectangles, tris, pincers, jumps, crowded points
and the ways that a piece may stand are listed one by one, which no hand should do.

    ludii.py            writes the files
    ludii.py --check    fails if a file is not what would be written
"""
import itertools
import pathlib
import sys

folder = pathlib.Path(__file__).resolve().parent.parent / "docs/ludii"
CELLS = [(file, rank) for rank in range(4) for file in range(4)]


def name(cell):
    return f'"{"ABCDE"[cell[0]]}{cell[1] + 1}"'


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

''' + info("Own the four corners of a rectangle.", f"In turn, place a piece on an empty cell. The first player who owns the four corners of any {kind} wins. A full board without one is a draw.", "Nazareno Signoretto")


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

''' + info("Sudoku backwards: leave your opponent no cell that fits.", "In turn, place a piece from your own hand on an empty cell. No two pieces of the same wood may stand in the same row, column or quadrant. A player who has no legal placement loses.", "Nazareno Signoretto")


def jumps():
    """Where a chain of jumps leads, for each two cells that it may join, whichever of them it starts on. It takes a piece two
    files or two ranks on, or both. On this board that leaves only the corners of a 3x3 square, so its ways are few."""
    def middle(a, b):
        return (a[0] + b[0]) // 2, (a[1] + b[1]) // 2

    for x, y in itertools.product(range(2), repeat=2):
        corners = [(x, y), (x + 2, y), (x, y + 2), (x + 2, y + 2)]
        for ends in itertools.combinations(corners, 2):
            others = [cell for cell in corners if cell not in ends]
            ways = []
            for between in (way for length in range(3) for way in itertools.permutations(others, length)):
                stops = [ends[0], *between, ends[1]]
                over = f"(all Sites {sites(dict.fromkeys(itertools.starmap(middle, itertools.pairwise(stops))))} if:(is Occupied (site)))"
                ways.append(f"(and {over} (all Sites {sites(between)} if:(is Empty (site))))" if between else over)
            yield f"(and {{(is In (from) {sites(ends)}) (is In (to) {sites(ends)})"
            yield "    (or {"
            yield from (" " * 8 + way for way in ways)
            yield "    })})"


def trix(camps, goal):
    ranks = [[(file, rank) for file in range(4)] for rank in (0, 3)]
    corners = [[(0, 0), (0, 1), (1, 0)], [(3, 3), (3, 2), (2, 3)]]
    starts = corners if camps == "corner" else [ranks[0][:3], ranks[1][1:]]
    homes = (corners if camps == "corner" else ranks)[::-1]

    def won():
        for player, home in enumerate(map(sites, homes), 1):
            yield f"(and (= {player} (mover)) (all Sites (sites Occupied by:P{player}) if:(is In (site) {home})))"
            if goal == "filled":
                yield f"(and {{(= {player} (mover)) (all Sites {home} if:(is Occupied (site))) (not (all Sites {home} if:(!= {player} (who at:(site)))))}})"

    home = "the cells that the other started on" if camps == "corner" else "the opposite rank"
    return f'''(game "Trix"
    (players 2)
    (equipment {{
        (board (square 4))
        (piece "Square" Each)
    }})
    (rules
        (start {{
{listed(12, (f'(place "Square{player}" {sites(cells)})' for player, cells in enumerate(starts, 1)))}
        }})
        (play
            (move
                (from (sites Occupied by:Mover))
                (to (sites Empty)
                    if:(or {{
                        (is In (to) (sites Around (from)))
{listed(24, jumps())}
                    }})
                )
            )
        )
        (end
            (if (or {{
{listed(20, won())}
                }})
                (result Mover Win))
        )
    )
)

''' + info("Race your three pieces into the other's camp.", f"In turn, step a piece to a neighbouring cell, or jump over neighbouring pieces in a chain. The first player who has all three pieces on {home} wins{', and so does a player who moves when no cell there is empty and one at least is their own' if goal == 'filled' else ''}.", "Nazareno Signoretto")


def chasm(players):
    everybody = range(1, players + 1)
    apart = "if:(!= (mover) (who at:(site)))"
    won = (f"(if (and (is Empty (handSite P{winner})) (= 1 (count Pieces P{winner} in:(sites Board)))) (byScore {{{' '.join(f'(score P{player} {int(player == winner)})' for player in everybody)}}}))" for winner in everybody)
    return f'''(game "Chasm"
    (players {players})
    (equipment {{
        (board (square 4))
        (piece "Square" Each)
        (hand Each)
    }})
    (rules
        (start (place "Square" "Hand" count:4))
        (play
            (if (is Occupied (handSite Mover))
                (priority {{
                    (move (from (handSite Mover))
                        (to (sites Empty)
                            if:(and
                                (all Sites (sites Row (row of:(to))) {apart})
                                (all Sites (sites Column (column of:(to))) {apart})
                            )
                        )
                    )
                    (move (from (handSite Mover)) (to (sites Empty)))
                }})
                (move Select
                    (from (sites Occupied by:Mover))
                    (to (sites Around (from) Orthogonal))
                    (then (push (from (last From)) (directions Cell from:(last From) to:(last To))))
                )
            )
        )
        (end {{
{listed(12, won)}
        }})
    )
)

''' + info("Push and be pushed: be the first with a single piece left.", "In turn, place four pieces each, not in a row or column of your own, as long as that is possible. Then step a piece sideways, up or down, pushing the line of pieces ahead, over the edge if there is no gap. A player who has exactly one piece left wins.", "Nazareno Signoretto")


def kolem(steps):
    inner = itertools.product(range(1, 4), repeat=2)
    crosses = (sites([(x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]) for x, y in inner)
    filled = "if:(or (= (site) (to)) (and (!= (site) (from)) (is Occupied (site))))"
    demands = [
        "(not (all Sites (sites Around (to) Orthogonal) if:(not (is Enemy (who at:(site))))))",
        *(f"(not (all Sites {cross} {filled}))" for cross in crosses),
    ]
    few = {player: f"(<= (count Pieces P{player} in:(sites Board)) 2)" for player in (1, 2)}
    hands = "(is Empty (handSite P1)) (is Empty (handSite P2))"
    return f'''(game "Kolem"
    (players 2)
    (equipment {{
        (board (square 5))
        (piece "Disc" Each)
        (hand Each size:2)
    }})
    (rules
        (start (place "Disc" "Hand" count:9))
        (play
            (if (is Occupied (handSite Mover))
                (priority {{
                    (move (from (handSite Mover))
                        (to (sites Empty)
                            if:(or
                                (= 0 (count Pieces Mover in:(sites Board)))
                                (and {{
{listed(36, demands)}
                                }})
                            )
                        )
                    )
                    (move (from (handSite Mover)) (to (handSite Mover 1)))
                }})
                (move
                    (from (sites Occupied by:Mover container:0))
                    (to (sites Around (from){"" if steps == 8 else " Orthogonal"})
                        if:(and {{
                            (is Empty (to))
{listed(28, demands)}
                        }})
                    )
                    (then
                        (and
                            (remove (difference (sites Occupied by:P1 container:0) (sites Around (sites Occupied by:P2 container:0) Orthogonal)))
                            (remove (difference (sites Occupied by:P2 container:0) (sites Around (sites Occupied by:P1 container:0) Orthogonal)))
                        )
                    )
                )
            )
        )
        (end {{
            (if (and {{{hands} {few[1]} {few[2]}}}) (result Mover Draw))
            (if (and {{{hands} {few[1]} (not {few[2]})}}) (result P2 Win))
            (if (and {{{hands} (not {few[1]}) {few[2]}}}) (result P1 Win))
            (if (and {{{hands} (not {few[1]}) (not {few[2]}) (no Moves Next)}}) (result Mover Win))
        }})
    )
)

''' + info("Keep in touch with the enemy, but not in a crowd.", f"In turn, place nine pieces each, from the third on so that the piece has an enemy neighbour and no piece has four neighbours. A player who cannot loses a piece from hand. Then move a piece one step in {'eight' if steps == 8 else 'four'} directions under the same demands; all pieces without an enemy neighbour are removed. A player who has two pieces or fewer, or cannot move, loses.", "Patrik Carpentier")


def ksar(width, depth):
    """A cuboid is six cubes. A player's hand shows each colour as it may be stood, one site for each way, with a cube of every
    piece on each site. A player who places takes the first cube from the site of the way, and one from each other site of the colour."""
    ways = ((2, 3), (3, 2), (1, 3), (3, 1), (1, 2), (2, 1))
    colours = [(player, piece, first, count) for player in (1, 2) for piece, first, count in ((f"Cube{player}", 0, 12), ("Stone0", len(ways), 3))]
    places = (f'(place "{piece}" (handSite P{player} {first + way}) count:{count})' for player, piece, first, count in colours for way in range(len(ways)))

    def placements():
        for way, (w, d) in enumerate(ways):
            height = 6 // (w * d)
            footprint = f"(sites Direction from:(sites Direction from:(to) N included:True distance:{d - 1}) E included:True distance:{w - 1})"
            others = [other - way for other in range(len(ways)) if other != way]
            cubes = [x + y * width for y in range(d) for x in range(w)] * height
            yield f"(move (from (sites {{(handSite Mover {way}) (handSite Mover {len(ways) + way})}}))"
            yield "    (to (sites Empty)"
            yield "        if:(and {"
            yield f"            (= {w * d} (count Sites in:{footprint}))"
            yield f"            (all Sites {footprint} if:(is Empty (site)))"
            for line, last, sides in (("column", width - w, "WE"), ("row", depth - d, "SN")):
                beside = " ".join(f"(not (all Sites (sites Around {footprint} {side}) if:(is Empty (site))))" for side in sides)
                yield f"            (or {{(= 0 ({line} of:(to))) (= {last} ({line} of:(to))) {beside}}})"
            yield f"            (all Sites (sites Around {footprint} Orthogonal) if:(!= {height} (count at:(site))))"
            yield "        })"
            yield "    )"
            yield "    (then"
            yield "        (and {"
            for other, cube in zip(others, cubes[1:], strict=True):
                yield f"            (fromTo (from (+ (last From) {other})) (to (+ (last To) {cube})))"
            yield "        })"
            yield "    )"
            yield ")"

    def points(player):
        group = f"(sites Group at:(to) Orthogonal if:(and (is Occupied (to)) (!= {3 - player} (who at:(to)))))"
        return f"(- (/ (max (results from:(sites Board) to:(from) (count in:{group}))) 6) (count at:(handSite P{player} {len(ways)})))"

    return f'''(game "Ksar"
    (players 2)
    (equipment {{
        (board (rectangle {depth} {width}))
        (piece "Cube" Each)
        (piece "Stone" Neutral)
        (hand Each size:{2 * len(ways)})
    }})
    (rules
        (start {{
{listed(12, places)}
        }})
        (play
            (or {{
{listed(16, placements())}
            }})
        )
        (end {{
            (if (and (no Moves Next) (= {points(1)} {points(2)})) (result Mover Win))
            (if (and (no Moves Next) (!= {points(1)} {points(2)})) (byScore {{(score P1 {points(1)}) (score P2 {points(2)})}}))
        }})
    )
)

''' + info("Build a fortified village together, and own the largest part of it.", f"In turn, place a piece of yours or a neutral one in the frame of {width} by {depth} units, flat, on edge or upright, so that two adjacent sides of it touch the frame or other pieces, and no side touches a piece of the same height. When a player cannot, the largest group of own and neutral pieces counts, less the neutral pieces in hand. More points win; on equal points, the player who placed last.", "Philippe Proux")


FILES = {
    **{f"chasm-{players}.lud": chasm(players) for players in (2, 3, 4)},
    **{f"kolem-{steps}.lud": kolem(steps) for steps in (8, 4)},
    **{f"ksar-{width}x{depth}.lud": ksar(width, depth) for width, depth in ((10, 10), (5, 4))},
    "kudosu.lud": kudosu(),
    "mix3-any.lud": mix3(False),
    "mix3-upright.lud": mix3(True),
    "quadrangle-any.lud": quadrangle(False),
    "quadrangle-upright.lud": quadrangle(True),
    **{f"trix-{camps}-{goal}.lud": trix(camps, goal) for camps in ("corner", "side") for goal in ("three", "filled")},
}

if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        old = [file for file, text in FILES.items() if not (folder / file).exists() or (folder / file).read_text(encoding="utf-8") != text]
        for file in old:
            print(f"docs/ludii/{file} is out of date: scripts/ludii.py writes it")
        sys.exit(bool(old))
    for file, text in FILES.items():
        (folder / file).write_text(text, encoding="utf-8")
