"""Programs ask for signatures, on a real kernel: the words, the ink, the reply and the delivery."""
import hashlib
import json

from machine.call import Call
from machine.difference import Difference
from machine.pad import AS_SHOWN, Pad, RUNTIME, SPOOL
from machine.picture import Picture
from machine.sentences import expect, test, until
from machine.tree import card_script

from tests.signing import check_samples, on_ground, written

ASKED_ONLY = AS_SHOWN + "[pad]\ninvite = request\n"
# Where the button Cancel is when there is one: the first of the row.
CANCEL = (18, 77)
# Title and prompt are above the line to sign on.
WORDS = (0, 0, Pad.PIXELS[0], 140)


class Asking(Call):
    """`paraph sign` in the guest; its files are /run/ask.*."""

    def __init__(self, pad, *options):
        self.pad = pad
        pad.control.run("rm -f /run/ask.*")
        quoted = " ".join(f"'{option}'" for option in options)
        command = f"paraph sign --socket {RUNTIME}/org.paraph.Pad --verbose {quoted}"
        super().__init__(pad.control, command, "/run/ask")
        self.reaches("invited")

    def states(self):
        return self.error().split("\n")

    def reaches(self, state):
        until(lambda: any(line.endswith(state) for line in self.states()), f"the request is {state}")


def started(case):
    """A pad at rest, and what it shows."""
    pad = Pad(case, signature=ASKED_ONLY)
    return pad, pad.start()


@test("a program asks: the words are on the screen, a hand signs; reply, picture, delivery and reference agree")
def request(case):
    pad, idle = started(case)
    pad.start_handoff()
    expect(pad.sign(written(201, strokes=1)) == idle, "who is not asked can sign")
    first = Asking(pad, "--title", "Parcel 4711", "--prompt", "For Ms Brinkmann", "--reference", "4711", "-o", "/run/ask.png")
    asked = pad.settled()
    expect(asked != idle, "the pad does not ask")
    hand = written(202)
    screen = pad.sign(hand)
    pad.done()
    expect(first.ended() == 0, f"paraph sign said {first.states()}")
    (item,) = pad.delivered(1)
    check_samples(item, hand, pad)
    expect(item.manifest["reference"] == "4711", f"the manifest has {item.manifest['reference']}")
    expect(pad.control.text("cat /run/ask.out") == item.name, "the id of the reply is another one")
    replied = pad.control.pull("/run/ask.png")
    expect(replied == item.files["signature.png"], "the picture of the reply is another one")
    expect(hashlib.sha256(replied).hexdigest() == item.manifest["files"]["signature.png"], "and so is its digest")
    # Ink may go over the words; what is seen is both.
    part = (0, 0, Pad.PIXELS[0], 380)
    case.same(screen.part(*part), on_ground(Picture.from_png(replied).part(*part), asked.part(*part)), "the ink differs")
    pad.cleaned()
    other = Asking(pad, "--title", "Parcel 4712", "--prompt", "For Ms Brinkmann", "--reference", "4712")
    difference = Difference(pad.settled().part(*WORDS), asked.part(*WORDS))
    # Another digit. Without the words it would be thousands.
    expect(0 < difference.count < 500, f"the words for 4711 and 4712: {difference}")
    pad.control.run(f"paraph cancel --reference 4712 --socket {RUNTIME}/org.paraph.Pad")
    expect(other.ended() == 1, "the request for 4712 was not cancelled")
    pad.cleaned()
    expect(Asking(pad, "--timeout", "1").ended() == 2, "time is up")
    pad.cleaned()


@test("a request is cancelled on the glass, by a program, and by going away; a second one finds the pad busy")
def cancelled(case):
    pad, _ = started(case)
    asking = Asking(pad, "--cancellable", "--reference", "1")
    busy = pad.control.status(f"paraph sign --socket {RUNTIME}/org.paraph.Pad")[0]
    expect(busy == 75, f"a second request ended with {busy}")
    pad.sign(written(211, strokes=1))
    pad.touch.tap(*CANCEL)
    expect(asking.ended() == 1, "the person cancels")
    pad.cleaned()
    asking = Asking(pad, "--reference", "2")
    without_ink = f"paraph cancel --without-ink --socket {RUNTIME}/org.paraph.Pad"
    pad.control.run(without_ink)
    expect(asking.ended() == 1, "a program cancels")
    pad.cleaned()
    Asking(pad, "--reference", "3")
    shown = pad.sign(written(212, strokes=1))
    status = pad.control.status(without_ink)[0]
    expect(status == 1 and pad.settled() == shown, f"without ink, it is cancelled with ink: {status}")
    pad.control.run("kill -9 $(pidof paraph)")
    pad.cleaned()
    expect(not pad.names("/var/lib/paraph/spool/new"), "something was published")


