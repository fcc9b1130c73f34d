"""A small Debian as a disk: made by mmdebstrap, with the kernel's modules and the port for the host. The product is not on
it: dpkg installs that in the running machine.

It is made once for each list of packages and kernel, and needs root (for the owners of its files).
"""
import hashlib
import os
import shutil
import subprocess
import tempfile

from machine.apt import accepted, mirror
from machine.cpio import Archive
from machine.kernel import modules_folder
from machine.modules import content, in_load_order
from machine.places import APPLIANCE, RELEASE, TOOLS, alone, build, read, write
from machine.sentences import Skipped

# The last is what TouchGenerator is linked with and the packages are not.
PACKAGES = ["systemd-sysv", "udev", "kmod", "dbus", "adduser", "fonts-dejavu-core", "libstdc++6"]
# What the disk needs before udev runs.
FIRST = ["virtio_pci", "virtio_blk", "crc32c_generic", "ext4"]
MODULES = [*FIRST, "virtio_gpu", "virtio_console", "evdev", "uinput", "uhid", "hid_multitouch", "hid_generic", "autofs4"]
# Sparse.
SIZE = "1500M"
# What no board of this kind has, and an emulated machine spends seconds on.
MASKED = """apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer
 systemd-firstboot.service systemd-pcrphase.service systemd-pcrphase-sysinit.service systemd-pcrphase-initrd.service
 systemd-pstore.service systemd-binfmt.service dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount
 sys-kernel-tracing.mount sys-fs-fuse-connections.mount proc-sys-fs-binfmt_misc.automount serial-getty@CONSOLE.service
 modprobe@configfs.service modprobe@fuse.service modprobe@efi_pstore.service modprobe@dm_mod.service
 modprobe@loop.service systemd-timesyncd.service""".split()
CONTROL = """[Unit]
DefaultDependencies=no
After=systemd-remount-fs.service systemd-udevd.service
[Service]
ExecStart=/bin/sh /usr/local/lib/control.sh
StandardOutput=file:/dev/CONSOLE
"""
JOURNAL = "[Journal]\nStorage=volatile\nForwardToConsole=yes\nTTYPath=/dev/CONSOLE\nMaxLevelConsole=info\n"
# Lets programs of a board run here by QEMU, as Debian's systemd does where it has started this machine.
FOREIGN = """
emulator=$0 formats=/proc/sys/fs/binfmt_misc
[ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats
[ -e $formats/$emulator ] || cat /usr/lib/binfmt.d/$emulator.conf >$formats/register
exec "$@"
"""


