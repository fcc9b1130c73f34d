"""The guest's touchscreen, held by TouchGenerator and driven from here."""
import shlex

from machine.sentences import until
from machine.signature import Signature


def pace(road):
    """How a machine must run for it. hid-multitouch ends a contact that it has not heard of for 100 ms: a machine that is
    emulated on a busy host may be so late; where time passes by instructions it cannot."""
    return {"counted": 1} if road == "uhid" else {}


class Touchscreen:
    """A multitouch panel of the guest. Positions are millimetres from its top left corner."""

    def __init__(self, vm, road="uinput", size=(154, 86), units=20, name="Appliance touchscreen", slots=10, fuzz=0):
        """road: uinput, or uhid for the kernel's hid-multitouch, or None where it is plugged in already; size in mm; units
        per mm; fuzz: the kernel's smoothing, in units, by uinput."""
        self.vm, self.stream, self.size, self.units = vm, vm.ports["touch"], size, units
        self.slots, self.name, self.fuzz = slots, name, fuzz
        if road:
            self.plug(road)

    def plug(self, road):
        width, height = self.size
        arguments = [road, f"{width}x{height}", str(self.units), str(self.slots), self.name, str(self.fuzz)]
        command = " ".join(map(shlex.quote, arguments))
        self.vm.control.start(f"TouchGenerator {command} 2>/dev/console <>/dev/virtio-ports/touch >&0")
        self.ready = self.stream.line(60)
        if not self.ready.startswith("ready"):
            raise RuntimeError(f"the touchscreen did not come up: {self.ready}")

    def do(self, *commands, timeout=60):
        """Commands of TouchGenerator, one line each; its answers."""
        return list(self.answers(*commands, timeout=timeout))

    def answers(self, *commands, timeout=60):
        """Sends the commands at once; each answer as it comes, while those behind it are carried out."""
        self.stream.send("".join(command + "\n" for command in commands).encode())
        for command in commands:
            answer = self.stream.line(timeout)
            if not answer.startswith("ok"):
                raise RuntimeError(f"{command!r}: {answer}")
            yield answer

    def tap(self, x, y, slot=0, milliseconds=60):
        """A finger that comes down, stays, and leaves."""
        self.do(f"down {slot} {x} {y}", "frame", f"wait {milliseconds}", f"up {slot}", "frame")

    def play(self, signature: Signature, timeout=120):
        """Write a signature as the hand did, in real time; how the playing went."""
        self.vm.control.push("/run/signature", signature.text())
        return self.do("play /run/signature", timeout=timeout)[0]

    def units_of(self, stroke):
        """The places of a stroke as the device reports them: what does not change is not reported."""
        places = []
        for _, x, y in stroke:
            place = tuple(int(round(v, 4) * self.units + 0.5) for v in (x, y))
            if places[-1:] != [place]:
                places.append(place)
        return places

    def node(self):
        """Its event device in the guest."""
        path = self.vm.control.text(f"grep -l -x {shlex.quote(self.name)} /sys/class/input/event*/device/name")
        return "/dev/input/" + path.split("/")[4]

    def unplug(self):
        self.stream.send(b"quit\n")
        until(lambda: self.vm.control.status("pidof TouchGenerator")[0], "the touchscreen is gone")
