#!/usr/bin/env python3
"""Counts the instructions of the bench's pure rows under callgrind, and fails with the names of those that are more than
5 % worse than in baseline.json. It counts only with the compiler, libraries and class of processor of the baseline.

usage: Tests/Bench/instructions.py [--record], which makes the figures the baseline
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import baseline

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SWIFT = os.environ.get("SWIFT", "swift")
# What the rows call, and what counts.
PACKAGES = ["libc6", "libpng16-16", "zlib1g", "valgrind"]


def main(record):
    architecture = said("dpkg", "--print-architecture").strip()
    if architecture != "amd64" and not record:
        # The emulated boards have reports of their own.
        return baseline.skip(f"{architecture}-host", "there is no baseline without an emulator")
    tools = {"swift": re.search(r"Swift version (\S+)", said(SWIFT, "--version"))[1], "processor": processor()}
    for line in said("dpkg-query", "-W", "-f", "${Package} ${Version}\n", *PACKAGES).splitlines():
        name, version = line.split()
        tools[name] = version
    reason = None if record else baseline.difference(architecture, tools)
    if reason:
        return baseline.skip(architecture, reason)
    rows = counted(build())
    if record:
        baseline.record(architecture, tools, rows)
        for name, value in rows.items():
            print(f"{name:<24}{value:>14,}")
        return 0
    return baseline.compare(architecture, tools, rows)


def processor():
    """What valgrind offers to the libraries, which choose their functions by it, depends on this alone."""
    with open("/proc/cpuinfo") as file:
        return "with AVX2" if re.search(r"^flags.*\bavx2\b", file.read(), re.M) else "without AVX2"


def build():
    """The path of the bench."""
    command = [SWIFT, "build", "-c", "release", "--package-path", os.path.join(ROOT, "Tests", "Bench")]
    done = subprocess.run(
        [*command, "--product", "Bench"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\ninstructions: the bench was not built")
    return os.path.join(said(*command, "--show-bin-path").strip(), "Bench")


def counted(program):
    """{row: instructions}, in the order in which they were counted."""
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind 3.19 gives up over the debugging information.
        subprocess.run(["strip", "-o", f"{folder}/bench", program], check=True)
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out", f"{folder}/bench",
             "instructions"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        rows = {}
        for path in sorted(glob.glob(f"{folder}/out.*"), key=lambda path: int(path.rpartition(".")[2])):
            with open(path, errors="replace") as file:
                text = file.read()
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
            if name:
                rows[name[1]] = int(re.search(r"^totals: (\d+)", text, re.M)[1])
        return rows


def said(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


if sys.argv[1:] not in ([], ["--record"]):
    sys.exit(__doc__)
sys.exit(main("--record" in sys.argv))
