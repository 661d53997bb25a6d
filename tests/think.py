#!/usr/bin/env python3
"""nonet think: what it answers, and that the answer is about the right position; --batch and what it survives. Usage:
think.py NONET

Proven values are compared with `nonet probe`, legal moves with `nonet position`. Both have tests of their own. Closes
with "N passed, N failed".
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from checking import check, close

NONET = sys.argv[1]
scratch = tempfile.TemporaryDirectory()
clean = {k: v for k, v in os.environ.items() if k not in ("NONET_TABLES", "XDG_CACHE_HOME")} | {"HOME": scratch.name}


def run(*words, **more):
    return subprocess.run([NONET, *words], capture_output=True, env=clean, **({} if "timeout" in more else {"timeout": 120}), **({"stdin": subprocess.DEVNULL} if "input" not in more else {}), **more)


def refused(code, part, *words):
    got = run(*words)
    lines = got.stderr.decode().splitlines()
    good = got.returncode == code and got.stdout == b"" and len(lines) == 1 and lines[0].startswith("nonet: ") and part in lines[0]
    check(" ".join(words)[:80], good, got)


def answer(*words):
    got = run(*words)
    check(" ".join(words)[:80], got.returncode == 0 and got.stderr == b"", got.stderr[:300])
    return json.loads(got.stdout)


MEMBERS = ["move", "value", "distance", "margin", "proof", "score", "depth", "line", "nodes", "nodes_per_second", "seconds", "moves"]
OF_A_MOVE = ["move", "value", "distance", "margin", "proof", "score", "visits"]
PROOFS = {"table", "search", "mirror"}


def check_answer(name, thought, place, words):
    """What holds for every answer; `place` is the answer of nonet position, `words` are the arguments to ask it
    again."""
    check(name + ": members", list(thought) == MEMBERS, list(thought))
    if place["over"]:
        check(name + ": over", thought["move"] is None and thought["moves"] == [] and thought["line"] == [] and thought["proof"] == "rules", thought)
        return
    moves = thought["moves"]
    names = [move["move"] for move in moves]
    check(name + ": the first is the choice", thought["move"] == names[0] == thought["line"][0] and len(set(names)) == len(names), names[:5])
    check(name + ": the same of the first", all(thought[key] == moves[0][key] for key in OF_A_MOVE[:-1]), moves[0])
    if place["legal"] is not None:
        check(name + ": legal", set(names) <= set(place["legal"]), names[:5])
    for move in [thought] + moves:
        good = (move["value"] is None) == (move["proof"] in ("searched", "estimated")) and -1000 <= move["score"] <= 1000
        good &= move["value"] is not None or (move["distance"] is None and move["margin"] is None)
        good &= move["value"] is None or (move["proof"] in PROOFS and move["score"] == {"win": 1000, "draw": 0, "loss": -1000}[move["value"]])
        check(name + ": proof, value and score agree", good, move)
        if not good:
            break
    check(name + ": members of a move", all(list(move) == OF_A_MOVE for move in moves))
    # Where something is hidden, the expected line need not be possible.
    line = thought["line"][:1] if words[0] == "masker" else thought["line"]
    check(name + ": the line can be played", run("position", *words, *line).returncode == 0, line)
    check(name + ": numbers", thought["nodes"] >= 0 and thought["seconds"] >= 0 and thought["depth"] >= 0, thought)


def without_time(thought):
    return {key: value for key, value in thought.items() if key not in ("seconds", "nodes_per_second", "id")}


# ---- Every game. ----

dice = random.Random(7)
dealt = {"masker": ["-o", "seed=5"]}  # the same deal for every question
for words in (
    *([game["id"], *dealt.get(game["id"], [])] for game in answer("games", "--json")),
    ["ksar", "-o", "frame=5x5"], ["chasm", "-o", "players=3"], ["chasm", "-o", "players=4"], ["masker", "-o", "players=3", "-o", "seed=6"],
):  # fmt: skip
    moves = []
    for stop in (0, 3, 9, 400):
        place = answer("position", *words, *moves)
        while not place["over"] and len(moves) < stop and place["legal"] is not None:
            moves.append(dice.choice(place["legal"]))
            place = json.loads(run("position", *words, *moves).stdout)
        name = f"{' '.join(words)} after {len(moves)}"
        ask = [*words, "--nodes", "300", "--level", "9", "--seed", "1", *moves]
        thought = answer("think", *ask)
        check_answer(name, thought, place, [*words, *moves])
        check(name + ": again", without_time(answer("think", *ask)) == without_time(thought))

# A text in place of moves is the same position.
place = answer("position", "trix", "b1c1")
by_text = answer("think", "trix", "--from", place["text"], "--nodes", "500", "--level", "9")
check_answer("trix by text", by_text, place, ["trix", "--from", place["text"]])

# ---- What is proven is true. ----

for moves in (["a1", "d4", "b1", "d3", "a2", "c4"], ["a1", "b2", "b1", "c1", "d2", "c2"], ["a1", "b2", "b1", "c1", "d2", "c2", "a3"]):
    thought, truth = answer("think", "quadrangle", "--time", "20", *moves), answer("probe", "quadrangle", *moves)
    check(f"{moves}: proven", thought["value"] == truth["value"] and thought["distance"] in (None, truth["distance"]), (thought, truth["value"], truth["distance"]))
    values = {move["move"]: move["value"] for move in truth["moves"]}
    for move in thought["moves"]:
        check(f"{moves}: {move['move']}", move["value"] in (None, values[move["move"]]), (move, values[move["move"]]))
    check(f"{moves}: the move is one of the best", values[thought["move"]] == truth["value"])
    end = answer("position", "quadrangle", *moves, *thought["line"])
    check(f"{moves}: the line goes to the end", end["over"] and len(thought["line"]) == truth["distance"], thought["line"])
over = answer("think", "quadrangle", "a1", "b2", "b1", "c1", "d2", "c2", "a3", "b3", "c4")
check("a lost game", (over["value"], over["score"]) == ("loss", -1000), over)

# ---- What a seat may not know makes no difference. ----

deal = answer("position", "masker", "-o", "seed=9", "--as", "1")["options"]["deal"]
thoughts = [without_time(answer("think", "masker", "-o", f"deal={deal}", "-o", f"colours={colours}", "--nodes", "500", "--seed", "3")) for colours in ("RG", "RB", "RV")]
check("the other's disc", thoughts[0] == thoughts[1] == thoughts[2], thoughts)

# ---- Bad usage. ----

refused(2, "name a game", "think")
refused(2, "no game", "think", "chess")
refused(2, "--level cannot be", "think", "trix", "--level", "11")
refused(2, "--nodes cannot be", "think", "trix", "--nodes", "0")
refused(2, "--nodes cannot be", "think", "trix", "--nodes", "many")
for seconds in ("0", "-1", "x", "1e9", "1.2.3", "", "nan", "inf"):
    refused(2, "--time cannot be", "think", "trix", "--time=" + seconds)
refused(2, "--seed cannot be", "think", "trix", "--seed", "-1")
refused(2, "--threads cannot be", "think", "trix", "--threads", "65")
refused(2, "--memory cannot be", "think", "trix", "--memory", "5")
refused(2, "names its game and position", "think", "--batch", "trix")
refused(1, "is not legal", "think", "trix", "b9")
check("threads", answer("think", "trix", "--threads", "2", "--time", "0.1", "--level", "9")["move"] is not None)
# A search of few nodes on many threads, where some threads have nothing to do, still ends.
for words in (["ksar", "--level", "1", "--threads", "3"], ["ksar", "--nodes", "1", "--threads", "2"], ["chasm", "-o", "players=3", "--nodes", "5", "--threads", "64"]):
    try:
        got = run("think", *words, timeout=20)
        check(" ".join(words), got.returncode == 0 and json.loads(got.stdout)["move"] is not None, got)
    except subprocess.TimeoutExpired:
        check(" ".join(words), False, "it does not end")

# ---- Many positions. ----


def batch(lines, *words):
    got = run("think", "--batch", "--level", "9", "--nodes", "200", *words, input=b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines) + b"\n")
    check("batch ends well", got.returncode == 0 and got.stderr == b"", (got.returncode, got.stderr[:300]))
    return [json.loads(line) for line in got.stdout.splitlines()]


good = [
    {"id": 1, "game": "trix", "moves": []},
    {"id": "two", "game": "trix", "options": {"goal": "filled"}, "moves": ["b1c1"], "nodes": 100},
    {"id": [3, {"x": None}], "game": "chasm", "options": {"players": "3"}, "moves": [], "level": 2, "seed": 5},
    {"id": None, "game": "trix", "from": place["text"], "moves": [], "time": 0.05},
    {"game": "masker", "options": {"seed": "5"}, "moves": []},
]
answers = batch(good)
check("as many answers", len(answers) == len(good))
for question, thought in zip(good, answers):
    check(f"id {question.get('id')}", thought.get("id", "none") == question.get("id") and list(thought)[1:] == MEMBERS, list(thought))
alone = answer("think", "trix", "-o", "goal=filled", "--level", "9", "--nodes", "100", "b1c1")
check("the same as alone", without_time(answers[1]) == without_time(alone))

bad = [
    (b"hello", "not JSON"),
    (b'{"id":1', "not JSON"),
    (b"[1,2]", "not a JSON object"),
    (b"\xff\xfe", "not JSON"),
    (b"\x00", "not JSON"),
    (b"[" * 100000, "not JSON"),
    (b'{"id":1,"id":2,"game":"trix","moves":[]}', "not JSON"),
    (b'{"id":' + b"9" * 400 + b',"game":"trix","moves":[]}', "not JSON"),
    (b'"' + b"x" * (1 << 20) + b'"', "longer than"),
    (b"x" * 5000000, "longer than"),
    ({"id": 7}, '"game" is missing'),
    ({"id": 7, "game": 5}, "not a text"),
    ({"id": 7, "game": "chess", "moves": []}, 'no game "chess"'),
    ({"id": 7, "game": "trix"}, '"moves"'),
    ({"id": 7, "game": "trix", "moves": "b1c1"}, '"moves"'),
    ({"id": 7, "game": "trix", "moves": [1]}, "not a text"),
    ({"id": 7, "game": "trix", "moves": ["b1c1", "b1c1"]}, "move 2, b1c1, is not legal"),
    ({"id": 7, "game": "trix", "moves": ["x"] * 20001}, "20001 moves"),
    ({"id": 7, "game": "trix", "moves": [], "options": []}, "not an object"),
    ({"id": 7, "game": "trix", "moves": [], "options": {"goal": "none"}}, "three|filled"),
    ({"id": 7, "game": "trix", "moves": [], "from": "nowhere"}, "is no position"),
    ({"id": 7, "game": "trix", "moves": [], "level": 0}, '"level" is not'),
    ({"id": 7, "game": "trix", "moves": [], "level": 3.5}, '"level" is not'),
    ({"id": 7, "game": "trix", "moves": [], "nodes": 0}, '"nodes" is not'),
    ({"id": 7, "game": "trix", "moves": [], "nodes": -1}, '"nodes" is not'),
    ({"id": 7, "game": "trix", "moves": [], "time": 0}, '"time" is not'),
    ({"id": 7, "game": "trix", "moves": [], "time": "1"}, '"time" is not'),
    ({"id": 7, "game": "trix", "moves": [], "time": 60.5}, "up to 60"),
    ({"id": 7, "game": "trix", "moves": [], "seed": -1}, '"seed" is not'),
    ({"id": 7, "game": "trix", "moves": [], "every": 0}, '"every" is not'),
    ({"id": 7, "game": "trix", "moves": [], "every": 61}, "up to 60"),
    ({"id": 7, "game": "trix", "moves": [], "interim": True}, 'unknown member "interim"'),
    ({"id": 7, "game": "trix", "moves": [], "speed": 1}, 'unknown member "speed"'),
    ({"id": 7, "game": "masker", "moves": []}, "Masker needs a deal"),
]
answers = batch([line for line, _ in bad] + [b"", good[0]])
check("each bad line is answered", len(answers) == len(bad) + 1, len(answers))
for (line, part), said in zip(bad, answers):
    expected = 7 if isinstance(line, dict) else None
    check(str(line)[:60], list(said) == ["id", "error"] and said["id"] == expected and part in said["error"], said)
check("and the run continues", answers[-1]["id"] == 1 and "move" in answers[-1])
noise = [dice.randbytes(dice.randrange(1, 300)).replace(b"\n", b" ") for _ in range(300)]
check("noise", all("error" in said for said in batch(noise)))

# What a line may ask for is limited, by --time if it is given.
greedy = {"id": 7, "game": "ksar", "moves": [], "nodes": 10**15}
begun = time.monotonic()
check("a line that asks for all nodes ends", "move" in batch([greedy], "--time", "0.2")[0] and time.monotonic() - begun < 20)
check("a line cannot ask for more time", "up to 0.2" in batch([{**greedy, "time": 1}], "--time", "0.2")[0].get("error", ""))

# Several questions at once: each has the answer that it would have alone.
together = batch([{**question, "id": i, "time": 20, "nodes": 100} for i, question in enumerate(3 * good)], "--parallel", "3")
alone = batch([{**question, "id": i, "time": 20, "nodes": 100} for i, question in enumerate(good)])
check("at once: all are answered", sorted(thought["id"] for thought in together) == list(range(3 * len(good))), [thought["id"] for thought in together])
check("at once: as alone", all(without_time(thought) == without_time(alone[thought["id"] % len(good)]) for thought in together))
refused(2, "--parallel cannot be", "think", "--batch", "--parallel", "65")
refused(2, "--parallel is for --batch", "think", "trix", "--parallel", "2")


class Desk:
    """A batch that is asked and answers while it runs."""

    def __init__(self, *words):
        self.process = subprocess.Popen([NONET, "think", "--batch", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean)

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self):
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        return self.process.stdout.read(), self.process.wait(60)


LONG = {"game": "ksar", "moves": [], "time": 59}
QUICK = {"game": "chasm", "moves": [], "level": 1}
desk = Desk("--parallel", "2")
desk.ask(id="long", **LONG)
desk.ask(id="quick", **QUICK)
check("a quick question does not wait for a long one", desk.hear()["id"] == "quick")
desk.ask(id="c", cancel="long")
said = [desk.hear(), desk.hear()]
check("cancelling is answered", {"id": "c", "found": 1} in said, said)
stopped = next((one for one in said if one["id"] == "long"), {})
check("a cancelled question tells what it thought", list(stopped)[1:] == MEMBERS + ["cancelled"] and stopped["cancelled"] is True and stopped["seconds"] < 50, stopped)
check("and that is all", desk.end() == (b"", 0))

desk = Desk()
desk.ask(id=1, every=0.1, **LONG)
said = [desk.hear() for _ in range(3)]
check("interim reports", all(list(one) == ["id", "interim"] + MEMBERS and one["id"] == 1 and one["interim"] is True for one in said), said[0])
check("interim reports go on", [one["nodes"] for one in said] == sorted(one["nodes"] for one in said) and said[2]["seconds"] >= 0.3)
desk.ask(id=2, **QUICK)
desk.ask(id=[2], **QUICK)
desk.ask(id=2, **QUICK)
desk.ask(id="x", cancel=2)


def next_said():
    while True:
        one = desk.hear()
        if "interim" not in one:
            return one


check("all with the id are cancelled", next_said() == {"id": "x", "found": 2})
desk.ask(id="y", cancel="nobody")
check("nobody is cancelled", next_said() == {"id": "y", "found": 0})
for line, part in ({"cancel": 1, "cancel_all": True}, "either"), ({"cancel_all": False}, "either"), ({"cancel": 1, "now": True}, 'unknown member "now"'):
    desk.ask(id="z", **line)
    check(f"{line}", part in next_said().get("error", ""))
desk.ask(id="all", cancel_all=True)
check("those that are left", next_said() == {"id": "all", "found": 2})
said = [next_said() for _ in range(4)]
check("in their order", [one["id"] for one in said] == [1, 2, [2], 2] and all(one["cancelled"] for one in said), said)
check("what had not begun has nothing to tell", [list(one) for one in said[1:]] == 3 * [["id", "cancelled"]], said[1:])
check("then it ends", desk.end() == (b"", 0))

# Each line is answered before the next comes.
process = subprocess.Popen([NONET, "think", "--batch", "--nodes", "50"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean)
for i in range(3):
    process.stdin.write(json.dumps({"id": i, "game": "chasm", "moves": [], "level": 1}).encode() + b"\n")
    process.stdin.flush()
    check("at once", json.loads(process.stdout.readline())["id"] == i)
process.stdin.write(b'{"id":3,"game":"chasm","moves":[],"level":1}')  # the last line has no end
process.stdin.close()
check("the last line", json.loads(process.stdout.readline())["id"] == 3 and process.wait(20) == 0)
reader, writer = os.pipe()
os.close(reader)
got = subprocess.run([NONET, "think", "--batch"], input=b"x\n" * 100, stdout=writer, stderr=subprocess.PIPE, timeout=20)
os.close(writer)
check("closed output", got.returncode == -signal.SIGPIPE and got.stderr == b"", got)

close()
