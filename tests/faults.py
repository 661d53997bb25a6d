#!/usr/bin/env python3
"""The server for tables on a machine that fails. Usage: faults.py NONET SERVER FAULTY [long] [PART…]

FAULTY is the same server over a disk that can be slow, refuse to be written or lose its power, and with clocks that can
jump (tests/faulty.c). With "long" the power is cut a hundred times.
"""
import http.client
import mmap
import os
import pathlib
import shutil
import signal
import sqlite3
import struct
import sys
import tempfile
import threading
import time

FAULTY = sys.argv.pop(3)
import online
from checking import check, close
from online import LONG, SLOW, Server, Stream, Visitor, begin, chance, new_id, player, random_scripts, scratch

FIELDS = ("sync", "read_only", "until_cut", "seed", "real", "monotonic", "syncs")
TEN_MINUTES = {"kind": "game", "budget": 600000, "increment": 0}


class Faulty(Server):
    """Its faults are its attributes in FIELDS, which can be set while it runs."""

    program = FAULTY

    def __init__(self, **more):
        file = tempfile.NamedTemporaryFile(dir=scratch.name, delete=False)
        file.write(bytes(8 * len(FIELDS)))
        file.flush()
        self.faults = mmap.mmap(file.fileno(), 0)
        self.surroundings = Server.surroundings | {"NONET_FAULTS": file.name}
        super().__init__(**more)

    def __setattr__(self, name, value):
        if name in FIELDS:
            struct.pack_into("=q", self.faults, 8 * FIELDS.index(name), value)
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name):
        if name in FIELDS:
            return struct.unpack_from("=q", self.faults, 8 * FIELDS.index(name))[0]
        raise AttributeError(name)


def clocks_of(told):
    return [seat["left"] for seat in told["seats"]]


# ---- Power ----


def power_cuts():
    """Whatever was answered with 200 is there after a cut of power, with its clock, its seats and its visitors."""
    rounds = 100 if LONG else 8
    scripts = random_scripts(8)
    server = Faulty()
    tables = []
    strangers = []  # visitors who have opened a table that waits
    moves = more = 0
    played = time.monotonic()
    for number in range(rounds):
        while len(tables) < 8:
            tables.append([*begin(server, "ksar", clock=TEN_MINUTES), chance.choice(scripts), []])
        stop = threading.Event()

        def come():
            while not stop.is_set():
                stranger = Visitor(server)
                try:
                    reply = stranger.open("trix", [{"name": "Cy"}, {}])
                except (OSError, http.client.HTTPException):
                    return
                if reply.status == 201:
                    strangers.append((stranger, reply.json["table"]))

        threads = [threading.Thread(target=player, args=(server, *entry, stop)) for entry in tables] + [threading.Thread(target=come)]
        server.seed = number
        for thread in threads:
            thread.start()
        time.sleep(chance.uniform(0, 0.1) * SLOW)
        server.until_cut = chance.randint(1, 60)
        server.process.wait(60)
        check("the power was cut", server.process.returncode == -signal.SIGKILL, (server.process.returncode, server.said()))
        stop.set()
        for thread in threads:
            thread.join()
        server.process.communicate()
        server = server.again()
        check("it starts, and nothing is damaged", server.port and server.said() == "", server.said())
        going = []
        for table, people, script, acknowledged in tables:
            for person in people:
                person.server = server
            told = people[0].see(table)
            known = told.get("moves")
            fine = known is not None and known[: len(acknowledged)] == acknowledged and known == script[: len(known)] and len(known) <= len(acknowledged) + 1
            check("no acknowledged move is lost", fine, (len(acknowledged), known))
            if not fine:
                continue
            least = 600000 - 1000 * (time.monotonic() - played)
            check("clocks go on", all(least < left <= 600000 for left in clocks_of(told)), clocks_of(told))
            check("the seats are theirs", all(people[seat - 1].see(table)["you"] == seat for seat in (1, 2)))
            if acknowledged:
                ply = len(acknowledged) - 1
                again = people[ply % 2].move(table, 1 + ply % 2, ply, script[ply], id=str(ply + 1), spent=5)
                check("the same again is granted", again.status == 200, again)
            moves += len(known)
            more += len(known) > len(acknowledged)
            acknowledged[:] = known
            if told["phase"] == "playing" and len(known) < len(script):
                going.append([table, people, script, acknowledged])
        tables = going
        for stranger, table in strangers[-20:]:
            stranger.server = server
            told = stranger.see(table)
            check("visitors and their tables are known", told.get("you") == 1 and told["phase"] == "waiting", told)
    check("there was load", moves > 10 * rounds and strangers, (moves, len(strangers)))
    check("ends", server.stop() == 0, server.said())
    checked = online.subprocess.run([online.SERVER, "--check", "--store", server.store], capture_output=True, text=True)
    check("all fine", checked.returncode == 0, checked.stderr)
    print(f"  {rounds} cuts, {moves} moves, {len(strangers)} visitors; {more} times a move was there whose answer was lost")


