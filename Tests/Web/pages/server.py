"""Serves the pages as paraph-web does, with its policy, on a port of its own."""
import http.server
import os
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PAGES = os.path.join(ROOT, ".build", "web")
# paraph-web sends it with every page.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "wasm": "application/wasm", "png": "image/png", "svg": "image/svg+xml", "json": "application/json",
}
NAMES = {"/": "/index.html", "/kiosk": "/kiosk.html"}
# For tests of a canvas alone.
BLANK = b"<!doctype html><html lang=en><title>Test</title><body></body></html>"

# For workers.
WORKERS = {
    "/import.js": b'import("/paraph.js").then(({ Unreachable }) => postMessage(Unreachable.name), (error) => postMessage(String(error)));',
    "/connect.js": b"""
        import("/paraph.js").then(async ({ connect }) => {
          const pad = await connect("/");
          postMessage([(await pad.info()).state, (await pad.sign()).id]);
        }).catch((error) => postMessage(String(error)));
        """,
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A body behind its headers would wait for their acknowledgement, 40 ms for each file.
    disable_nagle_algorithm = True

    def do_GET(self):
        if self.server.pad and self.path.startswith("/v1/"):
            return self.server.pad.get(self)
        page = self.path.partition("?")[0]
        if page in WORKERS:
            return self.answer(200, WORKERS[page], TYPES["js"])
        if page == "/blank":
            return self.answer(200, BLANK, TYPES["html"])
        name = NAMES.get(page, page).lstrip("/")
        path = os.path.join(PAGES, os.path.basename(name))
        if not os.path.isfile(path):
            return self.answer(404, b"", "text/plain")
        with open(path, "rb") as file:
            self.answer(200, file.read(), TYPES.get(name.rpartition(".")[2], "application/octet-stream"))

    def do_POST(self):
        if self.server.pad and self.path.startswith("/v1/"):
            return self.server.pad.post(self)
        self.answer(404, b"", "text/plain")

    def do_PUT(self):
        if self.server.pad and self.path.startswith("/v1/"):
            return self.server.pad.put(self)
        self.answer(404, b"", "text/plain")

    def answer(self, status, body, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", self.server.policy)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Serves until the program ends; `pad` answers what is below /v1/."""
    daemon_threads = True

    def __init__(self, pad=None, context=None, policy=POLICY, port=0):
        """context: for TLS; policy: of the content."""
        super().__init__(("127.0.0.1", port), Handler)
        self.pad, self.policy = pad, policy
        if context:
            # A browser opens connections in reserve, on which it says nothing.
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.address = f"{'https' if context else 'http'}://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        """A browser that closes a connection is no error of the server."""
