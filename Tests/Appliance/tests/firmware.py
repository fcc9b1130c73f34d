"""The display that the firmware lit, under simpledrm, and its own driver, which takes it over under the pad."""
from machine.pad import Pad, WHITE
from machine.sentences import NAMED, expect, test, until
from machine.simpledrm import with_simpledrm
from machine.vm import card

from tests.cards import finish_as_shown
from tests.glass import half_signed

SMALL = (640, 400)


@test("where its own driver takes over the firmware's display, in the same mode, the pad goes on with its ink", NAMED)
def simpledrm_replaced(case):
    pad, hand, second, screen = half_signed_on_simpledrm(case, Pad.PIXELS)
    begun = load_own_driver(pad)
    told_of(pad, r"card\d", begun)
    case.soon(pad.vm, screen, "the ink is back")
    finish_as_shown(pad, hand, second)


@test("so it does in another mode, and while somebody else still holds the card that is gone", NAMED)
def simpledrm_replaced_larger(case):
    pad, hand, second, _ = half_signed_on_simpledrm(case, SMALL)
    pad.control.start("exec sleep 600 </dev/dri/card0")
    holds = "ls -l /proc/$(pidof sleep)/fd | grep -q card0"
    until(lambda: pad.control.status(holds)[0] == 0, "somebody else holds the card")
    begun = load_own_driver(pad)
    told_of(pad, "card1", begun)
    until(lambda: (now := pad.vm.screen()).width == Pad.PIXELS[0] and now.pixel(0, 0) == WHITE, "the pad shows")
    pad.settled()
    finish_as_shown(pad, hand, second)


@test("a pad that is killed on the firmware's display has its ink on the driver's that took it over meanwhile", NAMED)
def simpledrm_replaced_killed(case):
    pad, hand, second, screen = half_signed_on_simpledrm(case, Pad.PIXELS)
    begun = pad.vm.log.length()
    pad.kill("paraphd")
    pad.ended("paraphd", 137, after=begun)
    load_own_driver(pad)
    case.same(pad.start(), screen, "the ink is not back")
    finish_as_shown(pad, hand, second)


def half_signed_on_simpledrm(case, mode):
    """As half_signed, on a PC's display that shows such a mode and whose own driver is not loaded yet."""
    width, height = mode
    lit = f"insmod /lib/modules/boot_display.ko width={width} height={height} && insmod /lib/modules/simpledrm.ko"
    options = {"cards": [card("VGA", Pad.PIXELS)], "append": "hold=bochs,boot_display,simpledrm"}
    signed = half_signed(case, lit, kernel=with_simpledrm(case.kernel), **options)
    pad, _, _, screen = signed
    pad.vm.log.wait(r"the pad is on Unknown-1 on /dev/dri/card0 \(simpledrm\)")
    expect((screen.width, screen.height) == mode, f"the screen is {screen.width}×{screen.height}")
    return signed


def load_own_driver(pad):
    """bochs.ko, before which the kernel must take simpledrm away; the place in the log where it begins."""
    begun = pad.vm.log.length()
    pad.control.run("insmod /lib/modules/bochs.ko")
    drivers = pad.control.text("cat /sys/class/drm/card?/device/uevent | grep DRIVER=")
    expect(drivers == "DRIVER=bochs-drm", f"there is still more than the display's own driver: {drivers}")
    odd = pad.control.text("dmesg | grep -E 'WARNING|BUG|boot fb still active' || true")
    expect(not odd, f"the kernel complains: {odd}")
    return begun


def told_of(pad, name, begun):
    """Waits until the log has said that the card is gone, and where the pad is now."""
    pad.vm.log.wait(r"device: /dev/dri/card0 is gone", after=begun)
    pad.vm.log.wait(rf"the pad is on Virtual-1 on /dev/dri/{name} \(bochs-drm\), 800×480", after=begun)
