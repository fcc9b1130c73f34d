"""The machine's first and only root: busybox, the kernel's modules, the programs and what they are linked with."""
import hashlib
import os
import subprocess
import tempfile

from machine.cpio import Archive
from machine.places import APPLIANCE, alone, build, read, write

# Of the machines of tests.
FOLDER = "initramfs"
# What the pad writes its words with.
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
# Written by ldconfig(8) whenever a library is installed.
LIBRARIES = "/etc/ld.so.cache"
SCRIPTS = {"init": "init.sh", "control.sh": "control.sh"}
FOLDERS = "dev proc sys tmp run bin etc mnt var root usr/bin".split()


def pack(kernel, programs=(), files=(), folder=FOLDER):
    """The path of an initramfs; packed again only if something in it has changed.

    programs: paths of executables, which go to /usr/bin; files: (path in the guest, bytes); folder: of the initramfs,
    for clear().
    """
    key = hashlib.sha256(repr(parts(kernel, programs, files)).encode()).hexdigest()[:16]
    path = build(folder, key + ".cpio")
    with alone(os.path.join(folder, key)):
        if not os.path.exists(path):
            write(path, packed(kernel, programs, files))
    return path


def parts(kernel, programs, files):
    """What tells one initramfs from another, read in a moment: of programs when they were written, and of their libraries
    when the host's were last changed."""
    scripts = [read(os.path.join(APPLIANCE, "machine", script)) for script in SCRIPTS.values()]
    code = [os.path.join(os.path.dirname(__file__), name) for name in ("initramfs.py", "cpio.py", "architecture.py")]
    paths = [*kernel.modules, *programs, *code, kernel.architecture.busybox()]
    paths += [path for path in (LIBRARIES, FONT) if os.path.exists(path)]
    if not kernel.architecture.is_host:
        paths += [here for program in programs for _, here in kernel.architecture.libraries(program)]
    facts = [(path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in paths]
    return facts, scripts, [(path, hashlib.sha256(data).hexdigest()) for path, data in files]


def packed(kernel, programs, files):
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
    return archive.packed()


def add_modules(archive, kernel):
    order = []
    for path in kernel.modules:
        order.append("/lib/modules/" + os.path.basename(path))
        archive.file(order[-1], read(path))
    archive.file("lib/modules/order", "".join(name + "\n" for name in order).encode())


def add_program(archive, program, architecture):
    archive.file("usr/bin/" + os.path.basename(program), stripped(program, architecture), 0o755)
    for there, here in architecture.libraries(program):
        archive.file(there, read(here), 0o755)


def stripped(program, architecture):
    """A program as it is installed. Its debugging information would be most of what each boot unpacks."""
    if not architecture.is_host:
        return read(program)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program")
        subprocess.run(["strip", "-o", path, program], check=True)
        return read(path)


def clear(folder=FOLDER):
    """Removes those of earlier builds: each has 40 MB, and the next build makes another."""
    place = os.path.dirname(build(folder, "any"))
    for name in os.listdir(place):
        os.remove(os.path.join(place, name))
