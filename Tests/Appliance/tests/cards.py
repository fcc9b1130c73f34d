"""Which card the pad is on, and how it takes its pixels: the ink is the samples' ink all the same."""
import re

from machine.newer import newer
from machine.pad import AS_SHOWN, WHITE, Pad
from machine.picture import Picture
from machine.probe import dithered
from machine.sentences import expect, test, until
from machine.vm import card

from tests.glass import half_signed
from tests.signing import check_samples, compare, drawn_anew, on_ground, written


@test("of two cards the pad is on the one that it is told, whichever came first")
def told_card(case):
    for first, second, device in (("bochs", "virtio_gpu", "virtio"), ("virtio_gpu", "bochs", "bochs")):
        cards = [card("virtio-gpu-pci", Pad.PIXELS, id="virtio"), card("bochs-display", Pad.PIXELS, id="bochs")]
        # Both are held, so that one boot serves both orders.
        pad = Pad(case, cards=cards, append="hold=virtio_gpu,bochs", display="card = /dev/dri/card1\n")
        pad.control.run(f"insmod /lib/modules/{first}.ko; insmod /lib/modules/{second}.ko")
        pad.vm.look = {"device": device}
        clean = pad.start()
        pad.vm.log.wait(rf"/dev/dri/card1 \({device}")
        expect(pad.sign(written(150, strokes=1)) != clean, f"there is no ink on {device}")
        pad.vm.kill()


@test("a driver that is replaced by another, with another size, takes the ink with it")
def replaced_card(case):
    small = (640, 400)
    cards = [card("bochs-display", small, id="first"), card("virtio-gpu-pci", Pad.PIXELS, id="second")]
    pad, hand, second, _ = half_signed(case, cards=cards, append="hold=virtio_gpu", look="first")
    driver = "/sys/bus/pci/drivers/bochs-drm"
    pad.control.run(f"ls {driver} | grep 0000: >{driver}/unbind; insmod /lib/modules/virtio_gpu.ko")
    pad.vm.look = {"device": "second"}
    until(lambda: pad.vm.screen().pixel(0, 0) == WHITE, "the pad is on the other card")
    pad.settled()
    finish_as_shown(pad, hand, second)


def finish_as_shown(pad, hand, second):
    """The other half is signed on top, sent, and all of it arrives as the screen showed it."""
    case = pad.case
    pad.start_handoff()
    screen = pad.sign(second)
    pad.done()
    (item,) = pad.delivered(1)
    check_samples(item, hand, pad)
    connector, driver = re.findall(r"the pad is on (\S+) on \S+ \((\S+)\)", pad.vm.log.text())[-1]
    expect(item.manifest["panel"] == f"{connector} of {driver}", f"the manifest names {item.manifest['panel']}")
    page = Picture.from_png(item.files["signature.png"])
    case.same(page, drawn_anew(item, "--dpi", "panel", "--no-trim"), "the PNG and its strokes drawn anew differ")
    part = (0, 0, Pad.PIXELS[0], 380)

    def clean_fits():
        return on_ground(page.part(*part), pad.vm.screen().part(*part)) == screen.part(*part)

    until(clean_fits, "once the clean pad is back, it and the PNG on it are what the screen showed")


class WidePad(Pad):
    """1024 × 768 pixels, which cirrus has without being asked."""

    PIXELS = (1024, 768)


@test("a panel that takes RGB565 shows the ink, dithered")
def rgb565_ink(case):
    whole = WidePad(case)
    clean = whole.start()
    whole.vm.kill()
    pad = WidePad(case, signature=AS_SHOWN, cards=["cirrus-vga"])
    pad.start()
    pad.vm.log.wait("1024×768.*RGB565")
    pad.start_handoff()
    hand = written(160)
    screen = pad.sign(hand)
    pad.done()
    (item,) = pad.delivered(1)
    check_samples(item, hand, pad)
    part = (0, 0, 1024, 608)
    page = Picture.from_png(item.files["signature.png"])
    expected = in_16_bits(on_ground(page.part(*part), clean.part(*part)))
    case.same(screen.part(*part), expected, "the screen and the dithered PNG on the clean pad differ")


def in_16_bits(picture):
    pixels = bytearray()
    for y in range(picture.height):
        for x in range(picture.width):
            pixels += bytes(dithered(picture.pixel(x, y), x, y))
    return Picture(picture.width, picture.height, bytes(pixels))


@test("where flips wait for a vblank, the ink is the same, and of what came in time a hundredth at most misses its flip")
def vblank_ink(case):
    cards = [card("virtio-gpu-pci", Pad.PIXELS, edid="off")]
    pad = compare(case, "uinput", 102, cards=cards, kernel=newer(), counted=1)
    begun = pad.vm.log.length()
    pad.kill("paraphd", "TERM")
    pad.ended("paraphd", 0, after=begun)
    told = re.search(r"latency from sample to commit.*", pad.vm.log.text())[0]
    print(f"  {told}")
    count = {word: int(number) for number, word in re.findall(r"(\d+) (samples|late|lost)", told)}
    # One processor is emulated for all that the guest does: these may meet a stall of it.
    expect(100 * count["late"] <= count["samples"] and count["lost"] == 0, told)
