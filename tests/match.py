#!/usr/bin/env python3
"""nonet match: fair, repeatable, and robust whatever other programs do. Usage: match.py NONET [short]

With `short`, as under sanitizers, memory is not measured. Closes with "N passed, N failed".
"""
import collections
import filecmp
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

from checking import check, check_refused, close

NONET = os.path.abspath(sys.argv[1])
SHORT = sys.argv[2:] == ["short"]
folder = tempfile.TemporaryDirectory()
HERE = pathlib.Path(folder.name)


def run(*words, **more):
    return subprocess.run([NONET, "match", *words], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, **more)


def match(*words):
    got = run(*words, "--json")
    check("a match " + " ".join(words)[:80], got.returncode == 0 and got.stderr == "", f"exit {got.returncode}, {got.stderr[:300]}")
    return json.loads(got.stdout)


def points(answer):
    return [entrant["points"] for entrant in answer["entrants"]]


def refused(code, part, *words):
    got = run(*words)
    check_refused(f"refused: {words}"[:90], got, code, part)


# ---- Bad usage ----

refused(2, "name a game")
refused(2, "no game", "chess", "random", "random")
refused(2, "2 to 16 players", "kudosu")
refused(2, "2 to 16 players", "kudosu", "random")
refused(2, "2 to 16 players", "kudosu", *["random"] * 17)
refused(2, 'no player "best"', "kudosu", "best", "random")
refused(2, "level:1 to level:10, random", "kudosu", "level:0", "random")
refused(2, 'no player "level:11"', "kudosu", "level:11", "random")
refused(2, 'no player "random,depth=3"', "kudosu", "random,depth=3", "random")
for words in (["masker"], ["chasm", "-oplayers=3"], ["fullend"]):
    refused(2, 'no player "alpha-beta" plays this', *words, "alpha-beta", "random")
refused(2, 'no player "wide" plays this', "kudosu", "wide", "random")
refused(2, "nodes is a number", "kudosu", "random,nodes=0", "random")
refused(2, "time is a number", "kudosu", "random,time=soon", "random")
refused(2, "time is a number", "kudosu", "random,time=nan", "random")
refused(2, "a name is", "kudosu", "random,name=", "random")
refused(2, "a name is", "kudosu", "random,name=\x1b[31m", "random")
refused(2, "a name is", "kudosu", b"random,name=\xff", "random")
refused(2, "cmd: needs a command", "kudosu", "cmd: ", "random")
refused(2, "--games", "kudosu", "random", "random", "--games", "0")
refused(2, "--jobs", "kudosu", "random", "random", "--jobs", "0")
refused(2, "--max-plies", "kudosu", "random", "random", "--max-plies", "20001")
refused(2, "--timeout", "kudosu", "random", "random", "--timeout", "-1")
refused(2, "--seats", "kudosu", "random", "random", "--seats", "AA")
refused(2, "--seats", "kudosu", "random", "random", "--seats", "ABB")
refused(2, "--seats", "chasm", "-oplayers=3", "random", "random", "--seats", "ACC")
refused(2, "--seats", "chasm", "-oplayers=3", "random", "random", "--seats", "ABC")
refused(2, "are a team", "masker", "-oplayers=4", "random", "random", "--seats", "AABB")
refused(2, "two Elo differences", "kudosu", "random", "random", "--sprt", "0")
refused(2, "two Elo differences", "kudosu", "random", "random", "--sprt", "10", "0")
refused(2, "--sprt is for two", "kudosu", "random", "random", "random", "--sprt", "0", "10")
refused(1, "games are over within", "quadrangle", "random", "random", "--opening", "100")
refused(1, "no position", "quadrangle", "random", "random", "--from", "nonsense")
refused(1, "there is no such command", "kudosu", "cmd:/no/such/bot", "random")
refused(1, "exit code 0", "kudosu", "cmd:true", "random")
refused(1, "did not answer in time", "kudosu", "cmd:sleep 60", "random", "--timeout", "0.2")
refused(1, "without an answer", "kudosu", "cmd:cat /dev/zero", "random")
refused(1, "without an answer", "kudosu", "cmd:yes", "random")
refused(1, "", "kudosu", "random", "random", "--records", "/no/such/folder")

