"""A stand-in for paraph-web that says what a test wants; `Server` passes it what is below /v1/."""
import base64
import json
import queue
import socket
import threading

# One pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><title>é</title></svg>'
SIGNATURE = {
    "id": "01a2030b-b30b-74b5-9ffb-2ead63f9d721", "digest": "0" * 64, "time": "2026-11-23T10:00:00Z", "width": 1, "height": 1,
    "dpi": 300.0, "png": base64.b64encode(PNG).decode(), "svg": base64.b64encode(SVG.encode()).decode(),
    "strokes": [{"samples": [{"t": 0.0, "x": 1.0, "y": 2.0}]}],
}
SAVED = {"state": "saved", "signature": SIGNATURE}
# Instead of an answer: the connection ends, or stays open.
BREAK = "break"
WAIT = "wait"


def problem(status, name, **details):
    return status, {"type": f"urn:paraph:error:{name}", "title": name, "status": status, "detail": f"about {name}", **details}


# The pen of a pad by default.
PEN = {
    "model": "ductus", "narrowest": 0.46748465299606323, "widest": 1.2466257810592651, "prediction": 0.016, "ink": "#000000",
    "ground": "#ffffff",
}


def glass(width, height, signature=1):
    """The event of a clean glass with 4 pixels per millimetre."""
    return "begin", {"signature": signature, "width": width, "height": height, "scale": [4.0, 4.0], "pen": PEN}


def stroke(number, places, signature=1, start=0.0):
    """The event of a stroke through pixels of that glass, one every 8 ms."""
    steps = [[number, x / 4, y / 4, round(start + 0.008 * index, 6), None] for index, (x, y) in enumerate(places)]
    return "ink", {"signature": signature, "samples": [*steps, [number]]}


class FakeWeb:
    """Answers each request for a signature with the next of `answers`, and keeps what it is asked."""

    def __init__(self):
        self.answers = []
        self.outcomes = []
        # Of each page: the document, its number, its type and its bytes; and the answers instead of success.
        self.pages = []
        self.uploads = []
        # The number of each page that has arrived.
        self.arrived = queue.Queue()
        # The description; a problem, or WAIT.
        self.info = {"device": "pad", "version": "1", "state": "idle", "touchscreens": [], "web": {"mirror": False, "press": False}}
        self.asked = []
        self.tokens = []
        # The token that it requires.
        self.token = None
        self.cancelled = queue.Queue()
        # The answers to cancellations instead of success; an Event is success when it is set.
        self.cancellations = []
        self.pressed = queue.Queue()
        # The answers to presses instead of success.
        self.presses = []
        # A response (status, type, body) of another server to everything.
        self.foreign = None
        # Lists of events (name, data), one for each connection; the last one stays open.
        self.streams = []
        self.last_ids = []
        # The number of a connection that stays open although others follow.
        self.silent = None
        # One entry for each stream that its client has left.
        self.left = queue.Queue()

    def get(self, handler):
        self.tokens.append(handler.headers.get("Authorization"))
        if self.refuses(handler):
            return
        if handler.path == "/v1/info":
            if self.info == WAIT:
                return self.until_gone(handler)
            if isinstance(self.info, tuple):
                return self.reply(handler, *self.info)
            return self.reply(handler, 200, self.info)
        if handler.path.startswith("/v1/live"):
            return self.live(handler)
        self.reply(handler, *problem(404, "NotFound"))

    def live(self, handler):
        self.last_ids.append(handler.headers.get("Last-Event-ID"))
        number = len(self.last_ids)
        events = self.streams[number - 1] if number <= len(self.streams) else []
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        stream = "retry: 1000\n\n:\n\n"
        for index, (name, data) in enumerate(events):
            stream += f"id: {100 * number + index}\nevent: {name}\ndata: {json.dumps(data)}\n\n"
        # In parts that end anywhere.
        for start in range(0, len(stream), 700):
            handler.wfile.write(stream[start : start + 700].encode())
            handler.wfile.flush()
        if number >= len(self.streams) or number == self.silent:
            self.until_gone(handler)
            self.left.put(number)

    def post(self, handler):
        self.tokens.append(handler.headers.get("Authorization"))
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        value = json.loads(body) if body else {}
        if self.refuses(handler):
            return
        if handler.path == "/v1/cancel":
            self.cancelled.put(value)
            answer = self.cancellations.pop(0) if self.cancellations else (204, None)
            if isinstance(answer, threading.Event):
                answer.wait()
                answer = 204, None
            return self.until_gone(handler) if answer == WAIT else self.reply(handler, *answer)
        if handler.path in ("/v1/done", "/v1/clear"):
            self.pressed.put(handler.path)
            return self.reply(handler, *(self.presses.pop(0) if self.presses else (204, None)))
        if handler.path == "/v1/show":
            return self.reply(handler, 200, {"acknowledged": value.get("button", False)})
        if handler.path == "/v1/ask":
            return self.reply(handler, 200, self.outcomes.pop(0) if self.outcomes else {"outcome": "answered", "choice": len(value["choices"]) - 1})
        self.asked.append(value)
        answer = self.answers.pop(0) if self.answers else WAIT
        if answer == BREAK:
            handler.close_connection = True
            return handler.connection.shutdown(socket.SHUT_RDWR)
        if answer == WAIT:
            return self.until_gone(handler)
        if isinstance(answer, dict):
            answer = 200, answer
        self.reply(handler, *answer)

    def put(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        if self.refuses(handler):
            return
        _, document, number = handler.path.rsplit("/", 2)
        self.pages.append((document, int(number), handler.headers["Content-Type"], body))
        self.arrived.put(int(number))
        answer = self.uploads.pop(0) if self.uploads else (204, None)
        if answer == WAIT:
            return self.until_gone(handler)
        self.reply(handler, *answer)

    def refuses(self, handler):
        """Whether it has answered without looking at the request."""
        if self.foreign:
            status, kind, body = self.foreign
            handler.answer(status, body, kind)
        elif self.token and handler.headers.get("Authorization") != f"Bearer {self.token}":
            self.reply(handler, *problem(401, "Unauthorized"))
        else:
            return False
        return True

    @staticmethod
    def until_gone(handler):
        handler.close_connection = True
        try:
            handler.connection.recv(1)
        except OSError:
            pass

    @staticmethod
    def reply(handler, status, value):
        body = b"" if value is None else json.dumps(value).encode()
        handler.answer(status, body, "application/problem+json" if status >= 400 else "application/json")
