"""The driver of a display that the firmware lit, and such a display: Debian builds its kernels without simpledrm.

It is built here as a module, unchanged, from the source of the very version of the stock kernel, for that kernel.
"""
import copy
import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile

from machine.apt import pinned
from machine.places import alone, build, read, source, write
from machine.sentences import Skipped

DRIVER = "drivers/gpu/drm/tiny/simpledrm.c"
FIRMWARE = source("Tests", "Appliance", "firmware")
OURS = ("Kbuild", "boot_display.c")
# In the order in which they are loaded.
MODULES = ("boot_display.ko", "simpledrm.ko")


def with_simpledrm(kernel):
    """The stock kernel with the two modules more, as the last ones."""
    _, version, _ = kernel.packages[0].split()
    with alone("simpledrm"):
        try:
            packages = pinned(f"simpledrm-{version}", lambda: newest(kernel))
            key = hashlib.sha256(" ".join(packages).encode() + b"".join(map(read, ours()))).hexdigest()[:16]
            folder = build("simpledrm", key)
            if not os.path.isdir(folder):
                make(*(kernel.apt.fetch(line) for line in packages), folder=folder)
        except RuntimeError as error:
            raise Skipped(str(error)) from None
    extended = copy.copy(kernel)
    extended.modules = kernel.modules + [os.path.join(folder, name) for name in MODULES]
    return extended


def ours():
    return [os.path.join(FIRMWARE, name) for name in OURS]


def newest(kernel):
    """The kernel's source, and what modules for it are built with, in its own version."""
    image, version, _ = kernel.packages[0].split()
    headers = image.replace("-image-", "-headers-")
    source_package = "linux-source-" + ".".join(version.split(".")[:2])
    parts = kernel.apt.depends(headers, r"linux-(?:headers|kbuild)-\S+")
    return [kernel.apt.describe(package, version) for package in (source_package, headers, *parts)]


def make(source_package, *packages, folder):
    """Builds the modules into folder, which appears when they are complete."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as place:
        root, work, part = (os.path.join(place, name) for name in ("root", "work", "modules"))
        for package in packages:
            subprocess.run(["dpkg-deb", "-x", package, root], check=True)
        for made in (work, part):
            os.mkdir(made)
        for path in ours():
            shutil.copy(path, work)
        write(os.path.join(work, os.path.basename(DRIVER)), driver(source_package))
        compile_modules(headers(root), work)
        for name in MODULES:
            shutil.move(os.path.join(work, name), part)
        os.replace(part, folder)


def compile_modules(kernel_headers, work):
    # Debug information would be most of what each boot unpacks, and for BTF the kernel itself would be needed.
    options = ["KCFLAGS=-g0", "CONFIG_DEBUG_INFO_BTF_MODULES="]
    command = ["make", "-s", "-C", kernel_headers, f"M={work}", *options, "modules"]
    built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode:
        raise OSError(f"{' '.join(command)}:\n{built.stdout}")


def headers(root):
    """The folder of the headers in use. Their makefile is given the place where they lie."""
    places = os.path.join(root, "usr", "src")
    used = next(name for name in os.listdir(places) if os.path.exists(os.path.join(places, name, ".config")))
    makefile = os.path.join(places, used, "Makefile")
    write(makefile, read(makefile).replace(b"/usr/src", places.encode()))
    return os.path.join(places, used)


def driver(package):
    """simpledrm.c out of the kernel's source, which lies in its package as a compressed tar; no more of it is read."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as unpacked:
        with tarfile.open(fileobj=unpacked.stdout, mode="r|") as outer:
            packed = next(entry for entry in outer if entry.name.endswith(".tar.xz"))
            with tarfile.open(fileobj=outer.extractfile(packed), mode="r|xz") as inner:
                found = next((entry for entry in inner if entry.name.endswith(DRIVER)), None)
                if not found:
                    raise LookupError(f"there is no {DRIVER} in {package}")
                text = inner.extractfile(found).read()
        unpacked.kill()
    return text