# ---- Fair ----

answer = match("kudosu", "random", "random", "--games", "2000", "--seed", "5")
check("all games are played", answer["games"] == 2000 and sum(points(answer)) == 2000, answer)
# Four standard deviations of 2000 independent games; games of the same opening only vary less.
check("random is as good as random", abs(points(answer)[0] - 1000) < 4 * (2000 * 0.25) ** 0.5, points(answer))
score = answer["pairings"][0]["entrants"][0]["score"]
check("the score is the share of the points", abs(score["value"] - points(answer)[0] / 2000) < 1e-6 and score["low"] < score["value"] < score["high"], score)
openings = answer["pairings"][0]["openings"]
check("openings are listed by their points", sum(o["openings"] for o in openings) == 1000 and
      abs(sum(o["openings"] * o["points"] for o in openings) - points(answer)[0]) < 1e-6, openings)
for entrant in answer["entrants"]:
    check("each sits at each seat as often", [sum(seat.values()) for seat in entrant["seats"]] == [1000, 1000], entrant)

answer = match("kudosu", "level:10", "random", "--nodes", "3000", "--games", "40", "--seed", "1")
check("the best level beats chance", answer["pairings"][0]["entrants"][0]["score"]["low"] > 0.5, points(answer))
check("nodes are told", 0 < answer["entrants"][0]["nodes_a_move"] <= 4000 and answer["entrants"][1]["nodes_a_move"] == 0, answer["entrants"])

# Three and four players.
answer = match("chasm", "-oplayers=3", "random", "random", "--games", "299", "--seed", "1")
check("ABB is the default for three, in whole openings", answer["seats"] == "ABB" and answer["games"] == 300, answer)
check("A has one seat and B two", [[sum(s.values()) for s in e["seats"]] for e in answer["entrants"]] == [[100] * 3, [200] * 3], answer)
check("points are shared out", abs(sum(points(answer)) - 300) < 1e-3, points(answer))
check("a third is even", abs(answer["pairings"][0]["entrants"][0]["elo"]["value"]) < 150, answer["pairings"])
answer = match("masker", "-oplayers=4", "random", "random", "--games", "20", "--seed", "1")
check("ABAB is the default for teams", answer["seats"] == "ABAB" and abs(sum(points(answer)) - 20) < 1e-3, answer)
answer = match("chasm", "-oplayers=3", "random", "random,name=other", "random", "--seats", "ABC", "--games", "30", "--seed", "1")
check("three at a table", len(answer["pairings"]) == 1 and abs(sum(points(answer)) - 30) < 1e-3, answer)
check("names", [e["name"] for e in answer["entrants"]] == ["random", "other", "random#2"], answer["entrants"])

answer = match("kudosu", "random,name=x", "alpha-beta,name=x,nodes=1", "random,name=" + "y" * 63, "random,name=" + "y" * 63, "--games", "2")
check("names differ", [e["name"] for e in answer["entrants"]] == ["x", "x#2", "y" * 63, "y" * 61 + "#2"], answer["entrants"])

# Every pair meets.
got = run("kudosu", "random", "random", "random", "--games", "20", "--seed", "1")
check("a crosstable", re.search(r"^ 3  random#3 .* -  +[0-9.]+ +40$", got.stdout, re.M) is not None, got.stdout)
answer = match("kudosu", "random", "random", "random", "--games", "20", "--seed", "1")
check("three pairs", len(answer["pairings"]) == 3 and answer["games"] == 60 and abs(sum(points(answer)) - 60) < 1e-3, answer)

# A game that is too long is drawn.
answer = match("trix", "random", "random", "--max-plies", "6", "--games", "10", "--seed", "1")
check("drawn when too long", answer["too_long"] == 10 and points(answer) == [5, 5], answer)

# ---- The same again ----

