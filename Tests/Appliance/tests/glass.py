"""The pad on panels of every kind, and through what happens to them: the ink is the samples' ink, pixel for pixel."""
from machine.pad import AS_SHOWN, WHITE, Pad
from machine.picture import Picture
from machine.sentences import expect, test, until
from machine.signature import Signature
from machine.turned import TurnedPad
from machine.vm import card

from tests.signing import check_samples, compare, drawn_anew, on_ground, written


@test("on bochs-display the screen, the PNG and the strokes are the same ink")
def bochs_ink(case):
    compare(case, "uinput", 101, cards=[card("bochs-display", Pad.PIXELS)])


@test("drawn into the front buffer, the screen, the PNG and the strokes are the same ink")
def front_ink(case):
    compare(case, "uinput", 103, display="present = front\n")


@test("on a panel that is built in turned by 90 degrees, ink is where the finger was")
def turned_90(case):
    turned_ink(case, 90)


@test("so it is on one that stands on its head")
def turned_180(case):
    turned_ink(case, 180)


@test("and on one turned by 270 degrees")
def turned_270(case):
    turned_ink(case, 270)


def turned_ink(case, degrees):
    pad = TurnedPad(case, degrees, signature=AS_SHOWN)
    clean = pad.seen(pad.start())
    pad.start_handoff()
    hand = Signature.synthetic(110 + degrees, pad.BOX)
    screen = pad.seen(pad.sign(hand))
    pad.done()
    (item,) = pad.delivered(1)
    page = Picture.from_png(item.files["signature.png"])
    expect((page.width, page.height) == (clean.width, clean.height), f"the page is {page.width}×{page.height}")
    places = [(x, y) for stroke in hand.strokes for _, x, y in stroke]
    for x, y in places:
        at = int(x * page.width / pad.upright[0]), int(y * page.height / pad.upright[1])
        near = page.part(at[0] - 4, at[1] - 4, 9, 9)
        expect(min(near.pixels) < 128, f"there is no ink at {x:.1f}, {y:.1f} mm")
    # Below the writing are the buttons, which look otherwise once there is ink.
    part = (0, 0, page.width, int(0.79 * page.height))
    expected = on_ground(page.part(*part), clean.part(*part))
    case.same(screen.part(*part), expected, "the screen and the PNG on the clean pad differ")


def half_signed(case, before="true", **options):
    """A pad with the first half of a signature; (pad, the whole, the other half, the screen). before: a command."""
    pad = Pad(case, signature=AS_SHOWN, **options)
    pad.control.run(before)
    pad.start()
    hand = written(120, strokes=4)
    first, second = Signature(hand.strokes[:2]), Signature(hand.strokes[2:])
    return pad, hand, second, pad.sign(first)


def finish(pad, hand, second):
    """The other half is signed on top, sent, and all of it arrives."""
    pad.start_handoff()
    pad.sign(second)
    pad.done()
    (item,) = pad.delivered(1)
    check_samples(item, hand, pad)
    page = Picture.from_png(item.files["signature.png"])
    pad.case.same(page, drawn_anew(item, "--dpi", "panel", "--no-trim"), "the PNG and its strokes drawn anew differ")


def is_free(pad):
    """Whether another program can have the touchscreen to itself."""
    return pad.control.status(f"TouchGenerator hold {pad.touch.node()} </dev/null 2>&1")[0] != 74


class Touched:
    """While the pad is not visible its touchscreen belongs to others, and what is touched neither draws nor sends."""

    def __init__(self, pad):
        self.pad, self.begun = pad, pad.vm.log.length()

    def away(self):
        until(lambda: is_free(self.pad), "the touchscreen is released")
        self.pad.touch.play(Signature.synthetic(91, Pad.BOX, 1))
        self.pad.done()
        # A finger that is still there when the pad comes back.
        self.pad.touch.do("down 0 60 50", "frame")

    def back(self):
        until(lambda: not is_free(self.pad), "the touchscreen is the pad's again")
        self.pad.touch.do("move 0 90 50", "frame", "up 0", "frame")
        told = self.pad.vm.log.text(self.begun)
        expect("published" not in told, "a signature was sent that nobody saw")
        expect("SYN_DROPPED" not in told, "the log tells of losses that there were not")