# ---- A disk that is slow, or cannot be written ----


def slow_disk():
    """Everything goes on at the disk's pace, and nobody pays for it with their time."""
    server = Faulty()
    scripts = random_scripts(8, 6)
    tables = [[*begin(server, "ksar", clock=TEN_MINUTES), script, []] for script in scripts]
    quiet, (ada, _) = begin(server, "ksar")
    stream = Stream(ada, quiet)
    stream.next()
    before = online.re.search(rb"^nonet_batches_total (\d+)", Visitor(server).get("/metrics").body, online.re.MULTILINE)[1]
    server.sync = 300
    begun = time.monotonic()
    threads = [threading.Thread(target=player, args=(server, *entry, threading.Event())) for entry in tables]
    for thread in threads:
        thread.start()
    reads, healths, most = 0, set(), 0
    while any(thread.is_alive() for thread in threads):
        asked = time.monotonic()
        check("what is on disk is told meanwhile", Visitor(server).get(f"/api/tables/{quiet}").status == 200)
        most = max(most, time.monotonic() - asked)
        reads += 1
        health = Visitor(server).get("/healthz")
        check("it is well", health.status == 200, health)
        healths.add(health.json["status"])
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    took = time.monotonic() - begun
    moves = sum(len(acknowledged) for *_, acknowledged in tables)
    batches = int(online.re.search(rb"^nonet_batches_total (\d+)", Visitor(server).get("/metrics").body, online.re.MULTILINE)[1]) - int(before)
    check("all moves were granted", all(acknowledged == script for _, _, script, acknowledged in tables), moves)
    check("each after a sync", took >= 6 * 0.3, took)
    check("many in one batch", batches < moves / 2, (batches, moves))
    check("nobody who reads waits", most < 0.25 * SLOW, most)
    check("it says why", "the disk is slow" in healths, healths)
    # The players answered at once: of all that time, nearly nothing was theirs.
    for table, people, *_ in tables:
        left = clocks_of(people[0].see(table))
        check("a clock stops when the move arrives", all(600000 - 1500 * SLOW < one <= 600000 for one in left), left)
    # A stream hears at once when a move is on disk, and no earlier.
    script = random_scripts(1)[0]
    asked = time.monotonic()
    reply = ada.move(quiet, 1, 0, script[0])
    answered = time.monotonic()
    stream.until(lambda event: event["event"] == "moved")
    check("told when it is on disk", reply.status == 200 and 0.3 <= answered - asked and time.monotonic() - answered < 0.2 * SLOW, (answered - asked, time.monotonic() - answered))
    server.sync = 0
    ada.do(quiet, "say", 1, phrase=1)
    ada.do(quiet, "say", 1, phrase=1)
    check("and is quick again", Visitor(server).get("/healthz").json["status"] == "fine")
    stream.close()
    check("ends", server.stop() == 0, server.said())
    print(f"  {moves} moves at 8 tables in {batches} batches and {took:.1f} s; {reads} reads, each within {1000 * most:.0f} ms")


