"""A signature goes from the finger to the hand-off, on a real kernel."""
import os
import subprocess
import tempfile

from machine.hand import check_samples, written
from machine.pad import AS_SHOWN, OUTBOX, SPOOL, Pad
from machine.picture import Picture
from machine.places import PROGRAMS, read, write
from machine.sentences import expect, test, until
from machine.signature import Signature


@test("what the panel shows, what is delivered and what the samples give are the same ink, pixel for pixel")
def signature(case):
    compare(case, "uinput", 11)


@test("so it is on a HID panel of the kernel's hid-multitouch")
def hid_signature(case):
    compare(case, "uhid", 12)


def compare(case, road, seed, **options):
    """Signs, sends, and compares the screen from outside, the PNG in the outbox, and the strokes drawn anew."""
    pad = Pad(case, road, signature=AS_SHOWN, **options)
    clean = pad.start()
    pad.start_handoff()
    hand = written(seed)
    screen = pad.sign(hand)
    pad.done()
    (item,) = pad.delivered(1)
    pad.cleaned()
    check_samples(item, hand, pad)
    print(f"  paraphd on {case.kernel.architecture.name}: {pad.figures()}")
    page = Picture.from_png(item.files["signature.png"])
    case.same(page, drawn_anew(item, "--dpi", "panel", "--no-trim"), "the PNG and its strokes drawn anew differ")
    # Below the writing are the buttons, which look otherwise once there is ink.
    part = (0, 0, Pad.PIXELS[0], 380)
    page, clean = page.part(*part), clean.part(*part)
    expect(any(min(pair) < 255 and max(pair) < 255 for pair in zip(page.pixels, clean.pixels)), "no ink crosses the line")
    expected = on_ground(page, clean)
    case.same(screen.part(*part), expected, "the screen and the PNG on the clean pad differ")
    return pad


def drawn_anew(item, *options):
    """What `paraph render` makes of the strokes that came with a signature."""
    with tempfile.TemporaryDirectory() as folder:
        given, made = os.path.join(folder, "strokes.json"), os.path.join(folder, "anew.png")
        write(given, item.files["strokes.json"])
        command = [os.path.join(PROGRAMS, "paraph"), "render", given, "-o", made, *options]
        subprocess.run(command, check=True)
        return Picture.from_png(read(made))


