"""A pad that is killed in mid-signature and started again: how long until its ink and its request are back.

usage: restart.py PARAPHD ROUNDS. Prints the median and the longest time in milliseconds from starting the program
anew to its first picture, ink and words in it, and to the answer of its open request, whichever is later.
"""
import os
import re
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "PadTests", "Programs"))
from pad import Pad, until

SIGN = b'{"method":"org.paraph.Pad.Sign","parameters":{"reference":"4711"},"more":true}\0'


def sign(pad):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(pad.socket)
    connection.sendall(SIGN)
    return connection


def measure(binary):
    pad = Pad(binary, signs=True, pixels="1280x800")
    try:
        asking = sign(pad)
        until(lambda: pad.journal().steps > 60, "ink is noted")
        pad.end("KILL")
        asking.close()
        begun = time.monotonic()
        pad.start()
        with sign(pad) as again:
            assert b'"state":"signing"' in again.recv(65536).replace(b" ", b""), "the request is not open"
            answered = time.monotonic()
        log = until(lambda: (text := pad.text(pad.log)[pad.begun:]).count("first frame shown") and text, "a picture")
        assert "paraph: restored " in log, log
        shown = int(re.search(r"first frame shown \(monotonic (\d+)", log)[1]) / 1e9
        return 1000 * (max(shown, answered) - begun)
    finally:
        pad.close()


times = sorted(measure(sys.argv[1]) for _ in range(int(sys.argv[2])))
print(times[len(times) // 2], times[-1])
