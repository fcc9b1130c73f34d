"""Touchscreens as they are: of every kind, too fast, pulled out, and there before the pad."""
import math
import os
import re
import subprocess
import tempfile

from machine.pad import Pad
from machine.places import PROGRAMS, write
from machine.sentences import expect, test
from machine.signature import Signature
from machine.touchscreen import Touchscreen

# TouchGenerator's storm: the first finger goes around the middle of the panel, a degree with each report.
MIDDLE, RADIUS, STEP = (Pad.SIZE[0] / 2, Pad.SIZE[1] / 2), 20, math.radians(1)
FIRST, ALL = "", "[touch]\ncontacts = all\n"


def signed(pad):
    """Presses Done, and waits for what is delivered."""
    begun = pad.vm.log.length()
    pad.done()
    pad.published(after=begun)
    return pad.delivered(1)[0]


def is_gap(sample):
    return len(sample) > 4 and sample[4] is True


def angle(sample):
    return math.atan2(sample[2] - MIDDLE[1], sample[1] - MIDDLE[0])


def on_circle(samples):
    """Every sample is on the circle; between two of them is a degree, or a gap that is marked. How many gaps."""
    for sample in samples:
        radius = math.dist(sample[1:3], MIDDLE)
        # After a gap one axis may be some reports older than the other.
        expect(abs(radius - RADIUS) < (0.3 if is_gap(sample) else 0.06), f"a sample lies {radius:.2f} mm from the middle: {sample}")
    for before, sample in zip(samples, samples[1:]):
        turned = (angle(sample) - angle(before)) % (2 * math.pi)
        expect(is_gap(sample) or abs(turned - STEP) < STEP / 2, f"{math.degrees(turned):.1f}° lie unmarked before {sample}")
    return sum(map(is_gap, samples))


def ink_on_circle(item):
    """The middle of the finished ink is on the circle, too: nothing is drawn across what was lost."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "strokes.json")
        write(path, item.files["strokes.json"])
        told = subprocess.run([os.path.join(PROGRAMS, "paraph"), "trace", path], check=True, capture_output=True)
    for line in told.stdout.decode().splitlines():
        x, y = map(float, line.split("\t")[1:3])
        radius = math.dist((x, y), MIDDLE)
        expect(abs(radius - RADIUS) < 0.3, f"ink lies {radius:.2f} mm from the middle, at {x}, {y}")


def lost(pad):
    """How often the log says that the kernel lost events, and how many reports the ring lost."""
    log = pad.vm.log.text()
    kernel = sum(int(count) for count in re.findall(r"SYN_DROPPED ×(\d+)", log))
    return kernel, sum(int(count) for count in re.findall(r"(\d+) touch reports lost", log))


def lift(pad, fingers):
    pad.touch.do(*(f"up {finger}" for finger in range(fingers)), "frame")


@test("events that the kernel loses are counted, the state is asked for anew, and no ink is bent across")
def dropped(case):
    pad = Pad(case)
    pad.start()
    pad.start_handoff()
    pad.touch.do("storm 60 1 5")
    for _ in range(3):
        pad.kill("paraphd", "STOP")
        # More than any queue of the kernel holds, and not a whole number of rounds.
        print("  " + pad.touch.do("storm 300 10 0")[0])
        pad.kill("paraphd", "CONT")
        pad.settled()
        pad.touch.do("storm 30 10 5")
    pad.settled()
    lift(pad, 10)
    item = signed(pad)
    strokes = item.strokes()
    expect(len(strokes) == 1, f"{len(strokes)} strokes of one finger")
    expect(on_circle(strokes[0]) == 3, f"{on_circle(strokes[0])} gaps are marked")
    ink_on_circle(item)
    expect(lost(pad) == (3, 0), f"the log tells of {lost(pad)}")


@test("ten fingers at 200 reports a second lose nothing, from the kernel's own driver for HID panels")
def ten_fingers(case):
    for contacts in (FIRST, ALL):
        pad = Pad(case, "uhid", display=contacts)
        pad.start()
        pad.start_handoff()
        print("  " + pad.touch.do("storm 600 10 5")[0])
        pad.settled()
        lift(pad, 10)
        item = signed(pad)
        strokes = item.strokes()
        expect(lost(pad) == (0, 0), f"the log tells of {lost(pad)}")
        expect(len(strokes) == (1 if contacts == FIRST else 10), f"{len(strokes)} strokes")
        # hid-multitouch itself repeats nothing that stood still.
        expect(all(len(stroke) == 600 for stroke in strokes), f"reports: {[len(stroke) for stroke in strokes]}")
        expect(on_circle(strokes[0]) == 0, "a gap is marked")
        pad.vm.kill()


@test("at 1000 reports a second with ten fingers every loss is marked and counted, and no ink is bent")
def thousand(case):
    pad = Pad(case)
    pad.start()
    pad.start_handoff()
    pad.touch.do("storm 60 10 1")
    pad.kill("paraphd", "STOP")
    # The first is all over while paraphd is stopped, with 31 events in each report and room for 512 in the kernel's queue;
    # it goes on in the middle of the second.
    answers = pad.touch.answers("storm 300 10 1", "storm 2640 10 1", timeout=300)
    print("  " + next(answers))
    pad.kill("paraphd", "CONT")
    print("  " + next(answers))
    pad.settled()
    lift(pad, 10)
    item = signed(pad)
    strokes = item.strokes()
    pad.kill("paraphd", "TERM")
    pad.vm.log.wait("paraphd ended with 0")
    gaps, (kernel, ring) = on_circle(strokes[0]), lost(pad)
    print(f"  {len(strokes[0])} samples, {gaps} gaps, {kernel} told by the kernel, {ring} lost in the ring")
    expect(len(strokes) == 1, f"{len(strokes)} strokes of one finger")
    expect(gaps > 0, f"{len(strokes[0])} samples of 3000, and no gap is marked")
    expect(kernel + ring >= gaps, f"{gaps} gaps, and the log tells of {kernel} and {ring}")
    ink_on_circle(item)


@test("every kind of touchscreen writes: slots alone, lists, one finger by BTN_TOUCH, by BTN_LEFT and by pressure")
def kinds(case):
    pad = Pad(case, "bare")
    pad.start()
    pad.start_handoff()
    kinds = ("bare", "lists", "single", "mouse", "pressure")
    for number, kind in enumerate(kinds):
        if number > 0:
            replug(pad, kind, f"Appliance {kind}")
        hand = Signature.synthetic(100 + number, Pad.BOX, strokes=2)
        pad.sign(hand)
        begun = pad.vm.log.length()
        pad.done()
        pad.published(after=begun)
        item = pad.delivered(number + 1)[-1]
        read = [places(samples, pad) for samples in item.strokes()]
        meant = [pad.touch.units_of(stroke) for stroke in hand.strokes]
        expect(read == meant, f"{kind}: the samples are {read}\ninstead of {meant}")
        print(f"  {kind}: {sum(map(len, read))} places")
        pad.cleaned()


def places(samples, pad):
    """In the device's units, where they changed."""
    found = []
    for sample in samples:
        place = tuple(round(value * pad.touch.units) for value in sample[1:3])
        if found[-1:] != [place]:
            found.append(place)
    return found


