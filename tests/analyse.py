#!/usr/bin/env python3
"""nonet analyse: what moves were worth, marks, accuracy, the table for people. Usage: analyse.py NONET

Losses, marks, lanes and accuracies are computed again here, from the scores in the answer and from docs/analysis.md;
proven values, and how many moves keep them, are compared with `nonet probe`. Closes with "N passed, N failed".
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

from checking import check, check_refused, close

NONET = sys.argv[1]
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
clean = {k: v for k, v in os.environ.items() if k not in ("NONET_TABLES", "XDG_CACHE_HOME")} | {"HOME": scratch.name}


def run(*words, **more):
    return subprocess.run([NONET, *words], capture_output=True, text=True, timeout=120, env=clean, **({"stdin": subprocess.DEVNULL} if "input" not in more else {}), **more)


def refused(code, part, *words):
    got = run(*words)
    check_refused(" ".join(words)[:80], got, code, part)


def record(game, options, moves, name="game.json"):
    path = folder / name
    path.write_text(json.dumps({"format": "nonet-game", "version": 1, "game": game, "options": options, "moves": moves}))
    return str(path)


def flags(options):
    return [word for key, value in options.items() for word in ("-o", f"{key}={value}")]


def analysed(path, *words):
    got = run("analyse", "--json", path, *words)
    check(f"analyse {path}", got.returncode == 0 and got.stderr == "", got.stderr)
    return json.loads(got.stdout)


def standing(opinion):
    """1 for the player who is winning, -1 for one who is losing: a proven outcome, or five to one."""
    least = 1000 if opinion["value"] is not None else 667
    return (opinion["score"] >= least) - (opinion["score"] <= -least)


def check_again(name, analysis, players, hidden=False):
    """Computes what follows from the scores."""
    kept = {player: [] for player in range(1, players + 1)}
    marks = {player: [] for player in range(1, players + 1)}
    for move in analysis["moves"]:
        best, where = move["best"], f"{name}, move {move['number']}"
        check(where + ": members", list(move) == ["number", "player", "move", "value", "distance", "margin", "proof", "score", "lane", "chances", "replies", "legal", "keeps", "judged", "loss", "mark", "turned", "slower", "line", "best"])
        for opinion in (move, best):
            proven = opinion["value"] is not None
            check(where + ": proof", proven == (opinion["proof"] not in ("searched", "estimated")), opinion)
            check(where + ": score", not proven or players > 2 or opinion["score"] == {"win": 1000, "draw": 0, "loss": -1000}[opinion["value"]], opinion)
        check(where + ": line", best["line"][0] == best["move"], best)
        if not move["judged"]:
            check(where + ": not judged", move["loss"] is None and move["mark"] == "" and not move["turned"], move)
            continue
        loss = 0 if move["move"] == best["move"] else max(0, best["score"] - move["score"]) / 2000
        check(where + ": loss", abs(move["loss"] - loss) < 0.0011, (move, loss))
        expected = ("??",) if move["loss"] >= 0.3 else ("?",) if move["loss"] >= 0.1 else ("", "!") if move["move"] == best["move"] else ("",)
        check(where + ": mark", move["mark"] in expected, move)
        check(where + ": turned", move["turned"] == (move["loss"] >= 0.1 and standing(move) < standing(best)), move)
        if players == 2 and not hidden:  # the lane is who wins; elsewhere it is another view
            side = standing(move)
            check(where + ": lane", move["lane"] == (move["player"] if side > 0 else 3 - move["player"] if side < 0 else 0), move)
        late = move["value"] == best["value"] == "win" and None not in (move["distance"], best["distance"])
        check(where + ": slower", move["slower"] == (max(0, move["distance"] - best["distance"]) if late else 0), move)
        if (best["value"] != "loss" or players > 2) and move["legal"] > 1:
            kept[move["player"]].append(1 - move["loss"])
            marks[move["player"]].append(move["mark"])
    # Where positions come back, some values of an exact game are not proven.
    check(f"{name}: measure", name in ("kolem", "trix") or analysis["measure"] == ("exact" if players == 2 and all(move["keeps"] is not None for move in analysis["moves"] if move["legal"] > 1) else "expected"), analysis["measure"])
    for player in analysis["players"]:
        number = player["player"]
        mine = kept[number]
        spoilable = [move for move in analysis["moves"] if move["player"] == number and move["keeps"] is not None and 0 < move["keeps"] < move["legal"]]
        of, a, c = len(spoilable), sum(not move["turned"] for move in spoilable), sum(Fraction(move["keeps"], move["legal"]) for move in spoilable)
        check(f"{name}: kept", (player["kept"], player["of"]) == (a, of) or players > 2, (player, a, of))
        check(f"{name}: chance", abs(player["chance"] - c) < 0.002, (player, c))
        check(f"{name}: number", player["number"] is None if of == 0 else players > 2 or abs(player["number"] - 100 * (a - c) / (of - c)) < 0.51, (player, a, of, c))
        check(f"{name}: counted", player["counted"] == len(mine), (player, len(mine)))
        check(f"{name}: accuracy", player["accuracy"] is None if not mine else abs(player["accuracy"] - 100 * sum(mine) / len(mine)) < 0.11, (player, mine))
        check(f"{name}: mistakes", (player["mistakes"], player["blunders"]) == (marks[number].count("?"), marks[number].count("??")), player)


def check_choices(analysis, game, options, moves):
    for i, move in enumerate(analysis["moves"]):
        check(f"{game}, move {i + 1}: legal", move["legal"] == json.loads(run("position", game, *flags(options), *moves[:i]).stdout)["legal_count"])


# ---- Random games of every kind. ----

dice = random.Random(12)
for game, options in (("kolem", {}), ("trix", {}), ("ksar", {"frame": "4x4"}), ("chasm", {"players": "3"}), ("masker", {"players": "3", "seed": "4"}), ("fullend", {})):
    moves = []
    while len(moves) < 16:
        place = json.loads(run("position", game, *flags(options), *moves).stdout)
        if place["over"] or place["legal"] is None:
            break
        moves.append(dice.choice(place["legal"]))
    if game == "fullend":
        moves = ["flat@36,36,0", "edge@100,100,45"]
    analysis = analysed(record(game, options, moves), "--nodes", "400")
    check_choices(analysis, game, options, moves)
    check(f"{game}: the moves", [move["move"] for move in analysis["moves"]] == moves and [move["number"] for move in analysis["moves"]] == list(range(1, len(moves) + 1)))
    place = json.loads(run("position", game, *flags(options), *moves).stdout)
    check(f"{game}: over", analysis["over"] == place["over"] and analysis["game"] == game)
    check_again(game, analysis, len(analysis["players"]), game == "masker")

# ---- A game whose values are known. ----

for seed in range(3):
    moves = ["a1", "d4", "b1", "d3", "a2", "c4"] if seed == 0 else []  # player 1 could win with b2
    while True:
        place = json.loads(run("position", "quadrangle", *moves).stdout)
        if place["over"]:
            break
        moves.append("c1" if seed == 0 and len(moves) == 6 else dice.choice(place["legal"]))
    analysis = analysed(record("quadrangle", {}, moves), "--nodes", "30000")
    check_choices(analysis, "quadrangle", {}, moves)
    check_again(f"quadrangle {seed}", analysis, 2)
    for i, move in enumerate(analysis["moves"]):
        truth = json.loads(run("probe", "quadrangle", *moves[:i]).stdout)
        values = {m["move"]: (m["value"], m["distance"]) for m in truth["moves"]}
        where = f"quadrangle {seed}, move {i + 1}"
        # With ten cells left or fewer, everything is proven; but not every proof has a distance.
        for what, opinion, expected in (("best", move["best"], (truth["value"], truth["distance"])), ("played", move, values[moves[i]])):
            unproven = opinion["value"] is None and i < 6
            check(f"{where}: {what}", unproven or opinion["value"] == expected[0] and opinion["distance"] in (None, expected[1]), (opinion, expected))
        share = {"win": 1, "draw": 0.5, "loss": 0}
        if move["value"] is not None and move["best"]["value"] is not None:
            check(where + ": loss", move["loss"] == share[truth["value"]] - share[values[moves[i]][0]], move)
        keeping = [m for m, value in values.items() if value[0] == truth["value"]]
        check(where + ": keeps", (move["keeps"], move["legal"]) == (len(keeping), len(values)), (move, keeping))
        check(where + ": turned", move["turned"] == (moves[i] not in keeping), move)
        only = [m for m, value in values.items() if value[0] == truth["value"]] == [moves[i]] and len(values) > 1
        check(where + ": the only move", not (move["mark"] == "!") or only, move)
    if seed == 0:
        seventh = analysis["moves"][6]
        check("the win missed", (seventh["best"]["move"], seventh["best"]["line"]) == ("b2", ["b2"]) and seventh["best"]["distance"] in (None, 1), seventh)
        table = run("analyse", record("quadrangle", {}, moves), "--nodes", "30000").stdout
        lines = table.splitlines()
        check("a table", lines[0].startswith(f"Quadrangle, {len(moves)} moves. ") and lines[2].split() == ["move", "player", "played", "keep", "worth", "better,", "or", "a", "note"], lines[:3])
        row = next(line for line in lines if line.startswith("    7  1"))
        if seventh["mark"]:
            check("its row", f"c1 {seventh['mark']}" in row and re.search(r"  won( in 1)?: b2$", row), row)
        check("the row tells how many moves kept the result", f"  {seventh['keeps']} of {seventh['legal']}  " in row, row)
        for player in analysis["players"]:
            said = f"kept {player['kept']} of {player['of']}, by chance it would have been {player['chance']:.1f}: {player['number']}." if player["of"] else "there was nothing to spoil."
            check("its accuracies", f"Player {player['player']}: {said}" in table, (said, table))
        turned = [move["number"] for move in analysis["moves"] if move["turned"]]
        check("its turns", [int(line.split()[5].rstrip(",")) for line in lines if line.startswith("The result changed")] == turned, turned)

# ---- What a seat may not know makes no difference to how its moves are judged. ----

deal = json.loads(run("position", "masker", "-o", "seed=9", "--as", "1").stdout)["options"]["deal"]
first = json.loads(run("position", "masker", "-o", f"deal={deal}", "-o", "colours=RG").stdout)["legal"][0]
judgements = [analysed(record("masker", {"deal": deal, "colours": colours}, [first]), "--nodes", "300", "--seed", "2")["moves"] for colours in ("RG", "RB", "RV")]
check("the other's disc", judgements[0] == judgements[1] == judgements[2], judgements)

# ---- With hindsight, what was hidden counts; in other games nothing changes. ----

deal = {"deal": deal, "colours": "RG"}
moves = []
while not (place := json.loads(run("position", "masker", *flags(deal), *moves).stdout))["over"]:
    moves.append(dice.choice(place["legal"]))
late = [analysed(record("masker", deal, moves), "--nodes", "500", *words) for words in ((), ("--hindsight",))]
check_again("masker with hindsight", late[1], 2)
check("hindsight proves the last moves", late[1]["moves"][-1]["proof"] == "rules" and late[0]["moves"][-1]["proof"] != "rules", (late[0]["moves"][-1], late[1]["moves"][-1]))
open_game = record("trix", {}, ["b1c1", "d4d2"])
check("nothing was hidden", analysed(open_game, "--nodes", "300") == analysed(open_game, "--nodes", "300", "--hindsight"))

# ---- Values that are not proven: today's measure, and it says so. ----

text = run("analyse", record("ksar", {}, [json.loads(run("position", "ksar").stdout)["legal"][0]]), "--nodes", "200").stdout
check("not exact", "Player 1: accuracy " in text and "Not all values are proven" in text, text)

# ---- Files. ----

none = analysed(record("trix", {}, []), "--nodes", "10")
check("no moves", none["moves"] == [] and all(player["accuracy"] is None for player in none["players"]), none)
a, b = record("trix", {}, ["b1c1"], "a.json"), record("quadrangle", {}, ["a1", "b2"], "b.json")
got = run("analyse", "--json", "--nodes", "50", a, "missing.json", b)
lines = [json.loads(line) for line in got.stdout.splitlines()]
check("several files", [line["file"] for line in lines] == [a, b] and got.returncode == 1 and got.stderr.startswith("nonet: missing.json: "), got)
got = run("analyse", "--nodes", "50", a, b)
check("several tables", got.stdout.count("played") == 2 and got.stdout.startswith(a + ": Trix, 1 move. The game is not over."), got.stdout[:100])
got = run("analyse", "--nodes", "50", "-", input=pathlib.Path(a).read_text())
check("the standard input", got.returncode == 0 and got.stdout.startswith("Trix, 1 move."), got)
refused(2, "name a file", "analyse")
refused(2, "--nodes cannot be", "analyse", a, "--nodes", "0")
refused(2, "--level", "analyse", a, "--level", "3")
refused(1, "missing.json", "analyse", "missing.json")
(folder / "bad.json").write_text("{}")
refused(1, "\"format\" is missing", "analyse", str(folder / "bad.json"))
refused(1, "move 1, b9", "analyse", record("trix", {}, ["b9"], "illegal.json"))

close()
