"""Comparing two pictures: how many pixels differ, by how much, where, and a picture of it."""
from machine.picture import Picture


class Difference:
    """count of differing pixels; maximum of a channel's difference; box (x, y, width, height) around them, or None.

    Pictures of different sizes differ in every pixel.
    """

    def __init__(self, one, other):
        self.one, self.other = one, other
        self.same_size = (one.width, one.height) == (other.width, other.height)
        self.places = self.found() if self.same_size else {}
        self.count = len(self.places) if self.same_size else max(len(one.pixels), len(other.pixels)) // 3
        self.maximum = max(self.places.values(), default=0 if self.same_size else 255)
        self.box = self.around()

    def found(self):
        """{number of the pixel: largest difference of its channels}; rows that are equal are passed over."""
        places, step = {}, self.one.width * 3
        one, other = self.one.pixels, self.other.pixels
        for start in range(0, len(one), step):
            if one[start : start + step] == other[start : start + step]:
                continue
            for at in range(start, start + step, 3):
                if one[at : at + 3] != other[at : at + 3]:
                    places[at // 3] = max(abs(one[at + c] - other[at + c]) for c in range(3))
        return places

    def around(self):
        if not self.places:
            return None
        columns = [place % self.one.width for place in self.places]
        rows = [place // self.one.width for place in self.places]
        left, top = min(columns), min(rows)
        return left, top, max(columns) - left + 1, max(rows) - top + 1

    def picture(self):
        """The first picture made pale, what differs in red: the darker, the more it differs."""
        pixels = bytearray(192 + value // 4 for value in self.one.pixels)
        for place, amount in self.places.items():
            pixels[place * 3 : place * 3 + 3] = bytes((255 - amount // 2, 0, 0))
        return Picture(self.one.width, self.one.height, pixels)

    def __str__(self):
        if not self.same_size:
            return f"{self.one.width}×{self.one.height} is compared with {self.other.width}×{self.other.height}"
        if not self.count:
            return "no pixel differs"
        x, y, width, height = self.box
        return f"{self.count} pixels differ, by {self.maximum} at most, within {width}×{height} at {x},{y}"
