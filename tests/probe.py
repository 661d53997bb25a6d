#!/usr/bin/env python3
"""nonet solve and nonet probe: values, the order of moves, where tables are kept, and how they refuse. Usage: probe.py NONET [short]

Expected values follow from the rules by hand, or from each other: a position is worth what its best move is worth, and
a move what the position after it is worth, seen from the other side. Closes with "N passed, N failed".
"""
import fcntl
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zlib

from checking import check, check_refused, close

NONET = sys.argv[1]
scratch = tempfile.TemporaryDirectory()
home = pathlib.Path(scratch.name)
clean = {k: v for k, v in os.environ.items() if k not in ("NONET_TABLES", "XDG_CACHE_HOME")} | {"HOME": str(home)}


def run(*words, env=clean, feed="", **more):
    return subprocess.run([NONET, *words], capture_output=True, text=True, timeout=240, input=feed, env=env, **more)


def refused(code, part, *words, env=clean):
    got = run(*words, env=env)
    check_refused(" ".join(words)[:80], got, code, part)


def probe(*words, env=clean):
    got = run("probe", *words, env=env)
    check("probe " + " ".join(words), got.returncode == 0 and got.stderr == "", got.stderr)
    return json.loads(got.stdout)


def values(answer):
    return answer["value"], answer["distance"], answer["margin"]


# Bad usage.
refused(2, "name a game", "probe")
refused(2, "name a game", "solve")
refused(2, 'no game "chess"', "solve", "chess")
refused(2, "--threads cannot be", "solve", "trix", "--threads", "0")
refused(2, "--memory cannot be", "solve", "trix", "--memory", "much")
refused(2, "--memory cannot be", "solve", "trix", "--memory", "99999999999G")
refused(2, "--material cannot be", "solve", "trix", "--material", "-1")
refused(2, "solved as a whole", "solve", "trix", "--material", "3", "--output", str(home / "part"))
refused(2, "no position and no moves", "solve", "trix", "a1b2")
refused(2, "--checkpoint cannot be", "solve", "trix", "--checkpoint", "often")
refused(2, "--time cannot be", "probe", "trix", "--time", "soon")
refused(1, "is not legal", "probe", "trix", "a1d4")
refused(1, "tables can be built of kolem, kudosu, ", "solve", "masker")
refused(1, "there is no table of chasm:players=4", "solve", "chasm", "-o", "players=4")

# On first use a small game is solved, and its table is kept in the cache folder.
table = home / ".cache/nonet/trix-camps_corner-goal_three.nonet-table"
first = probe("trix")
check("the table is kept", table.exists())
check("nothing else is", [f.name for f in table.parent.iterdir()] == [table.name], list(table.parent.iterdir()))
before = table.stat().st_mtime_ns
check("the second answer is the first", probe("trix") == first)
check("and the table is not built again", table.stat().st_mtime_ns == before)
check("fields", list(first) == ["value", "distance", "margin", "proof", "moves"] and first["proof"] == "table", first)
check("fields of moves", all(list(m) == ["move", "value", "distance", "margin", "proof"] for m in first["moves"]), first)

# Many questions at once get the answers that each would get alone.
legal = [first["moves"][0]["move"], first["moves"][-1]["move"]]
lines = ["", *legal]
lines.append(f"{legal[0]} {probe('trix', legal[0])['moves'][0]['move']}")
got = run("probe", "trix", "--batch", feed="".join(f"{line}\n" for line in lines))
check("probe --batch", [json.loads(line) for line in got.stdout.splitlines()] == [probe("trix", *line.split()) for line in lines], got.stderr)
got = run("probe", "trix", legal[0], "--batch", feed="\n")
check("probe --batch goes on from the moves given", json.loads(got.stdout) == probe("trix", legal[0]), got.stderr)
got = run("probe", "trix", "--batch", feed="\nzz\n")
check("probe --batch names the line that is wrong", got.returncode == 1 and "line 2: zz: " in got.stderr and len(got.stdout.splitlines()) == 1, got.stderr)

text = json.loads(run("position", "trix", *lines[-1].split()).stdout)["text"]
got = run("probe", "trix", "--batch", feed=f'"{text}"\n{lines[-1]}\n"{json.loads(run("position", "trix").stdout)["text"]}" {lines[-1]}\n')
check("probe --batch reads positions", got.returncode == 0 and got.stdout.splitlines() == 3 * [json.dumps(probe("trix", *lines[-1].split()), separators=(",", ":"))], got)
for line, part in ('"nowhere"', "is no position"), ('"nowhere', "no quote at its end"), (f'"{text}" zz', "zz: "):
    check_refused(f"probe --batch: {line}", run("probe", "trix", "--batch", feed=line + "\n"), 1, "line 1: ")
    check(f"probe --batch: why {line}", part in run("probe", "trix", "--batch", feed=line + "\n").stderr)
