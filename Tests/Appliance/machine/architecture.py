"""The processors that the product is built for, as machines: what emulates one, what it boots, what runs on it."""
from dataclasses import dataclass, replace
import os
import shutil
import subprocess

from machine.apt import Apt, pinned
from machine.places import PROGRAMS, RELEASE, alone, build, source

# The channels to the host, the panel, the disk, and both roads by which a touchscreen comes into being. ext4 asks the
# kernel's crypto for crc32c by name: no module names it.
MODULES = "virtio_pci virtio_console virtio_gpu virtio_blk crc32c_generic ext4 evdev uinput uhid hid_multitouch".split()


@dataclass(frozen=True)
class Architecture:
    """name: Debian's; kernel: Debian's package that depends on the present one; emulator: QEMU, and the machine and
    processor that it is; console: where its log goes; user: QEMU for a single program, where the host is no such machine;
    loader: of its dynamic programs; boards: below .build/boards, where its libraries and below bin its programs are;
    release: of Debian; processors: how many a machine with systemd has."""

    name: str
    kernel: str
    emulator: tuple
    console: str
    modules: tuple
    programs: tuple
    user: str = ""
    loader: str = ""
    boards: str = ""
    release: str = RELEASE
    processors: int = 2

    @property
    def is_host(self):
        return not self.user

    @property
    def apt(self):
        return Apt() if self.is_host and self.release == RELEASE else Apt(self.release, self.name)

    def on(self, release):
        """It with the programs that are linked with another release of Debian."""
        if self.is_host and release == RELEASE:
            return self
        return replace(self, release=release, boards=f"{self.name}-{release}", programs=BOARD["programs"])

    def built(self):
        """Paths of the programs, as `make appliance`, `make test` or `make boards` builds them."""
        folder = source(".build", "boards", "bin", self.boards) if self.boards else PROGRAMS
        return [os.path.join(folder, program) for program in self.programs]

    def libraries(self, program):
        """(path there, path here) of what a program is started with, its loader among them; nothing if it is static."""
        root = "" if self.is_host else source(".build", "boards", self.boards)
        command = ["ldd"] if self.is_host else [self.user, "-L", root, root + self.loader, "--list"]
        told = subprocess.run([*command, program], capture_output=True, text=True).stdout
        for line in told.splitlines():
            name, _, place = line.strip().partition(" => ")
            if place.startswith("not found"):
                raise LookupError(f"{program} needs {name}, which is not installed")
            # The loader is where the program says, wherever it was started from.
            path = (name if name.startswith("/") else place).split(" (")[0]
            if path.startswith("/"):
                yield path, root + path

    def busybox(self):
        """The path of a static busybox."""
        if self.is_host:
            return shutil.which("busybox")
        with alone("busybox"):
            (line,) = pinned(f"busybox-{self.name}-{self.release}", self.newest_busybox)
            folder = build("busybox", line.split()[2][:16])
            if not os.path.isdir(folder):
                subprocess.run(["dpkg-deb", "-x", self.apt.fetch(line), folder + ".part"], check=True)
                os.replace(folder + ".part", folder)
        # Newer releases have nothing in /bin itself.
        return next(path for path in (folder + "/bin/busybox", folder + "/usr/bin/busybox") if os.path.exists(path))

    def newest_busybox(self):
        self.apt.update()
        return [self.apt.describe("busybox-static")]


AMD64 = Architecture(
    name="amd64",
    kernel="linux-image-amd64",
    # With erms, the kernel copies and clears by `rep movsb`, which QEMU emulates byte by byte: seven times slower. The
    # others cost work at each copy from and to a process (smap), change of process (pku) and walk of page tables (la57).
    emulator=("qemu-system-x86_64", "-cpu", "max,-erms,-la57,-pku,-smap"),
    console="ttyS0",
    modules=(*MODULES, "bochs", "cirrus", "loop"),
    programs=("TouchGenerator", "PanelProbe", "paraphd", "paraph-handoff", "paraph"),
)
BOARD = {"console": "ttyAMA0", "modules": (*MODULES,), "programs": ("TouchGenerator", "paraphd", "paraph-handoff", "paraph")}
ARM64 = Architecture(
    name="arm64",
    kernel="linux-image-arm64",
    # An emulator of it is slower with more.
    processors=1,
    # "max" spends most of its time on emulating pointer authentication.
    emulator=("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a57"),
    user="qemu-aarch64-static",
    loader="/lib/ld-linux-aarch64.so.1",
    boards="arm64-bookworm",
    **BOARD,
)
# The same machine with the daemons as the whole Swift, and a newer Debian's libraries.
ARM64_SWIFT = replace(ARM64, boards="arm64-swift")
ARMHF = Architecture(
    name="armhf",
    kernel="linux-image-armmp",
    processors=1,
    # Debian's kernel for boards has no large addresses, above which this machine has its PCI.
    emulator=("qemu-system-arm", "-M", "virt,highmem=off", "-cpu", "cortex-a15"),
    user="qemu-arm-static",
    loader="/lib/ld-linux-armhf.so.3",
    boards="armhf-bookworm",
    **BOARD,
)
ALL = {"amd64": AMD64, "arm64": ARM64, "arm64-swift": ARM64_SWIFT, "armhf": ARMHF}
