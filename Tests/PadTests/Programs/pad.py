"""paraphd on a panel in memory, with a recording for a hand or with nobody in front of it."""
import json
import math
import os
import signal as signals
import socket
import subprocess
import tempfile
import time
import types

# The device of the project's own recording: 154 × 86 mm, 20 units a millimetre.
DEVICE = os.path.join(os.path.dirname(__file__), "..", "..", "Fixtures", "signature.evemu")
DONE = (136, 77)
CANCEL = (17, 76)
# A stroke's first record of the journal.
BEGIN = 1


def until(condition, sentence, seconds=60):
    """Waits for a condition, which is what is returned."""
    end = time.monotonic() + seconds
    while not (met := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited for in vain: {sentence}")
        time.sleep(0.005)
    return met


def hand(path, strokes=3, reports=50, pause=0.01, swipes=None, done=True, cancels=False):
    """Writes a recording: some strokes of so many reports, `pause` seconds between them, and Done unless a test presses it,
    or Cancel.

    With swipes to the next pages, the hand has read a document before: Sign is where Done is.
    """
    with open(DEVICE) as device:
        lines = [line for line in device if not line.startswith("E:")]
    clock = [0.2]

    def report(*events):
        lines.extend(f"E: {clock[0]:.6f} {event}\n" for event in (*events, "0000 0000 0"))
        clock[0] += pause

    def touch(places, number):
        for index, (x, y) in enumerate(places):
            units = [f"0003 0035 {round(x * 20)}", f"0003 0036 {round(y * 20)}"]
            report(*([f"0003 0039 {number}", "0001 014a 1"] if index == 0 else []), *units)
        report("0003 0039 -1", "0001 014a 0")
        clock[0] += 0.1

    if swipes is not None:
        for number in range(swipes):
            touch([(110 - 10 * step, 30) for step in range(6)], number)
        touch([DONE] * 5, swipes)
    for number in range(strokes):
        touch([(20 + 35 * number + x / 2, 45 + 8 * math.sin(x / 6))
               for x in (report * 50 / reports for report in range(reports))], number)
    if done or cancels:
        touch([CANCEL if cancels else DONE] * 5, strokes)
    with open(path, "w") as recording:
        recording.writelines(lines)
    return path


class Pad:
    """A daemon with a folder of its own: spool, runtime directory, socket and configuration."""

    def __init__(self, binary, signs=False, invite="request", control="mode = 0666", pad="", formats="png",
                 activated=False, pixels="512x286", display="", keeps=True, recording="", ink="model = polyline"):
        self.binary, self.folder = binary, tempfile.TemporaryDirectory(prefix="paraph-pad-")
        self.runtime, self.spool = self.path("run"), self.path("spool")
        self.socket, self.log = self.path("run", "org.paraph.Pad"), self.path("log")
        # Without a runtime directory nothing is kept for a restart.
        self.environment = {"RUNTIME_DIRECTORY": self.runtime} if keeps else {}
        if not keeps:
            control += f"\nsocket = {self.socket}"
        os.mkdir(self.runtime)
        # The pad would create and synchronise them after it has answered, where a fault may hit it.
        for name in ("tmp", "new", "state", "failed", "delivered"):
            os.makedirs(os.path.join(self.spool, name), mode=0o750)
        # Other users must reach the socket.
        for folder in (self.folder.name, self.runtime):
            os.chmod(folder, 0o755)
        touch = f"recording = {hand(self.path('hand.evemu'), **(signs if signs is not True else {}))}\nloop = yes" if signs else "device = nobody's"
        if recording:
            touch = f"recording = {recording}"
        with open(self.path("paraphd.conf"), "w") as configuration:
            configuration.write(
                f"[touch]\n{touch}\n[display]\ncard = memory\npixels = {pixels}\nsize = 154x86\n{display}\n"
                f"[ink]\n{ink}\n[signature]\nformats = {formats}\n"
                f"[pad]\ninvite = {invite}\n{pad}\n[control]\n{control}\n"
                f"[spool]\npath = {self.spool}\n")
        self.process, self.listener = None, None
        if activated:
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(self.socket)
            self.listener.listen()
        self.start()

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def start(self, wait=True, wrap=(), **environment):
        """Starts it, and waits until it answers; `wrap` is a command that runs it."""
        self.launch(wrap, **environment)
        if wait:
            until(self.answers, "the pad answers", 60)

    def launch(self, wrap=(), **environment):
        # What an earlier life has logged says nothing of this one.
        self.begun = len(self.text(self.log)) if os.path.exists(self.log) else 0
        # A program that is to crash need not say where.
        self.wrapped = bool(wrap)
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **self.environment, **environment}
        command, passed = [*wrap, self.binary, "-c", self.path("paraphd.conf")], ()
        if self.listener:
            # As systemd does: the first descriptor after the standard ones.
            passed = (self.listener.fileno(),)
            script = f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&{passed[0]}'
            # dash(1) knows no descriptor above 9.
            command = ["bash", "-c", script, "bash", *command]
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(command, stderr=log, env=environment, pass_fds=passed)

    def answers(self):
        """Whether the pad is lit and listens."""
        assert self.process.poll() is None, self.text(self.log)
        if "device: the pad is on" not in self.text(self.log)[self.begun:]:
            return False
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(self.socket)
        except OSError:
            return False
        finally:
            connection.close()
        return True

    @staticmethod
    def text(path):
        with open(path) as file:
            return file.read()

    @property
    def pid(self):
        """Of the daemon itself, where another program runs it."""
        number = self.process.pid
        children = self.text(f"/proc/{number}/task/{number}/children").split()
        return int(children[0]) if self.wrapped and children else number

    def end(self, signal="TERM"):
        os.kill(self.pid, {"TERM": signals.SIGTERM, "KILL": signals.SIGKILL}[signal])
        return self.process.wait(60)

    @property
    def journal_path(self):
        return os.path.join(self.runtime, "journal")

    def journal(self):
        """The state that the journal says: see Sources/Pad/Journal/JournalRecord.swift."""
        state = types.SimpleNamespace(steps=0, strokes=0, request=None, done=False, publishing=None, signed=[])
        data, start = b"", 0
        if os.path.exists(self.journal_path):
            with open(self.journal_path, "rb") as file:
                data = file.read()
        while start + 8 <= len(data):
            kind, end = data[start], start + 24
            if kind >= 16:
                end = start + 8 + int.from_bytes(data[start + 4:start + 8], "little")
            if end > len(data):
                break
            content, start = data[start + 8:end], end
            identity = json.loads(content.partition(b"\n")[0])["id"] if kind in (19, 22) else None
            if kind < 16:
                state.steps, state.strokes, state.done = state.steps + 1, state.strokes + (kind == BEGIN), False
            elif kind in (16, 21):
                state.steps, state.strokes, state.done = 0, 0, False
            if kind == 17:
                state.request = json.loads(content) if content else None
            elif kind == 18:
                state.done = True
            elif kind in (19, 20):
                state.publishing = identity
            elif kind == 21:
                state.signed.append(state.publishing)
                state.request = state.publishing = None
            elif kind == 22:
                state.signed.append(identity)
            elif kind == 23:
                state.signed.remove(content.decode())
        return state

    def close(self):
        if self.process.poll() is None:
            self.end()
        if self.listener:
            self.listener.close()
        self.folder.cleanup()

    def items(self):
        """Manifests of what is in the spool, with the bytes of the picture."""
        found = []
        for name in sorted(os.listdir(os.path.join(self.spool, "new"))):
            manifest, png = self.item(name, "signature.json"), self.item(name, "signature.png")
            found.append((json.loads(manifest), png))
        return found

    def item(self, name, file):
        """The bytes of a file of an item in the spool."""
        with open(os.path.join(self.spool, "new", name, file), "rb") as content:
            return content.read()
