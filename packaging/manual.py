#!/usr/bin/env python3
"""Writes the manual page, nonet(1), from what the command says about itself.

    packaging/manual.py NONET VERSION >nonet.1
"""
import sys

from help_texts import ask, commands, games

nonet, version = sys.argv[1:]


def plain(text):
    """Text that roff leaves as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def say(*lines):
    print("\n".join(lines))


every = commands(nonet)
say('.TH NONET 1 "" "nonet %s" "Games"' % version, ".SH NAME", plain("nonet - play, solve and study nine wooden-box games"),
    ".SH SYNOPSIS", ".B nonet", plain("COMMAND …"), ".SH DESCRIPTION",
    "Nonet plays nine little-known games from wooden boxes by their exact rules, in the terminal and in the browser.",
    "It says why a move is not allowed, plays at ten levels, and proves who wins the games that are solved.",
    ".PP", "The games are:")
for game in games(nonet):
    players = game["players"]
    number = f"{players[0]} to {players[-1]} players" if len(players) > 1 else f"{players[0]} players"
    say(".TP", f".B {game['id']}", plain(f"{game['title']} ({game['author']}), {number}. {game['summary']}"))
say(".SH COMMANDS")
for command in every:
    say(f".SS nonet {command.name}", plain(command.summary[:1].upper() + command.summary[1:] + "."), ".PP", ".nf",
        *[plain(line) for line in command.usage], ".fi")
    for written, meaning in command.flags:
        say(".TP", f".B {plain(written)}", plain(meaning[:1].upper() + meaning[1:] + "."))
    for paragraph in command.paragraphs:
        say(".PP", plain(paragraph))
say(".SH OPTIONS OF GAMES", plain("Given as -o key=value after the name of a game. The first value is the default."))
for game in games(nonet):
    for option in game["options"]:
        say(".TP", f".B {game['id']} {option['key']}={plain(option['values'])}", plain(option["help"][:1].upper() + option["help"][1:] + "."))
say(".SH EXIT STATUS", ".TP", "0", "Everything went well.", ".TP", "1",
    "An illegal move, a wrong or unreadable file, a full disk, a taken port, a missing table.", ".TP", "2",
    "Bad usage: an unknown command, game, option, value or deal.",
    ".SH ENVIRONMENT", ".TP", ".B NONET_TABLES", "A folder in which tables of exact values are looked for first, and written.",
    ".TP", ".B XDG_CACHE_HOME", "Where they are kept otherwise, in a folder nonet; by default ~/.cache.",
    ".TP", ".B NONET_PORT, NONET_ADDRESS, NONET_STORE, NONET_PROXY", plain("For nonet serve: the same as its flags, which win."),
    ".SH EXAMPLES", ".nf", plain("nonet play ksar --level 7"), plain("nonet serve"), plain("nonet probe kolem c3"),
    plain("nonet position chasm -o players=3 a1 b2"), ".fi")
