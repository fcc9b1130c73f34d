"""Booted machines, kept as their state: a machine like one that was booted before goes on from there.

Most of a short test is the boot of its machine, and few kinds of machine are booted by many tests.
"""
import contextlib
import hashlib
import os
import shutil
import time

from machine.places import IS_SOAK, alone, build, read, write
from machine.vm import VM

# What is outside the state: contents of disks, and a boot that is looked at.
OUTSIDE = {"disks", "watched", "record", "state"}


def boot(kernel, initramfs, **options):
    """A machine that is up. The first of its kind is booted; the second one's state is kept for those that follow."""
    # make soak boots each machine: a state that is resumed has the same randomness each time.
    if IS_SOAK or any(options.get(name) for name in OUTSIDE):
        return VM(kernel, initramfs, **options)
    accelerator = os.environ.get("ACCEL")
    kind = repr((kernel.image, kernel.architecture.emulator, accelerator, initramfs, sorted(options.items())))
    path = build("snapshots", hashlib.sha256(kind.encode()).hexdigest()[:16])
    with alone(os.path.join("snapshots", os.path.basename(path))):
        if not os.path.exists(path + ".state"):
            if not os.path.exists(path + ".seen"):
                write(path + ".seen", b"")
                path = None
            else:
                keep(VM(kernel, initramfs, **options), path)
    if not path:
        return VM(kernel, initramfs, **options)
    vm = VM(kernel, initramfs, state=path + ".state", said=read(path + ".log"), **options)
    vm.control.run(f"date -s @{time.time():.0f}")
    return vm


def keep(vm, path):
    """Writes a machine's state, and what its log said, and ends it."""
    try:
        said = vm.log.text().encode()
        vm.save(path + ".part")
    finally:
        vm.kill()
    write(path + ".log", said)
    os.replace(path + ".part", path + ".state")


def clear():
    """Those of earlier builds."""
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(os.path.dirname(build("snapshots", "any")))
