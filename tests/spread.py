#!/usr/bin/env python3
"""The solver over MPI makes the same tables as the solver in one process, to the byte, however many processes.

Usage: spread.py NONET NONET-SOLVE [short]     (short: the small ones only, as under sanitizers)
"""
import os
import pathlib
import subprocess
import sys
import tempfile

NONET, SPREAD = sys.argv[1:3]
CASES = [(["template"], (1, 2, 5)), (["trix"], (2,)), (["trix", "-o", "camps=side", "-o", "goal=filled"], (1, 3)), (["kudosu"], (3,)), (["mix3"], (2,))]
if sys.argv[3:] == ["short"]:
    CASES = CASES[:2]
# Under AddressSanitizer: what the MPI library itself never frees is not ours to report.
environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", OMPI_MCA_btl_vader_single_copy_mechanism="none")
passed = failed = 0


def check(name, condition, detail=""):
    global passed, failed
    passed += bool(condition)
    failed += not condition
    if not condition:
        print(f"FAILED: {name}: {detail}")


def spread(processes, *words):
    return subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), SPREAD, *words],
                          capture_output=True, text=True, env=environment, timeout=600)


with tempfile.TemporaryDirectory() as folder:
    for words, numbers in CASES:
        alone = pathlib.Path(folder) / "alone"
        subprocess.run([NONET, "solve", *words, "--output", str(alone)], check=True, capture_output=True)
        for processes in numbers:
            together = pathlib.Path(folder) / "together"
            got = spread(processes, *words, "--output", str(together))
            check(f"{' '.join(words)} on {processes}", got.returncode == 0 and together.read_bytes() == alone.read_bytes(), got.stderr)
            together.unlink(missing_ok=True)
    got = spread(2, "trix", "--output", "/nonexistent/table")
    check("a folder that is not there", got.returncode != 0 and "nonet: " in got.stderr, got.stderr)
    got = spread(2, "mix3", "--memory", "1", "--output", str(pathlib.Path(folder) / "x"))
    check("too little memory", got.returncode != 0 and "not enough memory" in got.stderr, got.stderr)
    got = spread(2, "ksar")
    check("usage", got.returncode != 0 and "usage" in got.stderr, got.stderr)
    got = spread(2, "kolem", "--output", str(pathlib.Path(folder) / "x"))
    check("a game with too many positions", got.returncode != 0 and "listing its positions" in got.stderr, got.stderr)
    check("nothing half-written is left", sorted(os.listdir(folder)) == ["alone"], os.listdir(folder))
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
