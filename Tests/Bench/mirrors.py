"""Ink of a paraphd that 100 mirrors show, and of one that none shows.

usage: mirrors.py PAIRS SECONDS. A pair is a run without mirrors and one with 100 readers of paraph-web's /v1/live, in
turns first: what drifts on the machine disturbs both. Prints the median of the runs' 99th percentiles from a report's
stamp to its pixels in microseconds, without and with mirrors; the 95 % interval of their ratio; and the number of samples
that the mirrors got. The pad draws into what is shown, so that no frame is waited for.
"""
import json
import os
import random
import selectors
import statistics
import sys
import tempfile
import time

from web_pad import Web, start_pad, until, write_recording

MIRRORS = 100
# Before the first report, in seconds, for the mirrors to connect.
LEAD = 3


def content(response):
    """The body of a response in chunks."""
    headers, _, rest = response.partition(b"\r\n\r\n")
    assert b"chunked" in headers.lower(), headers
    parts = []
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        parts.append(rest[:int(size, 16)])
        rest = rest[int(size, 16) + 2:]
    return b"".join(parts)


def watch(web, pad):
    """Reads all streams until the recording is over; returns the number of samples that came."""
    selector, bodies = selectors.DefaultSelector(), {}
    for _ in range(MIRRORS):
        connection = web.send("GET", "/v1/live")
        connection.sock.setblocking(False)
        selector.register(connection.sock, selectors.EVENT_READ)
        bodies[connection.sock] = []
    quiet = None
    while quiet is None or time.monotonic() < quiet:
        # Real mirrors run on other machines. Seldom reading keeps this process off the pad's processor.
        time.sleep(0.1)
        for key, _ in selector.select(0):
            bodies[key.fileobj].append(key.fileobj.recv(1 << 16))
            assert bodies[key.fileobj][-1], "paraph-web has dropped a mirror"
        if quiet is None and "the recording is over" in pad.text(pad.log):
            quiet = time.monotonic() + 2
    counts = set()
    for connection, body in bodies.items():
        steps = 0
        for line in content(b"".join(body)).split(b"\n"):
            if line.startswith(b'data: {"signature"') and b'"samples"' in line:
                steps += sum(len(step) > 1 for step in json.loads(line[6:])["samples"])
        counts.add(steps)
        connection.close()
    return counts


def measure(seconds, mirrors):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hand.evemu")
        samples = write_recording(path, LEAD, seconds)
        pad = start_pad(path, "present = front")
        web = Web(pad.socket, "mirror = yes")
        try:
            if mirrors:
                counts = watch(web, pad)
                assert counts == {samples}, f"mirrors got {counts} of {samples} samples"
            else:
                until(lambda: "the recording is over" in pad.text(pad.log), "the recording is over")
            web.close()
            pad.end()
            return pad.text(pad.log), samples * mirrors
        finally:
            pad.close()


def p99(log):
    """In microseconds, of the line "commit: p50 98 µs, p99 1.4 ms" at the pad's end."""
    figure, unit = log.rpartition("commit: p50 ")[2].partition(", p99 ")[2].split()[:2]
    return float(figure) * (1000 if unit.startswith("ms") else 1)


def interval(pairs):
    """The 95 % interval of the ratio of medians, by bootstrap (Efron 1979): of pairs, as both of one met the same load."""
    draw = random.Random(1)
    ratios = sorted(ratio(draw.choices(pairs, k=len(pairs))) for _ in range(10_000))
    return ratios[250], ratios[-251]


def ratio(pairs):
    calm, shown = zip(*pairs)
    return statistics.median(shown) / statistics.median(calm)


def main():
    seconds, pairs, seen = float(sys.argv[2]), [], 0
    for index in range(int(sys.argv[1])):
        pair = {}
        for mirrors in (0, MIRRORS) if index % 2 == 0 else (MIRRORS, 0):
            log, count = measure(seconds, mirrors)
            pair[mirrors] = p99(log)
            seen += count
        pairs.append((pair[0], pair[MIRRORS]))
        print("bench: p99 in microseconds without mirrors and with them", pairs[-1], file=sys.stderr, flush=True)
    calm, shown = zip(*pairs)
    print(statistics.median(calm), statistics.median(shown), *interval(pairs), seen)


main()
