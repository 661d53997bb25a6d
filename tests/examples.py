#!/usr/bin/env python3
"""The examples in README.md and docs/: what they show is what the command prints today.

    examples.py NONET [short]

In a block of code, a line "$ nonet …" is a command, "$ cc …" compiles what it names, and lines after "> " are typed into
a program; what follows is the answer. "…" stands for anything. Times and speeds may differ. A block of Python is run, and
its last line is a comment with what it prints; or it is saved as the program that its second line names. A record, a step of
a lesson or of a puzzle and a case for the tests in JSON are compared with the real ones. "short" leaves out what takes long
under sanitizers.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from checking import check, close

nonet = os.path.abspath(sys.argv[1])
is_short = len(sys.argv) > 2
root = pathlib.Path(__file__).resolve().parent.parent
scratch = tempfile.TemporaryDirectory(prefix="nonet-examples-")
environment = {key: word for key, word in os.environ.items() if not key.startswith("NONET")} | {
    "XDG_CACHE_HOME": scratch.name, "PATH": os.path.dirname(nonet) + ":" + os.environ["PATH"]}
pathlib.Path(scratch.name, "examples").symlink_to(root / "examples")

# The moves before the one that the game in README.md refuses.
BEFORE = ["2x3@i1", "3x1@f1", "1x2@h2"]
MEASURED = re.compile(r'("seconds":|"nodes_per_second":|\bnps |\btime )[\d.]+|[\d.]+( seconds)| +\d+\.\d\d$')


def run(*words, typed=""):
    return subprocess.run([nonet, *words], input=typed, capture_output=True, text=True, cwd=scratch.name, timeout=250, env=environment)


def blocks(page):
    """The blocks of code of a page: the language, and a list of lines."""
    lines = None
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.strip().startswith("```"):
            if lines is not None:
                yield language, lines
            language, lines = line.strip()[3:], [] if lines is None else None
        elif lines is not None:
            lines.append(line)


def plain(text):
    """Without what differs from run to run, and without the breaks that long lines of JSON have on a page."""
    lines = (MEASURED.sub(r"\1#\2", line.rstrip()) for line in text.strip().splitlines())
    return re.sub(r",\n ", ",", "\n".join(lines))


def check_shown(name, shown, printed):
    pattern = ".*".join(re.escape(part) for part in plain("\n".join(shown)).split("…"))
    pattern = pattern.replace(re.escape("\n") + ".*" + re.escape("\n"), "\n(.*\n)?")  # a line "…": any lines, or none
    check(name, re.fullmatch(pattern, plain(printed), re.S), f"the page shows\n{plain(chr(10).join(shown))}\nand not\n{plain(printed)[:2000]}")


def check_commands(lines):
    """Commands without an answer on the page are not run: some would take hours."""
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        program, *words = shlex.split(lines[start][2:], comments=True)
        shown = lines[start + 1:end]
        typed = ""
        if program == "echo" and "|" in words:
            at = words.index("|")
            typed, program, words = " ".join(words[:at]) + "\n", words[at + 1], words[at + 2:]
        if program == "cc":
            subprocess.run([program, *words], check=True, cwd=scratch.name)
        if not shown or os.path.basename(program) != "nonet":
            continue
        if words[0] == "analyse":  # the page shows the moves of the record
            moves = re.findall(r"^ +\d+ +\d +(\S+)", "\n".join(shown), re.M)
            record = {"format": "nonet-game", "version": 1, "game": shown[0].split(",")[0].lower(), "options": {}, "moves": moves}
            pathlib.Path(scratch.name, words[1]).write_text(json.dumps(record))
        got = run(*words, typed=typed)
        check_shown(lines[start], shown, got.stdout)
        check(f"{lines[start]}: ends well", got.returncode == 0 and ", lost by " not in got.stdout, got)


def check_dialogue(lines):
    typed = [line[2:] for line in lines if line.startswith("> ")]
    shown = [line for line in lines if not line.startswith("> ")]
    if typed[0] == "ugi":
        check_shown(lines[0], shown, talk(lines))
    elif typed[0].startswith("{"):
        check_shown(lines[0], shown, run("think", "--batch", typed="\n".join(typed) + "\n").stdout)
    else:
        printed = run("play", "ksar", "--seats", "human,human", typed="\n".join(BEFORE + typed) + "\n").stdout
        check(lines[0], shown[0] in printed, printed)


def talk(lines):
    """Types each command once the answer to the one before it is complete; returns all answers."""
    engine = subprocess.Popen([nonet, "ugi"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    printed = []
    for line in lines:
        if line.startswith("> "):
            engine.stdin.write(line[2:] + "\n")
            engine.stdin.flush()
        elif line != "…":
            first = line.split()[0]
            printed.append(engine.stdout.readline())
            while printed[-1] != "" and printed[-1].split()[0] != first:
                printed.append(engine.stdout.readline())
    engine.communicate()
    return "".join(printed)


def check_record(lines):
    record = pathlib.Path(scratch.name, "record.json")
    record.write_text("\n".join(lines))
    got = run("replay", str(record))
    check("the record can be replayed", got.returncode == 0, got.stderr)


def check_lesson(lines):
    """What the page shows of a step is in the lesson."""
    shown = json.loads("".join(lines))
    real = {step["id"]: step for step in json.loads((root / f"docs/lessons/{shown['game']}.json").read_text(encoding="utf-8"))["steps"]}
    for step in shown["steps"]:
        for key, told in step.items():
            found = real[step["id"]][key]
            check(f"lesson {step['id']}: {key}", told == (found[:len(told)] if isinstance(told, list) else found), found)


def check_puzzle(lines):
    """A step that the page shows is in one of the lists of puzzles."""
    begun = "".join(lines).split("…")[0].replace(" ", "")
    lists = (root / "web/src/study/puzzles/lists").glob("*.json")
    check("the step of a puzzle", any(begun in file.read_text(encoding="utf-8") for file in lists), begun)


def check_case(lines):
    """A case for the tests of a game's rules holds: of the template, or of Chasm if it begins at a position."""
    case = json.loads("".join(lines))
    begin = ["chasm", "--from", case["from"]] if "from" in case else ["template"]
    for move, why in case.get("illegal", {}).items():
        got = run("position", *begin, *case["moves"], move)
        check(f"{case['note']}: {move}", got.returncode == 1 and why in got.stderr, got)
    for event in case.get("events", []):
        printed = run("play", *begin, "--seats", "human,human", typed="\n".join(case["moves"]) + "\n").stdout
        check(f"{case['note']}: the event", event[0].upper() + event[1:] + "." in printed, printed)


