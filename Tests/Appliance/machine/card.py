"""The card of `make card BOARD=virt` in a machine: U-Boot, the kernel and systemd of the image as it is delivered.

A test changes nothing in the image but the settings on its FAT partition, as a person with a card reader does. It reaches
the machine by SSH, by the key that it puts there, and starts the listener of control.py with it.
"""
import os
import struct
import subprocess
import sys
import zlib

from machine.pad import HANDOFF_CONFIGURATION, WHITE, Pad
from machine.places import APPLIANCE, PATIENCE, build, read, source, write
from machine.ports import free_port
from machine.sentences import Skipped, expect, until
from machine.touchscreen import Touchscreen
from machine.vm import VM

CARD = source(".build", "card")
UBOOT = os.path.join(CARD, "virt/u-boot.bin")
# The root that the image has in A.
ROOT = os.path.join(CARD, "virt/parts/root.ext4")
# The signature of the disk (config/card/genimage.cfg), by which the roots name the partitions.
DISK = "50617261"
# Where the FAT partition begins: config/card/genimage.cfg aligns it.
SETTINGS_OFFSET = 4 << 20
TOUCH = "Card touchscreen"
PAD_CONFIGURATION = "[display]\nsize = 154x86\n[signature]\nformats = png json\n"
LISTENER = "/run/listener.sh"
SECTOR = 512
# The types of a partition that holds others.
EXTENDED = (0x05, 0x0F)


class CardVM(VM):
    """A machine that boots from a card by U-Boot, and again when it restarts."""

    def __init__(self, kernel, card, stick=None, host=None, **options):
        """stick: the image of a USB stick, which plug_stick() plugs in; host: (address, port) of the network's only
        server, and the port of this host that it is."""
        self.port_number, self.stick, self.host = free_port(), stick, host
        super().__init__(kernel, None, disks=[card], ports=["touch"], size=(1, 1024), watched=True, **options)

    def machine(self, kernel, initramfs, append, counted):
        self.arguments += ["-accel", "tcg", "-smp", str(self.size[0]), "-m", str(self.size[1]), "-display", "none"]
        self.arguments += ["-nodefaults", "-vga", "none", "-bios", UBOOT]
        network = f"user,id=net0,restrict=on,hostfwd=tcp:127.0.0.1:{self.port_number}-:22"
        if self.host:
            # A character device would be one connection for all.
            bridge = f"{sys.executable} {os.path.join(APPLIANCE, 'machine', 'bridge.py')} {self.host[1]}"
            network += f",guestfwd=tcp:{self.host[0]}:80-cmd:{bridge}"
        self.arguments += ["-netdev", network]
        self.arguments += ["-device", "virtio-net-pci,netdev=net0,romfile="]
        self.arguments += ["-device", "virtio-rng-pci", "-device", "qemu-xhci,id=usb", "-device", "i6300esb"]
        if self.stick:
            self.arguments += ["-drive", f"if=none,id=stick,format=raw,readonly=on,file={self.stick}"]

    def plug_stick(self):
        self.qmp.ask("device_add", driver="usb-storage", id="plugged", drive="stick", bus="usb.0", removable=True)


class Card(Pad):
    """A pad that was started from a card."""

    def __init__(self, case, settings=(), grown=4 << 30, path=None, **options):
        """settings: (name, bytes) of files in paraph/ on the FAT partition; grown: the card's size, larger than the
        image; path: of a card that was used before."""
        self.case, self.path = case, path or card(case, settings, grown)
        self.vm = CardVM(case.kernel, self.path, **options)
        case.machines.append(self.vm)
        self.control, self.name, self.count = self.vm.control, TOUCH, 0

    def film(self):
        """Watches the screen until the pad is on it; the first picture that is neither black nor the pad, or None."""
        other = None

        def shows():
            nonlocal other
            picture = self.vm.screen()
            # QEMU shows a text of its own, in another size, while no driver has the panel.
            if (picture.width, picture.height) != self.PIXELS:
                return False
            if picture.pixel(0, 0) != WHITE and any(picture.pixels):
                other = other or picture
            return picture.pixel(0, 0) == WHITE

        until(shows, "the pad is on the screen", 240)
        return other

    def up(self):
        """Waits until the machine can be reached, and listens to its tests."""
        until(lambda: self.ssh("true").returncode == 0, "the machine answers by SSH", 240)
        self.ssh(f"cat >{LISTENER}", read(os.path.join(APPLIANCE, "machine", "control.sh")))
        # No other writable filesystem of the card permits programs.
        self.ssh("cat >/tmp/TouchGenerator && chmod +x /tmp/TouchGenerator", read(self.case.programs[0]))
        self.ssh(f"PATH=/tmp:$PATH setsid sh {LISTENER} </dev/null >/dev/null 2>&1 &")
        return self

    def plug(self):
        """Plugs a touchscreen in, and waits until the pad has it."""
        self.touch = Touchscreen(self.vm, "uinput", self.SIZE, name=TOUCH)
        until(lambda: self.shows(), "the pad is on the screen", 60)
        until(lambda: TOUCH in self.control.text("journalctl -b -u paraphd -o cat"), "the pad has the touchscreen")
        self.clean = self.settled()
        return self

    def shows(self):
        return self.vm.screen().pixel(0, 0) == WHITE

    def published(self, after=0):
        """Waits for one more than before, in systemd's journal: the card does not write it to the serial port."""
        self.count += 1
        said = lambda: self.control.text("journalctl -b -u paraphd -o cat")
        until(lambda: said().count("published signature") >= self.count, f"{self.count} signatures are published", 120)

    def runs(self, slot):
        """Whether the machine answers with the root of this slot."""
        return f"rauc.slot={slot}".encode() in self.ssh("cat /proc/cmdline").stdout

    def confirmed(self, slot):
        """Waits until the root of this slot is confirmed."""
        # The machine waits by itself: each login costs it seconds.
        wait = f"for _ in $(seq 20); do ! grep -s '^{slot} ' /var/lib/paraph-card/confirmed || exit 0; sleep 3; done; exit 1"
        until(lambda: self.ssh(wait).returncode == 0, f"root {slot} is confirmed", 240)

    def order(self, *arguments):
        """What the script of the boot order answers."""
        return self.ssh("/usr/lib/paraph-card/boot-order " + " ".join(arguments)).stdout.decode().strip()

    def ssh(self, command, data=b""):
        options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
        # A machine that restarts leaves its connections open.
        options += ["-o", "ServerAliveInterval=20", "-o", f"ConnectTimeout={10 * PATIENCE}", "-i", key(), "-p", str(self.vm.port_number), "root@127.0.0.1"]
        return subprocess.run(["ssh", *options, command], input=data, capture_output=True, timeout=60 * PATIENCE)

    def is_active(self, name):
        return self.control.status(f"systemctl is-active --quiet {name}")[0] == 0

    def off(self):
        """Shuts the machine down."""
        self.control.run("systemctl poweroff --no-block")
        self.vm.process.wait(120 * PATIENCE)