def on_ground(page, ground):
    """Black ink, as strong as the page is dark, over what the clean pad shows."""
    pixels = bytes((below * ink + 127) // 255 for below, ink in zip(ground.pixels, page.pixels))
    return Picture(page.width, page.height, pixels)


@test("Clear clears: the clean pad is back, pixel for pixel, nothing is sent, and what is signed then is sent alone")
def clear(case):
    pad = Pad(case)
    clean = pad.start()
    pad.start_handoff()
    expect(pad.sign(written(21)) != clean, "there is no ink")
    pad.clear()
    case.same(pad.settled(), clean, "the cleared pad is not the clean one")
    again = written(22, strokes=1)
    pad.sign(again)
    pad.done()
    (item,) = pad.delivered(1)
    check_samples(item, again, pad)
    expect(item.sequence == 1, f"the signature has the number {item.sequence}")


@test("an empty pad cannot be sent; a dot is no signature: it goes, the pad says so, and the next ink is taken")
def empty(case):
    pad = Pad(case)
    clean = pad.start()
    pad.done()
    case.same(pad.settled(), clean, "Done on an empty pad changes it")
    pad.touch.tap(60, 30)
    dotted = pad.settled()
    expect(dotted != clean, "a tap leaves no dot")
    pad.done()
    refused = pad.settled()
    writing = (0, 100, Pad.PIXELS[0], 380)
    case.same(refused.part(*writing), clean.part(*writing), "the dot stays")
    expect(refused != clean, "the pad does not say why")
    nothing_sent(pad)
    pad.sign(written(31, strokes=1))
    pad.done()
    pad.published()


def nothing_sent(pad):
    expect(not pad.names(SPOOL + "/new") and not pad.names(SPOOL + "/tmp"), "there is something in the spool")


@test("SIGTERM ends the pad with 0 and gives back the console and the picture that was there")
def terminated(case):
    pad = Pad(case)
    pad.control.run("printf '\\033[?25l\\033[2J\\033[3;5Hbefore the pad' >/dev/tty1")
    before = pad.vm.still()
    clean = pad.start()
    expect(clean != before, "the pad does not show")
    pad.control.run("printf 'while the pad is there' >/dev/tty1")
    pad.sign(written(41, strokes=1))
    pad.control.run("printf '\\r\\033[3;5Hbefore the pad\\033[K' >/dev/tty1")
    pad.kill("paraphd", "TERM")
    pad.vm.log.wait("paraphd ended with 0")
    case.soon(pad.vm, before, "the former picture is not back")
    pad.control.run("printf '\\033[6;5Hafter the pad' >/dev/tty1")
    until(lambda: pad.vm.screen() != before, "the console is written to again")


@test("handoff started late delivers what waited, in order; a picture at 300 dpi is its strokes drawn anew")
def waiting(case):
    pad = Pad(case)
    pad.start()
    hands = [written(seed, strokes=1) for seed in (51, 52)]
    for hand in hands:
        pad.send(hand)
    expect(len(pad.names(SPOOL + "/new")) == 2, "two signatures wait")
    pad.start_handoff()
    for item, hand in zip(pad.delivered(2), hands):
        check_samples(item, hand, pad)
        case.same(Picture.from_png(item.files["signature.png"]), drawn_anew(item), "drawn anew it differs")


@test("paraphd killed after the acknowledgement loses nothing, and sends nothing twice")
def killed_pad(case):
    pad = Pad(case)
    clean = pad.start()
    hand = written(61, strokes=1)
    pad.send(hand)
    pad.kill("paraphd")
    pad.ended("paraphd", 137)
    pad.start_handoff()
    pad.delivered(1)
    case.same(pad.start(), clean, "the pad that is started again is not clean")
    (item,) = pad.delivered(1)
    check_samples(item, hand, pad)


@test("paraphd killed at any step from Done to the spool sends the signature when it is started again, once")
def killed_publishing(case):
    pad, hand, total = Pad(case, disk=case.disk()), written(62, strokes=1), 0
    pad.start()
    steps = [f"{SPOOL}/tmp/{part}" for part in ("*", "*/signature.png", "*/strokes.json", "*/signature.json")]
    for step in (*steps, f"{SPOOL}/new/*"):
        begun = pad.vm.log.length()
        pad.sign(hand)
        pad.kill_once("paraphd", step)
        pad.done()
        pad.caught("paraphd", "paraph: published", after=begun)
        acknowledged = "published" in pad.vm.log.text(begun)
        kept = len(pad.names(SPOOL + "/new"))
        # What is published may be gone before the pad is started again.
        pad.control.run("paraph-handoff --once")
        print(f"  killed at {step}: {'acknowledged' if acknowledged else 'not acknowledged'}, {kept} in the spool")
        pad.launch("paraphd")
        pad.cleaned()
        pad.control.run("paraph-handoff --once")
        total += 1
        for item in pad.delivered(total):
            check_samples(item, hand, pad)
        expect(not pad.names(SPOOL + "/tmp"), "something is left in tmp")


@test("paraphd killed while somebody signs shows the ink again, and the signature goes on")
def killed_signing(case):
    pad, begun, rest = Pad(case), written(63, strokes=2), written(64, strokes=1)
    pad.start()
    before = pad.sign(begun)
    pad.kill("paraphd")
    pad.ended("paraphd", 137)
    start = pad.vm.log.length()
    pad.launch("paraphd")
    pad.vm.log.wait(pad.name, after=start)
    case.soon(pad.vm, before, "the ink is not back")
    pad.sign(rest)
    pad.start_handoff()
    pad.done()
    (item,) = pad.delivered(1)
    check_samples(item, Signature(begun.strokes + rest.strokes), pad)


@test("paraph-handoff killed at any step of a delivery delivers again, whole and once")
def killed_handoff(case):
    pad, hand = Pad(case, disk=case.disk()), written(71, strokes=1)
    pad.start()
    for step in (".*.part", ".*.part/signature.png", ".*.part/strokes.json", "[!.]*"):
        begun = pad.vm.log.length()
        pad.start_handoff()
        pad.cleaned()
        pad.sign(hand)
        # It takes the processor.
        pad.kill_once("paraph-handoff", f"{OUTBOX}/{step}")
        pad.done()
        pad.published(after=begun)
        pad.caught("paraph-handoff", "paraph: delivered", after=begun)
        there, waits = pad.names(OUTBOX), len(pad.names(SPOOL + "/new"))
        print(f"  killed at {step}: {there} in the outbox, {waits} in the spool")
        expect(waits or there, "the signature is lost")
        for name in there:
            expect(name.startswith(".") or pad.item(OUTBOX, name), "what has its final name is whole")
        again = pad.vm.log.length()
        pad.start_handoff()
        (item,) = pad.delivered(1)
        check_samples(item, hand, pad)
        # It may have been killed after the delivery: then nothing above waits for its start.
        pad.vm.log.wait("paraph: 1 sink", after=again)
        expect(pad.names(OUTBOX) == [item.name], f"the outbox holds {pad.names(OUTBOX)}")
        pad.kill("paraph-handoff", "TERM")
        pad.ended("paraph-handoff", 0, after=begun)
        pad.control.run(f"rm -r {OUTBOX}/*")


@test("a power cut after the acknowledgement loses nothing")
def power_cut(case):
    disk = case.disk()
    pad = Pad(case, disk=disk)
    pad.start()
    hand = written(81, strokes=1)
    pad.send(hand)
    pad.vm.kill()
    pad = Pad(case, disk=disk)
    pad.start_handoff()
    (item,) = pad.delivered(1)
    check_samples(item, hand, pad)