games = [("kudosu", "random", "alpha-beta,nodes=60", "--games", "60"), ("masker", "-oplayers=3", "random", "uct,nodes=20", "--games", "3"),
         ("kudosu", "alpha-beta,nodes=200", "random", "--sprt", "0", "60"), ("chasm", "random", "random", "random", "--games", "50")]
for words in games:
    outputs = {run(*words, "--seed", "7", "--untimed", "--jobs", jobs).stdout for jobs in ("1", "5")}
    check("the same whatever the jobs: " + " ".join(words), len(outputs) == 1 and "" not in outputs, outputs)
one, other = (run(*games[0], "--seed", seed, "--untimed", "--json").stdout for seed in ("1", "2"))
check("another seed, another match", json.loads(one)["entrants"] != json.loads(other)["entrants"])

# ---- Records ----


def layout(record):
    """What everybody can see of how a game began."""
    return {key: value for key, value in record["options"].items() if key != "colours"}


for game, words in (("quadrangle", []), ("masker", ["-oplayers=2"])):
    kept = [HERE / f"{game}{jobs}" for jobs in (1, 4)]
    for jobs, place in zip("14", kept):
        answer = match(game, *words, "random,name=left", "random,name=right", "--games", "12", "--seed", "3", "--opening", "3", "--jobs", jobs,
                       "--untimed", "--records", str(place))
    names = sorted(os.listdir(kept[0]))
    check(f"{game}: twelve records", names == [f"game-{i:06}.json" for i in range(1, 13)], names)
    check(f"{game}: the same whatever the jobs", filecmp.cmpfiles(*kept, names, shallow=False)[0] == names)
    records = [json.loads((kept[0] / name).read_text()) for name in names]
    won = collections.Counter()
    for name, record in zip(names, records):
        got = subprocess.run([NONET, "replay", str(kept[0] / name)], capture_output=True, text=True)
        check(f"{game}: {name} replays", got.returncode == 0 and "all legal" in got.stdout, got.stderr)
        winners = record["result"]["winners"]
        for winner in winners:
            won[record["seats"][winner - 1]["name"]] += 1 / len(winners)
    check(f"{game}: records and table agree", points(answer) == [won["left"], won["right"]], f"{points(answer)} {won}")
    pairs = list(zip(records[::2], records[1::2]))
    for a, b in pairs:
        check(f"{game}: an opening is played twice, from both sides", a["moves"][:3] == b["moves"][:3] and layout(a) == layout(b) and
              [s["name"] for s in a["seats"]] == ["left", "right"] and [s["name"] for s in b["seats"]] == ["right", "left"], f"{a} {b}")
    different = {json.dumps([layout(a), a["moves"][:3]]) for a, b in pairs}
    check(f"{game}: openings differ", len(different) >= 5, different)
    if game == "masker":
        check("masker: every opening is dealt anew", len({json.dumps(layout(a)) for a, b in pairs}) == 6)

# ---- The test ----

answer = match("quadrangle", "alpha-beta,nodes=300", "random", "--sprt", "0", "50", "--seed", "1")
test = answer["test"]
check("the stronger is accepted, early", test["accepted"] == "elo1" and test["ratio"] >= test["bound"] > 2.9 and answer["games"] < 2000, test)
answer = match("quadrangle", "random", "alpha-beta,nodes=300", "--sprt", "0", "50", "--seed", "1")
check("the weaker is not", answer["test"]["accepted"] == "elo0" and answer["test"]["ratio"] <= -answer["test"]["bound"], answer["test"])
answer = match("quadrangle", "random", "random", "--sprt", "-5", "5", "--games", "20", "--seed", "1")
check("undecided", answer["test"]["accepted"] is None and answer["games"] == 20, answer["test"])

# ---- Other programs ----