def built(board):
    """The path of a board's image."""
    image = os.path.join(CARD, f"paraph-{board}.img")
    if not os.path.exists(image):
        raise Skipped(f"run make card BOARD={board}")
    return image


def card(case, settings, size):
    """A copy of the image as a card of that size, with these settings."""
    path = case.path("img")
    subprocess.run(["cp", "--sparse=always", built("virt"), path], check=True)
    os.truncate(path, size)
    files = {"authorized_keys": read(key() + ".pub"), "paraphd.conf": PAD_CONFIGURATION.encode(),
             "paraph-handoff.conf": "\n".join(HANDOFF_CONFIGURATION.split("\n")[3:]).encode(), **dict(settings)}
    for name, data in files.items():
        put(path, name, data)
    return path


def partitions(path):
    """{number: (offset, size)} in bytes, of the MBR and its logical partitions."""
    with open(path, "rb") as file:
        def entries(sector):
            file.seek(sector * SECTOR + 446)
            table = file.read(66)
            expect(table[64:] == b"\x55\xaa", f"{path}: sector {sector} has no partition table")
            return [struct.unpack_from("<4xB3xII", table, 16 * index) for index in range(4)]

        found, extended = {}, None
        for number, (kind, start, count) in enumerate(entries(0), 1):
            if kind in EXTENDED:
                extended = start
            elif count:
                found[number] = (start * SECTOR, count * SECTOR)
        number, table = 5, extended
        while table:
            (_, start, count), (kind, after, _), *_ = entries(table)
            found[number] = ((table + start) * SECTOR, count * SECTOR)
            number, table = number + 1, extended + after if kind in EXTENDED else None
    return found


def take(path, number, into):
    """Copies a partition into a file, with holes where there is nothing."""
    offset, size = partitions(path)[number]
    command = ["dd", f"if={path}", f"of={into}", "bs=1M", "iflag=skip_bytes,count_bytes", f"skip={offset}", f"count={size}"]
    subprocess.run([*command, "conv=sparse", "status=none"], check=True)
    return into


def chosen_slot(path):
    """The slot that U-Boot starts next, by config/card/boot.cmd."""
    offset, best = partitions(path)[5][0], {"serial": "0", "order": "A B", "tries_A": "3", "tries_B": "0"}
    for copy in (1, 2):
        told = subprocess.run(["mtype", "-i", f"{path}@@{offset}", f"::order.{copy}"], capture_output=True)
        if variables := environment(told.stdout):
            best = max(best, variables, key=lambda one: int(one["serial"], 16))
    order = best["order"].split()
    return next((slot for slot in order if int(best[f"tries_{slot}"], 16)), order[0])


def environment(data):
    """The variables of U-Boot's environment; None where its checksum is wrong."""
    if len(data) < 4 or struct.unpack_from("<I", data)[0] != zlib.crc32(data[4:]):
        return None
    return dict(line.split("=", 1) for line in data[4:].split(b"\0\0")[0].decode().split("\0"))


def put(path, name, data):
    """Writes a file of settings, as a person with a card reader."""
    part = path + ".file"
    write(part, data)
    drive = f"{path}@@{SETTINGS_OFFSET}"
    if "/" in name:
        subprocess.run(["mmd", "-i", drive, "-D", "s", "::paraph/" + os.path.dirname(name)], stderr=subprocess.DEVNULL)
    subprocess.run(["mcopy", "-o", "-i", drive, part, "::paraph/" + name], check=True)
    os.remove(part)


def take_away(path, name):
    """Removes a file of settings, as a person with a card reader."""
    subprocess.run(["mdel", "-i", f"{path}@@{SETTINGS_OFFSET}", "::paraph/" + name], check=True)


def settings(path, name):
    """The bytes of a file on the FAT partition; None: there is none."""
    told = subprocess.run(["mtype", "-i", f"{path}@@{SETTINGS_OFFSET}", "::paraph/" + name], capture_output=True)
    return None if told.returncode else told.stdout


def key():
    """The path of a key for SSH, made once."""
    path = build("card-key")
    if not os.path.exists(path):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path
