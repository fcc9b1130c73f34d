"""A theme on a real kernel's screen: its picture and its logo, ink on them, and what is saved."""
from machine.hand import check_samples, written
from machine.pad import AS_SHOWN, Pad
from machine.picture import Picture
from machine.png import encode
from machine.sentences import expect, test

from tests.signing import drawn_anew, on_ground

PICTURE, LOGO = "/etc/paraph/picture.png", "/etc/paraph/logo.png"
THEME = f"""[ink]
width = 0.3 2
[theme]
picture = {PICTURE}
picture-fit = centre
logo = {LOGO}
logo-place = bottom-right
logo-size = 16x4
"""
RED = (200, 16, 46)


def slopes():
    """As large as the glass, and another colour everywhere; white where a test looks for the pad."""
    width, height = Pad.PIXELS
    return Picture(
        width, height, bytes(value for y in range(height) for x in range(width) for value in (255 - x // 8, 255 - y // 6, 255)))


def at(picture, x, y):
    """The pixel at a place of the glass, in millimetres."""
    return picture.pixel(*(int(mm * pixels / size) for mm, pixels, size in zip((x, y), Pad.PIXELS, Pad.SIZE)))


@test("a theme's picture is on the screen pixel for pixel, under the ink, its logo in its corner, and neither is saved")
def theme(case):
    pad = Pad(case, signature=AS_SHOWN, display=THEME)
    ground = slopes()
    pad.control.push(PICTURE, ground.png())
    # Four times as wide as high, as the box is.
    pad.control.push(LOGO, encode(40, 10, 3, bytes(RED) * 400))
    clean = pad.start()
    pad.start_handoff()
    # Beside the words, and between them and the line to sign on.
    for part in ((0, 0, 8, Pad.PIXELS[1]), (0, 80, Pad.PIXELS[0], 170)):
        case.same(clean.part(*part), ground.part(*part), "the picture is not what was given")
    # 16 × 4 mm above the buttons, at the right; 3.87 mm from the borders.
    right, lower = 154 - 3.87, 86 - 2.58 - 13.76 - 2.58 - 3.87
    expect(at(clean, right - 15.5, lower - 3.5) == at(clean, right - 0.5, lower - 0.5) == RED, "the logo is not in its corner")
    beside = [at(clean, right - 16.5, lower - 2), at(clean, right + 0.5, lower - 2), at(clean, right - 8, lower - 4.5)]
    expect(RED not in beside, "the logo is too large")
    hand = written(31)
    screen = pad.sign(hand)
    pad.done()
    (item,) = pad.delivered(1)
    pad.cleaned()
    check_samples(item, hand, pad)
    page = Picture.from_png(item.files["signature.png"])
    expect(page.pixel(0, 0) == (255, 255, 255), "the page of a signature is not white")
    case.same(page, drawn_anew(item, "--dpi", "panel", "--no-trim"), "the strokes drawn anew have another width")
    part = (0, 0, Pad.PIXELS[0], 380)
    case.same(
        screen.part(*part), on_ground(page.part(*part), clean.part(*part)), "the screen and the ink on the theme differ")


@test("a theme with a PNG that is damaged ends the pad with 78, and one line names the file and the reason")
def damaged(case):
    pad = Pad(case, display=THEME)
    pad.control.push(PICTURE, slopes().png()[:-20])
    pad.control.push(LOGO, "no picture")
    begun = pad.launch("paraphd")
    pad.ended("paraphd", 78, after=begun)
    pad.vm.log.wait(f"picture: {PICTURE}: damaged PNG: the file ends too early", after=begun)
    pad.vm.log.wait(f"logo: {LOGO}: not a PNG", after=begun)
