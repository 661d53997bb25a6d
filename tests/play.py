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
        self.assertIn("nonet rules quadrangle", play.say("rules"))
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
        self.assertIn("Load a file", play.say("load -"))
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
