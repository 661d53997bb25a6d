#!/usr/bin/env python3
"""nonet record: games become reports in the form of Abstract Play, and reports become the same games again.

    report.py NONET

What a report must have is taken from that site's published schema, "AP Game Record 1-0-0".
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from checking import check, close

nonet = os.path.abspath(sys.argv[1])
folder = tempfile.TemporaryDirectory(prefix="nonet-report-")
ENDED = "2026-02-28T20:15:00Z"


def run(*words, typed=None):
    return subprocess.run([nonet, *words], input=typed, capture_output=True, text=True, timeout=60)


def position(game, options, moves):
    words = [word for option in options for word in ("-o", option)]
    return json.loads(run("position", game, *words, *moves).stdout)


def to_report(record, *words):
    return run("record", "-", "--to", "abstractplay", "--ended", ENDED, *words, typed=json.dumps(record))


def to_record(report):
    return run("record", "-", "--from", "abstractplay", typed=report if isinstance(report, str) else json.dumps(report))


def play(game, options, chance, most=60):
    """A random game to its end, if it comes soon: the moves, who made each, and the end."""
    moves, seats = [], []
    now = position(game, options, moves)
    while not now["over"] and len(moves) < most:
        seats.append(now["to_move"])
        moves.append(chance.choice(now["legal"]))
        now = position(game, options, moves)
    return moves, seats, now


def check_schema(name, report, players):
    header = report["header"]
    check(f"{name}: members", set(report) == {"header", "moves"} and {"game", "site", "date-start", "date-end", "date-generated", "players"} <= set(header))
    check(f"{name}: the game's members", set(header["game"]) <= {"name", "variants"} and set(header["site"]) <= {"name", "gameid"})
    check(f"{name}: players", len(header["players"]) == players and all(isinstance(p["name"], str) and type(p["result"]) is int for p in header["players"]))
    check(f"{name}: players differ", len({json.dumps(p, sort_keys=True) for p in header["players"]}) == players)
    check(f"{name}: rounds", all(len(r) == players and all(m is None or isinstance(m, str) for m in r) and any(r) for r in report["moves"]))


def check_game(game, options, seed):
    chance = random.Random(f"{game} {options} {seed}")
    for _ in range(30):
        moves, seats, end = play(game, options, chance)
        if end["over"]:
            break
    name = f"{game} {' '.join(options)}"
    players = 2 if not any(o.startswith("players=") for o in options) else int(next(o for o in options if o.startswith("players="))[8:])
    record = {"format": "nonet-game", "version": 1, "game": game, "options": dict(o.split("=") for o in options),
              "seats": [{"kind": "human", "name": "Ada \"L\" é"}] + [{"kind": f"level-{i + 2}"} for i in range(players - 1)],
              "moves": moves, "times": [1500] * len(moves)}
    if not end["over"]:
        got = to_report(record)
        check(f"{name}: no report before the end", got.returncode == 1 and "not over" in got.stderr, got)
        return
    got = to_report(record, "--site", "Kitchen table")
    check(f"{name}: a report", got.returncode == 0, got.stderr)
    if got.returncode:
        return
    report = json.loads(got.stdout)
    check_schema(name, report, players)
    header = report["header"]
    check(f"{name}: winners", [i + 1 for i, p in enumerate(header["players"]) if p["result"] == 1] == end["winners"])
    check(f"{name}: points", [p.get("score") for p in header["players"]] == (end["points"] or [None] * players))
    check(f"{name}: who is a program", [p["is_ai"] for p in header["players"]] == [False] + [True] * (players - 1))
    check(f"{name}: site and end", header["site"]["name"] == "Kitchen table" and header["date-end"] == ENDED)
    told = [(seat + 1, move) for r in report["moves"] for seat, turn in enumerate(r) if turn for move in turn.split()]
    check(f"{name}: moves by their players, in order", told == list(zip(seats, moves)))
    back = to_record(report)
    check(f"{name}: a record again", back.returncode == 0, back.stderr)
    if back.returncode == 0:
        again = json.loads(back.stdout)
        check(f"{name}: the same game", again["moves"] == moves and again["seats"] == record["seats"] and again["result"]["winners"] == end["winners"])
        check(f"{name}: the same options", all(again["options"].get(k) == v for k, v in record["options"].items()))
        twice = json.loads(to_report(again, "--site", "Kitchen table").stdout)["header"] | {"date-generated": 0, "date-start": 0}
        check(f"{name}: the same report again", twice == header | {"date-generated": 0, "date-start": 0})


for words in ("ksar frame=4x4", "masker seed=3", "masker seed=4 players=3", "masker seed=5 players=4 variant=3d", "kudosu", "quadrangle", "quadrangle swap=yes",
              "mix3 rectangles=upright", "chasm", "chasm players=4", "trix", "kolem"):
    check_game(words.split()[0], words.split()[1:], 1)

# A position to begin at, and no word about who played.
first = json.loads(run("position", "quadrangle", "a1", "b2").stdout)["text"]
small = {"format": "nonet-game", "version": 1, "game": "quadrangle", "options": {}, "from": first, "moves": ["b1", "c3", "a2", "d4", "d1", "c2", "d2"]}
report = json.loads(to_report(small).stdout)
check("the starting position", report["header"]["startingPosition"] == first)
again = json.loads(to_record(report).stdout)
check("no seats from nothing", "seats" not in again and again["from"] == first and again["moves"] == small["moves"], again)
check("without times, the game has no length", report["header"]["date-start"] == ENDED)
timed = json.loads(to_report(small | {"times": [60000] * 7}).stdout)
check("seven minutes", timed["header"]["date-start"] == "2026-02-28T20:08:00Z")

# As another site may write it: moves as objects, results of any size, unknown facts.
foreign = {"header": {"game": {"name": "Quadrangle"}, "site": {"name": "Elsewhere", "gameid": 7}, "date-start": "x", "date-end": "x", "date-generated": "x",
                      "players": [{"name": "A", "userid": "1", "result": 100, "elo": 1.5}, {"name": "B", "result": 3, "is_ai": True}], "pied": True},
           "moves": [["a1", {"move": "a2", "result": "well"}], [{"move": "b1"}, "b3"], ["a3", "c4"], ["b2", "d4"], ["d1", "d3"], ["b4", None]]}


def changed(**steps):
    """The foreign report with something else at a path of names and numbers, "header.players.0.result"."""
    other = json.loads(json.dumps(foreign))
    for path, value in steps.items():
        *way, last = [int(step) if step.isdigit() else step for step in path.split("__")]
        at = other
        for step in way:
            at = at[step]
        at[last] = value
    return other


# a1 b1 a3 … a2 is taken, so A's corners are a1 b1 and nothing more: the game is not over, and a result is stated.
got = to_record(foreign)
check("a result of a game that is not over", got.returncode == 1 and "not over" in got.stderr, got)
won = changed(moves=[["a1", {"move": "c1", "result": "well"}], [{"move": "b1"}, "d3"], ["a2", "c4"], ["b2", None]])
got = to_record(won)
check("a foreign report", got.returncode == 0, got.stderr)
if got.returncode == 0:
    check("its seats", json.loads(got.stdout)["seats"] == [{"kind": "human", "name": "A"}, {"kind": "computer", "name": "B"}])
foreign = won
for what, report, reason in (
    ("nothing", "", "not JSON"),
    ("a list", [], "no header"),
    ("a record", small, "no header"),
    ("another game", changed(header__game={"name": "Chess"}), "no game"),
    ("no game", changed(header__game=3), "names no game"),
    ("an unknown variant", changed(header__game={"name": "Quadrangle", "variants": ["size=9"]}), "no option"),
    ("a variant in words", changed(header__game={"name": "Quadrangle", "variants": ["large"]}), "not an option"),
    ("a long variant", changed(header__game={"name": "Quadrangle", "variants": ["x" * 99 + "=1"]}), "not an option"),
    ("a variant twice", changed(header__game={"name": "Quadrangle", "variants": ["swap=no", "swap=yes"]}), "twice"),
    ("variants that are none", changed(header__game={"name": "Quadrangle", "variants": {}}), "not an array"),
    ("a bad value", changed(header__game={"name": "Quadrangle", "variants": ["rectangles=round"]}), "round"),
    ("no players", changed(header__players=[]), "players"),
    ("players that are none", changed(header__players="two"), "players"),
    ("too many players", changed(header__players=[{"name": "A", "result": 1}] * 100), "players"),
    ("three players for two", changed(header__players=[{"name": c, "result": 1} for c in "ABC"]), "3 entries"),
    ("a player without a name", changed(header__players__0={"result": 1}), "no name"),
    ("half a result", changed(header__players__0__result=0.5), "whole number"),
    ("another winner", changed(header__players__1__result=1000), "the true one"),
    ("a draw that was none", changed(header__players__1__result=100), "a draw"),
    ("points in a game without", changed(header__players=[{"name": "A", "result": 1, "score": 3}, {"name": "B", "result": 0, "score": 2}]), "has none"),
    ("a name that is too long", changed(header__players__0__name="n" * 64), "63 bytes"),
    ("a name that controls a terminal", changed(header__players__0__name="\x1b[2J"), "name"),
    ("a kind that is none", changed(header__players__0__kind="A B"), "kind"),
    ("a position that is none", changed(header__startingPosition="xyz"), ""),
    ("a position of another kind", changed(header__startingPosition=4), "not a text"),
    ("moves that are none", changed(moves={}), "not an array"),
    ("a round that is none", changed(moves=["a1"]), "round 1"),
    ("a round of many", changed(moves=[["a1"] * 40]), "round 1"),
    ("a number as move", changed(moves=[[1]]), "no move"),
    ("an object without move", changed(moves=[[{"result": "x"}]]), "no move"),
    ("a sequence", changed(moves=[[{"move": "a1", "sequence": 2}]]), "sequence"),
    ("an illegal move", changed(moves=[["a1", "a1"]]), "not legal"),
    ("a move after the end", changed(moves__3__1="d4"), "over"),
    ("another member", changed(more=1), "unknown member"),
    ("too many moves", changed(moves=[["a1 " * 21000]]), ""),
    ("too many bytes", changed(header__x="x" * (1 << 20)), "larger"),
    ("a name twice", '{"header":{},"header":{},"moves":[]}', "JSON"),
    ("deep brackets", "[" * 100000, "JSON"),
    ("bytes that are no UTF-8", '{"header":{"game":{"name":"\udcff"}},"moves":[]}'.encode("utf-8", "surrogateescape").decode("latin-1"), ""),
):
    got = to_record(report)
    check(f"refused: {what}", got.returncode == 1 and got.stdout == "" and got.stderr.count("\n") == 1 and got.stderr.startswith("nonet: ") and reason in got.stderr, got)

# Noise in a good report: a record comes out, or one line.
chance = random.Random(7)
good = json.dumps(foreign)
for _ in range(150):
    noisy = list(good)
    for _ in range(chance.randrange(1, 4)):
        noisy[chance.randrange(len(noisy))] = chance.choice('{}[]",:0a19 nul\\')
    got = to_record("".join(noisy))
    check("noise", (got.returncode == 0 and json.loads(got.stdout)["game"] == "quadrangle") or (got.returncode == 1 and got.stderr.count("\n") == 1), got)

for words in (["record"], ["record", "-"], ["record", "-", "--to", "pgn"], ["record", "-", "--to", "abstractplay"], ["record", "-", "--from", "abstractplay", "--site", "x"],
              ["record", "-", "--to", "abstractplay", "--from", "abstractplay"], *(["record", "-", "--to", "abstractplay", "--ended", time] for time in
              ("today", "2026-02-30T10:00:00Z", "2026-02-28T24:00:00Z", "2026-02-28T10:00:00", "2026-2-28T10:00:00Z", "2026-02-28T10:00:00Z ", ""))):
    got = run(*words, typed=json.dumps(small))
    check(f"wrong usage: {words}", got.returncode == 2 and got.stdout == "" and got.stderr.startswith("nonet: "), got)
os.chdir(folder.name)
pathlib.Path("r.json").write_text(json.dumps(small))
check("a file", run("record", "r.json", "--to", "abstractplay", "--ended", ENDED).returncode == 0)
check("no file", run("record", "none.json", "--from", "abstractplay").returncode == 1)
close()