def read_only():
    """A disk that can only be read: refused when the server starts; later 503, until it can be written again."""
    server = Faulty()
    script = random_scripts(1)[0]
    table, people = begin(server, "ksar", clock=TEN_MINUTES)
    check("one move", people[0].move(table, 1, 0, script[0]).status == 200)
    stream = Stream(Visitor(server), table)
    check("heard", stream.next()["moves"] == script[:1])
    server.read_only = 1
    for _ in range(3):
        reply = people[1].move(table, 2, 1, script[1], id="77")
        check("refused", reply.status == 503 and reply.json["kind"] == "disk", reply)
        check("what is on disk is told", people[1].see(table)["moves"] == script[:1])
    check("unhealthy", Visitor(server).get("/healthz").status == 503)
    server.read_only = 0
    online.until_healthy(server)
    check("it goes on", people[1].move(table, 2, 1, script[1], id="77").status == 200)
    stream.until(lambda event: event["event"] == "moved" and event["ply"] == 1 or len(event.get("moves", ())) == 2)
    stream.close()
    check("said once", server.said().count("cannot write the log") == 1, server.said())
    check("ends", server.stop() == 0, server.said())
    # From the start. Root may write everywhere, so somebody else tries.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nonet-read-only-"))
    program = shutil.copy(online.SERVER, folder / "nonet-serve")
    log = shutil.copy(server.store, folder / "log")
    user = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    for files, modes, part in (("a folder", (0o555, 0o644), "cannot open the log: Permission denied"), ("a file", (0o777, 0o444), "can only be read")):
        folder.chmod(modes[0])
        os.chmod(log, modes[1])
        before = pathlib.Path(log).read_bytes()
        got = online.subprocess.run([program, "--port", "0", "--store", log], capture_output=True, text=True, timeout=60, **user)
        check(f"{files} that can only be read", got.returncode == 1 and got.stderr.startswith("nonet: ") and part in got.stderr, got)
        check("is left alone", pathlib.Path(log).read_bytes() == before)
    folder.chmod(0o755)
    shutil.rmtree(folder)


# ---- Clocks ----


def clocks():
    """The time of day does not matter; a server that stood still takes nobody's time."""
    day = 86400000
    server = Faulty()
    script = random_scripts(1)[0]
    fast, quick = begin(server, "ksar", clock=TEN_MINUTES)
    slow, calm = begin(server, "ksar", clock={"kind": "move", "budget": day, "pause": day})

    def both(what, ply):
        """A move at each table, by whoever is on turn; then all clocks are as if nothing had happened."""
        for table, people, most in ((fast, quick, 600000), (slow, calm, 2 * day)):
            seat = 1 + ply % 2
            for person in people:
                person.link = None  # connections that did nothing for so long were closed
            told = people[0].see(table)
            check(f"{what}: nobody's time is over", told["phase"] == "playing" and all(most - 5000 * SLOW < left <= most for left in clocks_of(told)), told)
            reply = people[seat - 1].move(table, seat, ply, script[ply])
            check(f"{what}: it goes on", reply.status == 200, reply)

    both("before", 0)
    ply = 1
    for jump in (6 * 3600000, -6 * 3600000, 400 * day, -400 * day, 0):
        server.real = jump
        time.sleep(0.3)
        both(f"the time of day jumps to {jump}", ply)
        ply += 1
    server.real = -3 * day
    server.kill()
    server = server.again()
    for person in quick + calm:
        person.server = server
    server.real = 30 * day
    both("another day after a restart", ply)
    ply += 1
    # The machine was suspended for an hour, and for a week; then the program was stopped.
    stream = Stream(quick[0], fast)
    stream.next()
    for ahead in (3600000, 8 * day):
        server.monotonic = ahead
        time.sleep(0.3)
        both("the machine was suspended", ply)
        ply += 1
        event = stream.until(lambda event: event["event"] == "moved")[-1]
        check("streams go on", event["ply"] == ply - 1, event)
    left = clocks_of(quick[0].see(fast))
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(3.5)
    server.process.send_signal(signal.SIGCONT)
    now = clocks_of(quick[0].see(fast))
    check("a program that was stopped", all(before - 1500 * SLOW < after for before, after in zip(left, now)), (left, now))
    stream.close()
    # And time that passes is counted: in steps that a server under load could take.
    shortest, _ = begin(server, "ksar", clock={"kind": "game", "budget": 10000, "increment": 0})
    for step in range(1, 10):
        server.monotonic = 8 * day + 1200 * step
        time.sleep(0.15)
    for _ in range(100):
        told = Visitor(server).see(shortest)
        if told["phase"] == "over":
            break
        time.sleep(0.1)
    check("a flag falls when the time is over", told["phase"] == "over" and told["ending"] == "flagged", told)
    check("ends", server.stop() == 0, server.said())


