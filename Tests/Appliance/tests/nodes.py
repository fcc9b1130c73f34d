"""Nodes of touchscreens: which may not be opened yet, which somebody else holds, and how they are opened."""
from machine.pad import DISPLAY_CONFIGURATION, OUTBOX, PAD_CONFIGURATION, RUNTIME, SPOOL, Pad
from machine.sentences import expect, test, until
from machine.signature import Signature
from tests.touch import lost, places

# Somebody who is no root: udev gives the node to the group of input devices, on Debian 104.
USER, GROUP = "1000:104", "104"
# No panel that only root may have.
MEMORY = "card = memory\npixels = 800x480\n"


def launch(pad, user=None):
    """Both daemons, without a panel of the machine; the place in the log where paraphd begins."""
    pad.control.push("/etc/passwd", f"pad:x:{USER}::/:/bin/sh\n")
    pad.control.run(f"mkdir -p {RUNTIME} {SPOOL} && chown -R {user or 0} {RUNTIME} {SPOOL} && chmod 755 /etc/paraph")
    begun = pad.launch("paraphd", priority=-20, user=user)
    pad.vm.log.wait("the pad is on", after=begun)
    pad.start_handoff()
    return begun


def write_and_send(pad, seed, count):
    """What is written is delivered, as the hand wrote it."""
    hand = Signature.synthetic(seed, Pad.BOX, strokes=1)
    begun = pad.vm.log.length()
    pad.touch.play(hand)
    pad.done()
    pad.published(after=begun)
    samples = pad.delivered(count)[-1].strokes()[0]
    expect(places(samples, pad) == pad.touch.units_of(hand.strokes[0]), f"signature {count} is another")


def still(pad):
    """The input thread looks for nothing any more by itself: it has not woken for a second."""
    # Another thread can end before its file is read, of which awk complains.
    threads = "/proc/$(pidof paraphd)/task/*/status"
    count = f"awk '/^Name/{{name=$2}} name==\"paraph-input\" && /^voluntary/{{print $2}}' {threads} 2>/dev/null"
    counts = pad.control.text(f"{count}; sleep 1; {count}; true").split()
    return len(counts) == 2 and counts[0] == counts[1]


@test("a touchscreen whose node may not be opened yet is opened as soon as it may, be it at once or long after")
def late_permissions(case):
    pad = Pad(case, display=MEMORY)
    node = pad.touch.node()
    begun = launch(pad, USER)
    for number in (1, 2):
        refused = pad.vm.log.wait(rf"no usable touchscreen: {node} \({pad.name}\): Permission denied", after=begun)
        if number == 2:
            until(lambda: still(pad), "the thread waits to be told")
        # As udev does it: the group first, then what it may.
        pad.control.run(f"chgrp {GROUP} {node} && chmod 660 {node}")
        pad.vm.log.wait(rf"device: {node} \({pad.name}\): opened", after=refused.end())
        write_and_send(pad, 50 + number, number)
        if number == 1:
            begun = pad.vm.log.length()
            pad.touch.unplug()
            pad.vm.log.wait("disconnected", after=begun)
            pad.touch.plug("uinput")
            expect(pad.touch.node() == node, f"the node's number is another: {pad.touch.node()}")
    expect(pad.control.text("ls -A " + OUTBOX).count("\n") == 1, "it delivered something else")


@test("a touchscreen whose ranges are corrected after it was opened, as udev does by its hardware database, is opened anew")
def late_ranges(case):
    pad = Pad(case, display=MEMORY)
    node = pad.touch.node()
    width, height = (side * pad.touch.units - 1 for side in Pad.SIZE)

    def describe(factor):
        for axis, most in ((0, width), (1, height), (53, width), (54, height)):
            pad.control.run(f"TouchGenerator range {node} {axis} {factor * most}")

    describe(2)
    begun = launch(pad)
    opened = pad.vm.log.wait(rf"device: {node} \({pad.name}\): opened", after=begun)
    describe(1)
    pad.vm.log.wait(rf"device: {node} \({pad.name}\): opened", after=opened.end())
    until(lambda: still(pad), "no axis is asked for any more")
    write_and_send(pad, 54, 1)