# A bot for Quadrangle. It takes the first free cell until it does what it is tested for.
BOT = HERE / "bot.py"
BOT.write_text('''import os, signal, sys, time
mode, folder = sys.argv[1:]
open(os.path.join(folder, f"{mode}-{os.getpid()}"), "w").close()
say = lambda text: print(text, flush=True)
if mode == "stubborn":
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
while True:
    line = sys.stdin.readline()
    if not line or line == "quit\\n":
        if mode == "stubborn":
            time.sleep(1000)
        break
    words = line.split()
    if words[0] == "ugi":
        say("id name Bot\\nugiok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        assert words[1] == "startpos", words
        taken = words[3:]
    elif words[0] == "go":
        once = os.path.join(folder, mode + ".crashed")
        if mode == "crash" or (mode == "once" and not os.path.exists(once)):
            open(once, "w").close()
            os._exit(3)
        elif mode == "abort":
            os.abort()
        elif mode == "stall":
            time.sleep(1000)
        elif mode == "deaf":
            os.close(0)
            time.sleep(1000)
        elif mode == "babble":
            while True:
                sys.stdout.write("x" * 65536)
        elif mode == "flood":
            while True:
                sys.stdout.write("info string still thinking\\n" * 1000)
        elif mode == "mute":
            os.close(1)
            time.sleep(1000)
        elif mode == "child":
            if os.fork() == 0:
                open(os.path.join(folder, f"{mode}-{os.getpid()}"), "w").close()
                time.sleep(1000)
            os._exit(0)
        elif mode == "cheat":
            say("bestmove " + (taken[0] if taken else "a1"))
        elif mode == "bytes":
            sys.stdout.buffer.write(b"bestmove \\xff\\xc3\\0\\n")
            sys.stdout.buffer.flush()
        elif mode == "nonsense":
            say("bestmove \\033[31m" + "z" * 1000)
        elif mode == "long":
            say("info string " + "y" * 300000)
            say("x" * 70000 + "\\nbestmove " + next(c + r for r in "1234" for c in "abcd" if c + r not in taken))
        else:
            say("info depth 1 nodes 77 pv a1")
            say("bestmove " + next(c + r for r in "1234" for c in "abcd" if c + r not in taken) + " ponder a1")
''')


def bot(mode):
    return f"cmd:{sys.executable} {BOT} {mode} {HERE},name={mode}"


def is_alive(pid):
    try:
        state = pathlib.Path("/proc", pid, "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.rpartition(")")[2].split()[0] != "Z"  # dead, but not yet collected by its parent


def none_is_left(mode):
    """A killed process without a parent may take a moment to disappear."""
    for attempt in range(100):
        if not any(is_alive(mark.name.split("-")[1]) for mark in HERE.glob(f"{mode}-*")):
            return True
        time.sleep(0.05)
    return False


def play_bot(mode, *words, games=2):
    answer = match("quadrangle", bot(mode), "random", "--games", str(games), "--seed", "2", "--nodes", "10", "--jobs", "2", *words)
    check(f"{mode}: no process is left", none_is_left(mode))
    return answer


for mode, reason in (("crash", "exit code 3"), ("abort", "signal 6"), ("stall", "in time"), ("deaf", "in time"), ("babble", "without an answer"),
                     ("flood", "without an answer"), ("mute", "closed its output"), ("child", "exit code 0"), ("cheat", "is not legal"),
                     ("nonsense", "z"), ("bytes", "??")):
    answer = play_bot(mode, "--timeout", "2.5" if reason == "in time" else "20")
    check(f"{mode}: loses", points(answer) == [0, 2] and answer["entrants"][0]["failures"] == 2, answer)
    reasons = [failure["reason"] for failure in answer["failures"] if failure["entrant"] == mode]
    check(f"{mode}: is named with the reason", len(reasons) == 2 and all(reason in r for r in reasons), answer["failures"])
    check(f"{mode}: no control characters", not any(ord(c) < 32 for r in reasons for c in r), reasons)
for mode in ("good", "stubborn", "long"):
    answer = play_bot(mode, "--timeout", "20")
    check(f"{mode}: plays to the end", answer["failures"] == [] and sum(points(answer)) == 2, answer)
    check(f"{mode}: is timed", answer["entrants"][0]["milliseconds_a_move"] > 0, answer["entrants"])
    check(f"{mode}: reports its nodes", answer["entrants"][0]["nodes_a_move"] == (0 if mode == "long" else 77), answer["entrants"])
