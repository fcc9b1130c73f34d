"""A board: Debian booted by systemd, with the product installed from its packages by dpkg.

Three steps, each kept by the content of what went into it: the disk of root.py; that disk after dpkg in the running
machine; and the state of that machine, booted again, with the pad on its screen. A test goes on from that state in a
second, on a disk of its own.
"""
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess

from machine.pad import DISPLAY_CONFIGURATION, HANDOFF_CONFIGURATION, PAD_CONFIGURATION, WHITE, Pad
from machine.places import PATIENCE, alone, build, read, source, write
from machine.root import Root
from machine.sentences import Broken, expect, until
from machine.touchscreen import Touchscreen
from machine.vm import VM

UNITS = ["paraphd.service", "paraph-handoff.service", "paraph-kiosk.target", "paraph-devices.target"]
KIOSK = "quiet loglevel=0 vt.global_cursor_default=0 systemd.show_status=no console=tty0"
TOUCH, FUZZ = "Board touchscreen", 8
CONFIGURATION = PAD_CONFIGURATION + DISPLAY_CONFIGURATION


class Product:
    """What is installed. folder: installed.qcow2, ready.qcow2, facts.json and the folder ready.state; facts: what the
    installation showed."""

    def __init__(self, kernel, packages=()):
        """packages: of Debian, which an integrator has beside the product."""
        self.kernel = kernel
        architecture = kernel.architecture
        folder = source(".build", "deb", architecture.boards)
        self.packages = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".deb"))
        self.touch = architecture.built()[0]
        self.root = Root(kernel, [*depends(self.packages), *packages], "-more" if packages else "")
        # A kernel that has run on one processor does not go on on another.
        machine = repr((architecture.emulator, os.environ.get("ACCEL"))).encode()
        parts = [self.root.key.encode(), machine, *map(read, [*self.packages, self.touch, __file__])]
        digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts))
        self.folder = build("installed", f"{architecture.name}-{architecture.release}{self.root.kind}", digest.hexdigest()[:16])
        with alone(f"installed-{architecture.name}"):
            if not os.path.exists(self.path("ready.state")):
                folder = os.path.dirname(self.folder)
                shutil.rmtree(folder, ignore_errors=True)
                os.makedirs(self.folder)
                self.install()
                self.prepare()
        self.facts = json.loads(read(self.path("facts.json")))

    def path(self, name):
        return os.path.join(self.folder, name)

    def vm(self, disk, append="", **options):
        return VM(
            self.kernel, self.root.initramfs, disks=[disk], ports=["touch"], size=(self.kernel.architecture.processors, 1024),
            append=f"{KIOSK} {append}", **options
        )

    def install(self):
        """dpkg on the running machine. Nothing is done by hand but what an integrator does: two configurations."""
        print("installing the packages in the machine", flush=True)
        with last_words(self.vm(overlay(self.root.disk, self.path("installed.qcow2")))) as vm:
            control = vm.control
            control.push("/usr/local/bin/TouchGenerator", read(self.touch))
            control.run("chmod +x /usr/local/bin/TouchGenerator")
            for package in self.packages:
                control.push("/root/" + os.path.basename(package), read(package))
            said = control.text("dpkg -i /root/*.deb && rm /root/*.deb", timeout=300)
            active = control.status("systemctl is-active paraphd paraph-handoff")
            until(lambda: vm.screen().pixel(0, 0) == WHITE, "the pad is on the screen after dpkg", 60)
            facts = {"said": said, "active": active[1].decode().split()}
            facts["verify"] = control.status(f"systemd-analyze verify --man=no {' '.join(UNITS)}", timeout=120)[1].decode()
            write(self.path("facts.json"), json.dumps(facts).encode())
            control.push("/etc/paraph/paraphd.conf", CONFIGURATION)
            control.push("/etc/paraph/paraph-handoff.conf", HANDOFF_CONFIGURATION)
            control.run("systemctl set-default paraph-kiosk.target && sync && systemctl poweroff --no-block")
            vm.process.wait(120 * PATIENCE)

    def prepare(self):
        """Boots what was installed, until somebody could sign, and keeps the state of the machine."""
        print("booting it once, to go on from there", flush=True)
        disk = overlay(self.path("installed.qcow2"), self.path("ready.qcow2"))
        with last_words(self.vm(disk, keeps=self.path("ready.state"))) as vm:
            # As some drivers do: udev is to take it away, or the samples are not what the hand wrote.
            Touchscreen(vm, "uinput", Pad.SIZE, name=TOUCH, fuzz=FUZZ)
            vm.log.wait(f"{TOUCH}.*: opened", timeout=60)
            vm.control.status("systemctl is-system-running --wait", timeout=120)
            vm.control.run("sync")
            vm.save()


