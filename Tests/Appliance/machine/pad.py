"""The product in the guest: both daemons, their configuration, and the hand in front of them."""
import hashlib
import io
import json
import re
import tarfile

from machine.sentences import expect, until
from machine.touchscreen import Touchscreen, pace

SPOOL, OUTBOX = "/var/lib/paraph/spool", "/var/lib/paraph/outbox"
# What outlives a pad that is killed, but no boot; as systemd's RuntimeDirectory=.
RUNTIME = "/run/paraph"
PAD_CONFIGURATION = f"""
[spool]
path = {SPOOL}
[signature]
formats = png json
"""
DISPLAY_CONFIGURATION = "[display]\nsize = 154x86\n"
# The picture is what the panel showed: same pixels, same places.
AS_SHOWN = "dpi = panel\ntrim = no\n"
HANDOFF_CONFIGURATION = f"""
[spool]
path = {SPOOL}
[sink outbox]
type = directory
path = {OUTBOX}
"""
WHITE = (255, 255, 255)


class Pad:
    """A pad of 154 × 86 mm with 800 × 480 pixels: its touchscreen is there, its daemons are started by the test.

    Clear is at the bottom left and Done at the bottom right, as the user sees them.
    """

    SIZE = (154, 86)
    PIXELS = (800, 480)
    CLEAR, DONE = (18, 77), (136, 77)
    # Where the hand writes: above the buttons, across the line to sign on.
    BOX = (20, 34, 110, 30)

    def __init__(self, case, road="uinput", disk=None, signature="", display="", look=None, ports=(), **machine):
        """disk: an ext4 image for spool and outbox, or memory; signature, display: more lines of these sections;
        look: the id of the card that is looked at, of several; machine: what else is asked of it."""
        disks = [disk] if disk else []
        machine = pace(road) | machine
        self.case, self.vm = case, case.boot(panel=self.PIXELS, disks=disks, ports=["touch", *ports], **machine)
        self.vm.look, self.control = {"device": look} if look else {}, self.vm.control
        volume = "/dev/vda" if disk else "-t tmpfs memory"
        self.control.run(f"mkdir -p /var/lib/paraph && mount {volume} /var/lib/paraph && mkdir -p {OUTBOX}")
        self.control.push("/etc/paraph/paraphd.conf", PAD_CONFIGURATION + signature + DISPLAY_CONFIGURATION + display)
        self.control.push("/etc/paraph/paraph-handoff.conf", HANDOFF_CONFIGURATION)
        self.name = "Appliance touchscreen"
        self.touch = Touchscreen(self.vm, road, self.SIZE, name=self.name)

    def start(self, environment=""):
        """paraphd, until it shows the clean pad and has the touchscreen open; the picture of the clean pad."""
        begun = self.launch("paraphd", environment, priority=-20)
        self.vm.log.wait(f"{self.name}", after=begun)
        until(lambda: self.vm.screen().pixel(0, 0) == WHITE, "the pad is on the screen")
        self.clean = self.settled()
        return self.clean

    def start_handoff(self):
        self.launch("paraph-handoff")

    def launch(self, daemon, environment="", priority=0, user=None, terminal="/dev/null"):
        """Its log goes to the machine's; so does its exit status. The place in the log where it begins. priority: its
        nice value, in the place of the service's CPUSchedulingPolicy=. user: USER:GROUP in numbers, or root. terminal:
        what is on standard input, as by the service's TTYPath=."""
        begun = self.vm.log.length()
        if daemon == "paraphd":
            environment = f"mkdir -p {RUNTIME}; RUNTIME_DIRECTORY={RUNTIME} {environment}"
        program = f"start-stop-daemon -S -c {user} -x /usr/bin/{daemon}" if user else daemon
        steps = f"echo $$ >{pid_file(daemon)}; renice -n {priority} -p $$ >/dev/null; exec {program}"
        command = f"{environment} sh -c '{steps}' <{terminal} >/dev/console 2>&1"
        self.control.start(f"{command}; echo {daemon} ended with $? >/dev/console")
        return begun

    def kill(self, daemon, signal="KILL"):
        self.control.run(f"kill -{signal} $(pidof {daemon})")

    def kill_once(self, daemon, pattern):
        """Has the guest kill the daemon as soon as a path matches. The shell's own words alone are quick enough."""
        script = f"while set -- {pattern}; [ ! -e $1 ] && [ -d /proc/$pid ]; do :; done; kill -9 $pid"
        pid = self.control.text(f"until pidof {daemon}; do :; done")
        self.control.start(f"pid={pid}; {script}")

    def ended(self, daemon, status, after=0):
        """Waits for a daemon's end with an exit status; 137 is that of one killed."""
        self.vm.log.wait(rf"{daemon} ended with {status}\s", after=after)

    def caught(self, daemon, done, after):
        """Waits until kill_once has met the daemon. One that was done first, by its log, is killed now: a step may be
        shorter than a shell can look."""
        self.vm.log.wait(rf"{daemon} ended with 137\s|{done}", after=after)
        self.control.run(f"kill -KILL $(pidof {daemon}) || true")
        self.ended(daemon, 137, after=after)

    def figures(self):
        """What paraphd took to its first picture, in the time of the machine, and what it holds."""
        pid = self.control.text("pidof paraphd")
        begun = int(self.control.text(f"cat /proc/{pid}/stat").rpartition(")")[2].split()[19]) / 100
        stands = int(self.vm.log.wait(r"first frame shown \(monotonic (\d+)\)")[1]) / 1e9
        status = self.control.text(f"cat /proc/{pid}/status")
        held, own = (int(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ("VmRSS", "RssAnon"))
        return f"first picture after {(stands - begun) * 1e3:.0f} ms, {held} kB resident, {own} of them its own"

    def sleeps(self):
        """Whether every thread of paraphd waits for something."""
        # To search all processes for it takes longer than the rest. Threads end meanwhile.
        look = f"read -r pid <{pid_file('paraphd')} || pid=$(pidof paraphd); cat /proc/$pid/task/*/stat || true"
        threads = self.control.text(f"{{ {look}; }} 2>/dev/null").splitlines()
        return threads and all(thread.rpartition(")")[2].split()[0] == "S" for thread in threads)

    def settled(self):
        """The screen when all that has happened is drawn: paraphd waits, and the picture is what it was before."""
        pictures = [None]

        def stands():
            pictures.append(self.vm.screen() if self.sleeps() else None)
            return pictures[-1] and pictures[-2] and pictures[-1] == pictures[-2]

        until(stands, "the screen stands still")
        return pictures[-1]

    def sign(self, signature):
        """Plays a signature in real time; the screen with all of it."""
        self.touch.play(signature)
        return self.settled()

    def cleaned(self):
        """Waits for the clean pad, pixel for pixel."""
        self.case.soon(self.vm, self.clean, "the clean pad is back")

    def done(self):
        self.touch.tap(*self.DONE)

    def clear(self):
        self.touch.tap(*self.CLEAR)

    def published(self, after=0):
        """Waits until paraphd says that a signature is durably in the spool."""
        self.vm.log.wait("published signature", timeout=120, after=after)

    def send(self, signature):
        """Signs a clean pad, which it is again when the last acknowledgement is over, and presses Done, until it is
        published."""
        self.cleaned()
        begun = self.vm.log.length()
        self.sign(signature)
        self.done()
        self.published(after=begun)

    def names(self, folder):
        # ls(1) of busybox ends with 1 if an entry is renamed before it looks at it.
        look = 'for name in * .[!.]*; do [ ! -e "$name" ] || echo "$name"; done'
        return sorted(self.control.text(f"cd {folder} && {look}").split())

    def delivered(self, count):
        """The items in the outbox, in the spool's order, once there are so many and the spool is empty."""
        until(lambda: len(self.names(OUTBOX)) >= count and not self.names(SPOOL + "/new"), f"{count} delivered", 120)
        items = sorted((self.item(OUTBOX, name) for name in self.names(OUTBOX)), key=lambda item: item.sequence)
        expect(len(items) == count, f"{len(items)} items in the outbox instead of {count}")
        return items

    def item(self, folder, name):
        packed = tarfile.open(fileobj=io.BytesIO(self.control.run(f"tar -C {folder}/{name} -cf - .")))
        files = {entry.name.removeprefix("./"): packed.extractfile(entry).read() for entry in packed if entry.isfile()}
        return Item(name, files)


def pid_file(daemon):
    """Of a daemon that launch() has started."""
    return f"/run/{daemon}.pid"


def items(control, folder):
    """The items in a folder of the guest, but for what is hidden; one that is not whole is an error."""
    packed = tarfile.open(fileobj=io.BytesIO(control.run(f"tar -C {folder} -cf - .")))
    found = {}
    for entry in packed:
        _, *names = entry.name.split("/")
        if entry.isfile() and not names[0].startswith("."):
            found.setdefault(names[0], {})["/".join(names[1:])] = packed.extractfile(entry).read()
    return [Item(name, files) for name, files in found.items()]


class Item:
    """A signature with its files: whole, or it is an error."""

    def __init__(self, name, files):
        self.name, self.files = name, files
        expect("signature.json" in files, f"{name} has no manifest, only {sorted(files)}")
        self.manifest = json.loads(files["signature.json"])
        self.sequence = self.manifest["sequence"]
        expect(self.manifest["id"] == name, f"{name} holds the manifest of {self.manifest['id']}")
        unlisted = ("signature.json", "signature.json.p7s")
        there = {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name not in unlisted}
        expect(there == self.manifest["files"], f"{name} holds {there}, but its manifest names {self.manifest['files']}")

    def strokes(self):
        """The samples of each stroke, of a pad that saves them."""
        return [stroke["samples"] for stroke in json.loads(self.files["strokes.json"])["strokes"]]