@test("a touchscreen that another program has grabbed is waited for, and its name and the reason are told")
def grabbed(case):
    pad = Pad(case, display=MEMORY)
    node = pad.touch.node()
    pad.control.run("mkfifo /run/hold")
    pad.control.start(f"TouchGenerator hold {node} <>/run/hold >/run/held 2>&1")
    until(lambda: pad.control.so_far("/run/held") == "ready", "it is grabbed")
    begun = launch(pad)
    pad.vm.log.wait(rf"no usable touchscreen: {node} \({pad.name}\): grabbed by another program", after=begun)
    pad.touch.tap(50, 30)
    pad.control.run("echo >/run/hold")
    pad.vm.log.wait(rf"device: {node} \({pad.name}\): opened", after=begun)
    write_and_send(pad, 53, 1)
    code, told = pad.control.status(f"TouchGenerator hold {node} 2>&1")
    expect(code == 74 and "busy" in told.decode(), f"paraphd has not grabbed it: {told}")


def plug_other(pad):
    pad.control.run("mkfifo /run/other")
    pad.control.start("TouchGenerator uinput 100x60 20 5 'Other touchscreen' <>/run/other >/run/made 2>&1")
    until(lambda: "ready" in pad.control.so_far("/run/made"), "the other touchscreen is there")


@test("of two touchscreens the one is taken that is named, be it by name, by a link that comes later, or by a property")
def chosen(case):
    pad = Pad(case)
    first = pad.touch.node()
    plug_other(pad)
    other = pad.control.text("grep -l '^Other' /sys/class/input/event*/device/name").split("/")[4]
    draws, waits = rf"device: /dev/input/{other} \(Other touchscreen\): opened", "no usable touchscreen"
    number = pad.control.text(f"cat /sys/class/input/{other}/dev")
    link, tell = "/dev/input/by-path/other", f"echo E:ID_PATH=other >/run/udev/data/c{number}"
    devices = {
        "Other touchscreen": "true",
        link: f"mkdir /dev/input/by-path && ln -s ../{other} {link}",
        "property:ID_PATH=other": f"mkdir -p /run/udev/data && {tell}; chmod 660 /dev/input/{other}",
    }
    for device, come in devices.items():
        configuration = PAD_CONFIGURATION + DISPLAY_CONFIGURATION + MEMORY + f"[touch]\ndevice = {device}\n"
        pad.control.push("/etc/paraph/paraphd.conf", configuration)
        begun = launch(pad)
        if come != "true":
            reason = rf"{waits}.*{first} \({pad.name}\): not the configured device"
            pad.vm.log.wait(reason, after=begun)
        pad.control.run(come)
        pad.vm.log.wait(draws, after=begun)
        expect(f"{first} ({pad.name}): opened" not in pad.vm.log.text(begun), f"with {device} the first one draws, too")
        for daemon in ("paraphd", "paraph-handoff"):
            pad.kill(daemon, "TERM")
            pad.vm.log.wait(f"{daemon} ended with", after=begun)
    told = pad.control.text("paraph devices")
    expect(f"{first} ({pad.name}): not used: not the configured device" in told, told)
    expect(f"/dev/input/{other} (Other touchscreen): draws" in told, told)
    told = pad.control.text("rm /etc/paraph/paraphd.conf; paraph devices")
    expect(f"/dev/input/{other} (Other touchscreen): not used: another touchscreen is used" in told, told)


