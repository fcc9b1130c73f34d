"""Frames of a running paraphd while a finger scrolls a page of a document.

usage: scrolling.py PARAPHD SECONDS. The page has lines like a text's, is 1280 × 1810 pixels, and is scrolled up and down
on a panel of 1280 × 800 pixels at 60 Hz, with the scheduling of the service where we may give it. Prints five numbers:
the frames; those that were shown late; processor time of the render thread for each frame in microseconds; resident
memory that the document added beside the two frame buffers, in MiB; and the size of the page's file in kB.
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


def page():
    """A PNG with lines of marks, in grey as a rendered text has."""
    marks = random.Random(7)
    rows = []
    line = b""
    for y in range(HEIGHT):
        within = y % 36
        if within == 0:
            line = bytearray(b"\xff" * WIDTH)
            x = 120
            while x < WIDTH - 140:
                width = marks.randrange(2, 9)
                for place in range(x, x + width):
                    line[place] = marks.choice((0, 0, 0, 60, 140, 200))
                x += width + marks.choice((3, 4, 12))
        blank = b"\xff" * WIDTH
        rows.append(bytes(line) if 6 <= within < 26 and 120 < y < HEIGHT - 120 else blank)
    return encode(WIDTH, HEIGHT, 1, b"".join(rows), level=6)


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


binary, seconds = sys.argv[1], float(sys.argv[2])
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
    file = page()
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
    added = resident(pad.pid) - before
    pad.end()
    log = Pad.text(pad.log)
    found = re.search(r"(\d+) frames, (\d+) missed", log)
    frames, missed = int(found[1]), int(found[2])
    # The log counts the second before as well.
    measured = frames * (ended - began) / (ended - began + 1)
    print(frames, missed, spent / measured / 1000, added, len(file) / 1000)
finally:
    if pad:
        pad.close()
    if os.path.exists(path):
        os.remove(path)
