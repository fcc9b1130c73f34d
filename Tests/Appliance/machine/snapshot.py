"""Booted machines, kept as their state: a machine like one that was booted before goes on from there.

Most of a short test is the boot of its machine, and few kinds of machine are booted by many tests.
"""
import glob
import hashlib
import os
import re
import shutil
import time

from machine.places import IS_SOAK, alone, build, read, write
from machine.vm import PANEL, VM

# Wherever they lie, QEMU translates a program and its libraries again: at random places, starts take four times as long.
FIXED_ADDRESSES = "norandmaps"
# An emulated processor does not speculate: the kernel's mitigations would only take time.
UNMITIGATED = "mitigations=off"
# Options that need a boot: one that is looked at, and a disk whose every write is recorded.
OUTSIDE = {"watched", "record", "state"}
# Those of the touchscreen and of two probes.
PORTS = ("probe", "second", "touch")
# It is loaded when the machine goes on: each test has disks of its own.
DISK_DRIVER = "virtio_blk"


def boot(kernel, initramfs, disks=(), **options):
    """A machine that is up. The first of its kind is booted, and its state kept for those that follow."""
    # make soak boots each machine: one that is resumed has the same randomness each time, and no random addresses.
    if IS_SOAK or any(options.get(name) for name in OUTSIDE):
        return VM(kernel, initramfs, disks=disks, **options)
    # One kind of machine, whichever of these a test asks for, and in whatever words.
    options = {"append": "", "panel": PANEL, "cards": None} | options
    if options["cards"]:
        options["panel"] = None
    options["append"] += f" {FIXED_ADDRESSES}"
    if os.environ.get("ACCEL") != "kvm":
        options["append"] += f" {UNMITIGATED}"
    options["ports"] = sorted({*PORTS, *options.get("ports", ())})
    if disks:
        options["append"] = held(options["append"], DISK_DRIVER)
    vm = kept(kernel, initramfs, disks, options)
    vm.control.run(f"date -s @{time.time():.0f}" + (f"; insmod /lib/modules/{DISK_DRIVER}.ko" if disks else ""))
    return vm


def kept(kernel, initramfs, disks, options):
    """A machine as it was after its boot, of which nothing has read its disks."""
    accelerator, sizes = os.environ.get("ACCEL"), [os.path.getsize(disk) for disk in disks]
    kind = repr((kernel.image, kernel.architecture.emulator, accelerator, initramfs, sizes, sorted(options.items())))
    state = build("snapshots", hashlib.sha256(kind.encode()).hexdigest()[:16])
    log = state + ".log"
    with alone(os.path.join("snapshots", os.path.basename(state))):
        if not os.path.exists(state):
            # Unfinished ones are of runs that were killed.
            for folder in glob.glob(glob.escape(state) + ".*/"):
                shutil.rmtree(folder)
            keep(VM(kernel, initramfs, disks=disks, keeps=state, **options), log)
    return VM(kernel, initramfs, disks=disks, state=state, said=read(log), **options)


def held(append, module):
    """The kernel's command line with one module more that init does not load."""
    return re.sub(r"hold=(\S+)", rf"hold=\1,{module}", append) if "hold=" in append else f"{append} hold={module}"


def keep(vm, log):
    """Ends a machine, and writes its state and what its log said."""
    try:
        write(log, vm.log.text().encode())
        vm.save()
    finally:
        vm.kill()


def clear():
    """Removes what was kept, by earlier builds too."""
    folder = os.path.dirname(build("snapshots", "any"))
    # Nothing that is half removed keeps the name of a state, and the next run removes it.
    gone = folder + ".removed"
    with alone("snapshots.removed"):
        shutil.rmtree(gone, ignore_errors=True)
        os.rename(folder, gone)
        shutil.rmtree(gone)
