"""One panel for two: a program on another virtual terminal has the screen, and the pad comes to the front on request."""
import json
import re

from machine.call import Call
from machine.pad import AS_SHOWN, RUNTIME, WHITE, Pad
from machine.probe import Probe
from machine.sentences import expect, test, until

from tests.signing import written

SHARED = AS_SHOWN + "[pad]\ninvite = request\nforeground = on-request\n"
SOCKET = f"--socket {RUNTIME}/org.paraph.Pad"
# OK, below a message, is where Done is.
OK = Pad.DONE
# Free of buttons.
GLASS = (60, 30)
TURNS = 50
# From the other side's release of its terminal to the pad's first frame, in milliseconds of a machine whose time passes by
# instructions, however busy the host is: five times what it takes.
LIMIT = 10


class Interface(Probe):
    """A terminal's own interface on /dev/tty2: a picture, and a touchscreen that it reads while it is in front."""

    def __init__(self, pad, port="probe"):
        self.pad = pad
        super().__init__(pad.vm, port=port)
        self.begin()

    def begin(self):
        self.open("console=/dev/tty2")
        self.do(f"touch {self.pad.touch.node()}")
        self.rect(0, 0, self.width, self.height, 0x2060A0)
        self.rect(100, 100, 300, 200, 0xE0C040)
        self.show()
        self.shown = self.picture()

    def is_seen(self, sentence):
        self.pad.case.soon(self.vm, self.shown, sentence)

    def figure(self, command):
        return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", self.do(command))}

    def touches(self):
        return self.figure("touches")["touches"]

    def kill(self):
        self.pad.control.run("kill -KILL $(pidof PanelProbe)")
        until(lambda: self.pad.control.status("pidof PanelProbe")[0], "the interface is gone")


def shared(case, interface_first=False, **machine):
    """A pad on /dev/tty1 and an interface in front; (pad, interface)."""
    pad = Pad(case, signature=SHARED, ports=["probe", "second"], **machine)
    if interface_first:
        interface = Interface(pad)
    begun = pad.launch("paraphd", priority=-20, terminal="/dev/tty1")
    if interface_first:
        until(lambda: side(pad) == "other", "the pad runs in the background")
        interface.is_seen("a pad that starts takes the screen from the interface")
        return pad, interface
    pad.vm.log.wait(f"{pad.name}", after=begun)
    until(lambda: pad.vm.screen().pixel(0, 0) == WHITE, "the pad is on the screen")
    pad.idle = pad.settled()
    interface = Interface(pad)
    interface.is_seen("the interface is not in front")
    expect(side(pad) == "other", "the pad believes to be in front")
    return pad, interface


def side(pad):
    status, text = pad.control.status(f"paraph status --json {SOCKET}")
    return json.loads(text).get("foreground") if status in (0, 3) else None


def calls(pad, command):
    return Call(pad.control, f"paraph {command} {SOCKET}")


def film(pad, last, sentence, timeout=30):
    """The pictures from outside until the last one is there, without repetitions."""
    seen = []

    def is_last():
        picture = pad.vm.screen()
        if not seen or seen[-1] != picture:
            seen.append(picture)
        return picture == last

    until(is_last, sentence, timeout)
    return seen


def settled_in_front(pad):
    until(lambda: pad.vm.screen().pixel(0, 0) == WHITE, "the pad comes to the front")
    return pad.settled()


