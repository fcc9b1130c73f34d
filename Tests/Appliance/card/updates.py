"""Updates of a card: RAUC, U-Boot's choice of a slot, and the way back."""
import http.server
import os
import re
import subprocess
import threading

from machine.bundle import bundle
from machine.card import ROOT, Card
from machine.places import TOOLS, read, write
from machine.recorded import recorded
from machine.sentences import expect, test, until
from machine.tree import card_script

# The address of the server of updates in the machine's network.
HOST = "10.0.2.100"


@test("an update on a USB stick is installed, waits for whoever signs, is started and confirmed; all signatures are kept")
def update(case):
    recorded(case)


@test("an update that is pulled and does not boot is left after three tries; the former root is back and does not install it again on the same day")
def rollback(case):
    with Server(broken_update(case, {"/usr/lib/systemd/systemd": b"no program\n"})) as server:
        pad = left(case, server)
        asked = len(server.asked)
        again = pad.ssh("/usr/lib/paraph-card/update 2>&1; echo ended with $?").stdout
        expect(b"installed less than a day ago" in again and again.endswith(b"\nended with 0\n"), f"the same update again: {again}")
        expect(len(server.asked) > asked, "the server was not asked again")
        expect(pad.order("get-primary") == "A", "the update is to be started again")


@test("an update whose pad does not start is left after three tries, and the former root's pad is back")
def no_pad(case):
    # A minute for each try instead of five, and a line at the serial port: a root that failed earlier would be left, too.
    end = b"exec /usr/lib/paraph-card/restart\n"
    replacements = {b"tries=60\n": b"tries=12\n", end: b'echo "root $slot is given up" >/dev/ttyAMA0\n' + end}
    confirm = card_script("confirm", replacements)
    files = {"/usr/bin/paraphd": b"#!/bin/sh\nexit 1\n", "/usr/lib/paraph-card/confirm": confirm, "/etc/paraph-card": b"virt 9.8\n"}
    with Server(broken_update(case, files)) as server:
        pad = left(case, server)
    failed = pad.ssh("cat /var/lib/paraph-card/failed").stdout
    expect(failed == b"9.8\n", f"the versions that were given up are {failed}")
    given_up = pad.vm.log.text().count("root B is given up")
    expect(given_up == 3, f"root B was given up {given_up} times instead of three")
    ready = lambda: pad.ssh("systemctl show -P StatusText paraphd").stdout.startswith(b"the pad is on ")
    until(ready, "the pad of slot A is back", 120)


@test("updates that are signed by a stranger, for another board, damaged or cut short are refused in one line each; an older one is left alone")
def refused(case):
    pad = Card(case).up()
    pad.confirmed("A")
    small = case.path("small")
    write(small, os.urandom(1 << 20))
    stranger = case.path("stranger")
    os.makedirs(stranger)
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Stranger", "-days", "2"]
    subprocess.run([*command, "-keyout", f"{stranger}/key", "-out", f"{stranger}/certificate"], check=True, capture_output=True)
    damaged = bytearray(read(bundle(case.path("damaged"), small)))
    # In the root's bytes, which are random and therefore stored as they are.
    damaged[500_000] ^= 1
    good = read(bundle(case.path("good"), small))
    updates = {
        "signed by a stranger": read(bundle(case.path("foreign"), small, keys=stranger)),
        "for another board": read(bundle(case.path("rpi"), small, board="rpi")),
        "damaged": damaged,
        "cut short": good[: len(good) // 2],
        "without a signature": good[:-8] + bytes(8),
    }
    order = lambda: pad.ssh("sha256sum /dev/disk/by-partuuid/50617261-05").stdout
    before = order()
    for name, data in updates.items():
        told, lines = install(pad, data)
        one = re.fullmatch(r"update: /var/tmp/update: refused \((.+)\); the running version stays", "\n".join(lines))
        # What `rauc info` accepts is not tried again at once: for all that is known, its root was written.
        expect(told == (2 if name in ("for another board", "damaged") else 1) and one, f"an update {name} ends with {told} and {lines}")
        print(f"  {name}: {one[1]}")
    told, lines = install(pad, read(bundle(case.path("older"), small, version="0.1")))
    one = re.fullmatch(r"update: /var/tmp/update: version 0\.1 is not later than \S+; raise .+", "\n".join(lines))
    expect(told == 0 and one, f"an older update ends with {told} and {lines}")
    expect(before and order() == before, "the boot order has been written")
    expect(pad.order("get-primary") == "A" and pad.order("get-state", "B") == "bad", "a refused update can be started")
    expect(pad.ssh("test -e /var/lib/paraph-card/installed").returncode == 1, "a refused update counts as installed")


def install(pad, data):
    """(exit status, lines) of the installation of an update."""
    expect(pad.ssh("cat >/var/tmp/update", data).returncode == 0, "there is no room for the update")
    told = pad.ssh("/usr/lib/paraph-card/update /var/tmp/update 2>&1; echo $?").stdout.decode().splitlines()
    return int(told[-1]), told[:-1]


def left(case, server):
    """A card that has pulled an update which fails, and has given it up."""
    settings = [("update", f"# Updates\r\nhttp://{HOST}/update.raucb\r\n".encode())]
    pad = Card(case, settings, host=(HOST, server.port)).up()
    pad.confirmed("A")
    pad.control.run("systemctl start --no-block paraph-update.service")
    starts = lambda: pad.vm.log.text().count("Starting kernel")
    until(lambda: starts() >= 5, "U-Boot starts A, three times B, and another one", 900)
    until(lambda: pad.runs("A"), "slot A is back", 240)
    expect(pad.order("get-state", "B") == "bad" and pad.order("get-tries", "B") == "0", "the update has tries left")
    expect(starts() == 5, f"{starts()} starts instead of five")
    return pad


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


def broken_update(case, files):
    """An update whose root is the card's with other programs: {path: content}."""
    root, file = case.path("ext4"), case.path("file")
    subprocess.run(["cp", "--sparse=always", ROOT, root], check=True)
    for name, content in files.items():
        write(file, content)
        for request in (f"rm {name}", f"write {file} {name}", f"sif {name} mode 0100755"):
            subprocess.run(["debugfs", "-w", "-R", request, root], env=TOOLS, check=True, capture_output=True)
        there = subprocess.run(["debugfs", "-R", f"cat {name}", root], env=TOOLS, check=True, capture_output=True).stdout
        expect(there == content, f"{name} is unchanged")
    return bundle(case.path("bundle"), root, version="9.8")