# ---- Pages ----

PAGE = 4096


def small_log(end):
    """A log with all kinds of pages, its -wal if there is one, and what is true of each table. `end`: of the server."""
    server = Server()
    scripts = random_scripts(4, 30)
    visitors = [Visitor(server) for _ in range(90)]
    for visitor in visitors[:88]:
        visitor.do(visitor.open("trix", [{"name": "Cy"}, {}]).json["table"], "stand", 1)
    tables = []
    for round in range(6):
        begun = [[*begin(server, "ksar", clock=TEN_MINUTES if round % 2 else None), scripts[i], []] for i in range(4)]
        for ply in range(14 + round):  # a move at each table in turn
            for table, people, script, acknowledged in begun:
                if ply < len(script) and people[ply % 2].move(table, 1 + ply % 2, ply, script[ply]).status == 200:
                    acknowledged.append(script[ply])
        for table, people, *_ in begun[:2]:
            people[1].do(table, "resign", 2)
        tables += begun
    truth = {table: (people, people[0].see(table)) for table, people, *_ in tables}
    end(server)
    wal = pathlib.Path(server.store + "-wal")
    return pathlib.Path(server.store).read_bytes(), wal.read_bytes() if wal.exists() else b"", truth


SAME = ("moves", "phase", "you", "options")


def table_name(of):
    return "".join("0123456789abcdefghjkmnpqrstvwxyz"[of >> 5 * i & 31] for i in range(12, -1, -1))


def stored(of, before, line):
    """The bytes of a line in a page: its table, the line before it, its text; whole numbers are as short as possible."""
    sizes = [size for size in (1, 2, 3, 4, 6, 8) if before < 1 << 8 * size - 1]
    return of.to_bytes(8 if of >> 47 else 6, "big") + (before.to_bytes(sizes[0], "big") if before > 1 else b"") + line.encode()


