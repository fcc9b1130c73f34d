"""The machine's first and only root: busybox, the kernel's modules, the programs and what they are linked with."""
import hashlib
import os

from machine.cpio import Archive
from machine.places import APPLIANCE, build, read, write

# What the pad writes its words with.
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
SCRIPTS = {"init": "init.sh", "control.sh": "control.sh"}
FOLDERS = "dev proc sys tmp run bin etc mnt var root usr/bin".split()


def pack(kernel, programs=(), files=()):
    """The path of an initramfs; packed again only if something in it has changed.

    programs: paths of executables, which go to /usr/bin; files: (path in the guest, bytes).
    """
    archive = Archive()
    for folder in FOLDERS:
        archive.folder(folder)
    # The kernel opens /dev/console for init before devtmpfs is mounted.
    archive.device("dev/console", 5, 1)
    archive.file("bin/busybox", read(kernel.architecture.busybox()), 0o755)
    archive.link("bin/sh", "busybox")
    for name, script in SCRIPTS.items():
        archive.file(name, read(os.path.join(APPLIANCE, "machine", script)), 0o755)
    add_modules(archive, kernel)
    for program in programs:
        add_program(archive, program, kernel.architecture)
    if programs:
        archive.file(FONT, read(FONT))
    for path, data in files:
        archive.file(path, data)
    data = archive.packed()
    path = build("initramfs", hashlib.sha256(data).hexdigest()[:16] + ".cpio")
    if not os.path.exists(path):
        write(path, data)
    return path


def add_modules(archive, kernel):
    order = []
    for path in kernel.modules:
        order.append("/lib/modules/" + os.path.basename(path))
        archive.file(order[-1], read(path))
    archive.file("lib/modules/order", "".join(name + "\n" for name in order).encode())


def add_program(archive, program, architecture):
    archive.file("usr/bin/" + os.path.basename(program), read(program), 0o755)
    for there, here in architecture.libraries(program):
        archive.file(there, read(here), 0o755)


def clear():
    """Those of earlier builds: each has 40 MB, and the next build makes another."""
    folder = os.path.dirname(build("initramfs", "any"))
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
