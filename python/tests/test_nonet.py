#!/usr/bin/env python3
"""The Python package: what it says is what the command prints; whole games; what is refused; wheels and pip.

    NONET_LIBRARY=… PYTHONPATH=python test_nonet.py NONET
"""
import doctest
import importlib.util
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

import nonet
from nonet import PUBLIC, Batch, Game, IllegalMove, NonetError, Unproven

NONET = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
IDS = [game["id"] for game in nonet.games()]


def command(*words):
    got = subprocess.run([NONET, *words], capture_output=True, text=True, timeout=60)
    return json.loads(got.stdout) if got.returncode == 0 else None


def plain(thoughts):
    """Without what differs from run to run."""
    return {key: value for key, value in thoughts.items() if key not in ("seconds", "nodes_per_second")}


class SameAsTheCommand(unittest.TestCase):
    def test_games(self):
        self.assertEqual(nonet.games(), command("games", "--json"))

    def test_positions_and_thoughts(self):
        for game_id in IDS:
            with self.subTest(game_id):
                options = {"seed": "3"} if game_id == "masker" else {}
                flags = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
                game, dice = Game(game_id, **options), random.Random(1)
                for _ in range(3):
                    game.play(game.nth(dice.randrange(game.legal_count)))
                self.assertEqual(game.position(), command("position", game_id, *flags, *game.played))
                self.assertEqual(game.observe(2), command("position", game_id, *flags, "--as", "2", *game.played))
                thoughts = game.think(level=4, nodes=20, seed=5)
                self.assertEqual(plain(thoughts), plain(command("think", game_id, *flags, "--level", "4", "--nodes", "20", "--seed", "5", *game.played)))
                self.assertEqual(game.choose(level=4, nodes=20, seed=5), thoughts["move"])

    def test_values(self):
        for words in (["template"], ["quadrangle", "b2", "a1"], ["ksar", "-o", "frame=5x4"]):
            game = Game(words[0], **({"frame": "5x4"} if "-o" in words else {"moves": words[1:]}))
            self.assertEqual(game.probe(), command("probe", *words))
            self.assertEqual(game.probe(), command("probe", *words))  # a second question
        with self.assertRaises(Unproven):
            Game("masker", seed=1).probe()

    def test_drawing(self):
        got = subprocess.run([NONET, "draw", "trix", "--svg", "b1c1"], capture_output=True, text=True)
        self.assertEqual(Game("trix", moves=["b1c1"]).draw(svg=True).strip(), got.stdout.strip())
        self.assertIn("places", Game("trix").scene())


class Playing(unittest.TestCase):
    def test_whole_games(self):
        for game_id in IDS:
            with self.subTest(game_id):
                game, dice = Game(game_id), random.Random(2)
                first = game.text
                self.assertIsNone(game.result())
                while not game.over:
                    moves = game.numbers() if game.legal_count < 4000 else [game.nth(dice.randrange(game.legal_count))]
                    game.play(dice.choice(moves) if dice.random() < 0.5 else game.move_text(dice.choice(moves)))
                result = game.result()
                self.assertTrue(result.winners and result.reason)
                self.assertAlmostEqual(sum(game.share(seat) for seat in range(1, game.players + 1)), 1)
                again = Game.load(game.save())
                self.assertEqual((again.text, again.played, again.result()), (game.text, game.played, result))
                for other in (game, game.copy()):
                    while other.undo():
                        pass
                    self.assertEqual(other.text, first)
                self.assertTrue(game.redo())
                game.restart()
                self.assertEqual((game.text, game.ply, game.redo()), (first, 0, False))

    def test_reasons(self):
        game = Game("ksar", moves=["2x3@i1", "3x1@f1", "1x2@h2"])
        said = "the piece would touch the upright piece at h2, which has the same height"  # README.md
        with self.assertRaisesRegex(IllegalMove, said) as caught:
            game.play("2x1@f2")
        self.assertEqual((caught.exception.key, game.ply), ("ksar.same-height", 3))
        reason = game.why("2x1@f2")
        self.assertEqual((str(reason), reason.key), (said, "ksar.same-height"))
        self.assertIsNone(game.why(game.legal()[0]))
        self.assertEqual(game.why(2**32 - 1).key, "common.no-such-move")
        german = Game("ksar", moves=["2x3@i1", "3x1@f1", "1x2@h2"], words={"ksar.same-height": "zu nah an {0}"})
        self.assertTrue(german.why("2x1@f2").startswith("zu nah an "))

    def test_nonsense(self):
        for wrong in (lambda: Game("whist"), lambda: Game("ksar", frame="1x1"), lambda: Game("ksar", start="nonsense"), lambda: Game("ksar\0"),
                      lambda: Game("trix", seed=1), lambda: Game("trix").play("zz"), lambda: Game("trix").play(-1), lambda: Game("trix").play(2**40),
                      lambda: Game("trix").move_text(2**32 - 1), lambda: Game("trix").text_for(3), lambda: Game("trix").think(level=11),
                      lambda: Game("trix").think(nodes=-1), lambda: Game("trix").think(nodes=2**64), lambda: Game("trix").playouts(-1),
                      lambda: Game("trix").playouts(1, seed=2**64), lambda: Game("trix").share(2**32 + 1), lambda: Batch("trix", 1).legal(-1),
                      lambda: Game("masker").observe(2**32 - 1), lambda: Game("masker").draw(2**32 + 1), lambda: Game.load("nonsense"),
                      lambda: Batch("trix", 0), lambda: Batch("trix", 2**50)):
            with self.assertRaises(NonetError):
                wrong()
        for index in (-1, 10**6, 2**64):
            with self.assertRaises(IndexError):
                Game("trix").nth(index)
        with self.assertRaises(OverflowError):
            Batch("trix", 1).step([2**32])

    def test_hidden(self):
        game = Game("masker", players=2, seed=4)
        self.assertNotEqual(game.text_for(1), game.text_for(2))
        self.assertNotIn("disc", game.observe(PUBLIC))
        self.assertNotIn("seed", game.observe(1)["options"])
        first = game.text_for(1)
        for _ in range(5):
            game.play(game.numbers()[0])
        seen = Game.seen("masker", 1, first, game.played, game.text_for(1), players=2)
        self.assertEqual(seen.text_for(1), game.text_for(1))

    def test_playouts(self):
        game = Game("quadrangle")
        some = game.playouts(500, seed=1)
        self.assertEqual(some, game.playouts(500, seed=1))
        self.assertAlmostEqual(sum(some.shares), 1)
        game = Game("quadrangle", moves=["b2", "a4", "c2", "d4", "b3", "d1", "c3"])  # the square of b2, c2, b3, c3
        self.assertEqual(game.playouts(3).shares, (1, 0))

    def test_batch(self):
        batch, games = Batch("kudosu", 20, chance=3), [Game("kudosu") for _ in range(20)]
        for _ in range(30):
            batch.choose()
            moves = list(batch.moves)
            self.assertTrue(all(game.over or move in game.numbers() for game, move in zip(games, moves)))
            batch.step(moves)
            for game, move in zip(games, moves):
                if not game.over:
                    game.play(move)
            self.assertEqual(list(batch.turns), [game.to_move for game in games])
            self.assertEqual(list(batch.winners), [sum(1 << seat - 1 for seat in game.winners) for game in games])
            self.assertEqual(batch.legal(7), games[7].numbers())
        self.assertEqual(batch.restart(), sum(game.over for game in games))

    def test_speed(self):
        """A tenth of the rates that docs/performance.md tells, so that a slow machine passes too."""
        game, began = Game("quadrangle"), time.process_time()
        for _ in range(20000):
            if game.over:
                game.restart()
            game.play(game.numbers()[0])
        self.assertGreater(20000 / (time.process_time() - began), 10000)
        batch, began = Batch("quadrangle", 500), time.process_time()
        for _ in range(200):
            batch.choose()
            batch.step()
            batch.restart()
        self.assertGreater(100000 / (time.process_time() - began), 100000)


