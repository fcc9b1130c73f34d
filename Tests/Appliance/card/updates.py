"""Updates of a card: RAUC, U-Boot's choice of a slot, and the way back."""
import http.server
import re
import subprocess
import threading

from machine.bundle import bundle
from machine.card import ROOT, Card
from machine.places import TOOLS, read, write
from machine.recorded import recorded
from machine.sentences import expect, test, until

# The address of the server of updates in the machine's network.
HOST = "10.0.2.100"


@test("an update on a USB stick is installed, waits for whoever signs, is started and confirmed; all signatures are kept")
def update(case):
    recorded(case)


@test("an update that is pulled and does not boot is left after three tries; the former root is back and does not install it again")
def rollback(case):
    with Server(broken_update(case)) as server:
        settings = [("update", f"# Updates\r\nhttp://{HOST}/update.raucb\r\n".encode())]
        pad = Card(case, settings, host=(HOST, server.port)).up()
        pad.confirmed("A")
        pad.control.run("systemctl start --no-block paraph-update.service")
        starts = lambda: pad.vm.log.text().count("Starting kernel")
        until(lambda: starts() >= 5, "U-Boot starts A, three times B, and another one", 360)
        until(lambda: pad.runs("A"), "slot A is back", 240)
        expect(pad.order("get-state", "B") == "bad" and pad.order("get-tries", "B") == "0", "the update has tries left")
        expect(starts() == 5, f"{starts()} starts instead of five")
        asked = len(server.asked)
        again = pad.ssh("/usr/lib/paraph-card/update; echo ended with $?").stdout
        expect(again == b"ended with 0\n", f"the same update again: {again}")
        expect(len(server.asked) > asked, "the server was not asked again")
        expect(pad.order("get-primary") == "A", "the update is to be started again")


class Server:
    """An HTTP server with ranges, which has one update. asked: (path, range) of each request."""

    def __init__(self, path):
        data, self.asked = read(path), []
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self):
                self.send()

            def do_GET(self):
                self.wfile.write(self.send())

            def send(self):
                wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
                asked.append((self.path, wanted and wanted[0]))
                first = int(wanted[1]) if wanted else 0
                last = int(wanted[2]) if wanted and wanted[2] else len(data) - 1
                part = data[first : last + 1]
                self.send_response(206 if wanted else 200)
                self.send_header("Accept-Ranges", "bytes")
                self.send_header("Content-Length", str(len(part)))
                if wanted:
                    self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(data)}")
                self.end_headers()
                return part

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()


def broken_update(case):
    """An update that does not start: its systemd is no program."""
    return bundle(case.path("bundle"), broken_root(case, "/usr/lib/systemd/systemd", b"no program\n"), version="9.8")


def broken_root(case, name, content):
    """The card's root with another content of a program."""
    root, file = case.path("ext4"), case.path("file")
    subprocess.run(["cp", "--sparse=always", ROOT, root], check=True)
    write(file, content)
    for request in (f"rm {name}", f"write {file} {name}", f"sif {name} mode 0100755"):
        subprocess.run(["debugfs", "-w", "-R", request, root], env=TOOLS, check=True, capture_output=True)
    there = subprocess.run(["debugfs", "-R", f"cat {name}", root], env=TOOLS, check=True, capture_output=True).stdout
    expect(there == content, f"{name} is unchanged")
    return root
