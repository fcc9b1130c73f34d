"""Done → published of a running paraphd, plain and sealed and signed.

usage: sealing.py PROGRAMS [SIGNATURES [FOLDER]]. A recorded hand signs again and again; PNG, SVG, InkML and samples are
saved in memory, or on the disk of FOLDER. Keys by openssl: the recipient's is RSA of 3072 bits, the pad's EC. Plain and
sealed runs take turns, three of each. Prints the medians in milliseconds: plain, sealed, sealed and signed; and the number of signatures of each.
"""
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDING = os.path.join(HERE, "..", "Fixtures", "hurried.evemu")
ROUNDS = 3
LINE = re.compile(r"published signature \d+ in ([0-9.]+) (µs|ms|s)")
UNITS = {"µs": 1e-3, "ms": 1, "s": 1e3}
CONFIGURATION = """[touch]
recording = {recording}
loop = yes
[display]
card = memory
pixels = 1280x800
size = 217x136
[signature]
formats = png svg inkml json
[spool]
path = {folder}/spool
"""
SEAL = "[seal]\nrecipients = {folder}/recipient.pem\nswap = allow\n"
SIGN = "[sign]\ncertificate = {folder}/pad.pem\nkey = {folder}/pad.key\n"
KINDS = ("", SEAL, SEAL + SIGN)


def main():
    programs, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    # In memory, neither the disk nor its cache is measured.
    place = sys.argv[3] if len(sys.argv) > 3 else "/dev/shm"
    with tempfile.TemporaryDirectory(prefix="paraph-bench-", dir=place) as folder:
        make_keys(folder)
        times = {kind: [] for kind in KINDS}
        for _ in range(ROUNDS):
            for kind in KINDS:
                times[kind] += run(programs, folder, kind, count)
    print(*(f"{statistics.median(times[kind]):.3f}" for kind in KINDS), ROUNDS * count)


def make_keys(folder):
    for name, kind in (("recipient", ["rsa:3072"]), ("pad", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])):
        command = ["openssl", "req", "-x509", "-newkey", *kind, "-nodes", "-subj", f"/CN={name}", "-days", "2"]
        paths = ["-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.pem"]
        subprocess.run(command + paths, check=True, capture_output=True)


def run(programs, folder, kind, count):
    """Times of so many signatures, in milliseconds."""
    configuration = configured(folder, kind)
    with open(f"{folder}/paraphd.conf", "w") as file:
        file.write(configuration)
    pad = subprocess.Popen([f"{programs}/paraphd", "-c", f"{folder}/paraphd.conf"], stderr=subprocess.PIPE, text=True)
    times, said = [], []
    for line in pad.stderr:
        said.append(line)
        times += published(line)
        if len(times) == count:
            break
    pad.send_signal(signal.SIGTERM)
    pad.stderr.read()
    pad.wait()
    if len(times) < count:
        sys.exit("bench: paraphd published too few signatures:\n" + "".join(said[-20:]))
    return times


def configured(folder, kind, recording=RECORDING):
    return CONFIGURATION.format(recording=recording, folder=folder) + kind.format(folder=folder)


def published(text):
    """The times in lines of the log, in milliseconds."""
    return [float(number) * UNITS[unit] for number, unit in LINE.findall(text)]


if __name__ == "__main__":
    main()
