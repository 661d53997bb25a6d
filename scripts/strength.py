#!/usr/bin/env python3
"""Measures how strong the players are, and writes docs/strength.md's tables.

    scripts/strength.py measure [NAME…]   play the matches that have not been played yet, or those whose names begin so:
                                          Trix, "Kolem: 9 against 7"
    scripts/strength.py write             put the results into docs/strength.md

Results are kept in docs/strength.json, one by one, so that a measurement can be interrupted and resumed. Every match is
repeatable: players are limited by nodes, except where players with equal time are compared."""
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
NONET = ROOT / "build" / "nonet"
KEPT = ROOT / "docs" / "strength.json"
PAGE = ROOT / "docs" / "strength.md"

# The nodes of level 10, which has no limit of its own, in the ladder: about a tenth of a second, or less.
TOP_NODES = {"fullend": 600, "masker": 40000}
TOP_NODES_OF_MANY = 400000  # Chasm with three and four players
TEAMS = {"Masker, 4 players": "Masker, teams"}


def ladder():
    """Every game on the shelf, with every number of players: its title, and its words on the command line."""
    shelf = json.loads(subprocess.run([NONET, "games", "--json"], capture_output=True, text=True, check=True).stdout)
    for game in shelf:
        yield game["title"], [game["id"]]
        for players in game["players"][1:]:
            title = f"{game['title']}, {players} players"
            yield TEAMS.get(title, title), [game["id"], "-o", f"players={players}"]


# One against two or three: as much above an even share as 60 % is with two sides.
AIMS = {"Masker, 3 players": 40, "Chasm, 3 players": 40, "Chasm, 4 players": 30}
PAIRS = [(high, high - 2) for high in range(3, 11)]
# The lowest levels against a player who makes any move.
BEGINNERS = [(1, 60), (2, 90), (3, 90)]
# Level 10 against the yardstick, the same time for both.
YARDSTICK = {
    "Ksar": (["ksar", "level:10", "uct", "--time", "0.1", "--games", "200"], 75),
    "Fullend": (["fullend", "level:10", "uct", "--time", "0.1", "--games", "200"], 75),
    "Masker": (["masker", "level:10", "uct", "--time", "0.05", "--games", "300"], 65),
    "Chasm, 3 players": (["chasm", "-o", "players=3", "level:10", "uct", "--seats", "ABB", "--time", "0.05", "--games", "300"], 45),
}


def matches():
    """The name, the arguments and the aim, in per cent, of every match."""
    for title, game in ladder():
        for high, low in PAIRS:
            nodes = TOP_NODES_OF_MANY if game[0] == "chasm" and len(game) > 1 else TOP_NODES.get(game[0], 20000)
            top = f"level:{high},nodes={nodes}" if high == 10 else f"level:{high}"
            yield f"{title}: {high} against {low}", [*game, top, f"level:{low}", "--games", "200"], AIMS.get(title, 60)
        if len(game) == 1:
            for level, aim in BEGINNERS:
                yield f"{title}: {level} against chance", [*game, f"level:{level}", "random", "--games", "200"], aim
    for title, (arguments, aim) in YARDSTICK.items():
        yield f"{title}: level 10 against UCT", arguments, aim


def kept():
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def measure(names):
    for name, arguments, aim in matches():
        results = kept()
        if names and not any(name.startswith(wanted) for wanted in names):
            continue
        if not names and name in results:
            continue
        words = ["match", *arguments, "--seed", "1"]
        begun = time.time()
        done = subprocess.run([NONET, *words, "--json"], capture_output=True, text=True, check=True)
        answer = json.loads(done.stdout)
        score = answer["pairings"][0]["entrants"][0]["score"]
        results = kept()
        results[name] = {
            "command": "nonet " + " ".join(words),
            "games": answer["games"],
            "score": [round(100 * score[part], 1) for part in ("low", "value", "high")],
            "seconds": round(time.time() - begun),
        }
        KEPT.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        low, value, high = results[name]["score"]
        print(f"{name}: {value} % ({low} to {high}){'' if value >= aim else '  BELOW ' + str(aim)}", flush=True)


def table_of(results, columns):
    """A row for each game, a column for each heading, with the name that its match has after the game's."""
    yield "| game | " + " | ".join(columns) + " |"
    yield "|---|" + "---|" * len(columns)
    for title, _ in ladder():
        found = [results.get(f"{title}: {name}") for name in columns.values()]
        cells = ["" if result is None else "{1} ({0}–{2})".format(*result["score"]) for result in found]
        if any(cells):
            yield f"| {title} | " + " | ".join(cells) + " |"


def ladder_table(results):
    return table_of(results, {f"{high} v {low}": f"{high} against {low}" for high, low in PAIRS})


def chance_table(results):
    return table_of(results, {f"level {level}": f"{level} against chance" for level, _ in BEGINNERS})


def yardstick_table(results):
    yield "| game | score of level 10 | aim | games | command |"
    yield "|---|---|---|---|---|"
    for title, (_, aim) in YARDSTICK.items():
        result = results.get(f"{title}: level 10 against UCT")
        if result is not None:
            low, value, high = result["score"]
            yield f"| {title} | {value} % ({low}–{high}) | {aim} % | {result['games']} | `{result['command']}` |"


def write():
    results = kept()
    text = PAGE.read_text(encoding="utf-8")
    for mark, table in (("ladder", ladder_table(results)), ("chance", chance_table(results)), ("yardstick", yardstick_table(results))):
        begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
        before, rest = text.split(begin)
        text = before + begin + "\n" + "\n".join(table) + "\n" + end + rest.split(end)[1]
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2:])
    elif sys.argv[1:] == ["write"]:
        write()
    else:
        sys.exit(__doc__)
