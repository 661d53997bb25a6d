#!/usr/bin/env python3
"""nonet play on the full screen, driven by keys and by mouse through tmux, as a person would: what is lit is touched.

Usage: screen.py PATH-TO-NONET [unittest arguments]

The test knows no game. It sees the screen, touches something lit, and lets the record that the game keeps say what was
played; `nonet draw` of these moves must show the same board as the screen.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

NONET = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "build/nonet"
ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 60
MOMENT = 0.02  # in which the program answers a key, unless the machine is busy; then the next look shows it
GAMES = [game["id"] for game in json.loads(subprocess.run([NONET, "games", "--json"], capture_output=True, text=True).stdout)]
SERVER = f"nonet-{os.getpid()}"
CACHE = tempfile.TemporaryDirectory(prefix="nonet-screen-")  # a table that one test had to wait for is there for the next


def tmux(*words):
    return subprocess.run(["tmux", "-L", SERVER, "-f", "/dev/null", *words], capture_output=True, text=True, timeout=SECONDS).stdout


class Screen:
    """A program on a screen of its own."""
    count = 0

    def __init__(self, *words, columns=80, rows=24, home=None, **environment):
        Screen.count += 1
        self.name = f"s{Screen.count}"
        self.home = home or tempfile.mkdtemp(prefix="nonet-screen-")
        settings = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": self.home, "XDG_CACHE_HOME": CACHE.name, "HOME": "/nonexistent", **environment}
        command = ["env", *(f"{key}={value}" for key, value in settings.items()), NONET, *words]
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in command)
        tmux("new-session", "-d", "-s", self.name, "-x", str(columns), "-y", str(rows), f"{quoted}; code=$?; echo; echo left with $code; sleep {SECONDS}")
        self.until(lambda text: text.strip() != "")

    def text(self):
        return tmux("capture-pane", "-p", "-t", self.name)

    def until(self, wanted):
        """Waits until the screen is as wanted: has a text, or passes a test. Returns it."""
        deadline = time.time() + SECONDS
        while time.time() < deadline:
            text = self.text()
            if wanted in text if isinstance(wanted, str) else wanted(text):
                return text
            time.sleep(0.02)
        raise AssertionError(f"{wanted} is not on the screen:\n{text}")

    def send(self, *words):
        """Sends keys, and returns the screen a moment later. One command, because there are thousands of them."""
        return tmux("send-keys", "-t", self.name, *words, ";", "run-shell", f"sleep {MOMENT}", ";", "capture-pane", "-p", "-t", self.name)

    def press(self, *keys):
        return self.send(*keys)

    def mouse(self, *events):
        """Events of the mouse: where, and whether the button goes down."""
        return self.send("-l", "".join(f"\x1b[<0;{column + 1};{row + 1}{'M' if down else 'm'}" for row, column, down in events))

    def click(self, row, column):
        return self.mouse((row, column, True), (row, column, False))

    def drag(self, start, end):
        return self.mouse((*start, True), (*end, False))

    def resize(self, columns, rows):
        tmux("resize-window", "-t", self.name, "-x", str(columns), "-y", str(rows))

    def close(self):
        tmux("kill-session", "-t", self.name)


def cells_of(text):
    """What is in each cell of a board with lines, from the top: the letters and digits between its lines, row by row of
    cells; whatever the size of the cells."""
    rows, current = [], None
    for line in text.splitlines():
        inner = line[3:]
        if re.match(r"^[┌├└┏┗┢┡┝+#╔┞┟┠┣┕┍┖┎]", inner) and re.search(r"[─━+#-]{3}", inner):
            if current:
                rows.append(current)
            current = []
        elif current is not None and re.match(r"^[│┃|#]", inner):
            current.append(inner)
    found = []
    for group in rows:
        columns = {}
        for line in group:
            end = max(line.rfind(bar) for bar in "│┃|#")
            cells = re.split(r"[│┃|#]", line[1:end])
            for i, cell in enumerate(cells):
                columns[i] = columns.get(i, "") + re.sub(r"[^A-Za-z0-9]", "", cell)
        found.append([columns[i] for i in sorted(columns)])
    return found


def floor_of(text):
    """Where the pieces on a floor are by their letters, whatever its size: the middle of each, as shares of width and depth."""
    lines = [re.split(r"[│|]", line)[1] for line in text.splitlines()[1:] if re.match(r"^[ 0-9]{3} [│|]", line)]
    spots = {}
    for row, line in enumerate(lines):
        for match in re.finditer(r"[A-Z]", line):
            spots.setdefault(match[0], []).append(((match.start() + 0.5) / len(line), (row + 0.5) / len(lines)))
    return {name: tuple(sum(axis) / len(axis) for axis in zip(*found)) for name, found in spots.items()}


def same_floor(one, other):
    """Whether all pieces are in the same places, but for what a coarser drawing rounds off."""
    return one.keys() == other.keys() != set() and all(abs(a - b) < 0.06 for name in one for a, b in zip(one[name], other[name]))


def board_columns(text):
    """How many columns the board takes on the screen."""
    return max((m.end() for line in text.splitlines()[1:] if (m := re.match(r"^.{3}[┌┏╔+#┍][─━┬┳┯┰┱┲┮┭+#┐┓┑┒-]*", line))), default=0)


class Player:
    """Somebody who touches what is lit until the game is over."""

    def __init__(self, screen, path, seed, by_mouse):
        self.screen, self.path, self.by_mouse = screen, path, by_mouse
        self.random = random.Random(seed)

    def moves(self):
        try:
            with open(self.path) as file:
                return json.load(file)["moves"]
        except (OSError, ValueError):
            return []

    def lit(self, text):
        """Where lit cells are: the middle dots of empty cells, and the dots beside pieces."""
        width = board_columns(text)
        return [(row, column) for row, line in enumerate(text.splitlines()[:-1]) if row > 0
                for column, sign in enumerate(line[:width]) if sign in "·•" or (sign in ".*" and line.isascii())]

    def items(self, text):
        return [(row, match.start()) for row, line in enumerate(text.splitlines()[:-1]) for match in re.finditer(r"\[\d\]", line)]

    def touch(self, text):
        """Touches something; by keys: a digit, or some Tabs and Enter. Returns the screen after it."""
        lit, items = self.lit(text), self.items(text)
        if not lit and not items:
            return self.screen.text()
        beside = items and (not lit or self.random.random() < 0.1)
        if beside and self.by_mouse:
            return self.screen.click(*self.random.choice(items))
        if beside:
            return self.screen.press(str(self.random.randrange(len(items)) + 1))
        if self.by_mouse:
            return self.screen.click(*self.random.choice(lit))
        return self.screen.press(*["Tab"] * self.random.randint(1, 5), "Enter")

    def lay(self, text):
        """On a floor: puts the piece somewhere, perhaps turned or on edge, and lays it down."""
        if "fits nowhere" in text:
            self.screen.press("Tab")
        elif self.random.random() < 0.3:
            self.screen.press(self.random.choice("12rre"))
        if self.by_mouse:
            where = self.random.randint(3, 20), self.random.randint(6, 40)
            self.screen.click(*where)
            return self.screen.click(*where)
        return self.screen.press(*[self.random.choice(["Up", "Down", "Left", "Right"])] * self.random.randint(1, 9), "Enter")

    def play(self, act, most=500):
        text = self.screen.text()
        for _ in range(most):
            if "The game is over" in text:
                return text
            text = act(text)
        raise AssertionError(f"the game does not end:\n{text}")


def options_of(game):
    return ["-o", "seed=7"] if game == "masker" else []


def play_to_the_end(game, columns, rows, ascii, by_mouse):
    """A whole game on the screen. Returns what is wrong, or None."""
    environment = {"LC_ALL": "C"} if ascii else {}
    with tempfile.TemporaryDirectory(prefix="nonet-screen-") as folder:
        path = os.path.join(folder, "game.json")
        wide = game == "fullend"
        # A weak computer ends a game that somebody plays at random, which might go on for hundreds of moves.
        screen = Screen("play", game, *options_of(game), "--seats", "human,2", "--seed", "1", "--save", path, columns=columns, rows=rows, home=folder,
                        **environment)
        player = Player(screen, path, f"{game} {columns} {ascii}", by_mouse)
        player.play(player.lay if wide else player.touch)
        text = screen.until("n: rematch")
        moves = player.moves()
        if os.path.exists(path):
            with open(path) as file:
                record = json.load(file)
        drawn = subprocess.run([NONET, "draw", game, *options_of(game), *(["--ascii"] if ascii else []), *moves], capture_output=True, text=True,
                               env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
        screen.press("q")
        left = screen.until("left with 0")
        screen.close()
        if "result" not in record or not record["result"].get("winners"):
            return f"{game}: the record has no result: {record}"
        if "Goodbye." not in left:
            return f"{game}: no goodbye: {left}"
        if ascii and not text.isascii():
            return f"{game}: not ASCII:\n{text}"
        if not wide and cells_of(text) != cells_of(drawn):
            return f"{game} after {moves}: the screen shows\n{text}\nbut it is\n{drawn}\n{cells_of(text)}\n{cells_of(drawn)}"
        if wide and not same_floor(floor_of(text), floor_of(drawn)):
            return f"{game} after {moves}: the screen shows\n{text}\nbut it is\n{drawn}\n{floor_of(text)}\n{floor_of(drawn)}"
        if "wins" not in text and "drawn" not in text and "win" not in text:
            return f"{game}: no result on the screen:\n{text}"
        return None


class Whole(unittest.TestCase):
    def test_every_game(self):
        """Every game to its end, by keys and by mouse, at both sizes, in UTF-8 and in ASCII."""
        ways = [(80, 24, False, False), (80, 24, True, True), (200, 60, True, False), (200, 60, False, True)]
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            jobs = [pool.submit(play_to_the_end, game, *way) for game in GAMES for way in ways]
            wrong = [found for job in jobs if (found := job.exception() or job.result()) is not None]
        self.assertEqual(wrong, [], "\n".join(map(str, wrong)))


class Details(unittest.TestCase):
    def screen(self, *words, **settings):
        if "home" not in settings:
            holder = tempfile.TemporaryDirectory(prefix="nonet-screen-")
            self.addCleanup(holder.cleanup)
            settings["home"] = holder.name
        screen = Screen(*words, **settings)
        self.addCleanup(screen.close)
        return screen

    def cells(self, game, *moves):
        return cells_of(subprocess.run([NONET, "draw", game, *moves], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout)

    def type(self, screen, *moves):
        for number, move in enumerate(moves):
            screen.press(":", *move, "Enter")
            screen.until(lambda text: f" {number + 1} {move}" in text)

    def test_resize_and_a_small_window(self):
        screen = self.screen("play", "quadrangle", "--seats", "human,human")
        # Where the cursor is there is a piece, so that no ghost of the next one is in the way.
        self.type(screen, "b2", "d4")
        screen.resize(40, 10)
        screen.until("40 columns and 10 rows")
        for columns, rows in ((120, 50), (64, 20), (80, 24)):
            screen.resize(columns, rows)
            text = screen.until(lambda text: "u: undo" in text and "┘" in text)
            self.assertEqual(cells_of(text), self.cells("quadrangle", "b2", "d4"))

    def test_monochrome(self):
        screen = self.screen("play", "trix", "--seats", "human,human", TERM="vt100", LC_ALL="C")
        screen.until("Trix")
        shown = tmux("capture-pane", "-p", "-e", "-t", screen.name)
        self.assertTrue(shown.isascii(), shown)
        self.assertEqual(re.findall(r"\x1b\[(?:\d+;)*[34][0-8]", shown), [])
        self.assertEqual(cells_of(screen.press("Tab", "Enter")), self.cells("trix"))

    def colours(self, **environment):
        """The colours of a screen, as escapes that tmux writes for it."""
        screen = self.screen("play", "kudosu", "--seats", "human,human", **environment)
        screen.until("Player 2")
        shown = tmux("capture-pane", "-p", "-e", "-t", screen.name)
        return re.findall(r"\x1b\[((?:\d+;)*\d*)m", shown)

    def test_colours_as_the_terminal_has_them(self):
        many, few, none = self.colours(), self.colours(TERM="xterm"), self.colours(NO_COLOR="1")
        self.assertTrue(any("8;5;" in codes for codes in many), many)
        self.assertFalse(any("8;5;" in codes for codes in few), few)
        self.assertTrue(any(re.search(r"(^|;)[34][0-7](;|$)", codes) for codes in few), few)
        self.assertFalse(any(re.search(r"(^|;)([34][0-8]|9[0-7]|10[0-7])(;|$)", codes) for codes in none), none)

    def test_a_piece_turns_until_it_fits(self):
        """A floor on which one piece finds room, on edge, in one place, at one angle."""
        floor = ("flat@181,248,51 flat@178,106,71 edge@208,21,9 edge@161,42,14 edge@60,28,20 edge@41,173,21 edge@146,165,27 edge@70,253,28 "
                 "edge@237,172,32 edge@280,42,33 edge@261,224,34 edge@265,77,40 edge@41,68,47 edge@277,160,61 edge@90,170,67 edge@223,85,73 "
                 "edge@25,114,79 edge@29,222,111 edge@233,274,133 edge@110,286,140 edge@41,290,162 edge@276,290,162 edge@99,112,168 "
                 "edge@112,72,169 edge@96,221,178 2")
        position = subprocess.run([NONET, "position", "fullend", "-o", "supply=unlimited", "--from", floor], capture_output=True, text=True).stdout
        self.assertEqual(json.loads(position)["legal"], ["edge@308,133,90"])
        screen = self.screen("play", "fullend", "-o", "supply=unlimited", "--from", floor, "--seats", "human,human")
        screen.until("Enter: lay down")
        screen.press("Enter")
        screen.until("it fits nowhere")
        screen.press("Escape")
        screen.until(lambda text: "it fits nowhere" not in text)
        screen.click(10, 20)
        screen.until("it fits nowhere")
        screen.press("Tab", "Enter")
        screen.until("The game is over")
        screen.until("edge@308,133,90")

    def test_commands_of_the_line_mode(self):
        screen = self.screen("play", "quadrangle", "--seats", "human,human")
        self.type(screen, *"b1 d3 b3 a1 a2 c3 d1 c4 d2".split())
        screen.press(":", *"review", "Enter")
        screen.until("9 d2??")
        screen.press(":", *"analyse", "Space", *"on", "Enter")
        screen.until("Analysis: Player 2 wins, proven")
        screen.press(":", *"rematch", "Enter")
        screen.until("for the end of the game")
        screen.press(":", *"help", "Enter")
        screen.until("the legal moves, or those that begin like this")
        screen.press("Escape")
        screen.press(":", *"d4", "Enter")
        screen.until("Player 2 wins")
        screen.press(":", *"rematch", "Enter")
        self.assertNotIn("d4", screen.until("move 1 - "))
        # What was reviewed is not told of the next game.
        self.type(screen, "b1")
        self.assertNotIn("?? ", screen.text())

    def test_a_form_shows_every_value(self):
        """At 80 columns in every language: each option has its value in view, and what it is for below."""
        for language in ("en", "fr", "de", "nl", "it"):
            screen = self.screen("play", "--lang", language)
            screen.press("1")
            text = screen.until(lambda text: text.count("< ") >= 4)
            self.assertEqual(text.count("< "), text.count(" >"), text)
            screen.press("Up", "Up", "Up")
            option = screen.until(lambda text: len(text.splitlines()[8]) > 30)
            self.assertNotEqual(text, option)

    def test_menu_with_seats(self):
        screen = self.screen("play", "--seats", "human,human")
        screen.until("Which game?")
        screen.press("5")
        screen.until("A new game of Quadrangle")
        screen.press("Enter")
        screen.until("Player 2: a person")

    def test_what_the_document_shows(self):
        """docs/terminal.md: after two moves, with the analysis switched on. Which of many lines to a draw it follows is chance."""
        def parts(text):
            """The board, and the panels without the line, whose length differs too."""
            rows = text.strip("\n").split("\n")
            panels = " ".join(row[45:].strip() for row in rows[1:])
            return [row[:45].rstrip() for row in rows], re.sub(r"Line: .*?(?=Moves)", "", panels).split()

        shown = re.search(r"^```\n( Trix.*?)^```", (ROOT / "docs/terminal.md").read_text(encoding="utf-8"), re.M | re.S)[1]
        screen = self.screen("play", "trix", "--seats", "human,3", "--seed", "1")
        screen.press(":", *"a2b2", "Enter")
        screen.until("2 c4b3")
        screen.press("a")
        screen.until(lambda text: "Line: " in text and parts(text) == parts(shown))

    def test_drag(self):
        screen = self.screen("play", "trix", "--seats", "human,human")
        text = screen.until("•")
        row, line = next((row, line) for row, line in enumerate(text.splitlines()) if "•" in line)
        start = row, line.index("•")
        text = screen.mouse((*start, True))
        text = screen.until("·")
        row, line = next((row, line) for row, line in enumerate(text.splitlines()) if "·" in line)
        screen.mouse((row, line.index("·"), False))
        screen.until("move 2")

    def test_a_refusal_says_why(self):
        screen = self.screen("play", "quadrangle", "--seats", "human,human")
        self.type(screen, "a1")
        row, line = next((row, line) for row, line in enumerate(screen.text().splitlines()) if " A " in line)
        screen.click(row, line.index("A"))
        screen.until("A1 is occupied")

    def test_left_and_resumed(self):
        holder = tempfile.TemporaryDirectory(prefix="nonet-screen-")
        self.addCleanup(holder.cleanup)
        first = self.screen("play", "kolem", "--level", "1", home=holder.name)
        first.press("Tab", "Enter")
        first.until("move 3")
        shown = cells_of(first.until("to move"))
        first.press("q")
        first.until("nonet play kolem goes on with it.")
        again = self.screen("play", "kolem", home=holder.name)
        again.until("Go on with Kolem (moves: 2)")
        again.press("Enter")
        # Under the cursor, a free point shows what would stand there.
        resumed = cells_of(again.until("move 3"))
        other = [pair for rows in zip(resumed, shown, strict=True) for pair in zip(*rows, strict=True) if pair[0] != pair[1]]
        self.assertTrue(len(other) <= 2 and all("" in pair for pair in other), (resumed, shown))
        again.press("q")
        again.until("left with 0")
        self.assertEqual(os.stat(os.path.join(holder.name, "nonet")).st_mode & 0o777, 0o700)

    def test_after_the_end(self):
        # With c2 instead of d2 player 1 would have completed a rectangle; d4 completes one of player 2.
        moves = "b1 d3 b3 a1 a2 c3 d1 c4 d2 d4".split()
        screen = self.screen("play", "quadrangle", "--seats", "human,human")
        self.type(screen, *moves[:-1])
        screen.press(":", *moves[-1], "Enter")
        screen.until("Player 2 wins")
        screen.press("PPage")
        self.assertEqual(cells_of(screen.until("after move 9 of 10")), self.cells("quadrangle", *moves[:-1]))
        screen.press("Home")
        self.assertEqual(cells_of(screen.until("after move 0 of 10")), self.cells("quadrangle"))
        screen.press("End")
        screen.until("Player 2 wins")
        screen.press("v")
        screen.until(lambda text: "9 d2??" in text and "10 d4!" in text)
        screen.press("u")
        screen.until("move 10 - Player 2 to move")
        screen.press(":", *moves[-1], "Enter")
        screen.until("Player 2 wins")
        screen.press("n")
        self.assertNotIn("d4", screen.until("move 1 - "))

    def test_menu(self):
        screen = self.screen()
        text = screen.until("Which game?")
        rows = [line.rstrip() for line in text.splitlines() if re.match(r"  \d  ", line)]
        self.assertEqual(len(rows), 9, text)
        self.assertTrue(all(row.endswith((".", "…")) for row in rows), text)  # nothing is cut without a sign
        screen.press("5")
        screen.until("A new game of Quadrangle")
        screen.press("Up", "Right", "Up", "Right", "Down", "Down", "Enter")
        screen.until("Player 1: computer (level 1)")
        screen.press("q")
        screen.until("left with 0")

    def test_analysis_and_hint(self):
        screen = self.screen("play", "mix3", "--seats", "human,human")
        screen.press("a")
        screen.until(lambda text: "Analysis: " in text and re.search(r"Line: [a-d][1-4]", text))
        screen.press("a", "h")
        screen.until("Try ")

    def test_signals_leave_the_terminal_as_it_was(self):
        for name, code in (("INT", 130), ("TERM", 143)):
            screen = self.screen("play", "quadrangle")
            screen.until("to move")
            shell = int(tmux("display-message", "-p", "-t", screen.name, "#{pane_pid}"))
            program = int(pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text())
            os.kill(program, getattr(signal, f"SIG{name}"))
            text = screen.until(f"left with {code}")
            self.assertIn("Stopped. Goodbye.", text)
            self.assertEqual(tmux("display-message", "-p", "-t", screen.name, "#{alternate_on} #{cursor_flag}").split(), ["0", "1"])

    def test_a_large_board_is_scrolled(self):
        screen = self.screen("play", "ksar", "-o", "frame=16x16", "--seats", "human,human")
        screen.until("to move")
        text = screen.press(*["Right"] * 16, *["Up"] * 16)
        text = screen.until(lambda text: re.search(r"^16 ", text, re.M) and re.search(r" p( |$)", text, re.M))
        text = screen.press(*["Left"] * 16, *["Down"] * 16)
        screen.until(lambda text: re.search(r"^ 1 ", text, re.M) and re.search(r"^ {4,}a ", text, re.M))
        screen.press("1", "3", "Tab", "Enter")
        screen.until("move 2")

    def test_languages(self):
        for words, environment, said in ((["--lang", "DE"], {}, "Spieler 1 ist am Zug"), ([], {"LC_MESSAGES": "fr_FR.UTF-8", "LC_ALL": "", "LC_CTYPE": "C.UTF-8"}, "Joueur 1 joue"),
                                         ([], {"LANG": "nl_BE", "LC_ALL": ""}, "Speler 1 is aan zet"), (["--lang", "it"], {"LC_ALL": "C"}, "tocca a: Giocatore 1")):
            screen = self.screen("play", "trix", "--seats", "human,human", *words, **environment)
            screen.until(said)
        # French has a space before a colon.
        screen = self.screen("--lang", "fr")
        screen.until("Quel jeu ?")
        screen.press("8")
        text = screen.until("Joueur 1\u00a0: <")
        self.assertNotRegex(text, r"\w: <")

    def test_the_screen_is_handed_over(self):
        screen = self.screen("play", "masker", "-o", "seed=7", "--seats", "human,human")
        text = screen.until("only you are looking")
        self.assertNotIn("disc", text)
        self.assertEqual(cells_of(text), [])
        screen.press("Enter")
        screen.until("Player 1, your disc")

    def test_no_screen(self):
        screen = self.screen("play", "quadrangle", TERM="dumb")
        screen.until("Player 1 to move>")
        screen = self.screen("play", "quadrangle", "--plain")
        screen.until("Player 1 to move>")


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    tmux("new-session", "-d", "-s", "kept", "sleep 1000")  # without a session the server of tmux would end, and a new one begin late
    try:
        program = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], exit=False)
    finally:
        tmux("kill-server")
    failed = len(program.result.failures) + len(program.result.errors)
    print(f"{program.result.testsRun - failed} passed, {failed} failed")
    sys.exit(bool(failed))