@test("of two touchscreens the one draws that udev places on the panel's output, also where it comes second")
def placed(case):
    pad = Pad(case)
    pad.start()
    pad.start_handoff()
    first = pad.touch.node()
    plug_other(pad)
    pad.control.run("mkdir -p /run/udev/data")
    other = pad.control.text("grep -l '^Other' /sys/class/input/event*/device/name").split("/")[4]
    number = pad.control.text(f"cat /sys/class/input/{other}/dev")
    begun = pad.vm.log.length()
    pad.control.run(f"echo E:WL_OUTPUT=Virtual-1 >/run/udev/data/c{number}; chmod 660 /dev/input/{other}")
    pad.vm.log.wait(rf"{first} \({pad.name}\): closed, /dev/input/{other}", after=begun)
    pad.vm.log.wait(rf"device: /dev/input/{other} \(Other touchscreen\): opened", after=begun)
    told = pad.control.text("paraph devices")
    expect(f"/dev/input/{other} (Other touchscreen): draws" in told, told)
    expect(f"{first} ({pad.name}): not used: another touchscreen is used" in told, told)
    told = pad.control.status("paraph doctor 2>&1")[1].decode()
    expect(f"/dev/input/{other} (Other touchscreen) draws" in told, told)
    status, told = pad.control.status("paraph record -o /run/recording 2>&1")
    expect(status == 75 and f"/dev/input/{other} (Other touchscreen): in use" in told.decode(), told)


@test("a finger that lies on the glass while the touchscreen is inhibited is lifted, and nothing leads to the next one")
def inhibited(case):
    pad = Pad(case)
    pad.start()
    pad.start_handoff()
    node = pad.touch.node().split("/")[-1]
    stroke = Signature.synthetic(31, Pad.BOX, strokes=1)
    middle = Pad.SIZE[0] / 2, Pad.SIZE[1] / 2
    pad.touch.do(f"down 0 {middle[0]} {middle[1]}", "frame", f"move 0 {middle[0] + 8} {middle[1]}", "frame")
    pad.settled()
    begun = pad.vm.log.length()
    pad.control.run(f"echo 1 >/sys/class/input/{node}/device/inhibited; echo 0 >/sys/class/input/{node}/device/inhibited")
    # The finger is lifted for the pad: a new touchscreen is opened at once, which no stroke may hold up.
    plug_other(pad)
    pad.touch.do("up 0", "frame")
    pad.sign(stroke)
    pad.done()
    pad.published(after=begun)
    strokes = pad.delivered(1)[0].strokes()
    expect(len(strokes) == 2, f"{len(strokes)} strokes: the second one goes on where the first one was")
    expect(places(strokes[1], pad) == pad.touch.units_of(stroke.strokes[0]), "the second stroke is another")


@test("a touchscreen is opened for reading only, does not make anybody wait, and goes to no other program")
def opened_for_reading(case):
    pad = Pad(case)
    pad.start()
    links = pad.control.text("ls -l /proc/$(pidof paraphd)/fd")
    number = next(line.split()[-3] for line in links.splitlines() if line.endswith(pad.touch.node()))
    text = pad.control.text(f"grep flags /proc/$(pidof paraphd)/fdinfo/{number}")
    flags = int(text.split()[1], 8)
    expect(flags & 3 == 0, f"it may be written: {text}")
    expect(flags & 0o4000 and flags & 0o2000000, f"it waits, or is passed on: {text}")


@test("a pad that stalls loses nothing while the kernel's queue has room for what tells of contacts")
def masked(case):
    pad = Pad(case)
    pad.start()
    pad.start_handoff()
    pad.touch.do("storm 30 1 5")
    pad.settled()
    pad.kill("paraphd", "STOP")
    print("  " + pad.touch.do("storm 140 1 0")[0])
    pad.kill("paraphd", "CONT")
    pad.settled()
    pad.touch.do("up 0", "frame")
    begun = pad.vm.log.length()
    pad.done()
    pad.published(after=begun)
    (samples,) = pad.delivered(1)[0].strokes()
    # Five events each with the axes that repeat the first finger, of which the queue holds 512; three without.
    expect(len(samples) == 170, f"{len(samples)} samples of 170")
    expect(lost(pad) == (0, 0), f"the log tells of {lost(pad)}")
    pad.vm.log.wait(r"kernel: \S+ \(Appliance touchscreen\): events read \d+ ms late")
