"""What happens to a panel in its life: cables, cards, terminals, other programs, the end."""
from machine.pad import Pad
from machine.probe import Probe
from machine.sentences import Broken, expect, test, until
from machine.vm import card

SIZE = (640, 400)
TEXT_ONLY = "\\033[?25l\\033[2J\\033[H"


def start(case, options="", device="virtio-gpu-pci", ports=("probe",), wrapper=""):
    """A machine with a probe that shows a picture."""
    probe = Probe(case.boot(cards=[card(device, SIZE)], ports=ports), wrapper=wrapper)
    probe.open(options)
    probe.pattern(3)
    probe.show()
    probe.check(case, "the first picture")
    return probe


def condition(probe, name):
    until(lambda: probe.do("condition") == f"ok {name}", f"the panel is {name}", timeout=20)


def mark(probe, number):
    """One more square, which must be seen as soon as anything is."""
    probe.rect(40 * number, 30 * number, 31, 17, 0x801010 + 0x3040 * number)
    probe.do("stats")


def console(vm, text="console"):
    """A still text on the console; its picture."""
    vm.control.run(f"printf '{TEXT_ONLY}{text}' >/dev/tty1")
    return until(lambda: (now := vm.still()).width == SIZE[0] and now, "the console has the size of the panel")


def comes_back(case, probe, away, name, back, sentence):
    """The panel is `name` after the command `away`; after `back` it shows what it showed, and what was drawn meanwhile."""
    probe.vm.control.run(away)
    condition(probe, name)
    mark(probe, 1)
    probe.vm.control.run(back)
    condition(probe, "active")
    probe.check(case, sentence)
    mark(probe, 2)
    probe.check(case, "and it goes on")


@test("a connector that goes dark and comes back shows the ink that was there, and what came meanwhile")
def connector(case):
    # Without a network, as the service runs: the kernel's own notices come all the same.
    probe = start(case, wrapper="unshare -n ")
    # virtio-gpu tells nobody of a status that is forced: the notice is made as a plug's would be.
    tell = "echo change >/sys/class/drm/card0/uevent"
    status = "/sys/class/drm/card0-Virtual-1/status"
    dark, lit = (f"echo {word} >{status}; {tell}" for word in ("off", "detect"))
    comes_back(case, probe, dark, "unplugged", lit, "after the connector came back")


@test("a card that is taken away and given back shows the ink that was there")
def removal(case):
    probe = start(case)
    driver = "/sys/bus/virtio/drivers/virtio_gpu"
    name = probe.vm.control.text(f"ls {driver} | grep virtio")
    unbind, bind = (f"echo {name} >{driver}/{word}" for word in ("unbind", "bind"))
    comes_back(case, probe, unbind, "gone", bind, "after the card came back")


@test("a card whose driver is loaded late is waited for")
def late(case):
    vm = case.boot(panel=Pad.PIXELS, ports=["probe"], append="hold=virtio_gpu")
    probe = Probe(vm)
    try:
        probe.open()
    except Broken as refusal:
        expect("no card in /dev/dri" in str(refusal), str(refusal))
    probe.stream.send(b"open wait\n")
    until(lambda: vm.control.has_open("anon_inode:inotify"), "the probe waits")
    vm.control.run("insmod /lib/modules/virtio_gpu.ko")
    probe.opened(probe.stream.line(60))
    probe.pattern(4)
    probe.show()
    probe.check(case, "on the late card")


@test("another terminal gets the screen, and the pad gets it back with all its ink")
def terminals(case):
    probe = start(case, "console")
    vm = probe.vm
    vm.control.run(f"printf '{TEXT_ONLY}second' >/dev/tty2; chvt 2")
    condition(probe, "away")
    until(lambda: vm.screen() != probe.picture(), "the other terminal is seen")
    before = vm.still()
    vm.control.run("printf 'more' >/dev/tty2")
    until(lambda: vm.screen() != before, "and can be written to")
    mark(probe, 1)
    vm.control.run("chvt 1")
    condition(probe, "active")
    probe.check(case, "back on our terminal")
    mark(probe, 2)
    probe.check(case, "and it goes on")


@test("the console is as it was after the pad has ended")
def end(case):
    vm = case.boot(cards=[card("virtio-gpu-pci", SIZE)], ports=["probe"])
    text = console(vm)
    probe = Probe(vm)
    probe.open("console")
    probe.pattern(5)
    probe.show()
    probe.check(case, "the pad")
    vm.control.run("printf 'unseen' >/dev/tty1")
    case.same(vm.still(), probe.picture(), "the console writes over the pad")
    vm.control.run(f"printf '{TEXT_ONLY}console' >/dev/tty1")
    probe.do("close")
    until(lambda: vm.screen() == text, "the console's text is back")
    vm.control.run("printf more >/dev/tty1")
    until(lambda: vm.screen() != text, "and it can be written to")


@test("a pad that was killed leaves a console that can be repaired, and the next one draws")
def killed(case):
    vm = case.boot(cards=[card("virtio-gpu-pci", SIZE)], ports=["probe", "second"])
    text = console(vm)
    probe = Probe(vm)
    probe.open("console")
    probe.pattern(6)
    probe.show()
    probe.check(case, "the pad")
    vm.control.run("kill -9 $(pidof PanelProbe)")
    second = Probe(vm, port="second")
    second.do("repair")
    vm.control.run(f"printf '{TEXT_ONLY}console' >/dev/tty1")
    until(lambda: vm.screen() == text, "the console's text is back")
    second.open("console")
    second.pattern(7)
    second.show()
    second.check(case, "the next pad")


@test("whoever holds the card is named to the one who wants it")
def held(case):
    probe = start(case, ports=["probe", "second"])
    second = Probe(probe.vm, port="second")
    try:
        second.open()
        raise Broken("two programs drew on one card")
    except Broken as refusal:
        pid = probe.vm.control.text("pidof PanelProbe").split()
        expect(any(f"in use by PanelProbe ({one})" in str(refusal) for one in pid), str(refusal))
    mark(probe, 1)
    probe.check(case, "the first goes on")


@test("the panel rests in the dark and wakes with its ink")
def blank(case):
    for device in ("virtio-gpu-pci", "bochs-display"):
        probe = start(case, device=device)
        probe.do("blank")
        condition(probe, "blank")
        if device == "bochs-display":
            # It has no register for that, and outside the picture stays.
            dark = lambda: probe.vm.control.text("cat /sys/class/drm/card0-Virtual-1/dpms") == "Off"
        else:
            dark = lambda: probe.vm.screen() != probe.picture()
        until(dark, f"{device}: the panel is dark")
        mark(probe, 1)
        probe.do("unblank")
        condition(probe, "active")
        probe.check(case, f"{device}: awake again")


@test("of two cards the named one is drawn on, whichever came first")
def two_cards(case):
    for hold in ("virtio_gpu", "bochs"):
        cards = [card("virtio-gpu-pci", Pad.PIXELS, id="virtio"), card("bochs-display", Pad.PIXELS, id="bochs")]
        vm = case.boot(cards=cards, ports=["probe"], append=f"hold={hold}")
        vm.control.run(f"insmod /lib/modules/{hold}.ko")
        told = vm.control.text("paraph devices")
        for driver, device in (("virtio_gpu", "virtio"), ("bochs-drm", "bochs")):
            path = next(line.split()[0] for line in told.splitlines() if f"({driver})" in line)
            probe = Probe(vm, device=device) if driver == "virtio_gpu" else probe.looking_at(device)
            probe.open(f"card={path}")
            probe.pattern(8)
            probe.show()
            probe.check(case, f"{driver} as {path}")
            probe.do("close")