@test("a signature that is interrupted by another terminal goes on where it was, and touches meanwhile are that one's")
def terminal_ink(case):
    pad, hand, second, screen = half_signed(case)
    touched = Touched(pad)
    # In one breath: the kernel switches only when the touchscreen is released.
    free = f"TouchGenerator hold {pad.touch.node()} </dev/null >/run/free 2>&1; echo $? >/run/free"
    pad.control.run(f"chvt 2; {free}; printf '\\033[2J\\033[Helsewhere' >/dev/tty2")
    expect(pad.control.text("cat /run/free") != "74", "the other terminal is shown without its touchscreen")
    until(lambda: pad.vm.screen() != screen, "the other terminal is seen")
    touched.away()
    pad.control.run("chvt 1")
    case.soon(pad.vm, screen, "the ink is back")
    touched.back()
    case.same(pad.settled(), screen, "what was touched meanwhile is drawn")
    finish(pad, hand, second)


@test("a signature that is interrupted by a cable goes on where it was")
def cable_ink(case):
    pad, hand, second, screen = half_signed(case)
    touched = Touched(pad)
    plug_out(pad)
    touched.away()
    plug_in(pad)
    case.soon(pad.vm, screen, "the ink is back")
    touched.back()
    case.same(pad.settled(), screen, "what was touched meanwhile is drawn")
    finish(pad, hand, second)


@test("where another monitor of the same pixels is plugged in meanwhile, the pad goes by its millimetres")
def other_monitor(case):
    unmeasured = "sed -i '/^size = /d' /etc/paraph/paraphd.conf && mount -t debugfs none /sys/kernel/debug"
    pad, _, _, screen = half_signed(case, unmeasured, cards=[card("bochs-display", Pad.PIXELS)])
    other = halved(pad.control.pull(f"{CONNECTOR}/edid"))
    plug_out(pad)
    pad.control.push("/sys/kernel/debug/dri/0/Virtual-1/edid_override", other)
    plug_in(pad)
    smaller = pad.settled()
    expect(smaller != screen, "the picture is that of the monitor before")
    begun = pad.vm.log.length()
    pad.kill("paraphd")
    pad.ended("paraphd", 137, after=begun)
    case.same(pad.start(), smaller, "a pad that is started on this monitor looks otherwise")


@test("where the monitor is swapped while its connector stays connected, the pad goes by the new one's millimetres")
def swapped_monitor(case):
    unmeasured = "sed -i '/^size = /d' /etc/paraph/paraphd.conf && mount -t debugfs none /sys/kernel/debug"
    pad, _, _, screen = half_signed(case, unmeasured, cards=[card("bochs-display", Pad.PIXELS)])
    pad.control.push("/sys/kernel/debug/dri/0/Virtual-1/edid_override", halved(pad.control.pull(f"{CONNECTOR}/edid")))
    begun = pad.vm.log.length()
    pad.control.run("echo change >/sys/class/drm/card0/uevent")
    pad.vm.log.wait("the pad is on Virtual-1", after=begun)
    expect(pad.settled() != screen, "the picture is that of the monitor before")


@test("where the cable is moved to another connector, the signature goes on there")
def other_connector(case):
    cards = [card("virtio-gpu-pci", Pad.PIXELS, id="panel", max_outputs=2)]
    pad, hand, second, _ = half_signed(case, cards=cards, look="panel")
    begun = pad.vm.log.length()
    other = CONNECTOR.replace("-1", "-2")
    pad.control.run(f"echo off >{CONNECTOR}/status; echo on >{other}/status; echo change >/sys/class/drm/card0/uevent")
    pad.vm.log.wait("the pad is on Virtual-2 on /dev/dri/card0", after=begun)
    pad.vm.look = {"device": "panel", "head": 1}
    finish(pad, hand, second)