def replug(pad, kind, name):
    """Another touchscreen in the place of the one that was there."""
    begun = pad.vm.log.length()
    pad.touch.unplug()
    pad.vm.log.wait("disconnected", after=begun)
    pad.touch = Touchscreen(pad.vm, kind, Pad.SIZE, name=name)
    pad.vm.log.wait(rf"\({name}\): opened", after=begun)


def ticks(pad):
    """The processor's time that paraphd has had, in hundredths of a second."""
    fields = pad.control.text("cat /proc/$(pidof paraphd)/stat").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@test("a touchscreen pulled out in mid-stroke keeps the ink, costs nothing, and goes on when it is back")
def unplugged(case):
    pad = Pad(case, "uhid")
    pad.start()
    pad.start_handoff()
    pad.touch.do("storm 90 1 8")
    before, begun = pad.settled(), pad.vm.log.length()
    pad.touch.unplug()
    pad.vm.log.wait("disconnected", after=begun)
    # The stroke's end was provisional: it has its round end now.
    case.same(pad.settled(), before, "the ink is not what it was", count=60, maximum=255)
    spent = ticks(pad)
    pad.control.run("sleep 4")
    expect(ticks(pad) - spent < 40, f"without a touchscreen it works for {ticks(pad) - spent} hundredths of four seconds")
    pad.touch = Touchscreen(pad.vm, "uhid", Pad.SIZE, name=pad.name)
    pad.vm.log.wait(rf"\({pad.name}\): opened", after=begun)
    hand = Signature.synthetic(5, (100, 34, 30, 20), strokes=1)
    pad.sign(hand)
    strokes = signed(pad).strokes()
    expect(len(strokes) == 2 and len(strokes[0]) == 90, f"strokes of {[len(stroke) for stroke in strokes]} samples")
    on_circle(strokes[0])
    expect(places(strokes[1], pad) == pad.touch.units_of(hand.strokes[0]), "the stroke after it is another")


@test("a finger that rests on the glass when the pad starts does not draw, and does when it comes again")
def resting(case):
    pad = Pad(case)
    pad.touch.do("down 0 60 40", "frame")
    clean = pad.start()
    pad.touch.do("move 0 70 45", "frame", "move 0 80 40", "frame")
    case.same(pad.settled(), clean, "the finger that rested draws")
    pad.touch.do("up 0", "frame")
    hand = Signature.synthetic(6, Pad.BOX, strokes=1)
    expect(pad.sign(hand) != clean, "it does not draw when it is back")
