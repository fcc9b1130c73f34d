"""Ink of a running paraphd while 100 programs hammer its socket, and while none does.

usage: hammer.py PARAPHD SECONDS. Prints three numbers: the 99th percentile from a report's stamp to its pixels in
microseconds, without and with them; and how many calls were answered. The pad draws into what is shown: a flip's pace
would hide what the programs cost. It has the scheduling of its service where we may give it.
"""
import json
import os
import selectors
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "PadTests", "Programs"))
from pad import Pad, until

CALLS = [b'{"method":"org.paraph.Pad.%s"}\0' % method for method in (b"GetInfo", b"Watch", b"Nothing")]


def ask(pad):
    """What GetInfo answers."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(pad.socket)
        connection.sendall(CALLS[0])
        reply = b""
        while not reply.endswith(b"\0"):
            reply += connection.recv(65536)
    return json.loads(reply[:-1])["parameters"]


def hammer(pad, seconds, count=100):
    """Each connection sends its next call when it has its answer."""
    selector, answers = selectors.DefaultSelector(), 0
    for number in range(count):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(pad.socket)
        connection.sendall(CALLS[number % len(CALLS)])
        selector.register(connection, selectors.EVENT_READ, CALLS[number % len(CALLS)])
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for key, _ in selector.select(1):
            if key.fileobj.recv(65536).endswith(b"\0"):
                answers += 1
                key.fileobj.sendall(key.data)
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    return answers


def signing(binary):
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
    except PermissionError:
        pass
    try:
        return Pad(binary, signs=True, invite="always", display="present = front")
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def measure(binary, seconds, hammered):
    pad = signing(binary)
    try:
        until(lambda: "latency" in ask(pad), "somebody signs")
        answers = hammer(pad, seconds) if hammered else time.sleep(seconds)
        return ask(pad)["latency"]["p99"], answers
    finally:
        pad.close()


binary, seconds = sys.argv[1], float(sys.argv[2])
calm, loud, answers = [], [], 0
for _ in range(3):
    calm.append(measure(binary, seconds, False)[0])
    p99, count = measure(binary, seconds, True)
    loud.append(p99)
    answers += count
print(sorted(calm)[1], sorted(loud)[1], answers)
