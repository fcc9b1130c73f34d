"""How long a client of paraphd waits while others do what they can to hold it up.

usage: hostile.py PARAPHD SECONDS [PROCESSES]. Of one process, or of so many, 128 connections ask for a signature and never read it, and 64 send calls for its
drawing without end; who is disconnected connects again. Meanwhile a client connects, asks for the state, and
closes. Prints five numbers: the median, the 99th percentile and the longest of its waits in milliseconds, the longest
time between two answers to the watchdog in milliseconds (of a service with WatchdogSec=2), and resident megabytes.
"""
import json
import os
import select
import signal
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "PadTests", "Programs"))
from pad import Pad

WATCH = b'{"method":"org.paraph.Pad.Watch"}\0'


def call(method, **parameters):
    return json.dumps({"method": "org.paraph.Pad." + method, "parameters": parameters}).encode() + b"\0"


def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    # With a time limit, connecting would fail at once while the queue is full.
    connection.connect(path)
    connection.settimeout(30)
    return connection


def ask(connection, message):
    connection.sendall(message)
    reply = b""
    while not reply.endswith(b"\0"):
        part = connection.recv(1 << 20)
        if not part:
            raise ConnectionResetError
        reply += part
    return json.loads(reply[:-1])["parameters"]


def attack(path, first, pipelined, numbers):
    """Those of 128 and 64 connections that have these numbers, until the process is killed."""
    poll, all_of_them = select.poll(), {}

    def add(reads):
        connection = connect(path)
        connection.setblocking(False)
        try:
            connection.send(pipelined * 50 if reads else first)
        except OSError:
            pass
        all_of_them[connection.fileno()] = connection, reads
        poll.register(connection, select.POLLIN | select.POLLOUT if reads else 0)

    for number in numbers:
        add(number >= 128)
    while True:
        for descriptor, events in poll.poll():
            connection, reads = all_of_them[descriptor]
            gone = events & (select.POLLHUP | select.POLLERR)
            try:
                if events & select.POLLIN and not gone:
                    connection.recv(1 << 20)
                if events & select.POLLOUT and not gone:
                    connection.send(pipelined * 50)
            except BlockingIOError:
                pass
            except OSError:
                gone = True
            if gone:
                poll.unregister(descriptor)
                del all_of_them[descriptor]
                connection.close()
                add(reads)


def measure(binary, seconds, processes):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
        name = f"\0paraph-hostile-{os.getpid()}"
        notices.bind(name)
        os.environ["NOTIFY_SOCKET"], os.environ["WATCHDOG_USEC"] = "@" + name[1:], "2000000"
        # 6,000 reports: six seconds of a panel with 1 kHz.
        pad = Pad(binary, signs={"reports": 2000, "pause": 0.001})
        try:
            with connect(pad.socket) as asking:
                asking.settimeout(120)
                identity = ask(asking, call("Sign"))["signature"]["id"]
            every = call("GetSignature", id=identity, formats=["png", "svg", "inkml", "strokes"])
            drawing = call("GetSignature", id=identity, formats=["svg"])
            attackers = []
            try:
                for number in range(processes):
                    attacker = os.fork()
                    if not attacker:
                        try:
                            attack(pad.socket, every, drawing, range(number, 192, processes))
                        finally:
                            os._exit(1)
                    attackers.append(attacker)
                # Until the attack is complete.
                time.sleep(2)
                return watch(pad, notices, seconds)
            finally:
                for attacker in attackers:
                    os.kill(attacker, signal.SIGKILL)
                    os.waitpid(attacker, 0)
        finally:
            pad.close()


def watch(pad, notices, seconds):
    notices.setblocking(False)
    waits, gap, end = [], 0, time.monotonic() + seconds
    fed = time.monotonic()
    while time.monotonic() < end:
        begun = time.monotonic()
        try:
            with connect(pad.socket) as connection:
                ask(connection, WATCH)
            waits.append(time.monotonic() - begun)
        except OSError:
            # Refused or disconnected counts as a long wait.
            waits.append(max(1.0, time.monotonic() - begun))
        time.sleep(0.01)
        try:
            while b"WATCHDOG=1" not in notices.recv(4096):
                pass
            now = time.monotonic()
            gap, fed = max(gap, now - fed), now
        except BlockingIOError:
            pass
    gap = max(gap, time.monotonic() - fed)
    with open(f"/proc/{pad.process.pid}/statm") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    waits.sort()
    return waits[len(waits) // 2], waits[len(waits) * 99 // 100], waits[-1], gap, resident


if __name__ == "__main__":
    median, p99, longest, gap, resident = measure(sys.argv[1], float(sys.argv[2]), int((sys.argv[3:] or [1])[0]))
    print(*(round(1000 * span, 1) for span in (median, p99, longest, gap)), round(resident / 1e6, 1))