@test("paraphd killed while a person signs: ink and request are back, and who asks again gets the signature")
def killed_request(case):
    pad, _ = started(case)
    pad.start_handoff()
    begun, rest = written(221, strokes=2), written(222, strokes=1)
    words = ("--title", "Parcel 9", "--reference", "9")
    asking = Asking(pad, *words)
    before = pad.sign(begun)
    pad.kill("paraphd")
    expect(asking.ended() == 4, "the program is not told that the pad is gone")
    begun = float(pad.control.text("cut -d ' ' -f 1 /proc/uptime"))
    start = pad.launch("paraphd")
    stood = int(pad.vm.log.wait(r"first frame shown \(monotonic (\d+)", after=start)[1]) / 1e9
    print(f"  {1000 * (stood - begun):.0f} ms after the start ink and words were back")
    pad.vm.log.wait(pad.name, after=start)
    case.soon(pad.vm, before, "the ink and the words are not back")
    again = AskingAgain(pad, *words, "-o", "/run/ask.json")
    pad.sign(rest)
    pad.done()
    expect(again.ended() == 0, f"paraph sign said {again.states()}")
    (item,) = pad.delivered(1)
    expect(item.manifest["reference"] == "9" and item.manifest["strokes"] == 3, f"the manifest is {item.manifest}")
    expect(len(json.loads(pad.control.pull("/run/ask.json"))) == 3, "the reply has other strokes")


@test("paraphd killed at any step from Done to its answer: who asks again gets the signature, and nobody signs twice")
def killed_answer(case):
    pad, _ = started(case)
    pad.start_handoff()
    # A pad that is killed once its reply has left may keep the signature, so that this step, which is found by its
    # log and not by a file, comes first.
    steps = ("/none", f"{SPOOL}/tmp/*", f"{SPOOL}/tmp/*/signature.json", f"{SPOOL}/new/*")
    for number, step in enumerate(steps, 1):
        asking, begun = Asking(pad, "--reference", f"{number}"), pad.vm.log.length()
        pad.sign(written(230 + number, strokes=1))
        pad.kill_once("paraphd", step)
        pad.done()
        pad.caught("paraphd", "paraph: published", after=begun)
        status = asking.ended()
        print(f"  killed at {step}: paraph sign ended with {status}")
        pad.start()
        if status != 0:
            asking = AskingForIt(pad, "--reference", f"{number}")
            expect(asking.ended() == 0, f"paraph sign said {asking.states()}")
        *_, item = pad.delivered(number)
        expect(item.manifest["reference"] == f"{number}", f"the manifest is {item.manifest}")
        expect(pad.control.text("cat /run/ask.out") == item.name, "the id of the reply is another one")


class AskingAgain(Asking):
    """Of a request that is being signed already."""

    def reaches(self, state):
        super().reaches("signing")


class AskingForIt(Asking):
    """Of a request that is signed already."""

    def reaches(self, state):
        pass


@test("a card that restarts for an update waits for whoever signs, and then shows a message over which nobody can begin to")
def restarting(case):
    pad = Pad(case)
    pad.start()
    pad.control.push("/run/restart", card_script("restart", {b"  sleep 5\n": b"  sleep 1\n"}))
    # Stand-ins for systemctl and paraph, which note each call; the real paraph runs all the same.
    pad.control.push("/run/tools/systemctl", '#!/bin/sh\necho "$@" >>/run/systemctl.calls\n')
    pad.control.push("/run/tools/paraph", '#!/bin/sh\necho "$1" >>/run/paraph.calls\nexec /usr/bin/paraph "$@"\n')
    pad.control.run("chmod +x /run/tools/*")
    pad.sign(written(205))
    expect("state: signing" in pad.control.text("paraph status"), "nobody signs")
    pad.control.start("PATH=/run/tools:$PATH sh /run/restart >/dev/console 2>&1")
    calls = lambda of: pad.control.so_far(f"/run/{of}.calls").splitlines()
    # When the script asks a third time, it has acted on two answers.
    until(lambda: calls("systemctl") or len(calls("paraph")) >= 3, "the pad is asked again and again")
    expect(calls("systemctl") == [], "the machine restarts under a signature")
    expect(set(calls("paraph")) == {"status"}, "a message is shown to somebody who signs")
    pad.done()
    pad.published()
    until(lambda: calls("systemctl") == ["stop paraphd.service", "reboot"], "the machine restarts")
    message = pad.settled()
    expect(pad.sign(written(206)) == message, "ink begins over the message")
    expect("state: message" in pad.control.text("paraph status"), "the message is gone")
    pad.control.run("kill $(pidof paraph)")
    pad.cleaned()
