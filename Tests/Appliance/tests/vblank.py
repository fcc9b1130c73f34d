"""Kernels whose virtual cards have vblanks: flips are paced by them, and damage is believed."""
import re

from machine.newer import newer
from machine.probe import Probe, numbers
from machine.sentences import expect, test
from machine.vm import card

SIZE = (640, 400)


def start(case, device, **options):
    """A machine of the newer kernel; without EDID virtio-gpu runs at 60 Hz."""
    return Probe(case.boot(kernel=newer(), cards=[card(device, SIZE, **options)], ports=["probe"], counted=2))


@test("where the card has a vblank, flips follow it, one a frame, with the ink that had come until shortly before")
def vblank(case):
    for device, rate, options in (("virtio-gpu-pci", 60, {"edid": "off"}), ("bochs-display", 75, {})):
        probe = start(case, device, **options)
        said = probe.open()
        print(f"  {said}")
        expect("atomic with damage" in said, said)
        probe.pattern(1)
        probe.show()
        # Both buffers have seen the picture, and the rhythm is known.
        probe.do("run 10", timeout=120)
        before = numbers(probe.do("stats"))
        told = probe.do("run 240", timeout=120)
        print(f"  {told}")
        expect("allocations=0 " in told, told)
        milliseconds = int(re.search(r"in (\d+) ms", told)[1])
        run = {name: value - before[name] for name, value in numbers(told).items() if name in before}
        frames = run["frames"] * 1000 / milliseconds
        expect(abs(frames / rate - 1) < 0.02, f"{frames:.2f} frames a second at {rate} Hz")
        for name in ("late", "missed", "lost", "busy"):
            expect(run[name] == 0, f"{device}: {name} {run[name]}")
        probe.do("close")


@test("a driver that shows only what it is told of shows every change")
def damage(case):
    probe = start(case, "bochs-display")
    for options in ("", "front"):
        said = probe.open(options)
        expect("atomic with damage" in said, said)
        probe.pattern(2)
        probe.show()
        probe.check(case, f"{options}: the first picture")
        for step in range(6):
            probe.rects(
                (10 + 31 * step, 20 + 17 * step, 23, 11, 0x10F020 + step * 0x205070),
                (600 - 7 * step, 5 + 60 * step, 9, 3, 0x203040 * (step + 1)),
            )
            probe.show()
            probe.check(case, f"{options}: change {step}")
        probe.do("close")