CONNECTOR = "/sys/class/drm/card0-Virtual-1"


def plug_out(pad):
    forced(pad, "off", "Virtual-1 on /dev/dri/card0 has nothing connected")


def plug_in(pad):
    forced(pad, "detect", "the pad is on Virtual-1 on /dev/dri/card0")


def forced(pad, status, told):
    """Forces the connector's status, with the notice that a plug would make, and waits until the pad has told of it."""
    begun = pad.vm.log.length()
    pad.control.run(f"echo {status} >{CONNECTOR}/status; echo change >/sys/class/drm/card0/uevent")
    pad.vm.log.wait(told, after=begun)


def halved(edid):
    """The EDID of a monitor half as wide and high, with the same modes."""
    block = bytearray(edid[:128])
    # Centimetres in the header, millimetres in the first timing, the upper bits of both in one byte.
    block[21:23] = block[21] // 2, block[22] // 2
    width, height = block[66] | block[68] >> 4 << 8, block[67] | (block[68] & 15) << 8
    block[66:69] = width // 2 & 255, height // 2 & 255, width // 2 >> 8 << 4 | height // 2 >> 8
    block[126] = 0
    block[127] = -sum(block[:127]) & 255
    return bytes(block)


@test("a signature that is interrupted by its card's removal goes on where it was")
def removal_ink(case):
    pad, hand, second, screen = half_signed(case)
    driver = "/sys/bus/virtio/drivers/virtio_gpu"
    name = pad.control.text(f"ls {driver} | grep virtio")
    touched = Touched(pad)
    pad.control.run(f"echo {name} >{driver}/unbind")
    until(lambda: pad.vm.screen() != screen, "the picture is gone")
    touched.away()
    pad.control.run(f"echo {name} >{driver}/bind")
    case.soon(pad.vm, screen, "the ink is back")
    touched.back()
    case.same(pad.settled(), screen, "what was touched meanwhile is drawn")
    finish(pad, hand, second)


@test("a card that goes and returns behind another terminal is let alone until the pad's own is shown again")
def removal_behind(case):
    pad, hand, second, screen = half_signed(case)
    pad.control.run("chvt 2; printf '\\033[2J\\033[Helsewhere' >/dev/tty2")
    until(lambda: pad.vm.screen() != screen, "the other terminal is seen")
    driver = "/sys/bus/virtio/drivers/virtio_gpu"
    name = pad.control.text(f"ls {driver} | grep virtio")
    pad.control.run(f"echo {name} >{driver}/unbind; echo {name} >{driver}/bind; sleep 3")
    expect(pad.vm.screen().pixel(Pad.PIXELS[0] - 1, 0) != WHITE, "the pad is over the other terminal")
    pad.control.run("chvt 1")
    case.soon(pad.vm, screen, "the ink is back")
    finish(pad, hand, second)


@test("a pad that is killed in mid-signature leaves a console that can be repaired, and the next one has the ink")
def killed_ink(case):
    pad, hand, second, screen = half_signed(case)
    begun = pad.vm.log.length()
    pad.kill("paraphd")
    pad.ended("paraphd", 137, after=begun)
    # What ExecStopPost= of the service does.
    pad.control.run("paraphd --restore-console </dev/tty1; printf '\\033[2J\\033[Hthe console' >/dev/tty1")
    until(lambda: pad.vm.screen().pixel(Pad.PIXELS[0] - 1, 0) != WHITE, "the console is back")
    case.same(pad.start(), screen, "the ink is not back")
    finish(pad, hand, second)


@test("a pad that starts before its card's driver waits for it")
def late_card(case):
    pad = Pad(case, append="hold=virtio_gpu")
    pad.launch("paraphd")
    pad.vm.log.wait("no card")
    pad.control.run("insmod /lib/modules/virtio_gpu.ko")
    until(lambda: pad.vm.screen().pixel(0, 0) == WHITE, "the pad is on the screen")
    pad.vm.log.wait(pad.name)
    clean = pad.settled()
    expect(pad.sign(written(130, strokes=1)) != clean, "there is no ink")
