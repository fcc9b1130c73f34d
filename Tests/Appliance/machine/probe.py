"""PanelProbe in the guest: the product's display part, and the picture that it must show."""
import re

from machine.picture import Picture
from machine.sentences import Broken, until


class Probe:
    """A canvas in the guest and the same one here. `vm` needs a port for it."""

    def __init__(self, vm, device=None, port="probe", wrapper=""):
        """device: QEMU's id of the card that is looked at, where there is more than one; wrapper: what starts it."""
        self.vm, self.stream, self.look = vm, vm.ports[port], {}
        self.looking_at(device)
        vm.control.start(f"{wrapper}PanelProbe 2>/dev/console <>/dev/virtio-ports/{port} >&0")
        if (line := self.stream.line(60)) != "ready":
            raise RuntimeError(f"the probe did not come up: {line}")

    def open(self, options=""):
        """Open a panel; what the probe says of it."""
        self.rotation = int((re.search(r"rotation=(\d+)", options) or [0, 0])[1])
        self.is_16_bit = "format=rgb565" in options
        return self.opened(self.do(f"open {options}", timeout=60))

    def looking_at(self, device):
        self.look = {"device": device} if device else {}
        return self

    def opened(self, said):
        self.width, self.height = map(int, re.match(r"ok (\d+)x(\d+)", said).groups())
        self.canvas = [[(255, 255, 255)] * self.width for _ in range(self.height)]
        return said

    def do(self, command, timeout=60):
        self.stream.send(command.encode() + b"\n")
        answer = self.stream.line(timeout)
        if not answer.startswith("ok"):
            raise Broken(f"{command!r}: {answer}")
        return answer

    def pattern(self, seed):
        self.do(f"pattern {seed}")
        for y in range(self.height):
            for x in range(self.width):
                mixed = (x // 4 * 2654435761 ^ y // 4 * 40503 * 251 ^ seed * 97) & 0xFFFFFFFF
                self.canvas[y][x] = rgb(mixed ^ mixed >> 11)

    def rect(self, *rect):
        self.rects(rect)

    def rects(self, *rects):
        """Rectangles (x, y, width, height, colour), shown together."""
        self.stream.send("".join("rect %d %d %d %d %d\n" % rect for rect in rects).encode())
        for x, y, width, height, colour in rects:
            if not (answer := self.stream.line(60)).startswith("ok"):
                raise Broken(answer)
            for row in self.canvas[y : y + height]:
                row[x : x + width] = [rgb(colour)] * len(row[x : x + width])

    def show(self):
        """Until it is on the glass; the statistics."""
        return numbers(self.do("show"))

    def picture(self):
        """What the panel must show: the canvas, turned and converted as the probe was told."""
        rows = self.canvas
        for _ in range(self.rotation // 90):
            rows = [list(column) for column in zip(*rows[::-1])]
        if self.is_16_bit:
            rows = [[dithered(pixel, x, y) for x, pixel in enumerate(row)] for y, row in enumerate(rows)]
        return Picture(len(rows[0]), len(rows), bytes(channel for row in rows for pixel in row for channel in pixel))

    def check(self, case, sentence):
        """The screen from outside is the picture, pixel by pixel. The monitor may be a moment behind the guest."""
        picture = self.picture()
        try:
            until(lambda: self.vm.screen(**self.look) == picture, sentence, timeout=30)
        except Broken:
            case.same(self.vm.screen(**self.look), picture, sentence)


def rgb(colour):
    return (colour >> 16 & 255, colour >> 8 & 255, colour & 255)


def numbers(answer):
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", answer)}


def bayer(x, y):
    """Bayer's 8 × 8 thresholds from their definition (1973): the bits of x^y and y, interleaved and reversed."""
    value = 0
    for bit in range(3):
        value = value << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1
    return value


def dithered(pixel, x, y):
    """RGB565 and back, as a card scans it out: v·31 or v·63 over 255, rounded down after the threshold was added."""
    level = bayer(x & 7, y & 7) * 4 + 1
    red, green, blue = (
        (value * steps + (level * 255 >> 8)) // 255 for value, steps in zip(pixel, (31, 63, 31))
    )
    return (red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2)
