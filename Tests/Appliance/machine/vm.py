"""The machine: QEMU with a panel, a disk if wanted, a serial log, and ports to the guest.

Emulated (TCG) unless ACCEL=kvm is asked for: a KVM device can be present and hang.
"""
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile

from machine.control import Control
from machine.log import Log
from machine.picture import Picture
from machine.qmp import QMP
from machine.sentences import until
from machine.stream import Stream

READY = r"^GUEST ready"
# The default size of the panel, in pixels.
PANEL = (800, 480)


class VM:
    """A booted machine. log, control (commands and files), ports[name] (a Stream each), screen(), kill()."""

    def __init__(
        self, kernel, initramfs, panel=PANEL, disks=(), ports=(), append="", cards=None, counted=0, size=(1, 512),
        state=None, said=b"", keeps=None, watched=False, record=None,
    ):
        """panel: pixels; cards: QEMU's devices in its place; disks: paths of raw or qcow2 images, written to; ports: names
        of further channels; counted: time passes by instructions, 1 or 2 ns each, however busy the host is; size:
        processors and MB; state: the folder of what save() wrote of such a machine, whose disks must be as they were, and
        whose log was `said`: it goes on from there; keeps: the folder that save() is to make; watched: comes back before
        the machine is up, with only the screen to look at until ready() returns; record: a file for all that is written to
        the first disk, as volatile.py reads it."""
        self.size, self.keeps, self.unfinished = size, keeps, None
        self.work, self.look = tempfile.TemporaryDirectory(prefix="appliance-"), {}
        self.files, self.arguments = [], [*kernel.architecture.emulator]
        self.machine(kernel, initramfs, append, counted)
        self.devices(cards or [card("virtio-gpu-pci", panel)], disks, record)
        log, monitor = self.character("log"), self.character("monitor")
        self.arguments += ["-serial", "chardev:log", "-mon", "chardev=monitor,mode=control"]
        if keeps:
            # Of a run that is killed, nothing is taken for a state.
            self.unfinished = tempfile.mkdtemp(prefix=os.path.basename(keeps) + ".", dir=os.path.dirname(keeps))
            self.memory(self.unfinished, "on")
        if state:
            self.memory(state, "off")
            self.arguments += ["-incoming", "defer"]
        ends = {name: self.port(name) for name in ("control", *ports)}
        self.process = self.start()
        self.log = Log(log, said)
        self.ports = {name: Stream(f"the guest's {name}", end) for name, end in ends.items()}
        self.control = Control(self.ports["control"])
        try:
            self.qmp = QMP(Stream("QEMU", monitor))
            if state:
                self.resume(state)
            elif not watched:
                self.ready()
        except (OSError, RuntimeError) as error:
            self.kill()
            raise RuntimeError(f"no boot: {error}\n{self.said()}{self.log.text()[-2000:]}") from error

    def ready(self):
        """Waits until the guest listens."""
        self.log.wait(READY, 120)

    def memory(self, folder, share):
        """The machine's memory is a file beside its state. Machines that go on from there map it privately, and share each
        page until they write to it."""
        backend = f"memory-backend-file,id=memory,size={self.size[1]}M,mem-path={folder}/memory,share={share}"
        self.arguments += ["-object", backend, "-machine", "memory-backend=memory"]

    def resume(self, state):
        self.leave_memory()
        self.qmp.ask("migrate-incoming", uri=f"exec:cat {state}/state")
        until(lambda: self.qmp.ask("query-status")["status"] in ("running", "paused"), "the machine goes on", 60)
        if self.qmp.ask("query-status")["status"] == "paused":
            self.qmp.ask("cont")

    def still(self):
        """The screen once it has stood while the guest slept: a console is drawn a moment after it is written to."""
        seen = self.screen()

        def stands():
            nonlocal seen
            self.control.run("sleep 0.3")
            former, seen = seen, self.screen()
            return seen == former

        until(stands, "the screen stands still")
        return seen

    def save(self):
        """Stops the machine for good and writes its state, without its disks, for machines like it."""
        self.qmp.ask("stop")
        self.leave_memory()
        self.qmp.ask("migrate", uri=f"exec:cat >{self.unfinished}/state")
        until(lambda: self.qmp.ask("query-migrate").get("status") in ("completed", "failed"), "the state is written", 60)
        if self.qmp.ask("query-migrate")["status"] != "completed":
            raise RuntimeError("QEMU could not write the machine's state")
        self.qmp.ask("quit")
        self.process.wait(60)
        os.rename(self.unfinished, self.keeps)

    def leave_memory(self):
        """The state is without the machine's memory, which is a file."""
        self.qmp.ask("migrate-set-capabilities", capabilities=[{"capability": "x-ignore-shared", "state": True}])

    def machine(self, kernel, initramfs, append, counted):
        accel = "kvm" if os.environ.get("ACCEL") == "kvm" and not counted else "tcg"
        if counted:
            self.arguments += ["-icount", f"shift={counted - 1},sleep=off"]
        self.arguments += ["-accel", accel, "-smp", str(self.size[0]), "-m", str(self.size[1])]
        self.arguments += ["-display", "none"]
        self.arguments += ["-nodefaults", "-vga", "none", "-kernel", kernel.image, "-initrd", initramfs]
        # A panic ends QEMU at once, and the test with it, instead of at a timeout.
        self.arguments += ["-no-reboot", "-append", f"console={kernel.architecture.console} quiet panic=-1 {append}"]

    def devices(self, cards, disks, record):
        for device in cards:
            self.arguments += ["-device", device]
        for number, path in enumerate(disks):
            if record and number == 0:
                self.arguments += ["-blockdev", f"file,node-name=below,filename={path}"]
                self.arguments += ["-blockdev", f"file,node-name=record,filename={record}"]
                self.arguments += ["-blockdev", "blklogwrites,node-name=disk0,file=below,log=record"]
            else:
                self.arguments += ["-drive", f"if=none,id=disk{number},format={disk_format(path)},file={path}"]
            self.arguments += ["-device", f"virtio-blk-pci,drive=disk{number}"]
        self.arguments += ["-device", "virtio-serial-pci,max_ports=8"]

    def character(self, name):
        """Our end of a character device of QEMU: a socket pair needs no path, and nobody has to wait for a listener."""
        ours, theirs = socket.socketpair()
        self.files.append(theirs)
        self.arguments += ["-chardev", f"socket,id={name},fd={theirs.fileno()}"]
        return ours

    def port(self, name):
        ours = self.character(name)
        self.arguments += ["-device", f"virtserialport,chardev={name},name={name}"]
        return ours

    def start(self):
        with open(self.path("qemu"), "wb") as said:
            process = subprocess.Popen(
                self.arguments,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                pass_fds=[file.fileno() for file in self.files],
                preexec_fn=die_with_parent,
            )
        for file in self.files:
            file.close()
        return process

    def path(self, name):
        return os.path.join(self.work.name, name)

    def said(self):
        """What QEMU itself wrote."""
        with open(self.path("qemu"), errors="replace") as file:
            return file.read()

    def screen(self, **card):
        """What the panel shows, seen from outside; with more than one card: device="id", or that of `look`."""
        path = self.path("screen.ppm")
        self.qmp.ask("screendump", filename=path, **(card or self.look))
        return Picture.from_ppm(path)

    def kill(self):
        """The end, as when the plug is pulled; can be called twice."""
        self.process.kill()
        self.process.wait()
        if self.unfinished:
            shutil.rmtree(self.unfinished, ignore_errors=True)


def disk_format(path):
    return "qcow2" if path.endswith(".qcow2") else "raw"


def card(device, panel, **options):
    """A card of QEMU's with a monitor of panel's pixels."""
    width, height = panel
    return ",".join([device, f"xres={width}", f"yres={height}", *(f"{key}={value}" for key, value in options.items())])


PR_SET_PDEATHSIG = 1


def die_with_parent():
    """A test run that is killed leaves no machine behind (prctl(2))."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