@test("a pad that shares its panel comes to the front for 50 messages and returns it, without a console between")
def shared_turns(case):
    # Where nothing happens, minutes of the machine's time pass in a second.
    pad, interface = shared(case, counted=1)
    show = "show --button --timeout 86400 'Please take locker 4'"
    call = calls(pad, show)
    message = settled_in_front(pad)
    expect(side(pad) == "pad", "the pad does not say that it is in front")
    pad.touch.tap(*OK)
    expect(call.ended() == 0, f"the button did not act: {call.error()}")
    interface.is_seen("the interface is not back")
    took = []
    for turn in range(TURNS):
        before = interface.touches()
        pad.touch.tap(*GLASS)
        until(lambda: interface.touches() == before + 1, f"turn {turn}: the touch reaches the interface")
        begun = pad.vm.log.length()
        call = calls(pad, show)
        for picture in film(pad, message, f"turn {turn}: the message is shown"):
            if picture not in (interface.shown, message):
                case.same(picture, message, f"turn {turn}: something else is shown on the way to the front")
        first = int(pad.vm.log.wait(r"in front \(monotonic (\d+)\)", after=begun)[1])
        took.append((first - interface.figure("released")["released"]) / 1e6)
        pad.touch.tap(*OK)
        for picture in film(pad, interface.shown, f"turn {turn}: the interface is back"):
            # The pad's screens are white in the corner.
            if picture != interface.shown and picture.pixel(0, 0) != WHITE:
                case.same(picture, interface.shown, f"turn {turn}: something else is shown on the way back")
        expect(call.ended() == 0, f"turn {turn}: the touch did not reach the pad: {call.error()}")
        expect(interface.touches() == before + 1, f"turn {turn}: the pad's touch reached the interface too")
    took.sort()
    print(f"  first frame {took[len(took) // 2]:.0f} ms after the release, at most {took[-1]:.0f} ms")
    expect(took[-1] <= LIMIT, f"a first frame took {took[-1]:.0f} ms")


@test("a finger that is down while the panel changes hands counts for neither side until it is lifted")
def shared_fingers(case):
    pad, interface = shared(case)
    pad.touch.do(f"down 0 {OK[0]} {OK[1]}", "frame")
    until(lambda: interface.touches() == 1, "the touch reaches the interface")
    call = calls(pad, "show --button --timeout 60 'Please take locker 4'")
    message = settled_in_front(pad)
    pad.touch.do(f"move 0 {OK[0] + 2} {OK[1]}", "frame", "wait 50", "up 0", "frame")
    case.same(pad.settled(), message, "a finger from before acts on the pad")
    # A second finger stays down over the way back.
    pad.touch.do(f"down 1 {GLASS[0]} {GLASS[1]}", "frame", "wait 50", "up 1", "frame")
    pad.touch.do(f"down 0 {OK[0]} {OK[1]}", "frame", f"down 1 {GLASS[0]} {GLASS[1]}", "frame", "wait 50", "up 0", "frame")
    expect(call.ended() == 0, f"the button did not act: {call.error()}")
    interface.is_seen("the interface is not back")
    count = interface.figure("touches")
    pad.touch.do("move 1 70 40", "frame", "up 1", "frame")
    pad.touch.tap(*GLASS)
    until(lambda: interface.touches() == count["touches"] + 1, "the next touch reaches the interface")
    expect(interface.figure("touches")["lifts"] == count["lifts"] + 1, "the lift of the pad's finger reached the interface")


@test("where the interface never releases its terminal, the request fails with a clear error, and the next one works")
def shared_stubborn(case):
    pad, interface = shared(case)
    interface.do("stubborn 1")
    for command in ("sign --reference 1", "show 'Please take locker 4'", "front"):
        call = calls(pad, command)
        expect(call.ended() == 3, f"{command} ended with {call.ended()}")
        expect("tty2 did not release the screen within 2 s" in call.error(), call.error())
    interface.is_seen("the interface lost the screen")
    # The kernel performs the switch that it still waits for: nobody asks for the pad any more.
    interface.do("stubborn 0")
    until(lambda: interface.do("condition") == "ok active" and side(pad) == "other", "the late switch is undone")
    interface.is_seen("the interface is not back")
    call = calls(pad, "sign --reference 1 --timeout 60")
    settled_in_front(pad)
    pad.sign(written(301, strokes=1))
    pad.done()
    expect(call.ended() == 0, call.error())
    interface.is_seen("the interface is not back after the notice")