def overwritten():
    """Whatever page is overwritten, with whatever: tables whose lines it had are refused, all others go on as they were."""
    data, _, truth = small_log(Server.stop)
    path = pathlib.Path(scratch.name) / "page.sqlite"
    path.write_bytes(data)
    log = sqlite3.connect(path)
    rows = [(number, of, stored(of, before, line)) for number, of, line, before in log.execute("SELECT number, of, line, before FROM events")]
    over = {table_name(of) for (of,) in log.execute("SELECT id FROM over")}
    log.close()
    lines = {name: {number for number, of, _ in rows if table_name(of) == name} for name in truth}
    count = len(data) // PAGE
    kinds = {
        "noise": lambda page: chance.randbytes(PAGE),
        "nothing": lambda page: bytes(PAGE),
        "another page": lambda page: data[(page + 5) % count * PAGE :][:PAGE],
        "half of itself": lambda page: data[page * PAGE :][: PAGE // 2] + chance.randbytes(PAGE // 2),
    }
    went_on = refused = doubtful = 0
    for page, kind in [(page, kind) for page in range(count) for i, kind in enumerate(kinds) if LONG or page % len(kinds) == i]:
        what = f"page {page + 1} of {count} becomes {kind}"
        before, after = data[page * PAGE :][:PAGE], kinds[kind](page)
        broken = data[: page * PAGE] + after + data[(page + 1) * PAGE :]
        bare = before[3:5] == b"\0\0"  # nothing was there
        gone = {number for number, _, bytes in rows if bytes in before and bytes not in after}
        for old in path.parent.glob("page.sqlite*"):
            old.unlink()
        path.write_bytes(broken)
        checked = online.subprocess.run([online.SERVER, "--check", "--store", path], capture_output=True, text=True, timeout=60)
        check(f"{what}: --check says so", bare or checked.returncode == 1 and "saves what can be read" in checked.stderr, checked)
        check(f"{what}: --check changes nothing", path.read_bytes() == broken)
        server = Server(store=str(path))
        said = server.said()
        check(f"{what}: the server starts", server.port, said)
        if not server.port:
            continue
        kept = list(path.parent.glob("page.sqlite-damaged-*[0-9]"))
        check(f"{what}: it says so, and keeps the damaged file", bare or len(kept) == 1 and str(kept[0]) in said.splitlines()[0] and kept[0].read_bytes() == broken, said)
        for name, (people, told) in truth.items():
            for person in people:
                person.server, person.link = server, None
            reply = people[0].get(f"/api/tables/{name}")
            right = reply.status == 200 and all(reply.json[key] == told[key] for key in SAME)
            if gone & lines[name]:
                check(f"{what}: {name} is refused", reply.status == 503 and "is lost" in reply.json["error"], (reply, gone))
                check(f"{what}: {name} is named", name in server.said() or "…" in said, server.said())
                refused += 1
            elif not gone or name in over or max(lines[name]) > max(gone):
                check(f"{what}: {name} goes on", right, (reply, gone))
                went_on += 1
            else:  # a line that is gone could be its last one
                check(f"{what}: {name} is right or refused", right or reply.status == 503, (reply, gone))
                doubtful += 1
        new = Visitor(server).open("trix", [{"name": "Cy"}, {}])
        check(f"{what}: a new table", new.status == 201, new)
        check("ends", server.stop() == 0, server.said())
        server = server.again()
        check(f"{what}: another start finds all well", server.port and "kept as" not in server.said(), server.said())
        check(f"{what}: the new table is there", Visitor(server).see(new.json["table"])["phase"] == "waiting")
        server.stop()
    print(f"  {count} pages: {went_on} times a table went on, {refused} times its lines were lost, {doubtful} times that was in doubt")


def overwritten_and_killed():
    """The same where the newest pages are still in the -wal: no table is shown otherwise than it was."""
    data, wal, truth = small_log(Server.kill)
    count = len(data) // PAGE
    check("there is a -wal", len(wal) > PAGE and count > 10, (len(wal), count))
    path = pathlib.Path(scratch.name) / "killed.sqlite"
    went_on = refused = 0
    for page in range(count if LONG else 6):
        broken = data[: page * PAGE] + chance.randbytes(PAGE) + data[(page + 1) * PAGE :]
        for old in path.parent.glob("killed.sqlite*"):
            old.unlink()
        path.write_bytes(broken)
        pathlib.Path(f"{path}-wal").write_bytes(wal)
        server = Server(store=str(path))
        check(f"page {page + 1}: the server starts", server.port, server.said())
        for name, (people, told) in truth.items() if server.port else ():
            for person in people:
                person.server, person.link = server, None
            reply = people[0].get(f"/api/tables/{name}")
            right = reply.status == 200 and all(reply.json[key] == told[key] for key in SAME)
            check(f"page {page + 1}: {name} is right or refused", right or reply.status == 503 and "is lost" in reply.json["error"], reply)
            went_on += right
            refused += not right
        server.stop()
    check("most tables go on", went_on > 2 * refused, (went_on, refused))
    print(f"  {count} pages: {went_on} times a table went on, {refused} times it was refused")


PARTS = {part.__name__: part for part in (power_cuts, slow_disk, read_only, clocks, overwritten, overwritten_and_killed)}

if __name__ == "__main__":
    for name in [word for word in online.WORDS if word != "long"] or PARTS:
        begun = time.monotonic()
        PARTS[name]()
        print(f"{name}: {time.monotonic() - begun:.1f} s")
    close()
