"""The pad when nobody signs: the panel goes dark, the lamp goes out, the machine sleeps."""
import re

from machine.pad import WHITE, Pad
from machine.sentences import expect, test, until
from machine.vm import card

from tests.glass import finish, half_signed
from tests.signing import written

LAMPS = "/sys/class/backlight"
# Long enough to be seen from outside before the panel is dark, where the machine is slow.
BLANK = "blank-after = 10s\n"


@test("a panel that has gone dark is woken by a touch that leaves no ink")
def dark(case):
    pad = Pad(case, display=BLANK)
    clean = pad.start()
    until(lambda: pad.vm.screen() != clean, "the panel is dark")
    pad.touch.tap(60, 30)
    case.soon(pad.vm, clean, "the clean pad is back")
    expect(pad.sign(written(140, strokes=1)) != clean, "there is no ink")


@test("what lies on the glass lets the panel go dark; taken away it wakes the panel, and the pad can be signed")
def lying(case):
    pad = Pad(case, display=BLANK)
    pad.start()
    pad.start_handoff()
    pad.touch.do("down 0 60 20", "frame")
    until(lambda: pad.vm.screen().pixel(0, 0) != WHITE, "the panel is dark")
    pad.touch.do("up 0", "frame")
    until(lambda: pad.vm.screen().pixel(0, 0) == WHITE, "the panel is lit")
    pad.clear()
    pad.send(written(141, strokes=1))
    pad.delivered(1)


@test("the lamp goes out and on with the panel, and a pad that was killed in the dark lights it again")
def lamp(case):
    pad = Pad(case, display=BLANK)
    # No virtual card has a lamp: files stand for the attributes of one.
    pad.control.run(f"mount -t tmpfs lamps {LAMPS} && mkdir {LAMPS}/panel && cd {LAMPS}/panel && echo 255 >max_brightness")
    power = f"{LAMPS}/panel/bl_power"

    def is_lit(wanted):
        until(lambda: (pad.control.text(f"cat {power}") == "0") == wanted, f"the lamp is {'on' if wanted else 'out'}")

    pad.control.run(f"echo 0 >{power}")
    clean = pad.start()
    is_lit(False)
    pad.touch.tap(60, 30)
    is_lit(True)
    case.soon(pad.vm, clean, "the clean pad is back")
    is_lit(False)
    begun = pad.vm.log.length()
    pad.kill("paraphd")
    pad.ended("paraphd", 137, after=begun)
    pad.start()
    is_lit(True)
    is_lit(False)
    pad.kill("paraphd", "TERM")
    is_lit(True)


@test("a machine that sleeps in mid-signature wakes with the ink, and the signature goes on")
def sleep(case):
    slept(case)


@test("so it does where there are no virtual terminals, whose switch would light the panel anew")
def sleep_alone(case):
    slept(case, before="rm /dev/tty0")


def slept(case, before="true"):
    pad, hand, second, screen = half_signed(case, cards=[card("bochs-display", Pad.PIXELS)], before=before)
    # All of a suspend but the firmware's part, which is a wait. By the clock in the hardware, which counts whole seconds,
    # one of a second can have taken no time.
    pad.control.run("echo 3 >/sys/module/suspend/parameters/pm_test_delay; echo core >/sys/power/pm_test")
    begun = pad.vm.log.length()
    pad.control.run("echo mem >/sys/power/state", timeout=120)
    case.soon(pad.vm, screen, "the ink is back")
    finish(pad, hand, second)
    pad.kill("paraphd", "TERM")
    pad.ended("paraphd", 0, after=begun)
    times = int(re.search(r"(\d+) modes set", pad.vm.log.text())[1])
    expect(times == 2, f"lit {times} times, once of them after the sleep")
