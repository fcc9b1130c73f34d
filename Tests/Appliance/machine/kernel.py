"""A Debian kernel: fetched once, checked, and of its modules only those that the machine loads."""
import hashlib
import os
import shutil
import subprocess
import tempfile

from machine.apt import pinned
from machine.modules import content, in_load_order
from machine.places import alone, build, read, write
from machine.vmlinux import bootable


class Kernel:
    """architecture, image (path of what QEMU boots), modules (paths in load order), key (of all of it)."""

    def __init__(self, architecture, name, apt, newest, modules):
        """name: under which the packages in use are recorded, which newest() found in apt; modules: names."""
        self.architecture, self.apt = architecture, apt
        with alone(name):
            self.packages = pinned(name, newest)
            # The list of modules is part of the key: another list is unpacked anew from the package.
            self.key = hashlib.sha256(" ".join([*self.packages, *modules]).encode()).hexdigest()[:16]
            folder = build("kernel", self.key)
            if not os.path.isdir(folder):
                unpack(self.files(), folder, modules)
        self.image = os.path.join(folder, "image")
        names = read(os.path.join(folder, "order")).decode().split()
        self.modules = [os.path.join(folder, name) for name in names]

    def files(self):
        """Paths of its packages."""
        return [self.apt.fetch(line) for line in self.packages]


def stock(architecture):
    """The kernel of its release. `KERNEL=newest` takes the archive's present one."""
    apt = architecture.apt

    def newest():
        apt.update()
        packages = apt.depends(architecture.kernel, r"linux-image-\S+")
        if not packages:
            raise RuntimeError(f"apt knows no {architecture.kernel}: run apt-get update, and see that main is among the sources")
        return [apt.describe(packages[0])]

    return Kernel(architecture, f"kernel-{architecture.name}-{architecture.release}", apt, newest, architecture.modules)


def unpack(packages, folder, modules):
    """The kernel and the modules wanted, decompressed, into folder, which appears when it is complete."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as whole:
        for package in packages:
            subprocess.run(["dpkg-deb", "-x", package, whole], check=True)
        part = whole + ".part"
        os.makedirs(part)
        write(os.path.join(part, "image"), bootable(read(image(whole))))
        tree = modules_folder(whole)
        order = [(name, content(path)) for name, path in in_load_order(modules, tree)]
        for name, data in order:
            write(os.path.join(part, name + ".ko"), data)
        write(os.path.join(part, "order"), "".join(f"{name}.ko\n" for name, _ in order).encode())
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(part, folder)


def modules_folder(whole):
    """Where the modules lie in the kernel's unpacked packages: newer ones have no /lib of their own."""
    return next(path for path in (whole + "/lib/modules", whole + "/usr/lib/modules") if os.path.isdir(path))


def image(whole):
    """Where the kernel lies in its unpacked packages: newer ones keep it beside the modules."""
    for place, _, names in os.walk(whole):
        for name in names:
            if name.startswith("vmlinuz"):
                return os.path.join(place, name)
    raise LookupError("there is no kernel in its package")
