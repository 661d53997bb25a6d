#!/usr/bin/env python3
"""`nonet openings` counts games as a plain count of the records does, which knows the symmetries of a square board and of
a square floor by itself. Usage: openings.py NONET"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

from checking import check, check_refused, close

NONET = sys.argv[1]
FIRST, LAST = 3, 8  # all plies up to the first; up to the last, those that several games have in common


def run(*words):
    return subprocess.run([NONET, *words], capture_output=True, text=True, timeout=300)


def play(folder, game, games, *words):
    """Random games; their records."""
    made = run("match", game, "random", "random", "--games", str(games), "--seed", "3", "--records", folder, *words)
    check(f"{game} is played", made.returncode == 0, made.stderr)
    return sorted(pathlib.Path(folder).iterdir())


def turned(x, y, side):
    """The eight images of a point."""
    for a, b in ((x, y), (y, x)):
        for c in (a, side - a):
            for d in (b, side - b):
                yield c, d


def placements(moves):
    """Quadrangle: who has placed where, however the board is turned."""
    cells = [(ord(move[0]) - ord("a"), int(move[1]) - 1, ply % 2) for ply, move in enumerate(moves)]
    images = zip(*[[(*cell, player) for cell in turned(x, y, 3)] for x, y, player in cells])
    return min(tuple(sorted(image)) for image in images)


def group(moves):
    """Fullend: the kind of the first piece, its ninth of the floor and its angle, however the box is turned."""
    if len(moves) > 1:
        return None
    kind, where = moves[0].split("@")
    x, y, angle = map(int, where.split(","))
    period = 90 if kind == "flat" else 180
    images = []
    for quarters in range(4):
        for mirrored in (False, True):
            a, b, c = (320 - x, y, -angle % period) if mirrored else (x, y, angle)
            for _ in range(quarters):
                a, b, c = 320 - b, a, (c + 90) % period
            images.append((a, b, c))
    alike = images.count((x, y, angle))
    return min((kind, alike, min(a * 3 // 320, 2), min(b * 3 // 320, 2), (c + 22) // 45 * 45 % period) for a, b, c in images)


def count(records, same):
    """The tallies of all openings that are told, as a sorted list."""
    games, seen = {}, set()
    for number, file in enumerate(records):
        record = json.loads(file.read_text(encoding="utf-8"))
        if "result" not in record or tuple(record["moves"]) in seen:
            continue
        seen.add(tuple(record["moves"]))
        for ply in range(1, min(len(record["moves"]), LAST) + 1):
            opening = same(record["moves"][:ply])
            if opening is not None:
                least, tally = games.setdefault(opening, [ply, {}])
                tally[number] = "".join(map(str, record["result"]["winners"]))
    told = [collections.Counter(tally.values()) for ply, tally in games.values() if ply <= FIRST or len(tally) > 1]
    return len(seen), sorted(sorted(tally.items()) for tally in told)


with tempfile.TemporaryDirectory() as home:
    for game, games, same in (("quadrangle", 300, placements), ("fullend", 120, group)):
        records = play(f"{home}/{game}", game, games)
        got = run("openings", *records)
        check(f"{game}: the openings are counted", got.returncode == 0, got.stderr)
        list_ = json.loads(got.stdout)
        number, tallies = count(records, same)
        check(f"{game}: as many games", list_["games"] == number, (list_["games"], number))
        check(f"{game}: the same tallies", sorted(sorted(tally.items()) for tally in list_["openings"].values()) == tallies)
        check(f"{game}: some openings were met by several games", any(sum(n for _, n in tally) > 2 for tally in tallies))
        again = json.loads(run("openings", *records, *records).stdout)
        check(f"{game}: the same records again count once", (again["games"], again["openings"]) == (number, list_["openings"]), again["games"])
    # Groups have examples that belong to them.
    keys = {}
    for file in records:
        moves = json.loads(file.read_text(encoding="utf-8"))["moves"]
        keys.setdefault(group(moves[:1]), set()).add(moves[0])
    for key, example in list_["examples"].items():
        check(f"{example}: an example of a group", example in keys[group([example])] and len(keys) == len(list_["openings"]), key)

    # What is hidden is not told: neither discs nor a seed that deals them.
    secret = play(f"{home}/masker", "masker", 6, "-o", "deal=GBGVVRVNYRRYYGBWVBYGGVRWRYBYRWWGVWBB")
    list_ = json.loads(run("openings", *secret).stdout)
    check("masker: only what is open", sorted(list_["options"]) == ["deal", "players", "variant"], list_["options"])

    unfinished = json.loads(records[0].read_text(encoding="utf-8"))
    del unfinished["result"]
    unfinished["moves"] = unfinished["moves"][:3]
    unfinished.pop("times", None)
    part = pathlib.Path(home) / "part.json"
    part.write_text(json.dumps(unfinished), encoding="utf-8")
    list_ = json.loads(run("openings", part).stdout)
    check("a game without an end", (list_["games"], list_["unfinished"], list_["openings"]) == (0, 1, {}), list_)
    check_refused("no records", run("openings"), 2, "name the records")
    check_refused("no such file", run("openings", f"{home}/nothing"), 1, "nothing")
    check_refused("two games", run("openings", records[0], secret[0]), 1, "another game")
    unfinished.update({"from": "flat@160,160,0 2", "moves": []})
    part.write_text(json.dumps(unfinished), encoding="utf-8")
    check_refused("from elsewhere", run("openings", part), 1, "did not begin at the start")
close()