@contextlib.contextmanager
def last_words(vm):
    """A machine that ends with the block. An error in it has the end of what the machine said, of which nothing is kept."""
    try:
        yield vm
    except (Broken, OSError, RuntimeError, subprocess.TimeoutExpired) as error:
        raise Broken(f"{error}\nthe machine's last words:\n{vm.log.text()[-4000:]}") from error
    finally:
        vm.kill()


class Board(Pad):
    """The pad of a board. The hand and the spool are those of Pad; systemd starts and ends the daemons."""

    def __init__(self, case, boot=False, append="", watched=False, packages=()):
        """boot: from power-on, instead of from the state in which the pad is on the screen; watched: with only the
        screen to look at until up() returns."""
        self.case, self.product = case, Product(case.kernel, packages)
        disk = self.product.path("installed.qcow2" if boot else "ready.qcow2")
        state = None if boot else self.product.path("ready.state")
        self.vm = self.product.vm(overlay(disk, case.path("qcow2")), append, state=state, watched=watched)
        case.machines.append(self.vm)
        self.control, self.name = self.vm.control, TOUCH
        self.touch = Touchscreen(self.vm, None, self.SIZE, name=TOUCH)
        if not boot:
            self.clean = self.settled()

    def up(self):
        """Waits until the machine listens."""
        self.vm.ready()

    def shows(self):
        return self.vm.screen().pixel(0, 0) == WHITE

    def reads(self, after=0):
        """Waits until the pad has opened the touchscreen."""
        self.vm.log.wait(f"{TOUCH}.*: opened", after=after)

    def unit(self, name, *properties):
        """The unit's properties, in that order."""
        asked = ",".join(properties)
        lines = self.control.text(f"systemctl show {name} --property={asked}").splitlines()
        values = dict(line.split("=", 1) for line in lines)
        return [values[key] for key in properties]

    def is_active(self, name):
        return self.control.status(f"systemctl is-active --quiet {name}")[0] == 0

    def doctor(self):
        status, page = self.control.status("paraph doctor --json 2>/dev/null")
        return status, json.loads(page)["findings"]


def depends(packages):
    """Names of what the packages need of Debian: of alternatives the first."""
    own, names = set(), set()
    for path in packages:
        own.add(field(path, "Package"))
        for words in field(path, "Depends").split(","):
            names.add(re.match(r"[a-z0-9.+-]+", words.strip())[0])
    return sorted(names - own - {"systemd"})


def field(path, name):
    return subprocess.run(["dpkg-deb", "-f", path, name], check=True, capture_output=True, text=True).stdout.strip()


def overlay(disk, path):
    """A disk that holds what is changed on another one."""
    form = "qcow2" if disk.endswith(".qcow2") else "raw"
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", form, "-b", disk, path], check=True)
    return path


def newer(package, version, folder):
    """The same package under a higher version, not compressed."""
    tree = os.path.join(folder, "tree")
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = read(tree + "/DEBIAN/control").decode()
    expect("Version: " in control, f"{package} has no version")
    old = field(package, "Version")
    control = control.replace(f"Version: {old}", f"Version: {version}").replace(f"(= {old})", f"(= {version})")
    write(tree + "/DEBIAN/control", control.encode())
    path = os.path.join(folder, "newer-" + os.path.basename(package))
    subprocess.run(["dpkg-deb", "-Znone", "--root-owner-group", "-b", tree, path], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return path