def save_program(lines):
    """A program that the page tells to save: its second line says under which name."""
    file = pathlib.Path(scratch.name, lines[1].split()[1].rstrip(":"))
    file.write_text("\n".join(lines) + "\n")
    file.chmod(0o755)


def change_program(lines):
    """A function in place of one in the program that was saved."""
    file = pathlib.Path(scratch.name, "mybot.py")
    old = re.search(rf"^{re.escape(lines[0])}\n(?:    .*\n)+", file.read_text(), re.M)
    check(f"there is {lines[0]} to change", old)
    file.write_text(file.read_text().replace(old[0], "\n".join(lines) + "\n"))


def check_python(lines):
    """With what the page tells to do before."""
    if lines[0].startswith("#!"):
        return save_program(lines)
    if lines[0].startswith("def "):
        return change_program(lines)
    run("export", "trix", "--columns", "sheet")
    got = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, cwd=scratch.name, timeout=60)
    check(lines[0], got.stdout == lines[-1].removeprefix("# ") + "\n", got)


for page in (root / "README.md", *sorted((root / "docs").glob("*.md")), root / "docs/ludii/README.md"):
    for language, lines in blocks(page):
        if language == "python" and lines[0].startswith(">>> "):
            continue  # the tests of the package run it
        if language == "python":
            check_python(lines)
        elif lines[0].startswith("$ "):
            check_commands(lines)
        elif lines[0].startswith("> "):
            check_dialogue(lines)
        elif '"format": "nonet-game"' in "".join(lines):
            check_record(lines)
        elif lines[0].startswith('{"game"'):
            check_lesson(lines)
        elif lines[0].startswith('{"right"'):
            check_puzzle(lines)
        elif lines[0].lstrip().startswith('{"note"'):
            check_case(lines)

# Every command and flag that a page names exists, also where it is not run because that would take hours.
helps = {}
for page in (root / "README.md", root / "CONTRIBUTING.md", root / "examples/README.md", *sorted((root / "docs").rglob("*.md"))):
    for told in re.findall(r"(?:`|\$ |^)(?:build/)?nonet ([^`\n]*)", page.read_text(encoding="utf-8"), re.M):
        command, *words = told.split("#")[0].split("|")[0].split() or [""]
        if not re.fullmatch("[a-z]+", command):
            continue
        if command not in helps:
            helps[command] = run(command, "--help").stdout
        flags = [word.split("=")[0].rstrip(",.;)]") for word in words if word.startswith("--") and word not in ("--", "--help")]
        known = helps[command] + "--from --seed --threads --memory"
        check(f"{page.name}: nonet {told}", helps[command] and all(flag in known for flag in flags), "there is no such command or flag")

if not is_short:
    told = re.search(r"`build/nonet bench` prints is\s+`(\w+)`.*?`--games 20`.*?`(\w+)`", (root / "docs/performance.md").read_text(), re.S)
    for signature, words in zip(told.groups(), ([], ["--games", "20"])):
        printed = run("bench", *words).stdout.split()[-1]
        check(f"bench {' '.join(words)}", printed == signature, f"{printed}, and docs/performance.md says {signature}")
close()
