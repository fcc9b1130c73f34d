"""`paraph doctor` beside a pad that works, and beside pads that do not."""
import json

from machine.pad import HANDOFF_CONFIGURATION, PAD_CONFIGURATION, SPOOL, Pad
from machine.probe import Probe
from machine.sentences import expect, test
from machine.vm import card


def doctor(control):
    """(exit status, findings) of the tool. Its one line on standard error is not part of the page."""
    status, page = control.status("paraph doctor --json 2>/dev/console")
    return status, json.loads(page)["findings"]


def texts(findings, area, verdict):
    return [found["text"] for found in findings if (found["area"], found["verdict"]) == (area, verdict)]


def one(findings, area, verdict, words):
    found = [text for text in texts(findings, area, verdict) if words in text]
    expect(found, f"no {verdict} of {area} says {words!r}:\n" + "\n".join(map(str, findings)))
    return found[0]


@test("paraph doctor finds nothing wrong with a pad that works, and says with what it works")
def doctor_well(case):
    pad = Pad(case, "uhid")
    pad.start()
    status, findings = doctor(pad.control)
    expect(status == 0, f"the doctor ends with {status}: {findings}")
    one(findings, "panel", "ok", "Virtual-1 on /dev/dri/card0 (virtio_gpu): 800x480")
    one(findings, "panel", "ok", "held by the pad itself")
    one(findings, "panel", "fact", "formats XR24")
    one(findings, "touchscreen", "ok", "draws: multi-touch protocol B, 10 slots, 154 × 86 mm")
    one(findings, "spool", "fact", "0 wait")
    one(findings, "delivery", "ok", "outbox: none waiting")
    pad.touch.unplug()
    pad.touch.fuzz = 8
    pad.touch.plug("uinput")
    # Without udev nobody takes that away.
    one(doctor(pad.control)[1], "touchscreen", "note", "the kernel smooths /dev/input/event")
    other = [text for text in texts(findings, "touchscreen", "fact") if "not used" in text]
    expect(other, "no other event device is explained")


@test("paraph doctor says who holds the card, that there is no touchscreen, and that nothing hangs on the connector")
def doctor_ill(case):
    vm = case.boot(cards=[card("virtio-gpu-pci", (640, 400))], ports=["probe"])
    vm.control.run(f"mkdir -p {SPOOL} && chmod 770 {SPOOL}")
    vm.control.push("/etc/paraph/paraphd.conf", PAD_CONFIGURATION)
    vm.control.push("/etc/paraph/paraph-handoff.conf", HANDOFF_CONFIGURATION)
    probe = Probe(vm)
    probe.open()
    status, findings = doctor(vm.control)
    expect(status == 69, f"the doctor ends with {status}")
    held = one(findings, "panel", "wrong", "/dev/dri/card0 is held by PanelProbe (")
    expect(vm.control.text("pidof PanelProbe") in held, held)
    one(findings, "touchscreen", "wrong", "is a touchscreen")
    probe.do("close")
    vm.control.run("echo off >/sys/class/drm/card0-Virtual-1/status")
    _, findings = doctor(vm.control)
    one(findings, "panel", "wrong", "no card has a usable panel")
    vm.control.run("sed -i 's/formats/formast/' /etc/paraph/paraphd.conf")
    status, findings = doctor(vm.control)
    expect(status == 78, f"with a wrong configuration the doctor ends with {status}")
    one(findings, "configuration", "wrong", "/etc/paraph/paraphd.conf:5: [signature] formast:")
