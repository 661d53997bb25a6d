"""What `nonet --help` and `nonet COMMAND --help` say, taken apart for the manual page and for the shells."""
import collections
import json
import os
import re
import subprocess

# `flags`: pairs of what is written, such as "--level N" or "FILE", and what it means. `paragraphs`: the rest.
Command = collections.namedtuple("Command", "name summary usage flags paragraphs")


# In English, whatever the language of the person who builds.
ENGLISH = os.environ | {"LC_ALL": "C.UTF-8"}


def ask(nonet, *words):
    return subprocess.run([nonet, *words], capture_output=True, text=True, check=True, encoding="utf-8", env=ENGLISH).stdout


def take_apart(name, text):
    head, _, rest = text.partition("\n\n")
    usage, _, rest = rest.partition("\n\n")
    flags, paragraphs = [], []
    for block in filter(None, rest.strip("\n").split("\n\n")):
        free = []
        for line in block.split("\n"):
            # A flag and what it means, or a long flag whose meaning begins on the next line.
            found = re.match(r"  (\S.*?)(?:  +|$)(.*)", line)
            if found:
                flags.append([found[1], found[2]])
            elif line.startswith("    ") and flags:
                flags[-1][1] = f"{flags[-1][1]} {line.strip()}".strip()
            else:
                free.append(line)
        if free:
            paragraphs.append(" ".join(free))
    usage = [line.strip() for line in usage.removeprefix("Usage:").split("\n")]
    whole = []
    for line in usage:  # a usage that was wrapped is one line again
        if line.startswith(("nonet", "mpirun")) or not whole:
            whole.append(line)
        else:
            whole[-1] += " " + line
    return Command(name, head.partition(": ")[2], whole, [tuple(flag) for flag in flags], paragraphs)


def commands(nonet):
    names = re.findall(r"^  ([a-z]+) ", ask(nonet, "--help"), re.MULTILINE)
    return [take_apart(name, ask(nonet, name, "--help")) for name in names]


def games(nonet):
    return json.loads(ask(nonet, "games", "--json"))


def values_of(option):
    """What an option may be, in a few words: the values, or the default and the range."""
    if "least" not in option:
        return option["values"]
    least, most = (f"{end}x{end}" if option["kind"] == "size" else str(end) for end in (option["least"], option["most"]))
    return f"{option['values']} ({least} to {most})"


def words_of(command):
    """The flags of a command, each with what its value is called, or "" where it takes none."""
    usage = " ".join(command.usage)
    found = {"-o": "key=value"} if "[-o key=value]" in usage else {}
    found |= dict(re.findall(r"\[?(--[a-z-]+)(?: ([A-Z][A-Z,…0-9]*|\"[^\"]*\"))?", usage))
    for written, _ in command.flags:
        if written.startswith("--"):
            name, _, value = written.partition(" ")
            found[name] = value
    return found
