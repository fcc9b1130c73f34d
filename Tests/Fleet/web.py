"""A receiver of http sinks with faults: it refuses, resets, stalls and loses answers, as servers and their proxies do."""
import collections
import email
import email.policy
import hashlib
import http.server
import random
import socket
import struct
import threading
import time

from engines import Failure, wait
from pads import Pads
from receivers import Arrivals

PORT, COUNT, SIGNATURES = 9703, 60, 15
# Which part of the requests goes wrong while the faults last, in seconds.
SHARE, FAULTS = 0.4, 40
TIME_LIMIT, RETRY_AFTER = 10, 7
SINK = """[sink web]
type = http
url = http://127.0.0.1:9703/{{device}}
time-limit = 10s
"""
# The first has not accepted the signature. After the others, the pad cannot know that the server has it.
KINDS = ["unavailable", "busy", "error", "reset", "cut", "lost", "stalled"]
UNKNOWING = {"cut", "lost", "stalled"}


class WebArrivals(Arrivals):
    def __init__(self):
        super().__init__("web")
        self.lock = threading.Lock()
        self.random = random.Random(7)
        self.ends = 0
        self.faults = collections.Counter()
        # Signatures that are never accepted; by pad, before when it must not come again; who came too early.
        self.unacceptable = set()
        self.earliest = {}
        self.early = 0

    def fault(self):
        if time.monotonic() > self.ends or self.random.random() > SHARE:
            return None
        kind = self.random.choice(KINDS)
        self.faults[kind] += 1
        return kind

    @property
    def repeats(self):
        return sum(count - 1 for count in self.messages.values())


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    arrivals = WebArrivals()

    def do_POST(self):
        arrivals, pad, item = self.arrivals, self.path[1:], self.headers["Idempotency-Key"]
        with arrivals.lock:
            arrivals.early += time.monotonic() < arrivals.earliest.pop(pad, 0)
            kind = None if item in arrivals.unacceptable else arrivals.fault()
        if kind == "reset":
            return self.end(reset=True)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if item in arrivals.unacceptable:
            return self.answer(422)
        if kind in ("unavailable", "busy"):
            with arrivals.lock:
                arrivals.earliest[pad] = time.monotonic() + RETRY_AFTER
            return self.answer(503 if kind == "unavailable" else 429, f"Retry-After: {RETRY_AFTER}\r\n")
        if kind == "error":
            return self.answer(500)
        self.store(pad, item, body)
        if kind == "stalled":
            time.sleep(TIME_LIMIT + 2)
        if kind == "cut":
            self.wfile.write(b"HTTP/1.1 204 No Content\r\nDate: ")
        if kind in UNKNOWING:
            return self.end()
        self.answer(204)

    def store(self, pad, item, body):
        arrivals = self.arrivals
        head = b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n"
        parts = {part.get_filename(): part.get_payload(decode=True)
                 for part in email.message_from_bytes(head + body, policy=email.policy.HTTP).iter_parts()}
        with arrivals.lock:
            arrivals.messages[item] += 1
            arrivals.pictures[item] = hashlib.sha256(parts["signature.png"]).hexdigest()
            arrivals.manifest(pad, item, parts["signature.json"])

    def answer(self, status, headers=""):
        length = "" if status == 204 else "Content-Length: 0\r\n"
        self.wfile.write(f"HTTP/1.1 {status} Fleet\r\n{headers}{length}\r\n".encode())

    def end(self, reset=False):
        if reset:
            # Closing sends a reset, and discards what was not sent.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        """A pad that gave up has closed the connection."""


def check(programs, folder):
    arrivals = Receiver.arrivals
    server = Server(("127.0.0.1", PORT), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pads = Pads(programs, folder, COUNT, PORT, None, template=SINK, name="web")
    first = pads.names[0]
    pads.sign(1, names=[first])
    arrivals.unacceptable = {pads.published[first][0][0]}
    pads.start()
    arrivals.ends = time.monotonic() + FAULTS
    for _ in range(SIGNATURES):
        pads.sign()
    rest = arrivals.ends - time.monotonic()
    wait("everything is delivered", max(rest, 0) + 180, lambda: pads.waiting() == 0)
    pads.stop()
    if pads.failed() != 1:
        raise Failure(f"{pads.failed()} signatures are in failed/, not the one that the server rejects")
    print("  faults:", ", ".join(f"{count} {kind}" for kind, count in sorted(arrivals.faults.items())), flush=True)
    arrivals.check(pads.published, arrivals.repeats, rejected=arrivals.unacceptable)
    unknowing = sum(arrivals.faults[kind] for kind in UNKNOWING)
    if arrivals.repeats != unknowing:
        raise Failure(f"{arrivals.repeats} repeats, but {unknowing} answers were lost")
    if arrivals.early:
        raise Failure(f"{arrivals.early} requests came before the time that Retry-After named")
