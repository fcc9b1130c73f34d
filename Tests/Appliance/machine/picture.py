"""Pictures as rows of RGB bytes: of the screen, out of a PNG, and parts of them."""
import re

from machine import png
from machine.places import read


class Picture:
    """width, height, pixels (width × height × 3 bytes)."""

    def __init__(self, width, height, pixels):
        if len(pixels) != width * height * 3:
            raise ValueError(f"{len(pixels)} bytes are no picture of {width}×{height}")
        self.width, self.height, self.pixels = width, height, bytes(pixels)

    @staticmethod
    def from_ppm(path):
        data = read(path)
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        if not head:
            raise ValueError(f"{path} is no PPM")
        return Picture(int(head[1]), int(head[2]), data[head.end() :])

    @staticmethod
    def from_png(data):
        """Out of the bytes of a grey or RGB PNG of 8 bits."""
        width, height, channels, samples = png.decode(data)
        if channels == 1:
            grey, samples = samples, bytearray(3 * len(samples))
            for channel in range(3):
                samples[channel::3] = grey
        return Picture(width, height, samples)

    def png(self):
        return png.encode(self.width, self.height, 3, self.pixels)

    def pixel(self, x, y):
        at = (y * self.width + x) * 3
        return tuple(self.pixels[at : at + 3])

    def part(self, x, y, width, height):
        """The rectangle with its top left corner at x, y."""
        if x < 0 or y < 0 or x + width > self.width or y + height > self.height:
            raise ValueError(f"{width}×{height} at {x},{y} is not inside {self.width}×{self.height}")
        rows = range(y, y + height)
        starts = ((row * self.width + x) * 3 for row in rows)
        return Picture(width, height, b"".join(self.pixels[at : at + width * 3] for at in starts))

    def __eq__(self, other):
        same = (self.width, self.height) == (other.width, other.height)
        return same and self.pixels == other.pixels
