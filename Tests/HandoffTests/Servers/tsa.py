"""A time stamp authority by `openssl ts`, which misbehaves on request.

usage: tsa.py FOLDER PORTFILE AUTHORITY [OTHER]
AUTHORITY and OTHER have the files of authorities. What a request gets is told by the file FOLDER/mode, or by its path if
that is not "/": ok, other (signed by OTHER), nonce (of another request), imprint (of other bytes), reject (a digest that is not
accepted), status/CODE, retry/CODE/SECONDS, html, huge, garbage, empty, stall. Every request is a line of FOLDER/requests.
"""
import http.server
import json
import subprocess
import sys
import threading
import time

from common import announce

folder, portfile, authority = sys.argv[1:4]
other = sys.argv[4] if len(sys.argv) > 4 else authority
lock = threading.Lock()


def openssl(*words):
    subprocess.run(["openssl", "ts", *words], check=True, capture_output=True)


def reply(query, by):
    """What the authority answers to a request."""
    with lock:
        paths = [folder + name for name in ("/query.tsq", "/reply.tsr")]
        with open(paths[0], "wb") as file:
            file.write(query)
        openssl("-reply", "-config", by + "/tsa.cnf", "-queryfile", paths[0], "-out", paths[1])
        with open(paths[1], "rb") as file:
            return file.read()


def query(*words):
    """Another request."""
    with lock:
        openssl("-query", "-cert", "-out", folder + "/other.tsq", *words)
        with open(folder + "/other.tsq", "rb") as file:
            return file.read()


def imprint(body):
    """The digest of a request, which is the octet string of 32 bytes in it."""
    start = body.index(b"\x04\x20") + 2
    return body[start : start + 32].hex()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        record = {
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "imprint": imprint(body),
        }
        with lock, open(folder + "/requests", "a") as log:
            log.write(json.dumps(record) + "\n")
        mode = self.path.strip("/")
        if not mode:
            with open(folder + "/mode") as file:
                mode = file.read()
        words = mode.split("/")
        if words[0] == "ok":
            self.answer(reply(body, authority))
        elif words[0] == "other":
            self.answer(reply(body, other))
        elif words[0] == "nonce":
            self.answer(reply(query("-digest", imprint(body), "-sha256"), authority))
        elif words[0] == "imprint":
            changed = bytearray(body)
            changed[body.index(b"\x04\x20") + 2] ^= 1
            self.answer(reply(bytes(changed), authority))
        elif words[0] == "reject":
            self.answer(reply(query("-digest", "00" * 20, "-sha1"), authority))
        elif words[0] == "status":
            self.answer(b"no\n", int(words[1]))
        elif words[0] == "retry":
            self.answer(b"later\n", int(words[1]), {"Retry-After": words[2]})
        elif words[0] == "html":
            self.answer(b"<html>Please log in to the hotel's network</html>")
        elif words[0] == "garbage":
            self.answer(b"\x30\x82\xff\xff\x02\x01")
        elif words[0] == "empty":
            self.answer(b"")
        elif words[0] == "huge":
            self.close_connection = True
            self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                pass
        elif words[0] == "stall":
            time.sleep(3600)

    def answer(self, body, status=200, headers={}):
        self.send_response(status)
        self.send_header("Content-Type", "application/timestamp-reply")
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
announce(portfile, server.server_address[1])
server.serve_forever()