check_refused("probe --batch: a long line", run("probe", "trix", "--batch", feed="x" * (1 << 21)), 1, "line 1: it is longer than")
process = subprocess.Popen([NONET, "probe", "trix", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean)
process.stdin.write("\n")
process.stdin.flush()
check("probe --batch answers before the next line comes", json.loads(process.stdout.readline()) == first)
process.stdin.close()
check("probe --batch ends with its input", process.wait(20) == 0)

# $NONET_TABLES comes before the cache, $XDG_CACHE_HOME moves the cache.
for key, kept in [("NONET_TABLES", "x"), ("XDG_CACHE_HOME", "x/nonet")]:
    folder = home / key
    probe("trix", "-o", "camps=side", env=clean | {key: str(folder / "x")})
    check(f"{key} is used", (folder / kept / "trix-camps_side-goal_three.nonet-table").exists())
check("a folder that cannot be written to is no hindrance", probe("trix", env=clean | {"HOME": "/proc/nowhere"}) == first)

# A damaged table, and one of another game, are refused with the reason.
elsewhere = home / "damaged"
elsewhere.mkdir()
damaged = elsewhere / table.name
good = table.read_bytes()
for name, content in [("empty", b""), ("cut", good[: len(good) // 2]), ("foreign", b"x" * 10000),
                      ("another game's", (home / "NONET_TABLES/x/trix-camps_side-goal_three.nonet-table").read_bytes())]:
    damaged.write_bytes(content)
    refused(1, f"{damaged} cannot be used: ", "probe", "trix", env=clean | {"NONET_TABLES": str(elsewhere)})

# A pipe in its place does not block, and a folder is not read.
damaged.unlink()
os.mkfifo(damaged)
refused(1, "it is a pipe, not a regular file", "probe", "trix", env=clean | {"NONET_TABLES": str(elsewhere)})
refused(1, "it is a pipe, not a regular file", "verify", str(damaged))
# Without a table level 10 is weaker, so whoever asks it is told.
got = run("think", "trix", "--nodes", "1", env=clean | {"NONET_TABLES": str(elsewhere)})
check("think tells of a table that cannot be used", got.returncode == 0 and got.stderr.startswith(f"nonet: {damaged} cannot be opened: ") and len(got.stderr.splitlines()) == 1, got)
game = home / "game.json"
game.write_text(json.dumps({"format": "nonet-game", "version": 1, "game": "trix", "options": {}, "moves": ["b1c1"]}))
got = run("analyse", str(game), "--nodes", "1", env=clean | {"NONET_TABLES": str(elsewhere)})
check("and analyse", got.returncode == 0 and got.stderr.startswith(f"nonet: {damaged} cannot be opened: ") and len(got.stderr.splitlines()) == 1, got)
got = run("ugi", "trix", feed="isready\nquit\n", env=clean | {"NONET_TABLES": str(elsewhere)})
check("and so does UGI", got.stdout.startswith(f"info string {damaged} cannot be opened: ") and got.stdout.endswith("\nreadyok\n") and got.stderr == "", got)
damaged.unlink()
damaged.mkdir()
refused(1, "it is a directory", "probe", "trix", env=clean | {"NONET_TABLES": str(elsewhere)})
damaged.rmdir()

# A damaged table in the cache does not hide the good one that ships with the program, and is reported.
spoilt = home / ".cache/nonet/kolem-steps_8.nonet-table"
spoilt.write_bytes(b"x" * 1000)
got = run("probe", "kolem")
check("the good table is used", got.returncode == 0 and json.loads(got.stdout)["proof"] == "table", got)
check("and the damaged one told of", got.stderr.startswith(f"nonet: {spoilt} cannot be used: ") and "; using " in got.stderr and len(got.stderr.splitlines()) == 1, got.stderr)
got = run("think", "kolem", "--nodes", "1")
check("think does the same", got.returncode == 0 and got.stderr.startswith(f"nonet: {spoilt} cannot be used: ") and len(got.stderr.splitlines()) == 1, got)
got = run("ugi", "kolem", feed="isready\nisready\nquit\n")
check("and UGI, once", re.fullmatch(rf"info string {re.escape(str(spoilt))} cannot be used: [^\n]*; using [^\n]*\nreadyok\nreadyok\n", got.stdout) is not None and got.stderr == "", got)
spoilt.unlink()

# So is a table of a program with another canonical form, although its checksums are right. The message says what to do.
old = bytearray(good)
old[88] ^= 1
name_length = int.from_bytes(old[18:20], "little")
old[100:104] = zlib.crc32(old[:100] + old[104 : 104 + name_length]).to_bytes(4, "little")
damaged.write_bytes(old)
refused(1, "numbered positions in another way; build it again: nonet solve trix", "probe", "trix", env=clean | {"NONET_TABLES": str(elsewhere)})

# In the cache, where programs put them, the same table is built anew.
table.write_bytes(old)
check("an old table in the cache is built anew", probe("trix") == first and table.read_bytes() == good)

# Solving: the same bytes with any number of threads, after a kill, and elsewhere.
one, other = home / "one", home / "other"
check("solve", run("solve", "trix", "--threads", "1", "--output", str(one)).returncode == 0)
check("solve with threads", run("solve", "trix", "--threads", "3", "--output", str(other)).returncode == 0)
check("threads make no difference", one.read_bytes() == other.read_bytes() == good)
other.unlink()
for delay in (0.05, 0.2, 0.4, 0.6, 0.8, 1.0):
    started = subprocess.Popen([NONET, "solve", "trix", "--checkpoint", "0", "--output", str(other)], env=clean, stdout=subprocess.DEVNULL)
    time.sleep(delay)
    started.send_signal(signal.SIGKILL)
    started.wait()
    if other.exists():
        break
    check("a kill leaves no table", not other.exists())
check("solve after a kill", run("solve", "trix", "--output", str(other)).returncode == 0)
check("a kill makes no difference", other.read_bytes() == good)
check("nothing is left of it", sorted(f.name for f in home.iterdir() if f.name.startswith("other")) == ["other"], list(home.iterdir()))

# What others have put beside the table is neither followed nor used.
victim = home / "victim"
victim.write_text("a letter")
for name in ("other.part", "other.work"):
    (home / name).symlink_to(victim if name.endswith("part") else home / "elsewhere")
(home / "elsewhere").mkdir()
refused(1, "it is a symbolic link", "solve", "trix", "--output", str(other))
(home / "other.work").unlink()
(home / "other.work").mkdir()
(home / "other.work").chmod(0o777)
refused(1, "every user may write to it", "solve", "trix", "--output", str(other))
(home / "other.work").chmod(0o700)
(home / "other.work/lock").symlink_to(victim)
refused(1, "cannot be locked", "solve", "trix", "--output", str(other))
(home / "other.work/lock").unlink()
check("links are not followed", run("solve", "trix", "--output", str(other)).returncode == 0 and victim.read_text() == "a letter" and list((home / "elsewhere").iterdir()) == [])
(home / "other.part").unlink()

# Two solvers at once.
(home / "other.work").mkdir()
with open(home / "other.work/lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    refused(1, "another program is building", "solve", "trix", "--output", str(other))
check("the lock goes with the next solve", run("solve", "trix", "--output", str(other)).returncode == 0 and not (home / "other.work").exists())
refused(1, "bytes of memory", "solve", "trix", "--memory", "1M", "--output", str(home / "small"))
refused(1, "cannot be made", "solve", "trix", "--output", "/proc/nowhere/table")
check("nothing is left of those", not list(home.glob("small*")), list(home.iterdir()))
small_disk = {"preexec_fn": lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))}
limited = run("solve", "trix", "--output", str(home / "full"), **small_disk)
check("a disk that is full", limited.returncode == 1 and limited.stdout == "" and limited.stderr.startswith("nonet: "), (limited.returncode, limited.stderr))
check("leaves no table", not list(home.glob("full*")), list(home.iterdir()))

# A small game that cannot be solved on first use is not tried a second time elsewhere.
(home / "temporary").mkdir()
before = (home / "temporary").stat().st_mtime_ns
limited = run("probe", "trix", env=clean | {"HOME": str(home / "none"), "TMPDIR": str(home / "temporary")}, **small_disk)
check("a table that cannot be built", limited.returncode == 1 and limited.stdout == "" and limited.stderr.startswith("nonet: "), (limited.returncode, limited.stderr))
check("is tried once", (home / "temporary").stat().st_mtime_ns == before)

# Figures.
figures = json.loads(run("solve", "trix", "--json", "--output", str(other)).stdout)
check("figures name the game", figures["game"] == "trix:camps=corner,goal=three" and figures["table"] == str(other) and figures["bytes"] == len(good))
check("figures agree with each other", sum(p["win"] + p["draw"] + p["loss"] for p in figures["by_ply"]) == figures["positions"] > figures["classes"] == sum(sum(p["classes"]) for p in figures["by_ply"]), figures)
check("figures agree with probe", values(figures) == values(first))
check("the longest win", values(probe("trix", "--from", figures["longest"]["text"]))[:2] == ("win", figures["longest"]["distance"]))

# Kolem in part. As a whole it takes minutes, so it is not built on first use.
refused(1, "there is no table of kolem:steps=4; build it: nonet solve kolem -o steps=4", "probe", "kolem", "-o", "steps=4")
for pieces in ("0", "1", "2", "99", "4294967299"):
    refused(2, "--material cannot be", "solve", "kolem", "--material", pieces)
part = run("solve", "kolem", "--material", "3", "--json")
check("kolem in part", part.returncode == 0 and json.loads(part.stdout)["table"].endswith("kolem-steps_8.nonet-table.up-to-3"), part)

# Where a table lacks a position, a search finds the value. With the partial table in place of the whole one, values are
# those of the whole table that ships with the program.
partial = clean | {"NONET_TABLES": str(home / "partial")}
(home / "partial").mkdir()
pathlib.Path(json.loads(part.stdout)["table"]).rename(home / "partial/kolem-steps_8.nonet-table")
shipped = clean | {"NONET_TABLES": str(pathlib.Path(__file__).parent.parent / "tables")}
for text in ("...../...../...B./BWWW./.WB.. 0 0 2", "...../...../..WW./B.BB./W..W. 0 0 2"):
    whole, searched = probe("kolem", "--from", text, env=shipped), probe("kolem", "--from", text, env=partial)
    check("a search where the table has no value", (whole["proof"], searched["proof"]) == ("table", "search"), searched)
    for answer in (whole, searched, *whole["moves"], *searched["moves"]):
        answer.pop("proof")
    check("proves what the whole table has", searched == whole, (searched, whole))
refused(1, "kolem-steps_8.nonet-table does not have it", "probe", "kolem", "--time", "1", env=partial)

# A position that no game leads to is refused before anything is proven.
refused(1, "no order of turns leads here", "probe", "kolem", "--from", "...../...../..B../..W../...B. 7 7 1", env=shipped)

# Finished games have a value from the side of the player who would be next, and no moves. Kudosu's example from the
# rules.
lost = "Wd2 Wc4 Wa3 Pb4 Pa1 Zb2 Pc3 Zd4 Zc1 Ma2 Md1 Mb3".split()
won = "Wd2 Wc4 Pa1 Wa3 Pc3 Pb4 Zc1 Zd4 Zb2 Ma2 Md1 Mb3".split()
over = probe("kudosu", *lost)
check("a finished game", over == {"value": "loss", "distance": 0, "margin": None, "proof": "rules", "moves": []}, over)
near = probe("kudosu", *won)
check("a win in one", values(near) == ("win", 1, None) and [(m["move"], m["value"], m["distance"]) for m in near["moves"]] == [("Wb1", "win", 1)], near)
check("after it", values(probe("kudosu", *won, "Wb1")) == ("loss", 0, None))

def rank(answer):
    """The higher the better."""
    if answer["margin"] is not None:  # in Ksar equal points are won by one of the two
        return 4 * answer["margin"] + ["loss", "draw", "win"].index(answer["value"])
    return {"win": 1000, "draw": 0, "loss": -1000}[answer["value"]] + {"win": -1, "draw": 0, "loss": 1}[answer["value"]] * (answer["distance"] or 0)


opposite = {"win": "loss", "draw": "draw", "loss": "win"}
dice = random.Random(3)
games = [("kudosu", 12), ("trix", 12), ("ksar -o frame=4x4", 9)]
if sys.argv[2:] != ["short"]:
    games += [("chasm", 14), ("quadrangle", 9), ("mix3", 15)]
for words, plies in games:
    game, *moves = words.split()
    for ply in range(plies):
        answer = probe(game, *moves)
        position = json.loads(run("position", game, *moves).stdout)
        listed = [m["move"] for m in answer["moves"]]
        name = f"{game} {' '.join(moves)}"
        check(f"{name}: every legal move once", sorted(listed) == position["legal"], listed)
        check(f"{name}: best first", answer["moves"] == sorted(answer["moves"], key=lambda m: (-rank(m), m["move"])), answer["moves"])
        if not listed:
            break
        check(f"{name}: worth what its best move is", values(answer) == values(answer["moves"][0]), answer)
        margins = game in ("mix3", "ksar")
        check(f"{name}: distances and margins where they belong", all((m["distance"] is None) == (margins or m["value"] == "draw") and (m["margin"] is None) != margins for m in [answer, *answer["moves"]]), answer)
        chosen = answer["moves"][0] if dice.random() < 0.5 else dice.choice(answer["moves"])
        after = probe(game, *moves, chosen["move"])
        check(f"{name}: {chosen['move']} is worth what the position after it is worth", after["value"] == opposite[chosen["value"]] and (after["distance"] is None or after["distance"] + 1 == chosen["distance"]) and (not margins or after["margin"] == -chosen["margin"]), (chosen, after))
        by_text = probe(*words.split(), "--from", position["text"])
        check(f"{name}: the same from its text", by_text == answer)
        moves.append(chosen["move"])

# With three players the answer also says what each of them can force against the two others.
three = probe("chasm", "-o", "players=3")
check("three players", [p["player"] for p in three["players"]] == [1, 2, 3] and sum(p["value"] == "win" for p in three["players"]) <= 1, three)
check("the one to move among them", values(three["players"][0]) == values(three) == values(three["moves"][0]) and three["proof"] == "search", three)

# Their table in part, with two pieces each: it says what the search says. The whole takes minutes.
(home / "three").mkdir()
table = home / "three/chasm-players_3.nonet-table"
part = run("solve", "chasm", "-o", "players=3", "--material", "2", "--output", str(table), "--json")
figures = json.loads(part.stdout)
check("three players in part", part.returncode == 0 and figures["bytes"] == table.stat().st_size and "players" not in figures, part)
check("in part, by turn", [turn["turn"] for turn in figures["by_turn"]] == [0, 1, 2] and figures["longest"]["distance"] == figures["by_turn"][0]["longest_win"], figures)
summary = run("solve", "chasm", "-o", "players=3", "--material", "2", "--output", str(home / "again"))
check("in words", "chasm:players=3: solved in part\n" in summary.stdout and (home / "again").read_bytes() == table.read_bytes(), summary)
got = run("verify", str(table))
check("verified", got.stdout.splitlines()[-1].startswith("verified: ") and got.stdout.count(" wins, 0 draws, ") == 3, got)
rows = [json.loads(line) for line in run("export", str(table), "--sample", "40", "--format", "jsonl").stdout.splitlines()]
tabled = clean | {"NONET_TABLES": str(home / "three")}
for row in rows:
    check("the player to move among all", values(row) == values(row["players"][row["player"] - 1]), row)
    told = run("probe", "chasm", "-o", "players=3", "--from", row["text"], env=tabled)
    if "leads to this position" in told.stderr:
        continue  # it is in the table, but the rules do not allow to begin there
    by_table, searched = json.loads(told.stdout), probe("chasm", "-o", "players=3", "--from", row["text"])
    check("by the table", by_table["proof"] == "table" and [values(player) for player in by_table["players"]] == [values(player) for player in row["players"]], by_table)
    for answer in (by_table, searched):
        for proven in (answer, *answer["players"], *answer["moves"]):
            proven.pop("proof")
    check("as the search says", by_table == searched, (by_table, searched))
start = probe("chasm", "-o", "players=3", env=tabled)
check("a search where the part ends", start == three, start)
refused(1, "no table of exact values for this setting", "trial", "chasm", "-o", "players=3", "--exact", env=tabled)

# Fullend with an unlimited supply is won by taking the centre and answering every move with its reflection.
first = probe("fullend", "-o", "supply=unlimited")
check("fullend", values(first) == ("win", None, None) and first["proof"] == "mirror" and len(first["moves"]) == 1, first)
centre = first["moves"][0]["move"]
check("fullend after the centre", values(probe("fullend", "-o", "supply=unlimited", centre)) == ("loss", None, None))
answer = probe("fullend", "-o", "supply=unlimited", centre, "flat@36,36,0")
check("fullend by reflection", answer["value"] == "win" and answer["moves"][0]["move"] == "flat@284,284,0", answer)
refused(1, "nothing proves", "probe", "fullend")
refused(1, "nothing proves", "probe", "masker", "-o", "seed=1")
refused(1, "a search of 0 s did not prove the value", "probe", "ksar", "--time", "0")

# A search looks at the clock often, also where a position has hundreds of moves.
begun = sum(os.times()[2:4])
refused(1, "a search of 0 s did not prove the value", "probe", "ksar", "-o", "frame=16x16", "--time", "0")
spent = sum(os.times()[2:4]) - begun
check("a search ends in time", spent < 0.6 or sys.argv[2:] == ["short"], spent)

# A game drawn by repetition is over.
there_and_back = ["a2a3", "d3d2", "a3a2", "d2d3"] * 2
repeated = probe("trix", *there_and_back)
check("drawn by repetition", values(repeated) == ("draw", None, None) and repeated["moves"] == [], repeated)

close()
