#!/usr/bin/env python3
"""Everything that works in several threads, run by programs built with ThreadSanitizer. Usage: races.py NONET [SERVER]

A data race ends the command with another exit code and a report. Closes with "N passed, N failed".
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from checking import check, close

NONET = sys.argv[1]
scratch = tempfile.TemporaryDirectory()
home = pathlib.Path(scratch.name)
clean = {k: v for k, v in os.environ.items() if not k.startswith(("NONET", "XDG"))} | {
    "HOME": scratch.name, "TSAN_OPTIONS": "halt_on_error=1:exitcode=66:second_deadlock_stack=1"}


def run(*words, **more):
    got = subprocess.run([NONET, *words], capture_output=True, text=True, timeout=240, env=clean, **more)
    check(" ".join(words), got.returncode == 0 and "ThreadSanitizer" not in got.stderr, f"exit {got.returncode}\n{got.stderr[:4000]}")


table = str(home / "table")
run("solve", "kolem", "--material", "3", "--threads", "4", "--output", table)
run("solve", "trix", "--threads", "4", "--output", table + "2")
run("verify", table + "2", "--threads", "4")
run("probe", "template")
for words in (["ksar", "-o", "frame=5x5"], ["chasm", "-o", "players=3"], ["masker", "-o", "seed=1"], ["fullend"], ["template"]):
    run("think", *words, "--threads", "4", "--level", "10", "--nodes", "400")
run("think", "quadrangle", "--threads", "4", "--level", "9", "--nodes", "400")  # without a table
run("match", "kudosu", "random", "alpha-beta,nodes=50", "--games", "8", "--seed", "1", "--jobs", "4")
run("match", "masker", "random", "level:10,nodes=20", "--games", "2", "--seed", "1", "--jobs", "2")
run("match", "quadrangle", f"cmd:'{NONET}' ugi,nodes=50", "random", "--games", "4", "--seed", "1", "--jobs", "2")

questions = [f'{{"id":{i},"game":"ksar","moves":[],"level":9,"nodes":3000,"every":0.1}}\n' for i in range(6)]
run("think", "--batch", "--parallel", "3", input="".join(questions) + '{"id":"c","cancel":5}\n{"id":"d","cancel_all":true}\n')

# The installed library, used by several threads of a program.
here = pathlib.Path(__file__).parent
build = pathlib.Path(NONET).resolve().parent
threads = home / "library_threads"
made = subprocess.run(["clang", "-fsanitize=thread", "-O1", "-g", "-I", here.parent / "include", here / "library_threads.c", "-o", threads,
                       f"-L{build}/library", "-lnonet", f"-Wl,-rpath,{build}/library", "-pthread"], capture_output=True, text=True)
got = subprocess.run([threads], capture_output=True, text=True, timeout=240, env=clean) if made.returncode == 0 else made
check("the library", got.returncode == 0 and "ThreadSanitizer" not in got.stderr, f"exit {got.returncode}\n{got.stderr[:4000]}")

# An engine that gets queries and stop while it thinks.
process = subprocess.Popen([NONET, "ugi", "ksar"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1, env=clean)


def say(line):
    process.stdin.write(line + "\n")
    process.stdin.flush()


def hear(word):
    for line in process.stdout:
        if line.startswith(word):
            return True
    return False


heard = True
for line, answer in (("ugi", "ugiok"), ("setoption name Threads value 4", None), ("isready", "readyok"),
                     ("position startpos", None), ("go infinite", None), ("isready", "readyok"), ("stop", "bestmove"),
                     ("go infinite", None), ("position startpos", None), ("stop", "bestmove"), ("go nodes 100", "bestmove")):
    say(line)
    if line == "go infinite":
        time.sleep(0.3)
    heard = heard and (answer is None or hear(answer))
say("quit")
told = process.communicate(timeout=60)[1]
check("ugi", heard and process.returncode == 0 and "ThreadSanitizer" not in told, f"exit {process.returncode}\n{told[:4000]}")

# The server: its loop, the thread that writes, and those that think.
if len(sys.argv) > 2:
    online = [sys.executable, str(pathlib.Path(__file__).parent / "online.py"), NONET, sys.argv[2], "streams", "computers", "kills", "terminated", "full_disk", "races"]
    got = subprocess.run(online, capture_output=True, text=True, timeout=600, env=clean | {"NONET_SANITIZED": "1"})
    check("the server for tables", got.returncode == 0 and "ThreadSanitizer" not in got.stderr, f"{got.stdout[-3000:]}{got.stderr[-3000:]}")
close()
