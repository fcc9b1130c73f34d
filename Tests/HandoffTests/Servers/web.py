"""A real web server that misbehaves on request.

usage: web.py FOLDER PORTFILE [--tls [--client-certificates | --wrong-name]]
FOLDER has ca.pem, server.pem, server.key. Every request is appended to FOLDER/requests as a line of
JSON. What a request gets is told by its path: /ok, /status/CODE, /retry/CODE/SECONDS, /redirect/CODE?to=URL,
/cut (closes without an answer), /cut-late (in the middle of the answer), /stall (never answers),
/short (promises more than it sends), /long (sends more than it promises), /trailers (headers after the body),
/early/CODE (answers instead of "100 Continue", and closes without the body), /garbage (no HTTP), /flaky/N (503 for the first N),
/endless. CONNECT makes it a proxy.
"""
import email.parser
import email.policy
import hashlib
import http.server
import hmac
import json
import socket
import ssl
import sys
import threading
import time
import urllib.parse

from common import announce, carry

folder, portfile = sys.argv[1:3]
lock = threading.Lock()
flaky = {}


def parts(content_type, body):
    """The parts of a form, by an independent reader."""
    head = b"Content-Type: " + content_type.encode() + b"\r\n\r\n"
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    return [
        {
            "name": part.get_param("name", header="content-disposition"),
            "type": part.get_content_type(),
            "sha256": hashlib.sha256(part.get_payload(decode=True)).hexdigest(),
        }
        for part in message.iter_parts()
    ]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_expect_100(self):
        """False: the request ends with its headers."""
        if self.path.startswith("/early/"):
            self.handle_request()
            return False
        return super().handle_expect_100()

    def handle_request(self):
        if self.path.startswith("/early/"):
            self.reply(int(self.path.split("/")[2]))
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind = self.headers.get("Content-Type", "")
        record = {
            "method": self.command,
            "path": self.path,
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "sha256": hashlib.sha256(body).hexdigest(),
            "parts": parts(kind, body) if kind.startswith("multipart/") else [],
            "hmac": hmac.new(b"signing key", body, "sha256").hexdigest(),
        }
        with lock, open(folder + "/requests", "a") as log:
            log.write(json.dumps(record) + "\n")
        self.answer(urllib.parse.urlparse(self.path))

    do_POST = do_PUT = do_GET = handle_request

    def do_CONNECT(self):
        """A tunnel, as a proxy makes it for https."""
        with lock, open(folder + "/requests", "a") as log:
            log.write(json.dumps({"method": "CONNECT", "path": self.path}) + "\n")
        host, port = self.path.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as target:
            self.send_response(200)
            self.end_headers()
            back = threading.Thread(target=carry, args=(target, self.connection), daemon=True)
            back.start()
            carry(self.connection, target)
            back.join()
        self.close_connection = True

    def answer(self, url):
        words = url.path.strip("/").split("/")
        if words[0] == "status":
            self.reply(int(words[1]))
        elif words[0] == "retry":
            self.reply(int(words[1]), {"Retry-After": urllib.parse.unquote(words[2])})
        elif words[0] == "redirect":
            self.reply(int(words[1]), {"Location": urllib.parse.parse_qs(url.query)["to"][0]})
        elif words[0] == "cut":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        elif words[0] == "cut-late":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Le")
            self.wfile.flush()
            self.close_connection = True
        elif words[0] == "stall":
            time.sleep(3600)
        elif words[0] == "short":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort")
            self.wfile.flush()
            self.close_connection = True
        elif words[0] == "long":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nmuch more than that")
            self.wfile.flush()
            self.close_connection = True
        elif words[0] == "trailers":
            head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Digest\r\n\r\n"
            self.wfile.write(head + b"2\r\nok\r\n0\r\nDigest: x\r\n\r\n")
        elif words[0] == "garbage":
            self.wfile.write(b"\x00\xff\x00 not HTTP at all\r\n\r\n")
            self.wfile.flush()
            self.close_connection = True
        elif words[0] == "endless":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                pass
            self.close_connection = True
        elif words[0] == "flaky":
            with lock:
                flaky[self.path] = flaky.get(self.path, 0) + 1
                again = flaky[self.path] <= int(words[1])
            self.reply(503 if again else 200)
        else:
            self.reply(201)

    def reply(self, status, headers={}):
        body = b"" if status in (204, 304) else b"answer\n"
        self.send_response(status)
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
if "--tls" in sys.argv:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    who = "/client" if "--wrong-name" in sys.argv else "/server"
    context.load_cert_chain(folder + who + ".pem", folder + who + ".key")
    if "--client-certificates" in sys.argv:
        context.load_verify_locations(folder + "/ca.pem")
        context.verify_mode = ssl.CERT_REQUIRED
    # The handshake belongs to the connection's thread, or one silent client would stop all others.
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
announce(portfile, server.server_address[1])
server.serve_forever()
