#!/usr/bin/env python3
"""Measures how strong the players are, and writes docs/strength.md's tables.

    scripts/strength.py measure [NAME…]   play the matches that have not been played yet, or those whose names begin so:
                                          Trix, "Kolem: 9 against 7"
    scripts/strength.py write             put the results into docs/strength.md

Results are kept in docs/strength.json, one by one, so that a measurement can be interrupted and resumed. Every match is
repeatable: players are limited by nodes, except where players with equal time are compared."""
import json
import math
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


# Small steps take many games to measure, and there is time for them where games are short.
LADDER_GAMES = {"ksar": 300, "masker": 300, "kudosu": 400, "mix3": 1000, "fullend": 100}
LADDER_GAMES_OF_MANY, LADDER_GAMES_USUAL = 300, 2000
# The lowest levels against a player who makes any move.
BEGINNERS = [(1, 60), (2, 90), (3, 90)]
# Level 10 against the yardstick, the same time for both.
YARDSTICK = {
    "Ksar": (["ksar", "level:10", "uct", "--time", "0.1", "--games", "200"], 75),
    "Fullend": (["fullend", "level:10", "uct", "--time", "0.1", "--games", "200"], 75),
    "Masker": (["masker", "level:10", "uct", "--time", "0.05", "--games", "300"], 65),
    "Chasm, 3 players": (["chasm", "-o", "players=3", "level:10", "uct", "--seats", "ABB", "--time", "0.05", "--games", "300"], 45),
}


def has_many(game):
    """Whether these words on the command line are a game of three or four players."""
    return len(game) > 1


def top_nodes(game):
    """The nodes of level 10 in a game."""
    return TOP_NODES_OF_MANY if game[0] == "chasm" and has_many(game) else TOP_NODES.get(game[0], 20000)


def even_share(game):
    """The share of the points of one player among equals, or of one side where there are two."""
    players = int(game[-1].removeprefix("players=")) if has_many(game) else 2
    return 1 / 2 if game[0] == "masker" and players == 4 else 1 / players


def elo(score, even, games):
    """How much better a player is who has this share of the points where `even` would be even. A clean sweep of so many
    games counts as half a game less."""
    score = min(max(score, 0.5 / games), 1 - 0.5 / games)
    return 400 * math.log10(score / (1 - score) * (1 - even) / even)


def level(game, number):
    return f"level:{number}" + (f",nodes={top_nodes(game)}" if number == 10 else "")


def matches():
    """The name, the arguments and the aim, in per cent or null, of every match."""
    for title, game in ladder():
        games = LADDER_GAMES_OF_MANY if has_many(game) else LADDER_GAMES.get(game[0], LADDER_GAMES_USUAL)
        for high in range(2, 11):
            players = [level(game, high), level(game, high - 1)]
            yield f"{title}: {high} against {high - 1}", [*game, *players, "--games", str(games)], None
        if not has_many(game):
            for number, aim in BEGINNERS:
                yield f"{title}: {number} against chance", [*game, f"level:{number}", "random", "--games", "400"], aim
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
        print(f"{name}: {value} % ({low} to {high}){f'  BELOW {aim}' if aim and value < aim else ''}", flush=True)


def ladder_table(results):
    """The steps of each game in Elo, with half of their intervals, and by how much the largest exceeds the smallest."""
    yield "| game | games |" + "".join(f" {high} v {high - 1} |" for high in range(2, 11)) + " ratio |"
    yield "|---|--:|" + "--:|" * 10
    for title, game in ladder():
        found = [results.get(f"{title}: {high} against {high - 1}") for high in range(2, 11)]
        if None in found:
            continue
        games = found[0]["games"]
        steps = [[elo(part / 100, even_share(game), games) for part in result["score"]] for result in found]
        cells = [f"{value:+.0f} ± {(high - low) / 2:.0f}" for low, value, high in steps]
        values = [value for _, value, _ in steps]
        ratio = f"{max(values) / min(values):.1f}" if min(values) > 0 else ""
        yield f"| {title} | {games} | " + " | ".join(cells) + f" | {ratio} |"


def chance_table(results):
    yield "| game | " + " | ".join(f"level {level}" for level, _ in BEGINNERS) + " |"
    yield "|---|" + "---|" * len(BEGINNERS)
    for title, _ in ladder():
        found = [results.get(f"{title}: {level} against chance") for level, _ in BEGINNERS]
        if None not in found:
            yield f"| {title} | " + " | ".join("{1} ({0}–{2})".format(*result["score"]) for result in found) + " |"


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
