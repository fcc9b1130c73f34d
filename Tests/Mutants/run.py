#!/usr/bin/env python3
"""Changes one operator, bound or statement at a time in the modules below, runs the tests of the changed module, and
prints the changes that no test notices, and the score.

All mutants of a seed are compiled in together, in a copy of the tree in .build/mutants, and PARAPH_MUTANT selects one: a
build for each would take a day. Left out are those that do not compile, the values of constants, and those of
equivalent.tsv.
usage: Tests/Mutants/run.py [--seed NUMBER] [--count NUMBER] [--only MODULE …] [--jobs NUMBER] [--mutants NUMBER …]
"""
import argparse
import concurrent.futures
import os
import random
import re
import resource
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rewrite

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPY = os.path.join(ROOT, ".build", "mutants")
SWIFT = os.environ.get("SWIFT", "swift")
# Name: the sources of which mutants are made, and the tests that should notice them. Those for ARM are not compiled here.
MODULES = {
    "Ink": (r"Sources/Ink/(?!.*\+ARM).*", r"^InkTests\."),
    "Raster": (r"Sources/Raster/(?!.*\+ARM).*", r"^RasterTests\."),
    "Signature": (r"Sources/Signature/.*", r"^SignatureTests\."),
    "Touch": (r"Sources/Touch/(?!Loop/|Device/|Recording/|Calibration/)[^/]*", r"^TouchTests\."),
    "Pad": (
        r"Sources/Pad/Session/.*",
        r"^PadTests\.(Session|OpenRequests|SlideSession|PadModel|BlankTimer|SaveLoop|RenderLoop)|^FuzzTests\.",
    ),
    "Spool": (r"Sources/Spool/.*", r"^SpoolTests\.|^FuzzTests\.|^HandoffTests\.DirectorySink"),
    "Handoff": (
        r"Sources/Handoff/Queue/(SinkQueue|ActiveQueue|CircuitBreaker|ItemIDSet|Scheduler|SpoolScanner)\.swift",
        r"^HandoffTests\.(Scheduler|ActiveQueue|SinkQueue|CircuitBreaker|Ledger|OrderedEntries|ItemIDSet|Delivery|Timestamp|Crash"
        r"|Erasure|FullDisk|HandoffReload)|^FuzzTests\.",
    ),
    "Control": (r"Sources/Control/.*", r"^ControlTests\."),
    "Configuration": (r"Sources/Configuration/.*", r"^ConfigurationTests\.|^CommandsTests\.|^HandoffTests\.HandoffValidator"),
}
SELECTOR = '''#if canImport(Glibc)
  internal import Glibc
#endif

/// The mutant that runs; 0: none.
let selectedMutant: Int = {
  guard let text = unsafe getenv("PARAPH_MUTANT") else { return 0 }
  return Int(unsafe atoi(text))
}()

@usableFromInline @inline(never) func mutant(_ number: Int) -> Bool { selectedMutant == number }
'''
# A mutant may allocate without end. In bytes.
MEMORY = 8 << 30


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", nargs="+", choices=sorted(MODULES), default=sorted(MODULES))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--mutants", type=int, nargs="+", default=[])
    arguments = parser.parse_args()
    sources = copy(arguments.only)
    chosen = choose(sources, random.Random(arguments.seed), arguments.count)
    compiled = build(sources, chosen)
    chosen = dict(list(compiled.items())[:arguments.count])
    program = os.path.join(said(SWIFT, "build", "--package-path", COPY, "--show-bin-path"), "paraphPackageTests.xctest")
    survivors, killed = run(program, chosen, arguments.jobs, arguments.mutants)
    total = len(survivors) + killed
    for number, site in survivors:
        print(f"survived: {number}: {site.path}:{site.line}: {site.change}")
    print(f"mutants: {killed} of {total} noticed, seed {arguments.seed}: score {killed / max(total, 1):.2f}")
    return 0


def module(path):
    return path.split("/")[1]


