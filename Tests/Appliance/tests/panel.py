"""The display part on real drivers: what was drawn is what is seen from outside, pixel by pixel."""
from machine.probe import Probe
from machine.sentences import expect, test
from machine.vm import card

SIZE = (640, 400)


def machine(case, device):
    """A machine with one card, and the probe in it."""
    return Probe(case.boot(cards=[card(device, SIZE)], ports=["probe"]))


def draw(case, probe, name):
    """A whole picture, then small changes; each is compared."""
    probe.pattern(1)
    probe.show()
    probe.check(case, f"{name}: the first picture")
    before = probe.show()["bytes"]
    for step in range(5):
        probe.rects(
            (10 + 31 * step, 20 + 17 * step, 23, 11, 0x10F020 + step * 0x205070),
            (600 - 7 * step, 5, 9, 3, 0x203040 * (step + 1)),
        )
        after = probe.show()
        probe.check(case, f"{name}: change {step}")
    pixels = 5 * (23 * 11 + 9 * 3)
    # Each square goes into each of two buffers once; the other buffer still owes the first picture.
    most = 4 * (2 * pixels + SIZE[0] * SIZE[1])
    expect(after["bytes"] - before <= most, f"{name}: {after['bytes'] - before} bytes for {pixels} pixels twice")
    expect(after["lost"] == 0, f"{name}: {after}")


@test("on virtio-gpu every pixel is right: atomic, legacy, and in the front buffer told by DirtyFB")
def virtio_gpu(case):
    every_way(case, "virtio-gpu-pci")


@test("on bochs-display every pixel is right: atomic, legacy, and in the front buffer")
def bochs(case):
    every_way(case, "bochs-display")


def every_way(case, device):
    probe = machine(case, device)
    for options in ("", "legacy", "front", "front legacy"):
        print(f"  {device} {options}: {probe.open(options)}")
        draw(case, probe, f"{device} {options}")
        told = probe.do("run 60")
        print(f"    {told}")
        expect("allocations=0 " in told, f"{device} {options}: {told}")
        probe.do("close")


@test("the picture is turned by 90, 180 and 270 degrees")
def turned(case):
    probe = machine(case, "virtio-gpu-pci")
    for rotation in (90, 180, 270):
        probe.open(f"rotation={rotation}")
        corners(case, probe, f"rotation {rotation}")
        probe.do("close")


@test("a card that takes RGB565 gets it, dithered")
def rgb565(case):
    probe = Probe(case.boot(cards=["cirrus-vga"], ports=["probe"]))
    said = probe.open("mode=640x480 format=rgb565")
    expect("RGB565" in said, said)
    corners(case, probe, said)


def corners(case, probe, name):
    """A picture, and a change in two of its corners."""
    probe.pattern(2)
    probe.show()
    probe.rect(3, 5, 40, 7, 0xFF0000)
    probe.rect(probe.width - 9, probe.height - 6, 9, 6, 0x0000FF)
    probe.show()
    probe.check(case, name)


@test("paraph devices tells the panel, its modes and why nothing else is used, and leaves the card to the daemon")
def devices(case):
    vm = case.boot(cards=[card("virtio-gpu-pci", SIZE)], ports=["probe"])
    told = vm.control.text("paraph devices")
    print("  " + told.replace("\n", "\n  ")[:300])
    expect(told.startswith("/dev/dri/card0 (virtio_gpu)\n  Virtual-1: the panel, in 640x400@"), told)
    expect("modes: 640x400@74.98*" in told, told)
    probe = Probe(vm)
    probe.open()
    corners(case, probe, "after paraph devices")
    told = vm.control.text("paraph devices")
    expect("in use by PanelProbe (" in told, told)
    probe.rect(100, 100, 9, 9, 0xFF00FF)
    probe.show()
    probe.check(case, "while paraph devices has looked")
