#!/usr/bin/env python3
"""Boots a board whose clock counts instructions, runs BoardBench on it, and prints what its work takes beside its peers.

The figures are the same on any host with the same QEMU, kernel, libraries and compiler, except those of sealing, which
OpenSSL's random numbers vary by a few percent. Those of all parts together are also written to
.build/bench-ARCHITECTURE.json, in the form of .build/bench.json.
--compare: prints what is more than 5 % worse than in baseline.json instead of the figures, of all parts but sealing.
--record: these figures become the baseline.
usage: ARCHITECTURE=arm64|armhf Tests/Bench/board.py [--compare|--record|PART...]; .ci/bench-board builds what it boots.
"""
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Appliance"))

import baseline
import sealing as sealed
from machine.architecture import ALL
from machine.initramfs import clear, pack
from machine.kernel import stock
from machine.places import read, source, write
from machine.snapshot import FIXED_ADDRESSES
from machine.vm import VM

# Nothing that differs from start to start: the times, the random numbers, where programs and kernel lie.
REPEATABLE = ("-machine", "dtb-randomness=off", "-seed", "1", "-rtc", "base=2026-01-01,clock=vm")
SCRIPT = """/bin/busybox mount -t proc proc /proc
/usr/bin/BoardBench {parts}
echo "BoardBench ended with $?"
/bin/busybox poweroff -f
"""
MODELS = ("ductus", "uberSignature", "velocityStrip", "polyline")
# The figures of Paraph's own work.
OWN = re.compile(r"^model (?!C$)|^(raster|redraw|copy) .* Paraph$|^touch |^scroll |^PNG (grey|palette)$")
INK = ("ductus", "uberSignature")
RASTER = {"arm64": 0.42, "armhf": 0.60}


def main():
    name = os.environ.get("ARCHITECTURE")
    if name not in RASTER:
        sys.exit(f"bench: no board is {name}; there are: {' '.join(RASTER)}")
    parts = sys.argv[1:]
    if parts in (["--compare"], ["--record"]):
        if parts == ["--compare"] and (reason := baseline.difference(name, tools(name))):
            sys.exit(baseline.skip(name, reason))
        figures = measure(name, [part for part in PARTS if part != "sealing"])
        rows = {figure: value for figure, value in figures.items() if OWN.search(figure)}
        if parts == ["--record"]:
            return baseline.record(name, tools(name), rows)
        sys.exit(baseline.compare(name, tools(name), rows))
    # Programs of the board, and not BoardBench.
    whole = [part for part in parts if part != "sealing"]
    report = Report(measure(name, whole) if whole or not parts else {})
    for part, add in PARTS.items():
        if not parts or part in parts:
            add(report, name)
    if set(parts or PARTS) >= set(PARTS):
        path = source(".build", f"bench-{name}.json")
        write(path, (json.dumps(report.rows, indent=2, ensure_ascii=False) + "\n").encode())


def tools(name):
    """What the figures depend on beside the sources: the compiler, the libraries, and the emulated machine."""
    architecture = ALL[name]
    told = {"swift": ("swift", "--version"), "qemu": (architecture.emulator[0], "--version")}
    found = {}
    for tool, command in told.items():
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        found[tool] = re.search(r"version (\S+)", said)[1]
    found["kernel"] = stock(architecture).key
    architecture = replace(architecture, boards=f"{name}-bookworm-bench", programs=("BoardBench",))
    for path, here in sorted(architecture.libraries(architecture.built()[0])):
        if re.search(r"/(libc|libm|libpng16|libz)\.so", path):
            found[os.path.basename(path)] = hashlib.sha256(read(here)).hexdigest()[:12]
    return found


def models(report, name):
    for model in MODELS:
        target = 3.2 if model == "ductus" else None
        report.share(f"model {model}", "model C", "samples", "sample", target)


def raster(report, name):
    for kind in INK:
        for peer in ("AGG", "FreeType", "cairo"):
            target = RASTER[name] if peer == "AGG" else None
            report.share(f"raster {kind} Paraph", f"raster {kind} {peer}", f"segments {kind}", "segment", target)
        report.share(f"redraw {kind} Paraph", f"redraw {kind} AGG", f"segments {kind}", "segment")


def touches(report, name):
    for kind in INK:
        for share in ("p50", "p99", "most"):
            figure = f"touch {kind} {share}"
            target = 60_000 if share == "p99" else None
            report.add(f"{figure}, 800×480", report.figures[figure], "instructions", target=target)


def copies(report, name):
    for form in ("XRGB8888", "RGB565"):
        report.share(f"copy {form} Paraph", f"copy {form} cairo", "pixels", "pixel")
    for form in ("grey", "colour"):
        report.add(f"scroll {form}", report.figures[f"scroll {form}"] / report.figures["pixels"], "instructions/pixel")


def png(report, name):
    for form in ("grey", "palette"):
        report.share(f"PNG {form}", "PNG libpng", "pixels", "pixel")
        report.against(f"PNG bytes {form}", "PNG bytes libpng")


