#!/usr/bin/env python3
"""nonet play, driven as people and scripts drive it: through pipes and through a terminal.

Usage: play.py PATH-TO-NONET [unittest arguments]
"""
import fcntl
import json
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

NONET = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "build/nonet"
PROMPTS = re.compile(r"(to move> |only you are looking\. |Game over> |\]: )$")
DEAL = "BBRVYGGGYWYWVYNRBWVGRBYBWVRRGRVWYBGV"
SECONDS = 60
# The place for tables that are built on first use.
CACHE = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = CACHE.name
# Tests may be started with the hang-up signal ignored; the game must receive it nevertheless.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def nonet(*words, stdin=""):
    return subprocess.run([NONET, *words], input=stdin, capture_output=True, text=True, timeout=SECONDS)


def games():
    return json.loads(nonet("games", "--json").stdout)


def game_ids():
    listed = games()
    return [game["id"] for game in (listed["games"] if isinstance(listed, dict) else listed)]


class Pipe:
    """A game on pipes: `until_prompt` returns the output up to the next question."""

    def __init__(self, *words):
        self.process = subprocess.Popen([NONET, "play", *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def until_prompt(self):
        said = b""
        deadline = time.time() + SECONDS
        while not PROMPTS.search(said.decode("utf-8", "replace")):
            ready, _, _ = select.select([self.process.stdout], [], [], deadline - time.time())
            if not ready:
                raise AssertionError("no prompt after: " + said.decode())
            got = os.read(self.process.stdout.fileno(), 65536)
            if not got:
                break
            said += got
        return said.decode()

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.until_prompt()

    def end(self):
        """Ends the input; returns the exit code and the last output."""
        out, error = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out.decode(), error.decode()


class Terminal:
    """A game on a terminal of its own, line by line."""

    def __init__(self, *words, columns=80, rows=40, environment=None):
        self.pid, self.end_of_ours = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"})
            os.environ.pop("XDG_STATE_HOME", None)  # without a home no game is kept, and none is offered
            os.environ.update(environment or {})
            os.execv(NONET, [NONET, "play", "--plain", *words])
        self.resize(columns, rows)
        self.said = ""

    def resize(self, columns, rows):
        fcntl.ioctl(self.end_of_ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, wanted):
        """Waits for a text that has not been waited for yet; returns all up to it."""
        deadline = time.time() + SECONDS
        while wanted not in self.said:
            ready, _, _ = select.select([self.end_of_ours], [], [], max(0, deadline - time.time()))
            if not ready:
                raise AssertionError("no %r in %r" % (wanted, self.said))
            try:
                got = os.read(self.end_of_ours, 65536)
            except OSError:
                got = b""
            if not got:
                raise AssertionError("closed without %r: %r" % (wanted, self.said))
            self.said += got.decode("utf-8", "replace")
        at = self.said.index(wanted) + len(wanted)
        before, self.said = self.said[:at], self.said[at:]
        return before

    def type(self, text):
        os.write(self.end_of_ours, text.encode())

    def modes(self):
        return termios.tcgetattr(self.end_of_ours)[3]

    def wait(self):
        """Reads to the end; returns the exit code."""
        deadline = time.time() + SECONDS
        while time.time() < deadline:
            ready, _, _ = select.select([self.end_of_ours], [], [], 0.05)
            try:
                got = os.read(self.end_of_ours, 65536) if ready else b""
            except OSError:  # what Linux says when the other end has been closed and all is read
                return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            self.said += got.decode("utf-8", "replace")
        raise AssertionError("does not end: " + self.said)


class Directory(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="nonet-play-")
        self.addCleanup(holder.cleanup)
        self.directory = holder.name

    def path(self, name):
        return os.path.join(self.directory, name)

    def record(self, name):
        with open(self.path(name)) as file:
            return json.load(file)


def options_of(game):
    """Options that fix the deal, so that the same position can be asked about repeatedly."""
    return ["-o", "seed=7"] if game == "masker" else []


class Scripted(Directory):
    def random_moves(self, game, limit):
        """A random game, by asking for the legal moves before each move."""
        chance, moves = random.Random(game), []
        while len(moves) < limit:
            answer = json.loads(nonet("position", game, *options_of(game), *moves).stdout)
            if answer["over"]:
                break
            if answer["legal"] is None:
                return self.computed_moves(game)
            moves.append(chance.choice(answer["legal"]))
        return moves

    def computed_moves(self, game):
        """The same where there are too many legal moves to list."""
        path = self.path("computed.json")
        done = nonet("play", game, "--seats", "random,random", "--seed", "3", "--save", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path) as file:
            return json.load(file)["moves"]

    def test_every_game_to_its_end(self):
        for game in game_ids():
            with self.subTest(game=game):
                moves = self.random_moves(game, 400)
                name = game + ".json"
                play = Pipe(game, *options_of(game), "--seats", "human,human", "--save", self.path(name))
                said = play.until_prompt()
                for number, move in enumerate(moves):
                    if "looking" in said[-40:]:
                        said = play.say("")
                    self.assertIn("to move> ", said[-20:], (number, move))
                    said = play.say(move)
                answer = json.loads(nonet("position", game, *options_of(game), *moves).stdout)
                self.assertEqual(said.endswith("Game over> "), answer["over"])
                code, out, error = play.end()
                self.assertEqual((code, error), (0, ""))
                self.assertIn("Goodbye.", out)
                record = self.record(name)
                self.assertEqual(record["moves"], moves)
                self.assertEqual(len(record["times"]), len(moves))
                replayed = nonet("replay", self.path(name))
                self.assertEqual(replayed.returncode, 0, replayed.stderr)
                if answer["over"]:
                    self.assertEqual(record["result"]["winners"], answer["winners"])
                    self.assertEqual(record["result"].get("points"), answer["points"])
                    for line in replayed.stdout.splitlines()[1:]:
                        self.assertIn(line, said)

    def test_computers_alone(self):
        for game in game_ids():
            with self.subTest(game=game):
                words = ["play", game, *options_of(game), "--seats", "random,computer", "--seed", "5"]
                one, other = nonet(*words), nonet(*words)
                self.assertEqual((one.returncode, one.stderr), (0, ""))
                self.assertEqual(one.stdout, other.stdout)
                self.assertRegex(one.stdout, r"(wins|win|is drawn): ")

    def test_levels(self):
        path = self.path("levels.json")
        done = nonet("play", "quadrangle", "--seats", "1,level-3", "--seed", "5", "--save", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Player 1: computer (level 1); Player 2: computer (level 3).", done.stdout)
        self.assertEqual([seat["kind"] for seat in self.record("levels.json")["seats"]], ["level-1", "level-3"])
        self.assertIn("computer (level 7)", nonet("play", "trix", "--level", "7").stdout)
        self.assertIn("computer (level 2)", nonet("play", stdin="trix\n\n\n1\n11\n2\nquit\n").stdout)
        play = Pipe("quadrangle", "--level", "1")
        play.until_prompt()
        self.assertIn("plays at level 4 now", play.say("level 4"))
        self.assertIn("a number from 1 to 10", play.say("level 11"))
        self.assertRegex(play.say("hint"), r"Try [a-d][1-4]: ")
        play.end()

    def test_commands(self):
        play = Pipe("quadrangle", "--seats", "human,human")
        self.assertIn("Type a move, such as a1, ", play.until_prompt())
        for word in ("moves", "why", "undo", "redo", "save", "load", "quit"):
            self.assertIn("  " + word, play.say("help"))
        self.assertIn("a1  b1  c1", play.say("moves"))
        self.assertIn("a1  a2  a3  a4\n", play.say("moves a"))
        self.assertIn("No legal move begins with x.", play.say("moves x"))
        self.assertIn("b2 is legal.", play.say("why b2"))
        self.assertIn(nonet("rules", "quadrangle").stdout, play.say("rules"))
        self.assertIn("no move of yours", play.say("undo"))
        self.assertIn("nothing to play again", play.say("redo"))
        self.assertIn("Player 2 to move> ", play.say("b2"))
        self.assertIn("Not legal: b2 is occupied.", play.say("b2"))
        self.assertIn("b2 is not legal: b2 is occupied.", play.say("why b2"))
        self.assertIn("Did you mean c3?", play.say("C-3"))
        self.assertIn("4 legal moves begin like this, such as d1", play.say("d"))
        self.assertIn("Did you mean the command help?", play.say("hlep"))
        self.assertIn("Did you mean the command undo?", play.say("und"))
        self.assertIn("Type moves to see the legal ones", play.say("z9"))
        self.assertIn("Why what?", play.say("why"))
        self.assertIn("b2 is not legal", play.say("why B2"))
        self.assertIn("That is no move", play.say("why B-2"))
        self.assertIn(" A ", play.say("draw"))
        self.assertIn("Took back 1 move.", play.say("UNDO"))
        self.assertIn("Played 1 move again.", play.say("redo"))
        self.assertIn("Player 2 to move> ", play.say(""))
        self.assertIn("Save where?", play.say("save"))
        self.assertIn("Saved in ", play.say("save " + self.path("with a space.json")))
        self.assertEqual(self.record("with a space.json")["moves"], ["b2"])
        play.say("c3")
        self.assertIn("Saved in ", play.say("save"))
        self.assertEqual(self.record("with a space.json")["moves"], ["b2", "c3"])
        self.assertIn("Load what?", play.say("load"))
        self.assertIn("No such file", play.say("load " + self.path("absent")))
        self.assertIn("Load what?", play.say("load -"))
        play.say("d4")
        self.assertIn("Player 1 to move> ", play.say("load " + self.path("with a space.json")))
        with open(self.path("other"), "w") as file:
            file.write("precious")
        self.assertIn("is not a game record", play.say("save " + self.path("other")))
        said = play.say("quit")
        self.assertIn("Goodbye.\n", said)
        self.assertEqual(play.end()[0], 0)

    def test_undo_goes_to_the_last_human_decision(self):
        play = Pipe("quadrangle", "--seats", "random,human", "--seed", "1")
        play.until_prompt()
        self.assertIn("no move of yours", play.say("undo"))
        said = play.say(json.loads(nonet("position", "quadrangle").stdout)["legal"][5])
        if "Not legal" in said:
            said = play.say(json.loads(nonet("position", "quadrangle").stdout)["legal"][6])
        self.assertIn("Player 1 plays ", said)
        self.assertIn("Took back 2 moves.", play.say("undo"))
        self.assertIn("Played 2 moves again.", play.say("redo"))
        play.end()

    def test_after_the_end(self):
        play = Pipe("quadrangle", "--seats", "human,human")
        play.until_prompt()
        for move in "a1 b2 d1 c3 a3 b1".split():
            play.say(move)
        said = play.say("d3")
        self.assertIn("Player 1 wins: player 1 has completed a rectangle.", said)
        self.assertTrue(said.endswith("Game over> "))
        self.assertIn("The game is over", play.say("a4"))
        self.assertIn("no moves", play.say("moves"))
        self.assertIn("Saved in", play.say("save " + self.path("won.json")))
        self.assertEqual(self.record("won.json")["result"]["winners"], [1])
        self.assertIn("Player 1 to move> ", play.say("undo"))
        self.assertIn("Player 1 wins", play.say("d3"))
        self.assertIn("Goodbye.", play.say(""))
        self.assertEqual(play.end()[0], 0)
        loaded = nonet("play", "--load", self.path("won.json"))
        self.assertIn("Player 1 wins", loaded.stdout)

    def test_wide_moves(self):
        play = Pipe("fullend", "--seats", "human,human")
        play.until_prompt()
        self.assertIn("16747814 legal moves, such as flat@", play.say("moves"))
        self.assertIn("Did you mean flat@36,36,0?", play.say("FLAT @ 36,36,0"))
        play.say("flat@36,36,0")
        self.assertIn("The nearest place where it fits: flat@", play.say("flat@36,36,0"))
        play.end()

    def test_endings(self):
        for words in (["quadrangle"], []):
            ended = nonet("play", *words)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            self.assertTrue(ended.stdout.endswith("\nGoodbye.\n"))
        ended = nonet("play", "quadrangle", stdin="a1")
        self.assertEqual(ended.returncode, 0)
        self.assertIn("This game was not saved.", ended.stdout)
        self.assertEqual(nonet("play", "quadrangle", stdin="\0\xff\x1b[2J\n" * 3).returncode, 0)
        self.assertEqual(nonet("play", "quadrangle", stdin="a" * 100000 + "\nquit\n").returncode, 0)
        self.assertNotIn("\x1b", nonet("play", "quadrangle", stdin="\x1b[2J\n").stdout)

    def test_languages(self):
        """By --lang or the environment; in ASCII where nothing else can be shown."""
        said = {"de": ("Spieler 1 ist am Zug> ", "b2 ist besetzt", "1 Zug zur\u00fcckgenommen."), "fr": ("Joueur 1 joue> ", "il y a d\u00e9j\u00e0 une pi\u00e8ce en b2", "1 coup repris."),
                "nl": ("Speler 1 is aan zet> ", "is bezet", "1 zet teruggenomen."), "it": ("tocca a: Giocatore 1> ", "c’è già un pezzo in", "1 mossa ripresa.")}
        for language, words in said.items():
            for flags, environment in ((["--lang", language.upper()], {}), ([], {"LC_ALL": "", "LC_MESSAGES": f"{language}_XX.UTF-8", "LC_CTYPE": "C.UTF-8"})):
                done = subprocess.run([NONET, "play", "quadrangle", "--seats", "human,human", *flags], input="b2\nb2\nundo\n", capture_output=True,
                                      text=True, env={**os.environ, "LC_ALL": "C.UTF-8", **environment}, timeout=SECONDS)
                for word in words:
                    self.assertIn(word, done.stdout)
            plain = subprocess.run([NONET, "play", "quadrangle", "--lang", language], input="b2\n", capture_output=True, text=True,
                                   env={**os.environ, "LC_ALL": "C"}, timeout=SECONDS)
            self.assertTrue(plain.stdout.isascii(), plain.stdout)

    def test_closed_output(self):
        process = subprocess.Popen([NONET, "play", "kolem", "--seats", "random,random"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        process.stdout.read(1)
        process.stdout.close()
        error = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(process.wait(SECONDS), -signal.SIGPIPE)
        self.assertEqual(error, "")
        with open("/dev/full", "w") as full:
            done = subprocess.run([NONET, "play", "quadrangle"], stdout=full, stdin=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)

    def test_no_input_or_output_at_all(self):
        for closed, code in (("<&-", 0), (">&-", 1), ("<&- >&-", 1), ("< /", 0)):
            done = subprocess.run(["sh", "-c", '"$0" play quadrangle ' + closed, NONET],
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
            self.assertEqual(done.returncode, code, closed)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            play = Pipe("quadrangle", "--save", self.path("kept.json"))
            play.until_prompt()
            play.say("a1")
            play.process.send_signal(number)
            code, out, error = play.end()
            self.assertEqual((code, error), (128 + number, ""))
            self.assertIn("Stopped. Goodbye.", out)
            self.assertEqual(self.record("kept.json")["moves"][0], "a1")

    def test_usage(self):
        for words, code, reason in (
            (["chess"], 2, "there is no game"),
            (["quadrangle", "-o", "rectangles=round"], 2, "one of any|upright"),
            (["quadrangle", "--seats", "human"], 2, "--seats names 1 of 2 players"),
            (["quadrangle", "--seats", "human,human,human"], 2, "--seats names 3 of 2 players"),
            (["quadrangle", "--seats", "human,wizard"], 2, "there is no player \"wizard\""),
            (["quadrangle", "--seats", "human,11"], 2, "there is no player \"11\""),
            (["quadrangle", "--level", "0"], 2, "--level cannot be"),
            (["quadrangle", "--seed", "x"], 2, "--seed cannot be"),
            (["quadrangle", "a1"], 2, "moves are typed in the game"),
            (["--from", "x"], 2, "name the game"),
            (["quadrangle", "--from", "x"], 1, "this is no position"),
            (["--load", "/nonexistent"], 1, "cannot open it"),
            (["--load", "-"], 2, "--load needs a file"),
            (["quadrangle", "--load", "/nonexistent"], 2, "says which game it is"),
            (["quadrangle", "--save", "/nonexistent/x"], 1, "cannot create it"),
            (["quadrangle", "--bogus"], 2, "there is no flag"),
        ):
            with self.subTest(words=words):
                done = nonet("play", *words)
                self.assertEqual(done.returncode, code)
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr, r"\Anonet: [^\n]*\n\Z")
                self.assertIn(reason, done.stderr)

    def test_choosing(self):
        done = nonet("play", stdin="nothing\n99\nQUADRANGLE\nround\nupright\n5\n2\na1\nquit\n")
        self.assertEqual(done.returncode, 0)
        self.assertIn('There is no game "nothing"', done.stdout)
        self.assertIn('There is no game "99"', done.stdout)
        self.assertIn("one of any|upright", done.stdout)
        self.assertIn("Options: rectangles=upright.", done.stdout)
        self.assertIn("Type a number from 0 to 2.", done.stdout)
        self.assertIn("Player 2 to move> quit\n", done.stdout)
        self.assertIn("Goodbye.", nonet("play", stdin="\n\n\nquit\n").stdout)

    def test_from_a_position(self):
        done = nonet("play", "quadrangle", "--from", "..../..../.A../.... 2", "--seats", "human,human",
                     stdin="a1\nsave %s\n" % self.path("from.json"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.record("from.json")["from"], "..../..../.A../.... 2")
        self.assertEqual(nonet("replay", self.path("from.json")).returncode, 0)

    def test_unknown_players_of_a_record(self):
        record = {"format": "nonet-game", "version": 1, "game": "quadrangle", "moves": [],
                  "seats": [{"kind": "human", "name": "Ann"}, {"kind": "oracle"}]}
        with open(self.path("oracle.json"), "w") as file:
            json.dump(record, file)
        done = nonet("play", "--load", self.path("oracle.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("say who plays with --seats", done.stderr)
        done = nonet("play", "--load", self.path("oracle.json"), "--seats", "human,random")
        self.assertIn("Ann (player 1) to move> ", done.stdout)


def lines_of_words(text):
    """The lines that say something: of three words or more."""
    return {line.strip() for line in text.splitlines() if len(re.findall(r"[^\W\d_]{2,}", line)) >= 3}


class Study(Directory):
    """What the full screen shows beside the board has a command in the line mode."""
    # With c2 instead of d2 player 1 would have completed a rectangle; d4 completes one of player 2.
    LOST = "b1 d3 b3 a1 a2 c3 d1 c4 d2 d4".split()

    def play(self, *moves, seats="human,human"):
        play = Pipe("quadrangle", "--seats", seats)
        self.addCleanup(play.end)
        play.until_prompt()
        for move in moves:
            said = play.say(move)
        return play, said if moves else ""

    def probe(self, *moves):
        return json.loads(nonet("probe", "quadrangle", *moves).stdout)

    def test_analysis_says_what_is_proven(self):
        play, _ = self.play("b1", "d3")
        truth = self.probe("b1", "d3")
        best = [move["move"] for move in truth["moves"] if (move["value"], move["distance"]) == (truth["value"], truth["distance"])]
        words = {"win": "Player 1 wins, proven (moves left: %d)", "loss": "Player 1 loses, proven (moves left: %d)", "draw": "a draw, proven"}[truth["value"]]
        said = play.say("analyse")
        self.assertIn("Analysis: " + (words % truth["distance"] if "%" in words else words), said)
        line = re.search(r"Line: (.*)", said)[1].split()
        self.assertIn(line[0], best)
        # It is best play to the end. A slow machine may reach the end of its time before.
        rest = self.probe("b1", "d3", *line)
        self.assertEqual(len(line) + rest["distance"], truth["distance"])
        self.assertGreater(len(line), truth["distance"] // 2)
        self.assertIn("The analysis is on.", play.say("analyse on"))
        self.assertRegex(play.say("b3"), r"Analysis: Player 2 (wins|loses), proven|Analysis: a draw")
        self.assertNotIn("Analysis", play.say("status"))
        self.assertIn("The analysis is off.", play.say("analyse off"))
        self.assertNotIn("Analysis", play.say("a1"))

    def test_review_and_list(self):
        play, said = self.play(*self.LOST)
        self.assertIn("Type review, rematch, ", said)
        self.assertIn("9 d2 (Player 1)\n", play.say("list"))
        said = play.say("review")
        self.assertIn("9 d2?? (Player 1) Better was c2.\n10 d4! (Player 2) The only good move.\n", said)
        self.assertIn("9 d2?? (Player 1)", play.say("list"))
        # What was judged is forgotten where the game goes another way.
        play.say("undo")
        play.say("undo")
        play.say("c2")
        self.assertNotIn("9 c2?", play.say("list"))

    def test_review_of_nothing(self):
        play, _ = self.play()
        self.assertIn("There are no moves yet.", play.say("review"))
        self.assertIn("There are no moves yet.", play.say("list"))

    def test_rematch(self):
        play, said = self.play("b1")
        self.assertIn("That is for the end of the game.", play.say("rematch"))
        for move in self.LOST[1:]:
            play.say(move)
        said = play.say("rematch")
        self.assertIn("A rematch", said)
        self.assertIn("Player 1 to move> ", said)
        self.assertIn("There are no moves yet.", play.say("list"))
        # The computer had the second seat, and begins now.
        play = Pipe("quadrangle", "--seats", "human,random", "--seed", "3")
        self.addCleanup(play.end)
        said = play.until_prompt()
        for _ in range(20):
            if said.endswith("Game over> "):
                break
            said = play.say(re.search(r"[a-d][1-4]", play.say("moves"))[0])
        said = play.say("rematch")
        self.assertIn("Player 1 plays ", said)
        self.assertIn("Player 2 to move> ", said)
        self.assertIn("Player 1: computer (random).", play.say("status"))

    def test_earlier_positions(self):
        play, _ = self.play("b1", "d3", "b3")
        for count in range(4):
            self.assertIn(nonet("draw", "quadrangle", *("b1", "d3", "b3")[:count]).stdout, play.say("draw %d" % count))
        self.assertIn("a number of moves from 0 to 3", play.say("draw 4"))
        self.assertIn("a number of moves from 0 to 3", play.say("draw x"))
        self.assertIn("Player 2 to move> ", play.say("draw 0"))

    def test_pieces_in_words(self):
        """Every piece of the position line is told, with its place."""
        play, _ = self.play("b1", "d3", "b3")
        said = play.say("pieces").splitlines()
        self.assertEqual(sorted(line for line in said if " on " in line), ["piece of player 1 on b1", "piece of player 1 on b3", "piece of player 2 on d3"])
        for game in game_ids():
            done = nonet("play", game, *options_of(game), stdin="pieces\nstatus\n")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("Player 1: you. ", done.stdout)

    def test_nothing_is_english_elsewhere(self):
        """No line of several words is the same in two languages."""
        script = "\n".join(["nothing", "QUADRANGLE", "round", "", "9", "2", "help", "b1", "d3", "status", "pieces", "list", "analyse", "analyse on", "analyse off",
                            "draw 99", "level 99", "level 3", "moves", "moves z", "why", "why b2", "why b1", "b1", "d", "C-3", "hlep", "z9", "undo", "undo", "undo", "redo",
                            "redo", "redo", "rematch", "hint", "save", "save " + self.path("l.json"), "load", "load -", *self.LOST[2:], "hint", "moves", "review",
                            "rematch", "review", ""])
        fullend = "\n".join(["moves", "FLAT @ 36,36,0", "flat@36,36,0", "flat@36,36,0", ""])
        masker = ["play", "masker", "-o", "deal=" + DEAL, "-o", "colours=VR", "--seats", "random,random", "--seed", "4"]
        ksar = "\n".join(["moves", "moves 2x3", "2X3@A1", "2x3@c1", ""])
        record = {"format": "nonet-game", "version": 1, "game": "quadrangle", "moves": self.LOST}
        for name, moves in (("whole", self.LOST), ("part", self.LOST[:5])):
            with open(self.path(name), "w") as file:
                json.dump({**record, "moves": moves}, file)
        sessions = [(["play"], script), (["play", "fullend", "--seats", "human,human"], fullend), (masker, ""), (["play", "ksar", "--level", "1"], ksar),
                    (["games"], ""), (["help"], ""), (["replay", self.path("whole")], ""), (["replay", self.path("part")], ""),
                    (["analyse", "--nodes", "1000", self.path("whole")], ""), (["analyse", "--nodes", "1000", self.path("part")], ""),
                    (["play", "chess"], ""), (["rules"], ""), (["fly"], ""), (["rules", "trix", "x"], ""), (["puzzles", "masker"], ""), (["play", "trix", "--seats", "x,y"], ""),
                    (["play", "trix", "--level", "x"], ""), (["draw", "--bogus"], ""), (["position", "trix", "-o"], "")]
        # The save file's name, what a line repeats of the input, and names of people are the same everywhere.
        same = re.compile(r"l\.json|> |\]: |Nazareno|^nonet (play|serve)")

        def said(words, lines, language):
            done = subprocess.run([NONET, *words], input=lines, capture_output=True, text=True, timeout=SECONDS,
                                  env={**os.environ, "LC_ALL": "", "LC_MESSAGES": language, "LC_CTYPE": "C.UTF-8"})
            return {line for line in lines_of_words(done.stdout + done.stderr) if not same.search(line)}
        found = []
        for words, lines in sessions:
            english = said(words, lines, "en_GB")
            self.assertTrue(english, words)
            found += [(words, language, line) for language in ("fr_FR", "de_CH", "nl_BE", "it_IT") for line in english & said(words, lines, language)]
        self.assertEqual(found, [])


class Hidden(Directory):
    """What one seat sees must not depend on another seat's secret."""

    def transcript(self, colours, seats, moves):
        """The output, split at the lines that hand over; the first part is for all."""
        play = Pipe("masker", "-o", "players=%d" % len(colours), "-o", "deal=" + DEAL,
                    "-o", "colours=" + colours, "--seats", seats, "--seed", "4")
        pieces, now = [], play.until_prompt()
        moves = list(moves)
        while moves:
            if now.endswith("looking. "):
                pieces.append(now)
                now = play.say("")
            elif now.endswith("Game over> "):
                break
            else:
                now += play.say(moves.pop(0))
        pieces.append(now)
        code, _, error = play.end()
        self.assertEqual((code, error), (0, ""))
        return pieces

    def test_hand_over(self):
        moves = "d3 d4 stop c4 b4 stop b3 stop".split()
        one, other = (self.transcript(colours, "human,human", moves) for colours in ("VR", "VG"))
        self.assertIn("Player 1, press Enter when only you are looking. ", one[0])
        self.assertIn("Player 1, your disc: V", one[1])
        self.assertIn("Player 2, your disc: R", one[2])
        self.assertIn("Player 2, your disc: G", other[2])
        self.assertIn("Player 1 played d3, d4, stop.", one[1])
        self.assertEqual(len(one), 4)
        for at in (0, 1, 3):
            self.assertEqual(one[at], other[at])
        swapped = self.transcript("GR", "human,human", moves)
        for at in (0, 2):
            self.assertEqual(one[at], swapped[at])

    def test_one_person_sees_one_side(self):
        moves = "d3 d4 stop".split()
        one, other = (self.transcript(colours, "human,random,random", moves)
                      for colours in ("VRB", "VGY"))
        self.assertEqual(one, other)
        self.assertNotIn("looking", one[0])
        self.assertIn("Player 1, your disc: V", one[0])

    def test_watching_computers(self):
        def watch(colours):
            return nonet("play", "masker", "-o", "deal=" + DEAL, "-o", "colours=" + colours,
                         "--seats", "random,random", "--seed", "4").stdout
        one, other = watch("VR"), watch("GB")
        self.assertEqual(one.split("plays")[:12], other.split("plays")[:12])
        self.assertIn("Player 1 had this disc: V", one)
        self.assertIn("Player 2 had this disc: R", one)

    def test_saving_warns(self):
        done = nonet("play", "masker", stdin="save %s\n" % self.path("m.json"))
        self.assertIn("contains hidden information: every player's disc", done.stdout)
        self.assertEqual(nonet("replay", self.path("m.json")).returncode, 0)
        done = nonet("play", "masker", "--save", self.path("m.json"))
        self.assertIn("contains hidden information: every player's disc", done.stdout)

    def test_screen_is_cleared(self):
        game = Terminal("masker", "-o", "deal=" + DEAL, "-o", "colours=VR", "--seats", "human,human")
        game.until("Player 1, press Enter when only you are looking.")
        game.type("\n")
        self.assertIn("\x1b[3J", game.until("your disc: V"))
        for move in ("d3", "stop"):
            game.until("Player 1 to move> ")
            game.type(move + "\n")
        said = game.until("Player 2, press Enter when only you are looking.")
        self.assertNotIn("your disc", said.split("\x1b[3J")[-1])
        game.type("\n")
        self.assertIn("\x1b[3J", game.until("your disc: R"))
        game.type("\x03")
        self.assertEqual(game.wait(), 130)


class OnATerminal(Directory):
    def test_left_and_resumed(self):
        """As on the full screen; but a script in a pipe leaves no game behind, and finds none."""
        home = {"XDG_STATE_HOME": self.directory}
        first = Terminal("quadrangle", "--seats", "human,human", environment=home)
        first.until("Player 1 to move> ")
        first.type("b2\n")
        first.until("Player 2 to move> ")
        first.type("quit\n")
        self.assertEqual(first.wait(), 0)
        self.assertIn("nonet play quadrangle goes on with it.", first.said)
        self.assertEqual(os.stat(self.path("nonet")).st_mode & 0o777, 0o700)
        self.assertEqual(self.record("nonet/quadrangle.json")["moves"], ["b2"])
        script = subprocess.run([NONET, "play", "quadrangle", "--plain"], input="a1\nquit\n", capture_output=True, text=True,
                                env={**os.environ, **home}, timeout=SECONDS)
        self.assertNotIn("Go on", script.stdout)
        self.assertEqual(self.record("nonet/quadrangle.json")["moves"], ["b2"])
        again = Terminal("quadrangle", environment=home)
        again.until("  1  Go on with Quadrangle (moves: 1)")
        again.until("  2  A new game of Quadrangle")
        again.until("[1]: ")
        again.type("3\n")
        again.until("Number from 1 to 2")
        again.until("[1]: ")
        again.type("\n")
        again.until("Player 2 to move> ")
        again.type("c3\n")
        again.until("Player 1 to move> ")
        again.type("\x04")
        self.assertEqual(again.wait(), 0)
        self.assertEqual(self.record("nonet/quadrangle.json")["moves"], ["b2", "c3"])
        # Chosen from the list it is offered as well; a new one takes its place with its first move.
        new = Terminal(environment=home)
        new.until("[Ksar]: ")
        new.type("quadrangle\n")
        new.until("  1  Go on with Quadrangle (moves: 2)")
        new.until("[1]: ")
        new.type("2\n")
        for answer in ("\n", "2\n"):
            new.until("]: ")
            new.type(answer)
        new.until("Player 1 to move> ")
        new.type("d4\n")
        new.until("Player 2 to move> ")
        os.kill(new.pid, signal.SIGHUP)
        self.assertEqual(new.wait(), 129)
        self.assertEqual(self.record("nonet/quadrangle.json")["moves"], ["d4"])

    def test_no_home(self):
        """A home that does not exist is not made."""
        game = Terminal("quadrangle", "--seats", "human,human", environment={"HOME": self.path("absent")})
        game.until("Player 1 to move> ")
        game.type("b2\n")
        game.until("Player 2 to move> ")
        game.type("quit\n")
        self.assertEqual(game.wait(), 0)
        self.assertIn("This game was not saved.", game.said)
        self.assertFalse(os.path.exists(self.path("absent")))

    def test_a_table_is_built_in_view(self):
        """On first use a table is built: the terminal shows how far it is, in a line of its own that is erased."""
        with tempfile.TemporaryDirectory() as cache:
            game = Terminal("trix", "--seats", "human,human", columns=60, environment={"XDG_CACHE_HOME": cache, "NONET_TABLES": ""})
            game.until("Player 1 to move> ")
            game.type("hint\n")
            said = game.until("Try ")
            for bar in re.findall(r"\r\x1b\[K([^\r\x1b]*)", said):
                self.assertLess(len(bar), 60)
            if "%" in said:
                self.assertIn("\r\x1b[K", said[said.rindex("%"):])
            game.until("Player 1 to move> ")
            game.type("\x04")
            game.wait()

    def test_completion_and_history(self):
        game = Terminal("quadrangle", "--seats", "human,human", "--ascii")
        game.until("Player 1 to move> ")
        game.type("b\t")
        self.assertIn("b4", game.until("Player 1 to move> b"))
        game.type("2\n")
        game.until("Player 2 to move> ")
        game.type("w\t")
        game.until("hy ")
        game.type("b\t\t")
        listed = game.until("b4")
        self.assertNotIn("b2", listed)
        game.type("1\n")
        game.until("b1 is legal.")
        game.until("Player 2 to move> ")
        game.type("\x1b[A\n")
        game.until("b1 is legal.")
        game.until("Player 2 to move> ")
        game.type("\x04")
        self.assertEqual(game.wait(), 0)
        self.assertIn("Goodbye.", game.said)

    def test_completion_mends_case(self):
        game = Terminal("kudosu", "--seats", "human,human")
        game.until("Player 1 to move> ")
        game.type("ma\t1\n")
        game.until("Ma1")
        game.until("Player 2 to move> ")
        game.type("quit\n")
        self.assertEqual(game.wait(), 0)

    def test_wide_completion(self):
        game = Terminal("fullend", "--seats", "human,human", "--ascii")
        game.until("Player 1 to move> ")
        game.type("f\t36,36,0\n")
        game.until("lat@36,36,0")
        game.until("Player 2 to move> ")
        game.type("\x04")
        self.assertEqual(game.wait(), 0)

    def test_interrupt_restores_the_terminal(self):
        for ending, code in (("\x03", 130), ("\x04", 0), ("quit\n", 0)):
            game = Terminal("quadrangle")
            before = game.modes()
            game.until("to move> ")
            deadline = time.time() + SECONDS
            while game.modes() & termios.ICANON and time.time() < deadline:
                time.sleep(0.01)
            self.assertFalse(game.modes() & termios.ICANON)
            game.type("a")
            game.until("a")
            if code == 0:
                game.type("\x15")
            game.type(ending)
            self.assertEqual(game.wait(), code)
            self.assertEqual(game.modes(), before)
            self.assertIn("Goodbye.", game.said)

    def test_interrupt_while_watching(self):
        game = Terminal("trix", "--seats", "random,random")
        game.until("plays")
        game.type("\x03")
        self.assertEqual(game.wait(), 130)

    def test_resize(self):
        game = Terminal("quadrangle", "--seats", "human,human")
        game.until("Player 1 to move> ")
        for columns, rows in ((20, 5), (200, 60), (1, 1), (80, 24)):
            game.resize(columns, rows)
            os.kill(game.pid, signal.SIGWINCH)
            time.sleep(0.05)
        game.type("a1\n")
        game.until("Player 2 to move> ")
        game.type("\x04")
        self.assertEqual(game.wait(), 0)

    def settle(self, game):
        """Reads until nothing more comes for a moment; false if the terminal was closed."""
        while select.select([game.end_of_ours], [], [], 0.1)[0]:
            try:
                game.said += os.read(game.end_of_ours, 65536).decode("utf-8", "replace")
            except OSError:
                return False
        return True

    def test_resize_while_a_long_line_is_typed(self):
        for filler, length in ((" ", 390), ("x", 390), ("x", 600), ("x", 990), ("é", 450)):
            for columns, rows in ((10, 2), (80, 2), (20, 5), (150, 3), (1, 1)):
                with self.subTest(filler=filler, length=length, columns=columns, rows=rows):
                    game = Terminal("quadrangle", "--seats", "human,human", columns=200, rows=50)
                    game.until("Player 1 to move> ")
                    game.type(filler * length + "a1")
                    alive = self.settle(game)
                    for size in ((columns, rows), (200, 50)):
                        game.resize(*size)
                        alive = alive and self.settle(game)
                        game.type("z\x7f")
                        alive = alive and self.settle(game)
                    self.assertTrue(alive, "it has ended")
                    if filler != " ":  # everything but the move is deleted from the line, which has not changed
                        game.type("\x02\x02\x17")
                    game.type("\n")
                    game.until("Player 2 to move> ")
                    game.type("\x04")
                    self.assertEqual(game.wait(), 0)

    def test_hang_up(self):
        game = Terminal("quadrangle", "--save", self.path("kept.json"))
        game.until("to move> ")
        game.type("a1\n")
        game.until("plays")
        game.until("to move> ")
        os.kill(game.pid, signal.SIGHUP)
        self.assertEqual(game.wait(), 129)
        self.assertEqual(self.record("kept.json")["moves"][0], "a1")

    def test_colour(self):
        def screen(**environment):
            game = Terminal("quadrangle", environment=environment)
            said = game.until("to move> ")
            game.type("\x04")
            game.wait()
            return said
        self.assertIn("38;5;", screen())
        self.assertNotIn("38;5;", screen(NO_COLOR="1"))
        self.assertNotIn("\x1b", screen(TERM="dumb"))
        self.assertTrue(screen(LC_ALL="C", NO_COLOR="1").isascii())


if __name__ == "__main__":
    result = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], exit=False).result
    bad = len(result.failures) + len(result.errors)
    print("%d passed, %d failed" % (result.testsRun - bad, bad))
    sys.exit(bad > 0)
