"""The stock Debian kernel: fetched once, checked, and of its modules only those that the machine loads.

The package and the SHA-256 that apt's signed index gives for it are recorded in kernel.pin; as long as that file is
there, the same kernel is used and apt is not asked. `KERNEL=newest` takes the archive's present one.
"""
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from machine.modules import MODULES, content, in_load_order
from machine.places import alone, build, read, write
from machine.vmlinux import vmlinux


class Kernel:
    """package, version, vmlinux (path of the ELF file), modules (paths in load order)."""

    def __init__(self):
        with alone("kernel"):
            self.prepare()
        self.vmlinux = os.path.join(self.folder, "vmlinux")
        names = read(os.path.join(self.folder, "order")).decode().split()
        self.modules = [os.path.join(self.folder, name) for name in names]

    def prepare(self):
        self.package, self.version, self.sha256 = pin()
        # The list of modules is part of the key: another list is unpacked anew from the package.
        key = hashlib.sha256(" ".join([self.sha256, *MODULES]).encode()).hexdigest()[:16]
        self.folder = build("kernel", key)
        if not os.path.isdir(self.folder):
            unpack([fetch(self.package, self.version, self.sha256)], self.folder, MODULES)


def pin():
    """(package, version, sha256) of the kernel in use."""
    path = build("kernel.pin")
    if not os.path.exists(path) or os.environ.get("KERNEL") == "newest":
        write(path, " ".join(newest()).encode())
    return read(path).decode().split()


def newest():
    """What linux-image-amd64 depends on, as apt's signed index describes it."""
    depends = apt_cache("depends", "linux-image-amd64")
    package = re.search(r"Depends: (linux-image-\S+)", depends)
    if not package:
        raise RuntimeError("apt knows no linux-image-amd64: run apt-get update, and see that main is among the sources")
    shown = apt_cache("show", "--no-all-versions", package[1])
    version, sha256 = (re.search(rf"^{field}: (\S+)", shown, re.M)[1] for field in ("Version", "SHA256"))
    return package[1], version, sha256


def apt_cache(*arguments):
    return subprocess.run(["apt-cache", *arguments], stdout=subprocess.PIPE, text=True).stdout


def fetch(package, version, sha256, environment=None):
    """The path of the package, downloaded unless it is there; environment: of another apt than the host's."""
    kept = build("packages", f"{package}_{sha256[:16]}.deb")
    if not os.path.exists(kept):
        print(f"fetching {package} {version}", flush=True)
        # apt drops its rights to _apt for downloads and warns where that user may not write: the folder is ours alone.
        with tempfile.TemporaryDirectory(dir=os.path.dirname(kept)) as folder:
            command = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", f"{package}={version}"]
            if subprocess.run(command, cwd=folder, env=environment).returncode:
                raise RuntimeError(f"could not fetch {package} {version}: where the archive has moved on, run with KERNEL=newest")
            (name,) = os.listdir(folder)
            os.replace(os.path.join(folder, name), kept)
    if hashlib.sha256(read(kept)).hexdigest() != sha256:
        os.remove(kept)
        raise RuntimeError(f"{package} {version} is not the file with SHA-256 {sha256}: removed; run again")
    return kept


def unpack(packages, folder, modules):
    """The kernel and the modules wanted, decompressed, into folder, which appears when it is complete."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as whole:
        for package in packages:
            subprocess.run(["dpkg-deb", "-x", package, whole], check=True)
        part = whole + ".part"
        os.makedirs(part)
        write(os.path.join(part, "vmlinux"), vmlinux(read(image(whole))))
        tree = next(path for path in (whole + "/lib/modules", whole + "/usr/lib/modules") if os.path.isdir(path))
        order = [(name, content(path)) for name, path in in_load_order(modules, tree)]
        for name, data in order:
            write(os.path.join(part, name + ".ko"), data)
        write(os.path.join(part, "order"), "".join(f"{name}.ko\n" for name, _ in order).encode())
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(part, folder)


def image(whole):
    """Where the kernel lies in its unpacked packages: newer ones keep it beside the modules."""
    for place, _, names in os.walk(whole):
        for name in names:
            if name.startswith("vmlinuz"):
                return os.path.join(place, name)
    raise LookupError("there is no kernel in its package")