answer = play_bot("once", "--jobs", "1", "--timeout", "20", "--records", str(HERE / "once"), games=4)
check("a bot that crashed plays on in the next game", answer["entrants"][0]["failures"] == 1 and answer["failures"][0]["game"] == 1, answer)
got = subprocess.run([NONET, "replay", str(HERE / "once" / "game-000001.json")], capture_output=True, text=True)
check("the record of an interrupted game", got.returncode == 0 and "not over" in got.stdout, got.stdout + got.stderr)
got = run("quadrangle", bot("crash"), "random", "--games", "2", "--seed", "2")
check("the table for people says so too", "lost by crash" in got.stdout and "exit code 3" in got.stdout, got.stdout)

# Our own server learns from the protocol all that it needs, in all games.
UGI = f"cmd:'{NONET}' ugi,nodes=30,name=server"
variants = [[game["id"]] for game in json.loads(subprocess.run([NONET, "games", "--json"], capture_output=True).stdout)]
for words in variants + [["masker", "-oplayers=3"], ["masker", "-oplayers=4"], ["chasm", "-oplayers=3"]]:
    answer = match(*words, UGI, "random", "--games", "2", "--seed", "1", "--max-plies", "40", "--jobs", "2", "--timeout", "60")
    check(f"{words}: legal moves only", answer["failures"] == [] and answer["entrants"][0]["moves"] > 0, answer["failures"])
text = json.loads(subprocess.run([NONET, "position", "quadrangle", "b2", "c3"], capture_output=True).stdout)["text"]
answer = match("quadrangle", UGI, "random", "--games", "2", "--seed", "1", "--from", text, "--timeout", "60")
check("from a position", answer["failures"] == [], answer)
ours = match("quadrangle", "level:10,nodes=300,name=x", "random", "--games", "10", "--seed", "1", "--untimed")
theirs = match("quadrangle", f"cmd:'{NONET}' ugi,nodes=300,name=x", "random", "--games", "10", "--seed", "1", "--untimed", "--timeout", "60")
check("the server plays as we do", points(ours) == points(theirs) and ours["entrants"][0]["seats"] == theirs["entrants"][0]["seats"], f"{ours} {theirs}")

# ---- A spy ----

# In Masker, thinking must be the only way to find out another player's disc. A program that listens, and knows how
# matches are made, learns no more than its seat may know, whatever it computes from that.
WORD = 2**64 - 1
FACTOR, BEGIN = 0x9FB21C651E98DF25, 0x243F6A8885A308D3


def mixed(hash, word):
    hash = (hash ^ word) * FACTOR & WORD
    return hash ^ hash >> 32


def unmixed(hash, word):
    return (hash ^ hash >> 32) * pow(FACTOR, -1, 2**64) & WORD ^ word


def plain_hash(*words):
    """A hash without a key. Earlier, the numbers for all purposes were made with it."""
    hash = BEGIN ^ 8 * len(words)
    for word in (*words, 0):
        hash = mixed(hash, word)
    return hash


def first_word(hash, *others):
    """The hash inverted."""
    for word in (0, *reversed(others)):
        hash = unmixed(hash, word)
    return unmixed(hash, BEGIN ^ 8 * (1 + len(others)))


def random_number(seed, index):
    """The number with this index, from 1, that SplitMix64 generates from a seed."""
    z = seed + index * 0x9E3779B97F4A7C15 & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def discs_of(secret):
    """As Masker deals them."""
    discs = list("RYGBV")
    for i in range(4, 0, -1):
        j = (random_number(secret, 5 - i) >> 32) * (i + 1) >> 32
        discs[i], discs[j] = discs[j], discs[i]
    return "".join(discs)


check("the spy inverts the plain hash", first_word(plain_hash(12345, 3, 7, 1), 3, 7, 1) == 12345)
dealt = json.loads(subprocess.run([NONET, "position", "masker", "-oplayers=2", "-oseed=1"], capture_output=True).stdout)["text"].split()[2]
check("the spy deals as Masker does", discs_of(random_number(1, 2))[:2] == dealt, dealt)