class Installing(unittest.TestCase):
    def test_version(self):
        told = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text())[1]
        self.assertEqual(nonet.version(), told)
        self.assertIn(f'version = "{told}"', (ROOT / "python/pyproject.toml").read_text())

    def check_import(self, folder, **environment):
        clean = {key: value for key, value in os.environ.items() if key not in ("NONET_LIBRARY", "PYTHONPATH")}
        program = "import nonet, pathlib; print(pathlib.Path(nonet.__file__).parent.parent, nonet.Game('ksar').legal()[0])"
        got = subprocess.run([sys.executable, "-c", program], cwd="/", env=clean | {"PYTHONPATH": str(folder)} | environment, capture_output=True, text=True)
        self.assertEqual(got.stdout.split()[:1], [str(folder)], got.stderr)

    def test_wheel(self):
        spec = importlib.util.spec_from_file_location("wheel_backend", ROOT / "python/backend/wheel_backend.py")
        backend = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(backend)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            name = backend.build_wheel(folder)
            with zipfile.ZipFile(folder / name) as wheel:
                self.assertIn("nonet/libnonet.so.1", wheel.namelist())
                self.assertIn("nonet/py.typed", wheel.namelist())
                wheel.extractall(folder / "site")
            self.check_import(folder / "site")
            self.assertTrue((folder / backend.build_sdist(folder)).exists())

    @unittest.skipIf(importlib.util.find_spec("pip") is None, "pip is not installed")
    def test_pip(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            got = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--quiet", "--disable-pip-version-check", "--target", str(folder),
                                  str(ROOT / "python")], capture_output=True, text=True)
            self.assertEqual(got.returncode, 0, got.stderr)
            self.check_import(folder)

    def test_documents(self):
        """What the documents show, and help(nonet), is what Python says today."""
        pages = {page: (ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/python.md")} | {"help(nonet)": nonet.__doc__}
        for page, text in pages.items():
            text = re.sub(r"^```.*$", "", text, flags=re.M)
            examples = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
            self.assertTrue(examples.examples)
            told = []
            self.assertEqual(doctest.DocTestRunner(verbose=False).run(examples, out=told.append).failed, 0, "".join(told))

    def test_bot(self):
        lines = [line for line in (ROOT / "examples/bot_library.py").read_text().split('"""')[-1].splitlines() if line.strip()]
        self.assertLess(len(lines), 20)
        for game_id in IDS:
            with self.subTest(game_id):
                words = [game_id, "frame=5x5"] if game_id == "ksar" else [game_id]
                got = subprocess.run([sys.executable, ROOT / "examples/bot_library.py", *words], capture_output=True, text=True, timeout=60)
                self.assertIn("Result(winners=(", got.stdout, got.stderr)


if __name__ == "__main__":
    outcome = unittest.main(exit=False, verbosity=0).result
    wrong = len(outcome.failures) + len(outcome.errors)
    passed = max(0, outcome.testsRun - wrong - len(outcome.skipped))  # a failed part of a test counts by itself
    print(f"{passed} passed, {wrong} failed")
    sys.exit(wrong > 0)