def sealing(report, name):
    """The whole machine from Done to an item in the spool, also its kernel: an instruction takes a nanosecond. Random numbers
    of OpenSSL make a difference of some percent from run to run."""
    times = measure_sealing(name)
    words = ("plain", "sealed", "sealed and signed")
    for kind, word in zip(sealed.KINDS, words):
        report.add(f"Done to published, {word}", times[kind] * 1e6, "instructions of all")
    for kind, word in list(zip(sealed.KINDS, words))[1:]:
        report.add(f"Done to published, {word}", times[kind] / times[""], "×", "plain", 2)


def measure_sealing(name):
    """The medians of paraphd's own times of ten signatures in milliseconds, by the lines of the configuration."""
    board = f"{name}-bookworm"
    architecture = ALL[name]
    architecture = replace(
        architecture, boards=board, programs=("paraphd", "paraph-seal"), emulator=(*architecture.emulator, *REPEATABLE)
    )
    kernel = stock(architecture)
    vm = VM(kernel, pack(kernel, architecture.built()), counted=1, size=(1, 512), append=FIXED_ADDRESSES)
    times = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            sealed.make_keys(folder)
            for file in ("recipient.pem", "pad.pem", "pad.key"):
                vm.control.push(f"/run/{file}", read(os.path.join(folder, file)))
        vm.control.run("chmod 600 /run/pad.key")
        vm.control.push("/run/hand.evemu", read(sealed.RECORDING))
        for kind in sealed.KINDS:
            vm.control.push("/run/paraphd.conf", sealed.configured("/run", kind, "/run/hand.evemu").encode())
            begun = vm.log.length()
            vm.control.start("paraphd -c /run/paraphd.conf >/dev/console 2>&1; echo paraphd ended >/dev/console")
            vm.log.wait(r"published signature 10 |published signature [1-9]\d*0 ", timeout=600, after=begun)
            vm.control.run("kill $(pidof paraphd)")
            vm.log.wait("paraphd ended", after=begun)
            times[kind] = statistics.median(sealed.published(vm.log.text(begun)))
    except (OSError, RuntimeError, TimeoutError) as error:
        sys.exit(f"bench: no figures of sealing ({error})\n{vm.log.text()[-2000:]}")
    finally:
        vm.kill()
    return times


PARTS = {"models": models, "raster": raster, "touches": touches, "copies": copies, "png": png, "sealing": sealing}


def measure(name, parts):
    """The figures that BoardBench prints, by name."""
    board = f"{name}-bookworm-bench"
    architecture = ALL[name]
    architecture = replace(
        architecture, boards=board, programs=("BoardBench",), emulator=(*architecture.emulator, *REPEATABLE)
    )
    kernel = stock(architecture)
    script = SCRIPT.format(parts=" ".join(parts)).encode()
    # Beside those of the appliance's tests, which may run meanwhile.
    clear("bench")
    initramfs = pack(kernel, architecture.built(), [("bench.sh", script)], "bench")
    # An instruction takes a nanosecond.
    vm = VM(
        kernel, initramfs, counted=1, size=(1, 512), watched=True,
        append=f"{FIXED_ADDRESSES} rdinit=/bin/sh -- /bench.sh",
    )
    try:
        status = vm.log.wait(r"^BoardBench ended with (\d+)", timeout=240)[1]
    except TimeoutError as error:
        sys.exit(f"bench: no figures ({error})\n{vm.said()}{vm.log.text()[-2000:]}")
    finally:
        vm.kill()
    if status != b"0":
        sys.exit(f"bench: no figures (BoardBench ended with {status.decode()})\n{vm.log.text()[-2000:]}")
    return {key: int(value) for key, value in re.findall(r"^figure (.*): (\d+)$", vm.log.text(), re.M)}


class Report:
    """Rows as they are added, printed at once."""

    def __init__(self, figures):
        self.figures, self.rows, self.listed = figures, [], set()

    def share(self, ours, theirs, count, of, target=None):
        """Both per `of`, of which there are the figure `count`, and their ratio."""
        for name in (theirs, ours):
            if name not in self.listed:
                self.listed.add(name)
                self.add(name, self.figures[name] / self.figures[count], f"instructions/{of}")
        self.against(ours, theirs, target)

    def against(self, ours, theirs, target=None):
        against = theirs.split()[-1]
        self.add(ours.removesuffix(" Paraph"), self.figures[ours] / self.figures[theirs], "×", against, target)

    def add(self, name, value, unit, against=None, target=None):
        row = {"name": name, "value": value, "unit": unit}
        if against:
            row["against"] = against
        self.rows.append(row)
        line = f"{name} / {against}" if against else name
        line = f"{line:<44} {decimal(value):>10} {unit:<21}"
        if target is not None:
            line += f"≤ {decimal(target)} {'yes' if value <= target else 'NO'}"
        print(line.rstrip())


def decimal(value):
    """Three significant digits; from 100 on all digits."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{1 if value >= 10 else 2 if value >= 1 else 3}f}"


main()
