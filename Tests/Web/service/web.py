"""paraph-web before a real paraphd on a panel in memory."""
import base64
import contextlib
import ctypes
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "Tests", "PadTests", "Programs"))
sys.path.append(os.path.join(ROOT, "Tests", "Appliance"))

from machine.png import encode  # noqa: E402
from machine.ports import free_port  # noqa: E402
from pad import Pad, hand, until  # noqa: E402

PROGRAMS = os.environ.get("PARAPH_PROGRAMS", os.path.join(ROOT, ".build", "debug"))
PAGES = os.path.join(ROOT, ".build", "web")
PARAPHD = os.path.join(PROGRAMS, "paraphd")
PARAPH_WEB = os.path.join(PROGRAMS, "paraph-web")
# The numbers of poll(2), if there is one, and ppoll(2).
WAITS = {"x86_64": ("7", "271"), "aarch64": (None, "73")}
JSON = {"Content-Type": "application/json"}


def skip(reason):
    raise unittest.SkipTest(reason)


class Web:
    """A daemon with a folder of its own, for the pad with this socket."""

    def __init__(self, pad, web="", more="", also="", activated=False, wrap=(), port=None):
        self.folder = tempfile.TemporaryDirectory(prefix="paraph-web-")
        self.port, self.socket = port or free_port(), self.path("web.sock")
        self.log = self.path("log")
        listen = f"127.0.0.1:{self.port} {self.socket} {also}"
        with open(self.path("web.conf"), "w") as file:
            file.write(f"[web]\nlisten = {listen}\npad = {pad}\npages = {PAGES}\n{web}\n{more}\n")
        self.activated, self.wrap = activated, list(wrap)
        self.listener = None
        if activated:
            self.listener = socket.create_server(("127.0.0.1", self.port))
        self.start()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def start(self):
        command, passed = [*self.wrap, PARAPH_WEB, "-c", self.path("web.conf")], ()
        if self.listener:
            passed = (self.listener.fileno(),)
            command = ["bash", "-c", f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&{passed[0]}', "bash", *command]
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(command, stderr=log, pass_fds=passed)
        until(self.answers, "paraph-web answers", 30)

    def answers(self):
        assert self.process.poll() is None, self.text()
        # Its first socket takes connections before the others exist: only a response says that it runs.
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as probe:
                probe.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
                return probe.recv(1) != b""
        except OSError:
            return False

    def text(self):
        with open(self.log) as file:
            return file.read()

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(30)
        if self.listener:
            self.listener.close()
        assert status == 0, f"paraph-web ended with {status}: {self.text()}"
        self.folder.cleanup()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def connection(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def send(self, method, path, body=None, headers=None):
        """A connection whose response has not been read."""
        connection = self.connection()
        headers = {**(JSON if body is not None else {}), **(headers or {})}
        connection.request(method, path, body if body is None or isinstance(body, (str, bytes)) else json.dumps(body), headers)
        return connection

    def ask(self, method, path, body=None, headers=None):
        """The status, and the body as JSON if it is."""
        connection = self.send(method, path, body, headers)
        try:
            response = connection.getresponse()
            data = response.read()
            is_json = "json" in (response.getheader("Content-Type") or "")
            return response.status, json.loads(data) if is_json else data
        finally:
            connection.close()

    @contextlib.contextmanager
    def stopped(self):
        """It does nothing meanwhile; what it is sent waits in the kernel."""
        self.process.send_signal(signal.SIGSTOP)
        # All its threads have stopped.
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def accepted(self, connection):
        """A copy of the daemon's end of a connection; None until it has accepted it."""
        process = os.pidfd_open(self.process.pid)
        try:
            for name in os.listdir(f"/proc/{self.process.pid}/fd"):
                # SYS_pidfd_getfd, which neither Python nor this C library has a function for.
                number = ctypes.CDLL(None).syscall(438, process, int(name), 0)
                if number < 0:
                    continue
                try:
                    end = socket.socket(fileno=number)
                except OSError:
                    os.close(number)
                    continue
                try:
                    if end.getpeername() == connection.getsockname():
                        return end
                except OSError:
                    pass
                end.close()
        finally:
            os.close(process)
        return None

    def memory(self):
        """In KiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def rests(self):
        """Whether it waits without a time limit: in poll(2) with -1, or ppoll(2) without a time."""
        with open(f"/proc/{self.process.pid}/syscall") as call:
            number, *arguments = call.read().split()
        poll, ppoll = WAITS.get(os.uname().machine) or skip("the numbers of this machine's system calls are unknown")
        if number == poll:
            return int(arguments[2], 16) & 0xffffffff == 0xffffffff
        return number == ppoll and int(arguments[2], 16) == 0

    def state(self):
        return self.ask("GET", "/v1/info")[1]["state"]


def png(width, height, shade=0):
    """A grey picture."""
    return encode(width, height, 1, bytes([shade]) * (width * height))


def press(pad, button):
    """Presses a button of a pad without paraph-web; whether it was enabled."""
    with socket.socket(socket.AF_UNIX) as program:
        program.connect(pad.socket)
        program.sendall(b'{"method":"org.paraph.Pad.Press","parameters":{"button":"%s"}}\0' % button.encode())
        program.settimeout(60)
        reply = b""
        while not reply.endswith(b"\0"):
            part = program.recv(65536)
            assert part, "the pad has closed the connection"
            reply += part
    return "error" not in json.loads(reply[:-1])


class Live:
    """A reader of the live stream."""

    def __init__(self, web, path="/v1/live", headers=None):
        self.connection = web.send("GET", path, None, headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()

    def events(self):
        """Events as (number, name, data), without end; None is the number within a snapshot."""
        number = name = None
        while line := self.response.readline():
            key, _, value = line.decode().rstrip("\n").partition(": ")
            if key.rstrip(":") == "id":
                number = int(value) if value else None
            elif key == "event":
                name = value
            elif key == "data":
                yield number, name, json.loads(value)

    def close(self):
        self.connection.close()


class Told:
    """A pad that says what a test has it say."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="paraph-told-")
        self.path = os.path.join(self.folder.name, "pad.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()

    def call(self):
        """The next call: its connection, and its method."""
        connection, _ = self.listener.accept()
        text = b""
        while not text.endswith(b"\0"):
            text += connection.recv(65536)
        return connection, json.loads(text[:-1])["method"].rpartition(".")[2]

    def close(self):
        self.listener.close()
        self.folder.cleanup()


class Tap:
    """A socket for paraph-web that passes everything on, to the pad with this socket and back, and keeps what the pad is told."""

    def __init__(self, pad):
        self.folder = tempfile.TemporaryDirectory(prefix="paraph-tap-")
        self.pad, self.path, self.told = pad, os.path.join(self.folder.name, "pad.sock"), []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                program, _ = self.listener.accept()
            except OSError:
                return
            pad = socket.socket(socket.AF_UNIX)
            pad.connect(self.pad)
            for ends in ((program, pad, self.told), (pad, program, [])):
                threading.Thread(target=self.pass_on, args=ends, daemon=True).start()

    @staticmethod
    def pass_on(source, target, kept):
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                kept.append(part)
                target.sendall(part)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def close(self):
        self.listener.close()
        self.folder.cleanup()


class Shelf:
    """A pad that keeps the pages of each connection, and says about a request what a test wants."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="paraph-shelf-")
        self.path = os.path.join(self.folder.name, "pad.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        # One for each connection with pages: {"pages": {number: bytes}, "parts": sizes, "request": parameters, "ended": event}.
        self.connections = []
        # Errors by the number of a page.
        self.bad = {}
        # Set: it answers to parts.
        self.answers = threading.Event()
        self.answers.set()
        # The reply to a request; None: the person reads.
        self.result = None
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        held = {"pages": {}, "parts": [], "request": None, "ended": threading.Event()}
        rest = b""
        try:
            while part := connection.recv(65536):
                *messages, rest = (rest + part).split(b"\0")
                for message in messages:
                    call = json.loads(message)
                    reply = self.reply(call["method"].rpartition(".")[2], call["parameters"], held)
                    if reply is not None:
                        connection.sendall(json.dumps(reply).encode() + b"\0")
        except OSError:
            pass
        held["ended"].set()
        connection.close()

    def reply(self, method, parameters, held):
        if held not in self.connections and method in ("PutPage", "Sign"):
            self.connections.append(held)
        if method == "PutPage":
            number, data = parameters["number"], base64.b64decode(parameters["data"])
            self.answers.wait(30)
            held["parts"].append(len(data))
            page = held["pages"].setdefault(number, bytearray())
            if parameters["offset"] == 0:
                page.clear()
            if number in self.bad or parameters["offset"] != len(page):
                reason = self.bad.get(number, "the part is not the next one")
                return {"error": "org.paraph.Pad.BadDocument", "parameters": {"page": number, "reason": reason}}
            page += data
            return {"parameters": {}}
        if method == "Sign":
            held["request"] = parameters
            missing = [n for n in range(1, parameters["document"]["pages"] + 1) if n not in held["pages"]]
            if missing:
                return {"error": "org.paraph.Pad.BadDocument", "parameters": {"page": missing[0], "reason": "it is missing", "lost": True}}
            return self.result and {"parameters": self.result}
        return {"parameters": {"state": "idle"}}

    def close(self):
        self.answers.set()
        self.listener.close()
        self.folder.cleanup()


class Ink:
    """The strokes that a mirror has, by the events of the stream."""

    def __init__(self):
        self.strokes, self.begin, self.signature = [], None, None

    def take(self, name, data):
        if name == "begin":
            self.strokes, self.begin, self.signature = [], data, data["signature"]
        elif name == "ink":
            assert data["signature"] == self.signature
            for step in data["samples"]:
                if len(step) == 1:
                    continue
                stroke, x, y, t, pressure = step[:5]
                if stroke == len(self.strokes):
                    self.strokes.append({"samples": [], "gaps": []})
                assert stroke == len(self.strokes) - 1
                if len(step) > 5:
                    self.strokes[stroke]["gaps"].append(len(self.strokes[stroke]["samples"]))
                sample = {"t": t, "x": x, "y": y}
                if pressure is not None:
                    sample["pressure"] = pressure
                self.strokes[stroke]["samples"].append(sample)
        elif name == "undo":
            self.strokes.pop()
        elif name == "clear":
            self.strokes = []

    def plain(self):
        """As the pad's replies have them."""
        return [stroke if stroke["gaps"] else {"samples": stroke["samples"]} for stroke in self.strokes]


__all__ = [
    "Pad", "Web", "Live", "Told", "Shelf", "Ink", "png", "until", "free_port", "hand", "press", "PAGES", "PARAPHD", "PARAPH_WEB", "PROGRAMS", "JSON", "ROOT",
]