def copy(names):
    """Brings the copy of the tree up to date; {path: bytes} of the sources to be changed."""
    os.makedirs(COPY, exist_ok=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.splitlines()
    sources = {}
    for path in listed:
        whole, target = os.path.join(ROOT, path), os.path.join(COPY, path)
        if not os.path.isfile(whole) and not os.path.islink(whole):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.islink(whole):
            if not os.path.lexists(target):
                os.symlink(os.readlink(whole), target)
            continue
        with open(whole, "rb") as file:
            content = file.read()
        if path == "Package.swift":
            # A mutant may leave a variable unread.
            content = re.sub(rb"\[\.treatAllWarnings\(as: \.error\)\]", b"[]", content)
            content = content.replace(b".strictMemorySafety(),", b"")
            content = reduced(content.decode(), [MODULES[name][1] for name in names]).encode()
        for name in names:
            if re.fullmatch(MODULES[name][0] + r"(?<=\.swift)", path):
                sources[path] = content
        keep(target, content, os.stat(whole).st_mode)
    for name in names:
        keep(os.path.join(COPY, "Sources", name, "Mutant.swift"), SELECTOR.encode(), 0o644)
    return sources


def reduced(package, patterns):
    """The manifest with only the test targets that the patterns name, and what they need: the rest takes most of the
    build."""
    begin = package.index("  targets: [\n") + len("  targets: [\n")
    entries, position = {}, begin
    for found in re.finditer(r"^    (?:\.?\w+)\(", package, re.M):
        if found.start() < position:
            continue
        end, depth = found.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(package[end], 0)
            end += 1
        position = end
        entries[re.search(r'"([^"]+)"', package[found.start():end])[1]] = package[found.start():end]
    names = {name for name in entries if any(name + r"\." in pattern for pattern in patterns)}
    waiting = sorted(names)
    while waiting:
        needed = {name for name in re.findall(r'"([^"]+)"', entries[waiting.pop()]) if name in entries} - names
        names |= needed
        waiting += sorted(needed)
    head = re.sub(
        r'^    \.executable\(name: "([^"]+)".*\n', lambda line: line[0] if line[1] in names else "", package[:begin], flags=re.M
    )
    if not {"Ink", "Raster", "Signature", "PNG"} <= names:
        head = re.sub(r"^    \.library\(name.*\n", "", head, flags=re.M)
    return head + ",\n".join(text for name, text in entries.items() if name in names) + package[package.rindex("\n  ],\n"):]


def keep(path, content, mode):
    """Writes a file unless it is there already: the package manager compiles what is newer."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == content:
                return
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)


def choose(sources, generator, count):
    """Half more sites than wanted, as some do not compile: {number: site}, none of which overlap."""
    by_module, lines, known, met = {}, {}, equivalents(), set()
    for path in sorted(sources):
        lines[path] = sources[path].decode().split("\n")
        by_module.setdefault(module(path), []).extend(rewrite.sites(path, sources[path]))
    chosen, taken = [], {}
    for name in sorted(by_module):
        generator.shuffle(by_module[name])
    # From each module as many.
    share = -(-count * 3 // (2 * len(by_module)))
    for name, found in sorted(by_module.items()):
        wanted = share
        for site in found:
            # Known ones are shuffled too: a line more must not change the choice of a seed.
            change = (site.path, lines[site.path][site.line - 1].strip(), site.change)
            if change in known:
                met.add(change)
                continue
            others = taken.setdefault(site.path, [])
            if wanted == 0 or any(site.start < end and start < site.end for start, end in others):
                continue
            others.append((site.start, site.end))
            chosen.append(site)
            wanted -= 1
    for change in sorted(known - met):
        if change[0] in sources or not os.path.isfile(os.path.join(ROOT, change[0])):
            sys.exit(f"mutants: equivalent.tsv: {' '.join(change)}: there is no such place; remove or correct the line")
    generator.shuffle(chosen)
    return dict(enumerate(chosen, 1))


def equivalents():
    """The changes that no test can notice, each with its reason in the file: {(path, line, change)}."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "equivalent.tsv"), encoding="utf-8") as file:
        return {tuple(line.split("\t")[:3]) for line in file.read().splitlines()}


def build(sources, chosen):
    """Compiles, and leaves out what does not compile; the rest of the sites."""
    chosen, ended = dict(chosen), 0
    for _ in range(40):
        for path, content in sources.items():
            here = {number: site for number, site in chosen.items() if site.path == path}
            keep(os.path.join(COPY, path), rewrite.rewritten(content, here), 0o644)
        done = subprocess.run(
            [SWIFT, "build", "--build-tests", "--package-path", COPY], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace",
        )
        if done.returncode == 0:
            print(f"mutants: {len(chosen)} compiled", flush=True)
            return chosen
        wrong = set()
        for path, line in re.findall(r"^(?:" + re.escape(COPY) + r"/)?(Sources/\S+\.swift):(\d+):\d+: error:", done.stdout, re.M):
            here = [(number, site) for number, site in chosen.items() if site.path == path]
            exact = [number for number, site in here if site.line <= int(line) <= site.last_line]
            # A variable that is not initialised, for example, is reported where it is read.
            near = [min(here, key=lambda pair: abs(pair[1].line - int(line)))[0]] if here else []
            wrong.update(exact or near)
        # The kernel ends a compiler where memory is short.
        if not wrong and not re.search(r": error:", done.stdout) and ended < 3:
            ended += 1
            continue
        if not wrong:
            sys.exit(f"{done.stdout[-5000:]}\nmutants: the copy was not built")
        print(f"mutants: {len(wrong)} do not compile", flush=True)
        for number in wrong:
            del chosen[number]
    sys.exit("mutants: the copy was not built")


def run(program, chosen, jobs, only):
    """(the survivors, the number of those noticed)."""
    limits = {}
    for name in sorted({module(site.path) for site in chosen.values()}):
        begun = time.monotonic()
        if noticed(program, MODULES[name][1], 0, 1800):
            sys.exit(f"mutants: the tests of {name} fail without a mutant")
        limits[name] = 30 + 3 * (time.monotonic() - begun)
        print(f"mutants: the tests of {name} take {time.monotonic() - begun:.0f} s", flush=True)
    survivors, killed = [], 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {
            pool.submit(noticed, program, MODULES[module(site.path)][1], number, limits[module(site.path)]): (number, site)
            for number, site in chosen.items() if not only or number in only
        }
        for done in concurrent.futures.as_completed(waiting):
            number, site = waiting[done]
            if done.result():
                killed += 1
            else:
                survivors.append((number, site))
                print(f"survived so far: {number}: {site.path}:{site.line}: {site.change}", flush=True)
    return sorted(survivors, key=lambda pair: (pair[1].path, pair[1].line)), killed


def noticed(program, pattern, number, limit):
    """Whether a test fails, the program crashes or does not end. Ends at the first failure."""
    run = f"{os.getpid()}.{number}"
    environment = {
        **os.environ, "NO_COLOR": "1", "PARAPH_MUTANT": str(number), "PARAPH_MUTANT_RUN": run, "SWIFT_BACKTRACE": "enable=no",
    }
    child = subprocess.Popen(
        [program, "--testing-library", "swift-testing", "--filter", pattern], cwd=COPY, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    mark = f"PARAPH_MUTANT_RUN={run}"
    late = threading.Timer(limit, end, [mark])
    late.start()
    passed = False
    try:
        for line in child.stdout:
            if "recorded an issue" in line:
                if number == 0:
                    print(line)
                return True
            passed = passed or bool(re.search(r"Test run with [1-9]\d* tests.* passed", line))
        return child.wait() != 0 or not passed
    finally:
        late.cancel()
        end(mark)
        child.wait()


def end(mark):
    """Ends all processes with the mark in their environment: what a test starts has a process group of its own.

    Not those that keep their environment secret, which the tests of MODULES do not start, unless root runs this."""
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        found = False
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if mark.encode() in file.read().split(b"\0"):
                        os.kill(int(name), 9)
                        found = True
            except (FileNotFoundError, PermissionError, ProcessLookupError):
                pass
        if not found:
            return
        # A process has its environment until it has ended.
        time.sleep(0.01)
    print(f"mutants: a process with {mark} does not end", flush=True)


def said(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()


sys.exit(main())