def overheard(name, *words):
    """Plays Masker with the server as a player. Returns what it was told in each game, and the records."""
    heard, kept = HERE / f"{name}.heard", HERE / name
    answer = match("masker", "-oplayers=2", *words, f"cmd:tee -a '{heard}' | '{NONET}' ugi,nodes=5,name=spy", "random", "--seed", "8612345678901",
                   "--jobs", "1", "--timeout", "60", "--max-plies", "20", "--untimed", "--records", str(kept))
    check(f"{name}: plays", answer["failures"] == [], answer["failures"])
    told = []
    for line in heard.read_text().splitlines():
        if line.startswith("setoption name Seat "):
            told.append({"seat": int(line.split()[-1])})
        elif line.startswith("setoption name SearchSeed "):
            told[-1]["seed"] = int(line.split()[-1])
        elif line.startswith("position observed ") and "text" not in told[-1]:
            told[-1]["text"] = line.split()[2:]
    return told, [json.loads(path.read_text()) for path in sorted(kept.iterdir())]


told, records = overheard("spied", "--games", "60")
check("the spy hears of every game", len(told) == len(records) == 60, f"{len(told)} {len(records)}")
own = [record["options"]["colours"][game["seat"] - 1] for game, record in zip(told, records)]
other = [record["options"]["colours"][2 - game["seat"]] for game, record in zip(told, records)]
check("the spy is told its own disc", all(disc in game["text"][2] for game, disc in zip(told, own)), told[0])
check("and not the other's", all("?" in game["text"][2] for game in told), told[0])
inverted = [discs_of(plain_hash(first_word(game["seed"], 3, number, game["seat"] - 1), 1, number // 2, 0))[2 - game["seat"]]
            for number, game in enumerate(told)]
hits = sum(guess == disc for guess, disc in zip(inverted, other))
check("the other's disc cannot be computed from the search seed", hits < 30, f"{hits} of 60")
hits = sum(own[number - 1] == other[number] for number in range(1, 60, 2))
check("nor remembered from the game before", hits < 15, f"{hits} of 30")
seeds = [[game["seed"] for game in overheard(f"with{discs}", "--games", "4", f"-ocolours={discs}")[0]] for discs in ("RY", "GB")]
check("what is told does not depend on the discs", seeds[0] == seeds[1] and len(set(seeds[0])) == 4, seeds)

# ---- Ctrl-C ----


def interrupt(name, *words, after=2.0):
    begun = time.time()
    process = subprocess.Popen([NONET, "match", *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check(name, process.returncode == 0 and err == "" and time.time() - begun < after + 20, f"{process.returncode} {err}")
    return json.loads(out)


answer = interrupt("Ctrl-C ends a long match", "kudosu", "random", "random", "--games", "1000000")
check("with the table so far", 0 < answer["games"] < 1000000 and sum(points(answer)) == answer["games"], answer)
answer = interrupt("Ctrl-C while others think", "quadrangle", bot("stall"), "level:10,time=1000", "--timeout", "1000")
check("nothing was played", answer["games"] == 0 and none_is_left("stall"), answer)

# ---- The line on a terminal ----

ours, theirs = pty.openpty()
process = subprocess.Popen([NONET, "match", "kudosu", "uct,time=0.02", "random", "--games", "30", "--seed", "1"], stdout=subprocess.PIPE, stderr=theirs)
os.close(theirs)
shown = b""
try:
    while chunk := os.read(ours, 4096):
        shown += chunk
except OSError:  # the other end is closed
    pass
process.communicate()
check("progress is shown and erased", b"games" in shown and b"%" in shown and shown.endswith(b"\r\x1b[K"), shown[-200:])

# ---- Memory ----


def most_memory(games):
    process = subprocess.Popen([NONET, "match", "kudosu", "random", "alpha-beta,nodes=50", "--games", str(games), "--jobs", "1", "--seed", "1"],
                               stdout=subprocess.DEVNULL)
    return os.wait4(process.pid, 0)[2].ru_maxrss


if not SHORT:
    few, many = most_memory(20), most_memory(1000)
    check("a thousand games take no more memory than twenty", many < few + 2048, f"{few} and {many} KiB")

close()
