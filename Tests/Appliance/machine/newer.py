"""A newer Debian kernel beside the stock one: its virtual cards have vblanks and take damage with flips.

It comes from SUITE through an apt of its own, whose state lies below .build, so that the host's apt stays untouched.
Without network, or once the archive has moved on from what is recorded in newer.pin, the tests that need it are skipped.
"""
import hashlib
import os
import re
import subprocess

from machine.kernel import fetch, unpack
from machine.places import alone, build, read, write
from machine.sentences import Skipped

SUITE = "trixie-backports"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# What the stock kernel's list holds beside these is built in, or has gone.
MODULES = ["virtio_pci", "virtio_console", "virtio_gpu", "bochs", "evdev", "uinput", "uhid", "hid_multitouch"]


class Newer:
    """vmlinux (path of the ELF file), modules (paths in load order)."""

    def __init__(self):
        with alone("newer"):
            folder = prepared()
        self.vmlinux = os.path.join(folder, "vmlinux")
        names = read(os.path.join(folder, "order")).decode().split()
        self.modules = [os.path.join(folder, name) for name in names]


def prepared():
    """The folder with the kernel and its modules."""
    packages = pin()
    key = hashlib.sha256(" ".join([*packages, *MODULES]).encode()).hexdigest()[:16]
    folder = build("newer", key)
    if not os.path.isdir(folder):
        unpack([fetched(line) for line in packages], folder, MODULES)
    return folder


def fetched(line):
    try:
        return fetch(*line.split(), environment=apt())
    except RuntimeError as error:
        raise Skipped(str(error)) from None


def pin():
    """Lines "package version sha256" of the kernel in use."""
    path = build("newer.pin")
    if not os.path.exists(path) or os.environ.get("KERNEL") == "newest":
        write(path, "\n".join(newest()).encode())
    return read(path).decode().splitlines()


def newest():
    if subprocess.run(["apt-get", "-qq", "update"], env=apt()).returncode:
        raise Skipped(f"no package list of {SUITE}: is there a network?")
    (kernel,) = depends("linux-image-amd64", r"linux-image-\d\S+")
    for package in depends(kernel, r"linux-(?:base|binary|modules)-\d\S+") or [kernel]:
        shown = cache("show", "--no-all-versions", package)
        yield " ".join([package, *(re.search(rf"^{field}: (\S+)", shown, re.M)[1] for field in ("Version", "SHA256"))])


def depends(package, pattern):
    return re.findall(rf"^  Depends: ({pattern})$", cache("depends", package), re.M)


def cache(*arguments):
    return subprocess.run(["apt-cache", *arguments], env=apt(), stdout=subprocess.PIPE, text=True).stdout


def apt():
    """The environment of an apt that knows only SUITE, from the mirror that the host itself uses."""
    place = os.path.dirname(build("apt", "apt.conf"))
    for folder in ("state/lists/partial", "cache/archives/partial", "etc/preferences.d", "etc/sources.list.d"):
        os.makedirs(os.path.join(place, folder), exist_ok=True)
    told = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)"], stdout=subprocess.PIPE, text=True).stdout
    mirror = next((uri for uri in told.split() if uri.rstrip("/").endswith("/debian")), "http://deb.debian.org/debian")
    write(os.path.join(place, "etc/sources.list"), f"deb [signed-by={KEYRING}] {mirror} {SUITE} main\n".encode())
    write(os.path.join(place, "status"), b"")
    settings = {
        "Dir::State": "state",
        "Dir::State::status": "status",
        "Dir::Cache": "cache",
        "Dir::Etc": "etc",
    }
    lines = [f'{name} "{place}/{value}";\n' for name, value in settings.items()]
    lines += ['APT::Architecture "amd64";\n', 'Acquire::Languages "none";\n', 'APT::Sandbox::User "root";\n']
    write(os.path.join(place, "apt.conf"), "".join(lines).encode())
    return {**os.environ, "APT_CONFIG": os.path.join(place, "apt.conf")}
