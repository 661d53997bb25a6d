#!/usr/bin/env python3
"""The solvers over MPI make the same tables as those in one process, to the byte, with any number of processes, and
after a kill.

Usage: spread.py NONET NONET-SOLVE [short]     (short: the small ones only, as under sanitizers)
"""
import fcntl
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from checking import check, close

NONET, SPREAD = sys.argv[1:3]
CASES = [(["template"], (1, 2, 5)), (["trix"], (2,)), (["kolem", "--material", "3"], (1, 2, 3, 5)),
         (["trix", "-o", "camps=side", "-o", "goal=filled"], (1, 3)), (["kudosu"], (3,)), (["mix3"], (2,)),
         (["kolem", "--material", "5"], (2, 3)), (["kolem", "-o", "steps=4", "--material", "4"], (1, 5))]
KILLED = [(["trix", "--checkpoint", "0"], 2), (["kolem", "--material", "5"], 3)]
if sys.argv[3:] == ["short"]:
    CASES = CASES[:3]
    KILLED = KILLED[:1]
# Under AddressSanitizer: memory that the MPI library itself never frees is not our leak.
environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   OMPI_MCA_btl="^tcp")  # all are on this machine; newer versions complain where it has no network
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]


def spread(processes, *words):
    return subprocess.run([*MPIRUN, str(processes), SPREAD, *words],
                          capture_output=True, text=True, env=environment, timeout=600)


def kill(started):
    """Kills all of mpirun at once: its processes first, so that it cannot end them in an orderly way."""
    children = pathlib.Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()
    for pid in [*map(int, children), started.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:  # ended just now
            pass
    started.wait()


def start_and_kill(processes, words, table, delay):
    """Kills this long after the first checkpoint of this run; returns whether that was before the table was
    complete."""
    work = pathlib.Path(f"{table}.work")
    before = {file: file.stat().st_mtime_ns for file in work.glob("*.checkpoint")}
    started = subprocess.Popen([*MPIRUN, str(processes), SPREAD, *words, "--output", str(table)], env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while started.poll() is None:
        try:
            if any(file.stat().st_mtime_ns != before.get(file) for file in work.glob("*.checkpoint")):
                break
        except OSError:
            pass
        time.sleep(0.002)
    time.sleep(delay)
    if started.poll() is None:
        kill(started)
    if (work / "lock").exists():  # killed processes hold it until they are completely gone
        with open(work / "lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
    return not table.exists()


def kill_in_time(processes, words, table, whole):
    """A run that continues from late checkpoints may end before the kill. Then the table is complete, and the next run
    begins anew."""
    for _ in range(5):
        if start_and_kill(processes, words, table, 0):
            return True
        check(f"{' '.join(words)}: ended before the kill", table.read_bytes() == whole)
        table.unlink()
    return False


with tempfile.TemporaryDirectory() as folder:
    for words, numbers in CASES:
        alone = pathlib.Path(folder) / "alone"
        subprocess.run([NONET, "solve", *words, "--output", str(alone)], check=True, capture_output=True)
        for processes in numbers:
            together = pathlib.Path(folder) / "together"
            got = spread(processes, *words, "--output", str(together))
            check(f"{' '.join(words)} on {processes}", got.returncode == 0 and together.read_bytes() == alone.read_bytes(), got.stderr)
            together.unlink(missing_ok=True)

    # Killed repeatedly, then continued by other numbers of processes.
    dice = random.Random(7)
    for words, processes in KILLED:
        name = " ".join(words)
        subprocess.run([NONET, "solve", *words, "--output", str(alone)], check=True, capture_output=True)
        killed = pathlib.Path(folder) / "killed"
        work = pathlib.Path(f"{killed}.work")
        whole = alone.read_bytes()
        for _ in range(3):
            if not start_and_kill(processes, words, killed, dice.random() * 0.3):
                check(f"{name}: the same bytes on the way", killed.read_bytes() == whole)
                killed.unlink()
        in_time = kill_in_time(processes, words, killed, whole)
        kept = list(work.glob("*.checkpoint"))
        check(f"{name}: a kill leaves checkpoints and no table", in_time and kept, kept)
        got = spread(processes, *words, "--output", str(killed))
        check(f"{name}: continues after a kill", got.returncode == 0 and got.stderr == "" and killed.read_bytes() == whole, got.stderr)
        check(f"{name}: nothing is left of it", not work.exists(), list(work.glob("*")))
        killed.unlink(missing_ok=True)
        kill_in_time(processes, words, killed, whole)
        got = spread(processes + 1, *words, "--output", str(killed))
        check(f"{name}: another number of processes", got.returncode == 0 and "starting from the beginning" in got.stderr and killed.read_bytes() == whole, got.stderr)
        killed.unlink(missing_ok=True)
        kill_in_time(processes, words, killed, whole)
        got = subprocess.run([NONET, "solve", *words, "--output", str(killed)], capture_output=True, text=True)
        check(f"{name}: alone", got.returncode == 0 and "starting from the beginning" in got.stderr and killed.read_bytes() == whole, got.stderr)
        check(f"{name}: nothing is left of that", not work.exists(), list(work.glob("*")))
        killed.unlink(missing_ok=True)

    got = spread(2, "trix", "--output", "/proc/nowhere/table")
    check("a folder that is not there", got.returncode != 0 and "nonet: " in got.stderr, got.stderr)
    got = spread(2, "trix", "--material", "3", "--output", str(pathlib.Path(folder) / "x"))
    check("a cap where there is none", got.returncode != 0 and "solved as a whole" in got.stderr, got.stderr)
    got = spread(2, "kolem", "--material", "4", "--memory", "5M", "--output", str(pathlib.Path(folder) / "x"))
    check("too little memory for Kolem", got.returncode != 0 and "not enough memory" in got.stderr, got.stderr)
    got = spread(2, "mix3", "--memory", "1M", "--output", str(pathlib.Path(folder) / "x"))
    check("too little memory", got.returncode != 0 and "not enough memory" in got.stderr, got.stderr)
    got = spread(2, "ksar")
    check("usage", got.returncode != 0 and "usage" in got.stderr, got.stderr)
    got = spread(2, "masker", "--output", str(pathlib.Path(folder) / "x"))
    check("a game without a table", got.returncode != 0 and "neither listed nor ranked" in got.stderr, got.stderr)
    check("nothing half-written is left", sorted(os.listdir(folder)) == ["alone"], os.listdir(folder))
close()
