"""A newer Debian kernel beside the stock one: its virtual cards have vblanks and take damage with flips.

Without network, or once the archive has moved on from what is recorded of it, the tests that need it are skipped.
"""
from machine.apt import Apt
from machine.architecture import AMD64
from machine.kernel import Kernel
from machine.sentences import Skipped

SUITE = "trixie-backports"
# What the stock kernel's list holds beside these is built in, or has gone.
MODULES = ["virtio_pci", "virtio_console", "virtio_gpu", "bochs", "evdev", "uinput", "uhid", "hid_multitouch"]


def newer():
    apt = Apt(SUITE, AMD64.name)

    def newest():
        apt.update()
        (kernel,) = apt.depends(AMD64.kernel, r"linux-image-\d\S+")
        return map(apt.describe, apt.depends(kernel, r"linux-(?:base|binary|modules)-\d\S+") or [kernel])

    try:
        return Kernel(AMD64, "newer", apt, newest, MODULES)
    except RuntimeError as error:
        raise Skipped(str(error)) from None
