"""A disk that is full, read-only or away, and a clock that was never set: the pad says so, and recovers by itself."""
import re

from machine.pad import OUTBOX, SPOOL, Pad
from machine.sentences import expect, test, until
from machine.signature import Signature

HOME = "/var/lib/paraph"


def written(seed):
    return Signature.synthetic(seed, Pad.BOX, 1)


def refused(case, pad, trouble, reason):
    """The pad goes out of service with one line in the log, and shows that."""
    begun = pad.vm.log.length()
    pad.control.run(trouble)
    pad.vm.log.wait(rf"{reason}: out of service", timeout=90, after=begun)
    until(lambda: pad.vm.screen() != pad.clean, "the pad shows that it is out of service")
    shown = pad.settled()
    pad.sign(written(90))
    case.same(pad.vm.screen(), shown, "a pad that is out of service takes ink")
    return begun


def taken_up(case, pad, cure, begun, number):
    """Without the trouble the clean pad is back, and a signature is taken; the trouble was one line in the log."""
    pad.control.run(cure)
    pad.vm.log.wait("the pad takes signatures again", timeout=90, after=begun)
    lines = re.findall(r"^.*out of service$", pad.vm.log.text(begun), re.M)
    expect(len(lines) == 1, f"the log says it {len(lines)} times: {lines}")
    pad.send(written(90 + number))
    pad.cleaned()
    expect(len(pad.names(SPOOL + "/new")) == number, f"not {number} signatures in the spool")


@test("a full, read-only or missing disk puts the pad out of service in one line, and it recovers without help")
def disk_trouble(case):
    pad = Pad(case, disk=case.disk())
    # With a watchdog, as in its unit, the pad looks after its spool also while nobody signs.
    pad.start("WATCHDOG_USEC=2000000")
    full = f"dd if=/dev/zero of={HOME}/filler bs=1M 2>/dev/null; sync; true"
    begun = refused(case, pad, full, r"has \d+[KM] free; minimum-free is 16M")
    taken_up(case, pad, f"rm {HOME}/filler", begun, 1)
    begun = refused(case, pad, f"mount -o remount,ro {HOME}", r"Read-only file system|is mounted read-only.*")
    taken_up(case, pad, f"mount -o remount,rw {HOME}", begun, 2)
    # Nothing holds the filesystem between two signatures: it can be taken away for repair.
    begun = refused(case, pad, f"umount {HOME}", rf"open {SPOOL}: No such file or directory")
    taken_up(case, pad, f"mount /dev/vda {HOME}", begun, 3)
    pad.start_handoff()
    pad.delivered(3)


@test("a signature that the disk refuses stays on the pad, and is saved when the disk takes it")
def refused_signature(case):
    pad = Pad(case, disk=case.disk())
    pad.start()
    screen = pad.sign(written(95))
    begun = pad.vm.log.length()
    pad.control.run(f"mount -o remount,ro {HOME}")
    pad.done()
    pad.vm.log.wait("Read-only file system: the signature stays on the pad", after=begun)
    pad.control.run(f"mount -o remount,rw {HOME}")
    pad.vm.log.wait("the pad takes signatures again", timeout=90, after=begun)
    case.soon(pad.vm, screen, "the signature is not on the pad any more")
    pad.done()
    pad.published(after=begun)


@test("a clock that begins in 1970 and leaps orders nothing wrongly and expires nothing")
def clock(case):
    pad = Pad(case)
    pad.control.run("date -s @1000")
    pad.start()
    pad.send(written(97))
    pad.control.run("date -s '2026-11-21 12:00:00'")
    pad.send(written(98))
    # A fresh daemon names by its clock again: this signature has the smaller id and the greater number.
    pad.kill("paraphd", "TERM")
    pad.ended("paraphd", 0)
    pad.control.run("date -s @2000")
    pad.start()
    pad.send(written(99))
    pad.control.run("printf '[handoff]\\nretain = 1d\\n' >>/etc/paraph/paraph-handoff.conf")
    begun = pad.vm.log.length()
    pad.start_handoff()
    items = pad.delivered(3)
    order = re.findall(r"delivered (\S+) to outbox \(sequence (\d+)", pad.vm.log.text(begun))
    # The oldest and the newest take turns.
    expect([int(number) for _, number in order] == [1, 3, 2], f"delivered in the order {order}")
    expect([item.manifest["time"][:4] for item in items] == ["1970", "2026", "1970"], "the manifests have other years")
    expect(not any(item.manifest["clock_synchronized"] for item in items), "a clock that nobody set counts as set")
    pad.control.run("date -s '2026-11-22 12:00:00'")
    pad.kill("paraph-handoff", "HUP")
    pad.kill("paraph-handoff", "TERM")
    pad.ended("paraph-handoff", 0, after=begun)
    pad.control.run("paraph-handoff --once")
    expect(len(pad.names(SPOOL + "/delivered")) == 3, "what was delivered a moment ago is gone")
    expect(len(pad.names(OUTBOX)) == 3, "the outbox holds something else")
