#!/usr/bin/env python3
"""nonet ugi and the example bots: what they answer, when, and what they survive. Usage: ugi.py NONET BOT_C BOT_PY

The facts about a position come from `nonet position`, which has tests of its own. The same input must give the same
answer: two games that look the same to a seat are described in the same words. Closes with "N passed, N failed".
"""
import json
import os
import queue
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

from checking import check, close

NONET, BOT_C, BOT_PY = sys.argv[1:4]
scratch = tempfile.TemporaryDirectory()
clean = {k: v for k, v in os.environ.items() if k not in ("NONET_TABLES", "XDG_CACHE_HOME")} | {"HOME": scratch.name}


class Engine:
    """A player in a process. Its output lines are in a queue, so that waiting for one can time out."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean)
        self.lines = queue.Queue()
        self.told = []  # both sides, as one conversation
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        self.told.append("> " + line)
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def until(self, word, timeout=120):
        """The lines up to the first that begins with this word."""
        got = []
        end = time.monotonic() + timeout
        while not (got and got[-1].split(" ")[0] == word):
            try:
                line = self.lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                check(f"waiting for {word}", False, f"{self.told[-3:]} got {got}")
                return got + [word + " nothing"]
            got.append(line)
        self.told += got
        return got

    def ask(self, line, word):
        self.send(line)
        return self.until(word)

    def query(self, what):
        return self.ask("query " + what, "response")[-1][len("response ") :]

    def complaint(self, line):
        """All output up to readyok, for a command that has no answer of its own."""
        self.send(line)
        return self.ask("isready", "readyok")[:-1]

    def end(self, line="quit"):
        if line is not None:
            self.process.stdin.write(line.encode() + b"\n")
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            code = self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = None
        self.listener.join(timeout=20)
        errors = self.process.stderr.read().decode("utf-8", "replace")
        check("ends well", code == 0 and errors == "", f"exit {code}, stderr {errors[:300]!r} after {self.told[-4:]}")


def position(game, options, moves, seat=None, start=None):
    words = [NONET, "position", game]
    for key, value in options.items():
        words += ["-o", f"{key}={value}"]
    if start is not None:
        words += ["--from", start]
    if seat is not None:
        words += ["--as", str(seat)]
    got = subprocess.run(words + ["--"] + moves, capture_output=True, text=True, timeout=60)
    if got.returncode != 0:
        raise SystemExit(f"nonet position: {got.stderr}")
    return json.loads(got.stdout)


# ---- The handshake. ----

engine = Engine(NONET, "ugi")
hello = engine.ask("ugi", "ugiok")
check("id", hello[0].startswith("id name Nonet ") and hello[1].startswith("id author "), hello[:2])
options = [line for line in hello if line.startswith("option name ")]
games = next(line for line in options if " Game " in line).split(" var ")[1:]
listed = json.loads(subprocess.run([NONET, "games", "--json"], capture_output=True, check=True).stdout)
check("every game", games == [game["id"] for game in listed], games)
check("every line has its place", len(hello) == len(options) + 3, hello)
check("ready", engine.ask("isready", "readyok") == ["readyok"])
engine.end()

# ---- The same positions as everywhere else. ----

dice = random.Random(4)
VARIANTS = [(game, {}) for game in games if game != "masker"] + [
    ("chasm", {"players": "3"}),
    ("chasm", {"players": "4"}),
    ("quadrangle", {"rectangles": "upright"}),
    ("ksar", {"frame": "5x6"}),
    ("masker", {"seed": "1"}),
    ("masker", {"players": "3", "seed": "2"}),
    ("masker", {"players": "4", "variant": "3d", "seed": "3"}),
]


def random_game(game, options, most=400):
    """The moves of a whole game; where there are too many to list, of a beginning that a player chooses."""
    engine = Engine(NONET, "ugi", game, *(word for key, value in options.items() for word in ("-o", f"{key}={value}")))
    moves = []
    while len(moves) < most:
        engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        legal = engine.query("legal")
        if legal == "none":
            break
        if legal == "many":
            most = 6
            legal = engine.ask("go nodes 1", "bestmove")[-1].split()[1]
        moves.append(dice.choice(legal.split()))
    engine.end()
    return moves


engine = Engine(NONET, "ugi")
engine.send("setoption name Level value 9")  # the highest would build tables first
for game, options in VARIANTS:
    moves = random_game(game, options)
    engine.send(f"setoption name Game value {game}")
    for key, value in options.items():
        engine.send(f"setoption name {key.upper()} value {value}")
    stops = sorted(dice.sample(range(len(moves)), min(3, len(moves)))) + [len(moves)]
    for stop in stops:
        name = f"{game} {options} after {stop}"
        truth = position(game, options, moves[:stop])
        engine.send("position startpos" + (" moves " + " ".join(moves[:stop]) if stop else ""))
        check(name + ": fen", engine.query("fen") == truth["text"], truth["text"])
        check(name + ": count", engine.query("count") == str(truth["legal_count"]))
        legal = engine.query("legal")
        expected = "none" if truth["over"] else "many" if truth["legal"] is None else truth["legal"]
        check(name + ": legal", (sorted(legal.split()) if isinstance(expected, list) else legal) == expected, legal[:80])
        check(name + ": turn", engine.query("turn") == ("none" if truth["over"] else str(truth["to_move"])))
        check(name + ": p1turn", engine.query("p1turn") == ("true" if truth["to_move"] == 1 else "false"))
        check(name + ": gameover", engine.query("gameover") == ("true" if truth["over"] else "false"))
        winners = truth["winners"]
        players = int(options.get("players", 2))
        result = (
            "none" if not winners
            else "draw" if len(winners) == players
            else f"p{winners[0]}win" if len(winners) == 1
            else "shared"
        )  # fmt: skip
        check(name + ": result", engine.query("result") == result, result)
        check(name + ": winners", engine.query("winners") == (" ".join(map(str, winners)) or "none"))
        check(name + ": points", engine.query("points") == (" ".join(map(str, truth["points"])) if truth["over"] and truth["points"] else "none"))
        if truth["over"]:
            said = engine.ask("go nodes 10", "bestmove")
            check(name + ": no move", said[-1] == "bestmove none" and said[0].startswith("info string "), said)
        else:
            # The same position by its text, the same question twice: the same answer, and a legal one.
            first = engine.ask("go nodes 200", "bestmove")[-1]
            check(name + ": again", engine.ask("go nodes 200", "bestmove")[-1] == first, first)
            check(name + ": legal move", engine.query("islegal " + first.split()[1]) == "true", first)
            engine.send("position fen " + truth["text"])
            check(name + ": by text", engine.query("fen") == truth["text"])
            engine.send(f"position fen {truth['text']} moves {first.split()[1]}")
            check(name + ": and a move", engine.query("fen") == position(game, {k: v for k, v in options.items() if k != "seed"}, [first.split()[1]], start=truth["text"])["text"])
engine.end()

# ---- Searching: lines on the way, clocks, stop. ----

engine = Engine(NONET, "ugi", "quadrangle")
engine.ask("isready", "readyok")
said = engine.ask("go nodes 2000", "bestmove")
info = said[-2].split() if "string" not in said[-2] else said[-3].split()
check("info", info[0] == "info" and all(word in info for word in ("score", "nodes", "nps", "time", "pv")), said)
check("pv begins with the move", info[info.index("pv") + 1] == said[-1].split()[1], said)
line = info[info.index("pv") + 1 :]
engine.send("position startpos moves " + " ".join(line))
check("pv is legal", engine.query("fen") != "none", line)
# Player 1 has three corners, and a turn: proven, in one ply.
engine.send("position startpos moves a1 d4 b1 d3 a2 c4")
said = engine.ask("go nodes 5000", "bestmove")
check("a win in one", said[-1] == "bestmove b2", said)
proofs = [line for line in said if line.startswith("info string proven: ")]
check("is proven", len(proofs) == 1 and re.fullmatch("info string proven: win( in 1 plies)?, by (search|table)", proofs[0]), said)
check("and is mate in 1, if the distance is known", any((" score mate 1 " if " in 1 " in proofs[0] else " score cp 1000 ") in line for line in said), said)
# By a table, the line goes to the end of the game: docs/results.md has this win in 11 plies.
engine.send("position startpos")
info = [line.split() for line in engine.ask("go", "bestmove") if " pv " in line][-1]
line = info[info.index("pv") + 1 :]
engine.send("position startpos moves " + " ".join(line))
check("pv goes to the end", "mate" in info and len(line) == 11 and engine.query("result") == "p1win", info)
engine.end()

engine = Engine(NONET, "ugi", "ksar")
engine.ask("isready", "readyok")
delays = []
for attempt in range(6):
    engine.send("go infinite")
    time.sleep(0.15 if attempt else 0)
    if attempt == 1:
        begun = time.monotonic()
        engine.ask("isready", "readyok")
        check("ready during a search", time.monotonic() - begun < 2)
        said = engine.ask("query turn", "info")
        while "search is running" not in said[-1] and len(said) < 20:
            said = engine.until("info")
        check("no query during a search", "send stop first" in said[-1], said)
    begun = time.monotonic()
    said = engine.ask("stop", "bestmove")
    delays.append(time.monotonic() - begun)
    check("a move after stop", said[-1] != "bestmove none", said)
# Other programs use the machine too, so one slow answer is not our fault.
check("stop is answered within 20 ms", sorted(delays)[1] < 0.02 and max(delays) < 3, delays)
engine.send("position startpos moves 1x2@a1 1x2@j1 1x2@j9 1x2@a9")  # not in the book of openings, from which a move takes no time
for limits, least, most in (("movetime 300", 0.25, 3), ("p1time 2000 p2time 1 p1inc 0 p2inc 0", 0.05, 1.9), ("p1time 1 p2time 90000", 0, 2)):
    begun = time.monotonic()
    said = engine.ask("go " + limits, "bestmove")
    spent = time.monotonic() - begun
    check("go " + limits, least <= spent <= most and said[-1] != "bestmove none", (spent, said[-1]))
begun = time.monotonic()
said = engine.ask("go depth 2", "bestmove")
check("go depth", time.monotonic() - begun < 5 and said[-1] != "bestmove none", said)
# stop, and the next commands without waiting.
engine.send("go infinite")
engine.send("stop")
engine.send("position startpos moves")
engine.until("bestmove")
check("after stop", engine.query("count") == str(position("ksar", {}, [])["legal_count"]))
engine.send("go infinite")
time.sleep(0.1)
engine.end("quit")
check("quit: the search still answers", any(line is not None and line.startswith("bestmove ") for line in list(engine.lines.queue)), list(engine.lines.queue))

engine = Engine(NONET, "ugi", "trix")
engine.send("go infinite")
engine.end(None)  # the input ends in the middle of a search

# Few nodes on many threads: some have nothing to do, and the search still ends.
engine = Engine(NONET, "ugi", "ksar")
for line in ("setoption name Level value 1", "setoption name Threads value 4", "position startpos"):
    engine.send(line)
engine.send("go")
check("few nodes on many threads", engine.until("bestmove", timeout=20)[-1] not in ("bestmove none", "bestmove nothing"))
engine.send("stop")
engine.end()

# What a search without a limit of nodes found out helps with the next position of the game, until a new game begins.
engine = Engine(NONET, "ugi", "kolem", "-o", "steps=4")  # there is no table of it
won = "position fen WBB../W.WB./BW.../.W.../WB... 0 0 1"


def nodes_for(line):
    engine.send(line)
    return int(re.search(r" nodes (\d+)", " ".join(engine.ask("go infinite", "bestmove")))[1])


nodes_for(won)
remembered = nodes_for(won + " moves b2a2")
engine.send("uginewgame")
check("memory from move to move", 5 * remembered < nodes_for(won + " moves b2a2"), remembered)
engine.end()

# ---- What does not fit. ----

engine = Engine(NONET, "ugi", "quadrangle")
for line, part in (
    ("hello", 'no command "hello"'),
    ("setoption", "setoption name N value V"),
    ("setoption name Level", "setoption name N value V"),
    ("setoption name Level value", "setoption name N value V"),
    ("setoption name Level value 0", "from 1 to 10"),
    ("setoption name Level value 11", "from 1 to 10"),
    ("setoption name Threads value -1", "from 1 to 64"),
    ("setoption name Hash value much", "from 1 to 65536"),
    ("setoption name Seat value 5", "from 0 to 4"),
    ("setoption name SearchSeed value 18446744073709551616", "below 2^64"),
    ("setoption name Game value chess", 'no game "chess"'),
    ("setoption name rectangles value round", "any|upright"),
    ("setoption name colour value red", 'no option "colour"'),
    ("position", "a position is"),
    ("position here", "a position is"),
    ("position startpos b2", "a position is"),
    ("position fen", "a position is"),
    ("position fen " + "x" * 3000, "a position is"),
    ("position fen nonsense", "this is no position: "),
    ("position observed x", "option Seat"),
    ("position startpos moves b2 b2", "move 2, b2, is not legal: b2 is occupied"),
    ("position startpos moves z9", "move 1, z9, is not legal: "),
):
    said = engine.complaint(line)
    check(line[:60], len(said) == 1 and said[0].startswith("info string ") and part in said[0], said)
for line in ("query result", "query fen", "query"):
    check(line + " without a position", engine.ask(line, "response")[-1] == "response none")
check("go without a position", engine.ask("go", "bestmove")[-1] == "bestmove none")
engine.send("position startpos")
for line in ("go nodes", "go nodes 0", "go nodes -5", "go nodes 1x", "go wtime 5", "go movetime 99999999999999", "go p5time 3", "go depth x"):
    said = engine.ask(line, "bestmove")
    check(line, said[-1] == "bestmove none" and "go takes nodes N" in said[0], said)
for line in ("query", "query weather", "query islegal", "query fen twice"):
    said = engine.ask(line, "response")
    check(line, said[-1] == "response none" and "a query is gameover" in said[0], said)
check("islegal", engine.query("islegal b2") == "true" and engine.query("islegal z9") == "false")
check("stop without a search", engine.complaint("stop") == [] and engine.complaint("") == [] and engine.complaint("   ") == [])
check("a new game", engine.complaint("position startpos moves b2") == [] and engine.complaint("uginewgame") == [] and engine.query("fen") == position("quadrangle", {}, [])["text"])
engine.send("setoption name Game value masker")
check("a deal is asked for", "set its option seed" in engine.complaint("position startpos")[0])
engine.send("setoption name colours value RR")
engine.send("setoption name seed value 4")
check("options that contradict", "two discs" in engine.complaint("position startpos")[0])
engine.send("setoption name colours value <empty>")
check("an option that is reset", engine.complaint("position startpos") == [])
engine.end()

# ---- Hidden information. ----


def hidden_conversation(options, moves, seat, nodes):
    """Tells a player what the seat knows of this game, and asks for a move. Returns the whole conversation."""
    public = {key: value for key, value in options.items() if key in ("players", "variant")}
    first = position("masker", options, [], seat)["text"]
    now = position("masker", options, moves, seat)
    engine = Engine(NONET, "ugi", "masker")
    for key, value in public.items():
        engine.send(f"setoption name {key} value {value}")
    engine.send(f"setoption name Seat value {seat}")
    engine.send("uginewgame")
    said = engine.complaint("position observed " + first + (f" moves {' '.join(moves)} seen {now['text']}" if moves else ""))
    check(f"{options} {seat}: taken", said == [], said)
    check(f"{options} {seat}: fen", engine.query("fen") == now["text"], now["text"])
    check(f"{options} {seat}: legal", sorted(engine.query("legal").split()) == now["legal"])
    move = engine.ask(f"go nodes {nodes}", "bestmove")[-1].split()[1]
    check(f"{options} {seat}: move", (move in now["legal"]) if now["to_move"] == seat else move == "none", move)
    # A player that was given the whole game, and thinks from what the seat may know of it, thinks the same.
    truth = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    thought = subprocess.run([NONET, "think", "masker", *truth, "--nodes", str(nodes), *moves], capture_output=True, env=clean, timeout=60)
    check(f"{options} {seat}: the same as from the truth", json.loads(thought.stdout)["move"] == move, move)
    engine.end()
    # Times are ignored, and so is the number of reports: the last report counts.
    told = [line for line, next_line in zip(engine.told, engine.told[1:] + [""]) if not (line.startswith("info ") and next_line.startswith("info "))]
    return [" ".join(word for word in line.split() if not word.isdigit()) if line.startswith("info ") else line for line in told]


compared = 0
for seed, players, variant in ((1, 2, "flat"), (2, 3, "flat"), (3, 4, "flat"), (4, 3, "3d"), (5, 2, "3d"), (6, 3, "flat")):
    discs = 2 if players == 4 else players
    colours = "".join(dice.sample("RYGBV", discs))
    deal = position("masker", {"players": str(players), "variant": variant, "seed": str(seed)}, [], 1)["options"]["deal"]
    truth = {"players": str(players), "variant": variant, "deal": deal, "colours": colours}
    moves = random_game("masker", truth)
    lengths = [0] + sorted(dice.sample(range(1, len(moves)), 3)) + [len(moves) - 1]
    for length in lengths:
        here = position("masker", truth, moves[:length])
        seat = here["to_move"]
        own = (seat - 1) % discs
        told = hidden_conversation(truth, moves[:length], seat, 50)
        # Another truth that looks the same to this seat, if there is one.
        for attempt in range(20):
            other = dice.sample([c for c in "RYGBV" if c != colours[own]], discs)
            other[own] = colours[own]
            lie = truth | {"colours": "".join(other)}
            same = subprocess.run(
                [NONET, "position", "masker", *(w for k, v in lie.items() for w in ("-o", f"{k}={v}")), "--as", str(seat), *moves[:length]],
                capture_output=True, text=True)  # fmt: skip
            if lie != truth and same.returncode == 0 and json.loads(same.stdout)["text"] == position("masker", truth, moves[:length], seat)["text"]:
                check(f"seed {seed} after {length}: the same to seat {seat}", hidden_conversation(lie, moves[:length], seat, 50) == told)
                compared += 1
                break
check("enough pairs of truths", compared >= 12, compared)

layout = position("masker", {"players": "3", "seed": "1"}, [])["text"].split(" ")[0]
engine = Engine(NONET, "ugi", "masker", "-o", "players=3")
engine.send("setoption name Seat value 2")
for text, part in (
    (f"{layout} 0,0,0 ?R? 0 - 1", None),
    (f"{layout} 0,0,0 R?? 0 - 1", "not how seat 2 sees"),
    (f"{layout} 0,0,0 ??? 0 - 1", "not how seat 2 sees"),
    (f"{layout} 0,0,0 RGB 0 - 1", "not how seat 2 sees"),
    (f"{layout} 0,0,0 ?R? 0 - 4", "this is no position"),
    (f"{layout} 0,0,0 ?RG 0 - 1", "nobody knows just these discs"),
    (f"{layout} 0,0,0 ???? 0 - 1", "this is no position"),
    (f"{layout} 0,0,0 ?R? 0 - 1 moves stop", "a position is"),
    (f"{layout} 0,0,0 ?R? 0 - 1 moves stop seen {layout} 0,0,0 ?R? 0 - 1", "move 1, stop, is not legal"),
):
    said = engine.complaint("position observed " + text)
    check("observed " + text[36:], said == [] if part is None else len(said) == 1 and part in said[0], said)
engine.send(f"position observed {layout} 0,0,0 ?R? 0 - 1")
said = engine.ask("go nodes 1", "bestmove")
check("another's turn", said[-1] == "bestmove none" and "turn of seat 1" in said[0], said)
move = engine.query("legal").split()[0]
said = engine.complaint(f"position observed {layout} 0,0,0 ?R? 0 - 1 moves {move} seen {layout} 0,0,0 ?R? 0 - 1")
check("seen something else", len(said) == 1 and "cannot see" in said[0], said)
engine.end()

# ---- Hostile input. ----

for attempt in range(6):
    engine = Engine(NONET, "ugi")
    words = [b"position", b"startpos", b"fen", b"moves", b"observed", b"seen", b"go", b"nodes", b"5", b"stop", b"setoption", b"name",
             b"Game", b"value", b"masker", b"chasm", b"Seat", b"3", b"query", b"legal", b"fen", b"isready", b"\xff\xfe", b"\x1b[2J", b"%n%s", b"?" * 50, b"-", b"a1", b"infinite", b"\0"]  # fmt: skip
    noise = dice.randbytes(20000) if attempt % 2 else b"\n".join(b" ".join(dice.choices(words, k=dice.randrange(1, 12))) for _ in range(400))
    engine.process.stdin.write(noise + b"\nstop\nugi\n")
    engine.process.stdin.flush()
    engine.until("ugiok")
    engine.end()
engine = Engine(NONET, "ugi")
engine.process.stdin.write(b"x" * 3000000 + b"\n" + b"position startpos moves " + b"a1 " * 30000 + b"\n" + b"query " * 100000 + b"\nugi\n")
engine.process.stdin.flush()
said = engine.until("ugiok")
check("long lines", "at most 1048576 bytes" in said[0] and "at most 20000 moves" in said[1], said[:3])
engine.end()
engine = Engine(NONET, "ugi")
engine.process.stdin.write(b"ugi")  # an input that ends without the end of its line
engine.end(None)
check("the last line", "ugiok" in list(engine.lines.queue))
reader, writer = os.pipe()
os.close(reader)
got = subprocess.run([NONET, "ugi"], input=b"ugi\n" * 10, stdout=writer, stderr=subprocess.PIPE, timeout=20)
os.close(writer)
check("closed output", got.returncode == 1 and got.stderr.startswith(b"nonet: "), got)
for words, part in ((["ugi", "chess"], "no game"), (["ugi", "quadrangle", "b2"], "by the command position"), (["ugi", "--fast"], "no flag")):
    got = subprocess.run([NONET, *words], input=b"", capture_output=True, timeout=20)
    check(" ".join(words), got.returncode == 2 and got.stdout == b"" and part in got.stderr.decode(), got)

# ---- The bots know the rules, win where they can, and prevent the other's win. ----

for command in ([BOT_C], [sys.executable, BOT_PY]):
    bot, nonet = Engine(*command), Engine(NONET, "ugi", "quadrangle")
    hello = bot.ask("ugi", "ugiok")
    check("bot says hello", hello[0].startswith("id name "), hello)
    bot.ask("isready", "readyok")
    nonet.ask("isready", "readyok")
    wins = 0
    for game in range(16):
        kind = "upright" if game % 2 else "any"
        for player in (bot, nonet):
            player.send(f"setoption name rectangles value {kind}")
            player.send("setoption name Level value 3")
            player.send("uginewgame")
        moves = []
        seat = game // 2 % 2  # the bot's
        while True:
            line = "position startpos" + (" moves " + " ".join(moves) if moves else "")
            bot.send(line)
            nonet.send(line)
            for what in ("gameover", "result"):
                check(f"{command[-1]}: {what} of {moves}", bot.query(what) == nonet.query(what))
            if nonet.query("gameover") == "true":
                wins += nonet.query("result") == f"p{seat + 1}win"
                break
            check(f"{command[-1]}: turn of {moves}", bot.query("p1turn") == nonet.query("p1turn"))
            legal = nonet.query("legal").split()
            if len(moves) % 2 != seat:
                moves.append(dice.choice(legal))
                continue
            # The moves that win at once, for either player, found by asking for each move's result.
            winning = {1: [], 2: []}
            for player in (1, 2):
                board = nonet.query("fen").split()[0]
                for cell in legal:
                    row, column = 4 - int(cell[1]), "abcd".index(cell[0])
                    ranks = board.split("/")
                    ranks[row] = ranks[row][:column] + "AB"[player - 1] + ranks[row][column + 1 :]
                    nonet.send(f"position fen {'/'.join(ranks)} {3 - player}")
                    if nonet.ask("query result", "response")[-1] == f"response p{player}win":
                        winning[player].append(cell)
                nonet.send(line)
            bot.send("position fen " + nonet.query("fen") if game % 3 == 0 else line)
            move = bot.ask("go movetime 100", "bestmove")[-1].split()[1]
            expected = winning[seat + 1] or winning[2 - seat] or legal
            check(f"{command[-1]}: choice after {moves}", move in expected, (move, expected))
            moves.append(move)
    check(f"{command[-1]} beats chance", wins >= 10, wins)
    bot.end()
    nonet.end()

close()