class Root:
    """disk (path of the raw image), initramfs, key: of everything in them. depends: packages that the product needs."""

    def __init__(self, kernel, depends, kind=""):
        """kind: a word for each further list of packages, so that their disks are kept beside one another."""
        self.kind = kind
        scripts = [read(os.path.join(APPLIANCE, "machine", name)) for name in ("root.py", "control.sh", "switch.sh")]
        parts = [kernel.key.encode(), " ".join(depends).encode(), *scripts]
        self.key = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
        self.kernel, self.architecture = kernel, kernel.architecture
        self.folder = build("root", f"{self.architecture.name}-{self.architecture.release}{kind}", self.key)
        self.disk, self.initramfs = (os.path.join(self.folder, name) for name in ("root.img", "switch.cpio"))
        with alone(f"root-{self.architecture.name}"):
            if not os.path.isdir(self.folder):
                self.make(depends)

    def make(self, depends):
        if os.geteuid() != 0:
            raise Skipped("a disk with Debian on it can only be made by root")
        print("making a Debian disk (a minute)", flush=True)
        shutil.rmtree(os.path.dirname(self.folder), ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=os.path.dirname(build("root", "part"))) as whole:
            tree, part = os.path.join(whole, "tree"), os.path.join(whole, "part")
            os.makedirs(part)
            debian(tree, [*PACKAGES, *depends], self.architecture)
            self.modules(whole, tree, os.path.join(part, "switch.cpio"))
            settle(tree, self.architecture.console)
            filesystem(tree, os.path.join(part, "root.img"))
            os.makedirs(os.path.dirname(self.folder), exist_ok=True)
            os.replace(part, self.folder)

    def modules(self, whole, tree, initramfs):
        """Of the kernel's modules those that this machine has, for udev to find, and the first ones into an initramfs."""
        kernel = os.path.join(whole, "kernel")
        (package,) = self.kernel.files()
        subprocess.run(["dpkg-deb", "-x", package, kernel], check=True)
        folder = modules_folder(kernel)
        (version,) = os.listdir(folder)
        target = os.path.join(tree, "lib/modules", version)
        os.makedirs(target)
        for name, path in in_load_order(MODULES, folder):
            shutil.copy(path, target)
        for name in os.listdir(os.path.join(folder, version)):
            if name.startswith("modules.builtin") or name == "modules.order":
                shutil.copy(os.path.join(folder, version, name), target)
        run(self.architecture, "chroot", tree, "depmod", version)
        archive = Archive()
        for name in "dev proc sys mnt bin lib/modules".split():
            archive.folder(name)
        archive.device("dev/console", 5, 1)
        archive.file("bin/busybox", read(self.architecture.busybox()), 0o755)
        archive.file("init", read(os.path.join(APPLIANCE, "machine", "switch.sh")), 0o755)
        order = in_load_order(FIRST, folder)
        for name, path in order:
            archive.file(f"lib/modules/{name}.ko", content(path))
        archive.file("lib/modules/order", "".join(f"/lib/modules/{name}.ko\n" for name, _ in order).encode())
        write(initramfs, archive.packed())


def run(architecture, *command):
    """A command that runs programs of that architecture."""
    if not architecture.is_host:
        command = ["unshare", "--mount", "sh", "-ec", FOREIGN, architecture.user.removesuffix("-static"), *command]
    subprocess.run(command, check=True)


def debian(tree, packages, architecture):
    command = ["mmdebstrap", "--quiet", "--variant=essential", "--include=" + ",".join(packages)]
    command += [f"--architectures={architecture.name}", *(f"--aptopt={line}" for line in accepted().splitlines())]
    # What nobody reads here; where the product's own examples and pages lie is kept.
    for place in ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*"):
        command.append(f"--dpkgopt=path-exclude={place}")
    # This machine's release is taken from where it has it, with the updates.
    places = [] if architecture.release == RELEASE else [mirror()]
    run(architecture, *command, "--dpkgopt=path-include=/usr/share/doc/paraph*", architecture.release, tree, *places)


def settle(tree, console):
    """A machine that has been set up: it does not ask, and it does not start what it does not need."""
    place = lambda *names: os.path.join(tree, *names)
    write(place("etc/fstab"), b"/dev/vda / ext4 rw,relatime 0 1\n")
    write(place("etc/hostname"), b"board\n")
    write(place("etc/machine-id"), b"0123456789abcdef0123456789abcdef\n")
    units = place("etc/systemd/system")
    for unit in (unit.replace("CONSOLE", console) for unit in MASKED):
        os.symlink("/dev/null", os.path.join(units, unit))
    write(os.path.join(units, "control.service"), CONTROL.replace("CONSOLE", console).encode())
    os.makedirs(os.path.join(units, "sysinit.target.wants"), exist_ok=True)
    os.symlink("/etc/systemd/system/control.service", os.path.join(units, "sysinit.target.wants/control.service"))
    os.makedirs(place("etc/systemd/journald.conf.d"), exist_ok=True)
    write(place("etc/systemd/journald.conf.d/console.conf"), JOURNAL.replace("CONSOLE", console).encode())
    os.makedirs(place("usr/local/lib"), exist_ok=True)
    shutil.copy(os.path.join(APPLIANCE, "machine", "control.sh"), place("usr/local/lib"))


def filesystem(tree, image):
    with open(image, "wb") as file:
        file.truncate(int(SIZE.removesuffix("M")) << 20)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", tree, "-L", "root", image], env=TOOLS, check=True)
