"""The machine itself: what the other tests stand on."""
import os
import re
import struct

from machine.difference import Difference
from machine.picture import Picture
from machine.sentences import Broken, expect, test, until
from machine.signature import Signature
from machine.touchscreen import Touchscreen, pace

ROADS = {"uinput": "Appliance touchscreen", "uhid": "Appliance HID panel"}


def device(vm, name):
    """The paragraph of /proc/bus/input/devices about the device of that name, or None."""
    told = vm.control.text("cat /proc/bus/input/devices")
    return next((part for part in told.split("\n\n") if f'Name="{name}"' in part), None)


@test("a machine boots with a panel on virtio-gpu, and its picture can be taken from outside")
def panel(case):
    vm = case.boot(panel=(800, 480))
    expect(vm.control.text("cat /sys/class/drm/card0-Virtual-1/status") == "connected", "the panel is not connected")
    screen = until(lambda: (shown := vm.screen()).width == 800 and shown, "the panel shows 800 columns")
    expect(screen.height == 480, f"the panel has {screen.height} rows")
    # A letter on the text console is a picture of a letter outside.
    vm.control.run("printf '\\033[?25l\\033[2J' >/dev/tty1")
    blank = vm.still()
    vm.control.run("printf 'X' >/dev/tty1")
    until(lambda: vm.screen() != blank, "writing to the console changes the picture")


@test("files go into the machine and come out unchanged, and a command's status comes with its output")
def files(case):
    vm = case.boot()
    data = os.urandom(300_000)
    vm.control.push("/run/some/file", data)
    expect(vm.control.pull("/run/some/file") == data, "the file came back changed")
    expect(vm.control.status("echo to stdout; echo to stderr >&2; exit 3") == (3, b"to stdout\nto stderr\n"), "status")


@test("what was synced to a disk outlives a power cut")
def disk(case):
    path = case.disk()
    vm = case.boot(disks=[path])
    vm.control.run("mount /dev/vda /mnt && echo kept >/mnt/file && sync")
    vm.kill()
    vm = case.boot(disks=[path])
    expect(vm.control.text("mount /dev/vda /mnt && cat /mnt/file") == "kept", "the file is lost")


@test("a pixel that is off is found, counted and shown, and a picture survives its PNG")
def pictures(case):
    one = Picture(40, 30, os.urandom(40 * 30 * 3))
    other = bytearray(one.pixels)
    other[(7 * 40 + 5) * 3 + 1] ^= 9
    difference = Difference(one, Picture(40, 30, other))
    expect((difference.count, difference.box) == (1, (5, 7, 1, 1)), f"{difference}")
    expect(difference.picture().pixel(5, 7)[1:] == (0, 0), "the pixel is not red")
    expect(Picture.from_png(one.png()) == one, "the PNG does not hold the picture")
    try:
        case.same(one, Picture(40, 30, other), "these differ")
    except Broken:
        return case.evidence.remove()
    raise Broken("a comparison of different pictures passed")


@test("a touchscreen made through uinput reports what the hand did")
def uinput(case):
    play(case, "uinput")


@test("a touchscreen made through uhid is driven by the kernel's hid-multitouch and reports what the hand did")
def uhid(case):
    play(case, "uhid", check_driver)


def check_driver(vm):
    driver = vm.control.text("readlink /sys/bus/hid/devices/0003:1209:0001.*/driver")
    expect(driver.endswith("hid-multitouch"), f"the driver is {driver}")


def play(case, road, check=lambda vm: None):
    """Plays a signature and reads the events back from the kernel's device."""
    vm, name = case.boot(ports=["touch"], **pace(road)), ROADS[road]
    touch = Touchscreen(vm, road, name=name)
    told = until(lambda: device(vm, name), f"{name} is among the input devices")
    expect(re.search(r"PROP=2$", told, re.M), f"INPUT_PROP_DIRECT is missing: {told}")
    check(vm)
    event = re.search(r"event\d+", told)[0]
    vm.control.start(f"cat /dev/input/{event} >/run/events")
    until(lambda: vm.control.has_open(f"/dev/input/{event}"), "the reader has opened the device")
    signature = Signature.synthetic(1, (20, 20, 100, 40), strokes=2)
    print(f"  {road}: {touch.play(signature)}")
    touch.unplug()
    until(lambda: device(vm, name) is None, f"{name} is gone")
    read, meant = decoded(vm.control.pull("/run/events")), [touch.units_of(stroke) for stroke in signature.strokes]
    expect(len(read) == len(meant), f"{len(read)} contacts instead of {len(meant)}")
    for number, (one, other) in enumerate(zip(read, meant)):
        expect(one == other, f"contact {number} is {one}\ninstead of {other}")


EVENT = struct.Struct("qqHHi")
EV_SYN, EV_ABS = 0, 3
ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID = 0x35, 0x36, 0x39


def decoded(data):
    """The contacts in struct input_events of one slot: the places of each, where they changed."""
    contacts, place, down = [], {}, False
    for _, _, kind, code, value in EVENT.iter_unpack(data):
        if kind == EV_ABS and code == ABS_MT_TRACKING_ID:
            down = value >= 0
            if down:
                contacts.append([])
        elif kind == EV_ABS:
            place[code] = value
        elif kind == EV_SYN and down:
            here = (place[ABS_MT_POSITION_X], place[ABS_MT_POSITION_Y])
            if contacts[-1][-1:] != [here]:
                contacts[-1].append(here)
    return contacts