@test("an interface that is killed leaves the person signing, then the pad at rest and no console, until it is back")
def shared_killed_interface(case):
    pad, interface = shared(case)
    call = calls(pad, "sign --reference 1")
    settled_in_front(pad)
    pad.sign(written(311, strokes=1))
    interface.kill()
    pad.sign(written(312, strokes=1))
    pad.done()
    expect(call.ended() == 0, call.error())
    case.soon(pad.vm, pad.idle, "the pad at rest is not shown")
    pad.control.run("sleep 3")
    case.same(pad.vm.screen(), pad.idle, "a console is shown")
    expect(side(pad) == "pad", "the pad says that it is not in front")
    # Its next start takes the screen, as its session does.
    again = Interface(pad, port="second")
    again.is_seen("the interface is not back")
    call = calls(pad, "show --button --timeout 60 'Please take locker 4'")
    settled_in_front(pad)
    pad.touch.tap(*OK)
    expect(call.ended() == 0, call.error())
    again.is_seen("the interface is not in front again")


@test("an interface that died in front is not returned to: the pad at rest follows a message, and no console")
def shared_dead_interface(case):
    pad, interface = shared(case)
    interface.kill()
    # The kernel resets the dead interface's terminal to text as it switches.
    call = calls(pad, "show --timeout 1 'Please take locker 4'")
    settled_in_front(pad)
    expect(call.ended() == 0, call.error())
    case.soon(pad.vm, pad.idle, "the pad at rest is not shown")
    pad.control.run("sleep 3")
    case.same(pad.vm.screen(), pad.idle, "a console is shown")
    expect(side(pad) == "pad", "the pad says that it is not in front")


@test("Back returns the panel during a notice, and a pad that is stopped in front returns it too")
def shared_stopped_in_front(case):
    pad, interface = shared(case)
    call = calls(pad, "sign --reference 1 --timeout 60")
    settled_in_front(pad)
    pad.sign(written(331, strokes=1))
    pad.done()
    expect(call.ended() == 0, call.error())
    back = calls(pad, "back")
    expect(back.ended() == 0, back.error())
    interface.is_seen("the interface is not back during the notice")
    pad.control.run("sleep 4")
    interface.is_seen("the end of the notice took the screen")
    expect(calls(pad, "front").ended() == 0, "Front fails")
    settled_in_front(pad)
    begun = pad.vm.log.length()
    pad.kill("paraphd", "TERM")
    pad.ended("paraphd", 0, after=begun)
    interface.is_seen("a pad that is stopped in front keeps the screen")


@test("a pad that is killed with ink takes the front again with ink and request, and returns the panel afterwards")
def shared_killed_pad(case):
    pad, interface = shared(case)
    call = calls(pad, "sign --title 'Parcel 9' --reference 9")
    settled_in_front(pad)
    screen = pad.sign(written(321, strokes=2))
    begun = pad.vm.log.length()
    pad.kill("paraphd")
    pad.ended("paraphd", 137, after=begun)
    expect(call.ended() == 4, "the program is not told that the pad is gone")
    pad.control.run("paraphd --restore-console </dev/tty1")
    # The interface, which lives, takes the screen before the pad is back.
    interface.do("activate")
    interface.is_seen("the interface does not get the screen of a dead pad")
    pad.launch("paraphd", priority=-20, terminal="/dev/tty1")
    case.soon(pad.vm, screen, "ink and request are not in front")
    again = calls(pad, "sign --title 'Parcel 9' --reference 9")
    until(lambda: pad.control.text("pidof paraph || true"), "the program asks again")
    pad.sign(written(322, strokes=1))
    pad.done()
    expect(again.ended() == 0, again.error())
    interface.is_seen("the interface is not back")


@test("a pad that starts beside an interface leaves it the screen until the first request, and one that ends does too")
def shared_late_pad(case):
    pad, interface = shared(case, interface_first=True)
    call = calls(pad, "show --button --timeout 60 'Please take locker 4'")
    settled_in_front(pad)
    pad.touch.tap(*OK)
    expect(call.ended() == 0, call.error())
    interface.is_seen("the interface is not back")
    expect(calls(pad, "front").ended() == 0, "Front fails")
    settled_in_front(pad)
    expect(side(pad) == "pad", "the pad is not in front")
    expect(calls(pad, "back").ended() == 0, "Back fails")
    interface.is_seen("the interface is not back after Back")
    begun = pad.vm.log.length()
    pad.kill("paraphd", "TERM")
    pad.ended("paraphd", 0, after=begun)
    interface.is_seen("the end of the pad is seen")
