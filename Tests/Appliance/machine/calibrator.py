"""Somebody who calibrates: touches the targets of `paraph calibrate` through a glass that lies badly on its panel."""
from machine.pad import Pad
from machine.sentences import expect, until
from machine.signature import Signature

STATUS, TOLD = "/run/status", "/run/told"
BLUE = bytes((0x00, 0x55, 0xCC))


def skewed(x, y):
    """What the glass says of a finger, in millimetres."""
    width, height = Pad.SIZE
    x, y = x / width, y / height
    return (0.06 + 0.88 * x + 0.02 * y) * width, (0.96 - 0.015 * x - 0.91 * y) * height


def through_glass(hand):
    """A signature as the glass tells it."""
    return Signature([[(t, *skewed(x, y)) for t, x, y in stroke] for stroke in hand.strokes])


def start(pad, command):
    pad.control.run(f"rm -f {STATUS}")
    pad.control.start(f"paraph {command} >{TOLD} 2>&1; echo $? >{STATUS}")


def status(pad):
    return pad.control.so_far(STATUS)


def target(screen):
    """The middle of the blue target in millimetres, or None."""
    columns, rows = [], []
    for row in range(screen.height):
        line = screen.pixels[row * screen.width * 3 : (row + 1) * screen.width * 3]
        at = line.find(BLUE)
        while at >= 0:
            if at % 3 == 0:
                columns.append(at // 3)
                rows.append(row)
            at = line.find(BLUE, at + 1)
    if len(columns) < 50:
        return None
    middle = (min(columns) + max(columns) + 1) / 2, (min(rows) + max(rows) + 1) / 2
    return tuple(value * size / pixels for value, size, pixels in zip(middle, Pad.SIZE, Pad.PIXELS))


def touch_targets(pad):
    """Touches the middle of each target that is shown, until paraph calibrate ends; where they were."""
    touched = []

    def news():
        place = target(pad.vm.screen())
        isnew = place and (not touched or max(abs(a - b) for a, b in zip(place, touched[-1])) > 5)
        return status(pad) or (isnew and place)

    while not isinstance(found := until(news, "another target is shown"), str):
        touched.append(found)
        pad.touch.tap(*skewed(*found), milliseconds=80)
    return touched


def under_finger(samples, stroke):
    """The samples of a stroke are where the finger was, and not where its glass said."""
    for sample in samples:
        near = min(max(abs(sample[1] - x), abs(sample[2] - y)) for _, x, y in stroke)
        expect(near < 0.25, f"a sample lies {near:.2f} mm beside the finger: {sample}")
