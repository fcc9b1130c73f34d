"""A pad whose panel is built in turned, with the touchscreen glued to it."""
from machine.pad import Pad
from machine.picture import Picture
from machine.signature import Signature


class TurnedPad(Pad):
    """Places are given as the user sees them, upright; the panel and its touchscreen have their own."""

    def __init__(self, case, degrees, **options):
        self.quarters = degrees // 90
        super().__init__(case, display=f"rotation = {degrees}\n", **options)
        width, height = self.SIZE[:: -1 if self.quarters % 2 else 1]
        self.upright = (width, height)
        self.CLEAR, self.DONE = (18, height - 9), (width - 18, height - 9)
        self.BOX = (12, 0.4 * height, width - 24, 0.3 * height)

    def on_panel(self, x, y):
        """The panel's millimetres under the user's: the picture lies clockwise in the scan-out."""
        width, height = self.upright
        return [(x, y), (height - y, x), (width - x, height - y), (y, width - x)][self.quarters]

    def sign(self, signature):
        strokes = [[(time, *self.on_panel(x, y)) for time, x, y in stroke] for stroke in signature.strokes]
        return super().sign(Signature(strokes))

    def done(self):
        self.touch.tap(*self.on_panel(*self.DONE))

    def seen(self, screen):
        """The scan-out as the user sees it."""
        rows = [screen.pixels[3 * screen.width * y :][: 3 * screen.width] for y in range(screen.height)]
        rows = [[row[3 * x : 3 * x + 3] for x in range(screen.width)] for row in rows]
        for _ in range(self.quarters):
            rows = [list(column) for column in zip(*rows)][::-1]  # back, counter-clockwise
        return Picture(len(rows[0]), len(rows), b"".join(pixel for row in rows for pixel in row))
