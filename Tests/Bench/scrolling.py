"""Frames of a running paraphd while a finger scrolls a page of a document.

usage: scrolling.py PARAPHD SECONDS [text|colours|noise]. The page has lines like a text's, in grey or in colours, or is
coloured noise, which cannot be compressed. It is 1280 × 1810 pixels, and is scrolled up and down
on a panel of 1280 × 800 pixels at 60 Hz, with the scheduling of the service where we may give it. Prints six numbers:
the frames; those that were shown late; processor time of the render thread for each frame in microseconds; resident
memory that the document added beside the two frame buffers, in MiB; what the page takes in a file in memory, in MiB; and
the size of the page's file in kB.
"""
import base64
import hashlib
import json
import os
import random
import re
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "PadTests", "Programs"))
sys.path.append(os.path.join(os.path.dirname(__file__), "..", "Appliance"))
from machine.png import encode
from pad import DEVICE, Pad, until

WIDTH, HEIGHT = 1280, 1810


def page(kind):
    """A PNG with lines of marks, in grey as a rendered text has, or in colours; or noise."""
    marks = random.Random(7)
    if kind == "noise":
        return encode(WIDTH, HEIGHT, 3, marks.randbytes(3 * WIDTH * HEIGHT), level=1)
    channels, ground = {"text": (1, b"\xff"), "colours": (3, b"\xf0\xfa\xff")}[kind]
    rows = []
    line = b""
    for y in range(HEIGHT):
        within = y % 36
        if within == 0:
            line = bytearray(ground * WIDTH)
            x = 120
            while x < WIDTH - 140:
                width = marks.randrange(2, 9)
                for place in range(channels * x, channels * (x + width)):
                    line[place] = marks.choice((0, 0, 0, 60, 140, 200))
                x += width + marks.choice((3, 4, 12))
        blank = ground * WIDTH
        rows.append(bytes(line) if 6 <= within < 26 and 120 < y < HEIGHT - 120 else blank)
    return encode(WIDTH, HEIGHT, channels, b"".join(rows), level=6)


def recording(path):
    """A finger that drags a page up and down for good: 120 reports a second."""
    with open(DEVICE) as device:
        lines = [line for line in device if not line.startswith("E:")]
    clock = 0.2

    def report(*events):
        nonlocal clock
        lines.extend(f"E: {clock:.6f} {event}\n" for event in (*events, "0000 0000 0"))
        clock += 1 / 120

    for number, (start, end) in enumerate(((62, 8), (8, 62))):
        for step in range(61):
            y = start + (end - start) * step / 60
            down = [f"0003 0039 {number}", "0001 014a 1"] if step == 0 else []
            report(*down, f"0003 0035 {77 * 20}", f"0003 0036 {round(y * 20)}")
        report("0003 0039 -1", "0001 014a 0")
    with open(path, "w") as file:
        file.writelines(lines)
    return path


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.pending = b""

    def send(self, method, more=False, **parameters):
        call = {"method": "org.paraph.Pad." + method, "parameters": parameters, "more": more}
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def reply(self):
        while b"\0" not in self.pending:
            self.pending += self.socket.recv(65536)
        message, _, self.pending = self.pending.partition(b"\0")
        reply = json.loads(message)
        assert "error" not in reply, reply
        return reply["parameters"]


def render_time(pid):
    """Nanoseconds of processor time of the render thread."""
    for task in os.listdir(f"/proc/{pid}/task"):
        if Pad.text(f"/proc/{pid}/task/{task}/comm").strip() == "paraph-render":
            return int(Pad.text(f"/proc/{pid}/task/{task}/schedstat").split()[0])
    raise AssertionError("no render thread")


def resident(pid):
    return int(re.search(r"Rss:\s+(\d+)", Pad.text(f"/proc/{pid}/smaps_rollup"))[1]) / 1024


def in_files(pid):
    """What the files in memory take that have no name, in MiB."""
    sizes = [os.stat(f"/proc/{pid}/fd/{number}").st_blocks * 512 for number in os.listdir(f"/proc/{pid}/fd")
             if os.readlink(f"/proc/{pid}/fd/{number}").startswith("/memfd:paraph-page")]
    return sum(sizes) / (1 << 20)


binary, seconds = sys.argv[1], float(sys.argv[2])
kind = sys.argv[3] if len(sys.argv) > 3 else "text"
path = os.path.join("/tmp", f"paraph-scrolling-{os.getpid()}.evemu")
pad = None
try:
    recording(path)
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
    except PermissionError:
        pass
    pad = Pad(binary, recording=f"{path}\nloop = yes", pixels="1280x800", ink="model = ductus")
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    file = page(kind)
    client = Client(pad.socket)
    for _ in range(3):
        # Both frame buffers, and the words of a request.
        client.send("Show", text="This touches both frame buffers.", time_limit=0.3)
        client.reply()
    before = resident(pad.pid)
    for offset in range(0, len(file), 24000):
        part = base64.b64encode(file[offset:offset + 24000]).decode()
        client.send("PutPage", document="page", number=1, offset=offset, data=part)
        client.reply()
    document = {"id": "page", "name": "page.png", "digest": hashlib.sha256(file).hexdigest(), "pages": 1}
    client.send("Sign", more=True, document=document)
    assert client.reply()["state"] == "reading"
    time.sleep(1)
    began, spent = time.monotonic(), render_time(pad.pid)
    time.sleep(seconds)
    spent, ended = render_time(pad.pid) - spent, time.monotonic()
    added, kept = resident(pad.pid) - before, in_files(pad.pid)
    pad.end()
    log = Pad.text(pad.log)
    found = re.search(r"(\d+) frames, (\d+) missed", log)
    frames, missed = int(found[1]), int(found[2])
    # The log counts the second before as well.
    measured = frames * (ended - began) / (ended - began + 1)
    print(frames, missed, spent / measured / 1000, added, kept, len(file) / 1000)
finally:
    if pad:
        pad.close()
    if os.path.exists(path):
        os.remove(path)
