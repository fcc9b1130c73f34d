"""`paraph calibrate`, `watch` and `record` on the pad's own panel and touchscreen."""
import re

from machine.calibrator import BLUE, STATUS, TOLD, skewed, start, status, through_glass, touch_targets, under_finger
from machine.pad import WHITE, Pad
from machine.sentences import expect, test, until
from machine.signature import Signature

RULES = "/run/rules"


@test("paraph calibrate makes a glass that lies badly write under the finger: targets, rule, and the pad with it")
def calibrate(case):
    pad = Pad(case)
    pad.start_handoff()
    start(pad, f"calibrate -o {RULES}")
    touched = touch_targets(pad)
    told = pad.control.text(f"cat {TOLD}")
    print("  " + told.replace("\n", "\n  "))
    expect(status(pad) == "0" and len(touched) == 7, f"it ended with {status(pad)} after {len(touched)} targets")
    rule = pad.control.text(f"grep ENV {RULES}")
    expect('ATTRS{name}=="Appliance touchscreen"' in rule and 'ATTRS{id/vendor}=="1209"' in rule, rule)
    install(pad, re.search(r'ENV\{(.*)\}="(.*)"', rule).groups())
    pad.start()
    hand = Signature.synthetic(71, Pad.BOX, strokes=1)
    screen = pad.sign(through_glass(hand))
    for _, x, y in hand.strokes[0][::10]:
        left, top = int(x * 800 / 154) - 1, int(y * 480 / 86) - 1
        # On a busy machine reports come together, and the ink rounds a corner.
        near = [max(screen.pixel(left + column, top + row)) for column in range(3) for row in range(3)]
        expect(min(near) < 160, f"no ink is within a pixel of the finger at {x:.1f}, {y:.1f}: {near}")
    begun = pad.vm.log.length()
    pad.touch.tap(*skewed(*Pad.DONE))
    pad.published(after=begun)
    under_finger(pad.delivered(1)[0].strokes()[0], hand.strokes[0])


def install(pad, rule):
    """What udev makes of the rule: the machine has none, and paraphd reads its database."""
    name, value = rule
    major, minor = (int(part, 16) for part in pad.control.text(f"stat -c '%t %T' {pad.touch.node()}").split())
    pad.control.push(f"/run/udev/data/c{major}:{minor}", f"E:ID_INPUT_TOUCHSCREEN=1\nE:{name}={value}\n")


@test("what a running pad holds is refused in one line that says how to free it; stopped, it is free")
def held_device(case):
    pad = Pad(case)
    pad.start()
    for command in ("watch", "watch --draw", "record -o /run/recording", f"calibrate -o {RULES}"):
        code, told = pad.control.status(f"paraph {command} 2>&1")
        lines = told.decode().splitlines()
        expect(code == 75 and len(lines) == 1, f"paraph {command} ends with {code} and says {lines}")
        expect("systemctl stop paraphd" in lines[0] and "Appliance touchscreen" in lines[0], lines[0])
    expect(pad.control.status(f"test -e {RULES} -o -e /run/recording")[0] != 0, "something was written")
    pad.kill("paraphd", "TERM")
    pad.vm.log.wait("paraphd ended with 0")
    before = pad.vm.screen()
    start(pad, "watch --draw")
    until(lambda: pad.vm.screen().pixel(0, 0) == WHITE, "the panel is white")
    pad.touch.tap(50, 30)
    place = int(50 * 800 / 154), int(30 * 480 / 86)
    until(lambda: pad.vm.screen().pixel(*place) == tuple(BLUE), "there is a dot under the finger")
    expect(pad.vm.screen().pixel(place[0] + 8, place[1]) == WHITE, "the dot is a dot")
    pad.control.run("kill -INT $(pidof paraph)")
    until(lambda: status(pad) == "0", "it ends with 0")
    case.soon(pad.vm, before, "the former picture is not back")


@test("what paraph record writes has every report that the finger made")
def recorded(case):
    pad = Pad(case)
    pad.control.start(f"paraph record -o /run/recording 2>{TOLD}; echo $? >{STATUS}")
    until(lambda: "recording; Ctrl-C" in pad.control.so_far(TOLD), "it records")
    hand = Signature.synthetic(81, Pad.BOX, strokes=2)
    pad.touch.play(hand)
    pad.control.run("kill -INT $(pidof paraph)")
    until(lambda: status(pad) == "0", "it ends with 0")
    expect(pad.control.text("stat -c %a /run/recording") == "600", "others may read it")
    contacts = {}
    for line in pad.control.text("paraph contacts /run/recording").splitlines():
        contact, _, _, x, y, _, phase = line.split("\t")
        if phase != "up" and contacts.setdefault(contact, [])[-1:] != [(int(x), int(y))]:
            contacts[contact].append((int(x), int(y)))
    meant = [pad.touch.units_of(stroke) for stroke in hand.strokes]
    expect(list(contacts.values()) == meant, f"the recording has {contacts}\ninstead of {meant}")
