"""The files of the cards, without a machine: nothing emulates the firmware of a Raspberry Pi."""
import json
import os
import re
import subprocess

from machine.card import CARD, DISK, SECTOR, built, environment, partitions, take
from machine.cpio import listed
from machine.places import TOOLS, read, source
from machine.sentences import expect, test

LIMIT = 300_000_000
# These files name the board; all others are equal.
OWN = {"/etc/paraph-card", "/etc/rauc/system.conf"}
# Those of the files on the data partition, which an update does not change.
USERS = {"paraph": "601", "paraph-handoff": "602", "paraph-web": "603"}
GROUPS = {"paraph-spool": "600", **USERS}


@test("the card of QEMU's board is laid out as documented, its filesystems are sound, and it is small enough")
def layout_virt(case):
    check_layout(case, "virt")


@test("so is the Raspberry Pi's, and its firmware finds all that its settings name")
def layout_rpi(case):
    folder = check_layout(case, "rpi")
    fat = lambda name: os.path.join(folder, name)
    settings = read(fat("config.txt")).decode()
    (kernel,) = re.findall(r"^kernel=(.+)$", settings, re.M)
    for name in (kernel, "bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat", "boot.scr"):
        expect(os.path.getsize(fat(name)) > 0, f"{name} is empty")
    trees = [name for name in os.listdir(folder) if name.endswith(".dtb")]
    expect(len(trees) == 6, f"there are device trees of {trees}")
    overlays = re.findall(r"^#?dtoverlay=(.+)$", settings, re.M)
    expect(len(overlays) == 2, f"the settings name {overlays}")
    for tree in trees:
        said = run("fdtget", fat(tree), "/", "model").stdout
        expect("Raspberry Pi" in said, f"{tree} is of {said}")
        # The Zero 2 W has no connector for a panel.
        if "zero" in tree:
            continue
        overlay, label = ("panel-7inch-pi4", "i2c0_1") if tree.startswith("bcm2711") else ("panel-7inch-pi3", "i2c0")
        expect(overlay in overlays, f"the settings do not name {overlay}")
        merged = case.path("dtb")
        run("fdtoverlay", "-i", fat(tree), "-o", merged, fat(f"overlays/{overlay}.dtbo"))
        bus = run("fdtget", merged, "/__symbols__", label).stdout.strip()
        panel = run("fdtget", merged, f"{bus}/panel@45", "compatible").stdout.strip()
        expect(panel == "raspberrypi,7inch-touchscreen-panel", f"{tree} with {overlay} has {panel}")
        status = run("fdtget", merged, "/soc/dsi@7e700000", "status").stdout.strip()
        expect(status == "okay", f"{tree} with {overlay} has a DSI that is {status}")
    variables = environment(read(fat("uboot.env")))
    expect(variables and variables["bootcmd"] and variables["bootdelay"] == "-2", f"U-Boot's environment is {variables}")
    kernel = boot_file(case, "rpi", "vmlinuz")
    # Documentation/arch/arm64/booting.rst of Linux: the size that the kernel has in memory. U-Boot starts it at 2 MB.
    size, address = int.from_bytes(kernel[16:24], "little"), int(variables["kernel_addr_r"], 16)
    room = int(variables["ramdisk_addr_r"], 16) - address
    expect(address % (2 << 20) == 0 and size <= room, f"the kernel has {size} bytes, and there is room for {room}")
    expect("vidconsole" not in variables["stdout"] + variables["stderr"], "U-Boot writes to the screen")


@test("the root of the Raspberry Pi's card is that of the card that is booted, but for the board's name")
def same_root(case):
    virt, rpi = (listing(case, board) for board in ("virt", "rpi"))
    differ = {path for path in virt.keys() | rpi.keys() if virt.get(path) != rpi.get(path)}
    expect(differ == OWN, f"these differ: {sorted(differ)[:20]}")
    first, second = (read(os.path.join(CARD, board, "parts/fat/boot.scr")) for board in ("virt", "rpi"))
    expect(first == second, "U-Boot's script differs")


def check_layout(case, board):
    """The folder of its FAT partition's files."""
    image = built(board)
    size = os.path.getsize(image + ".xz")
    expect(size <= LIMIT, f"{image}.xz has {size} bytes")
    places = partitions(image)
    expect(sorted(places) == [1, 2, 3, 5, 6], f"there are the partitions {sorted(places)}")
    with open(image, "rb") as file:
        file.seek(440)
        expect(file.read(4)[::-1].hex() == DISK, "the disk has another signature than its filesystem table names")
    end = 1 * SECTOR
    for number in sorted(places):
        offset, length = places[number]
        expect(offset >= end, f"partition {number} begins before the one before it ends")
        end = offset + length
    check_materials(case, board, image)
    check_initramfs(case, board)
    check_numbers(case, image)
    for number, check in ((1, ["fsck.vfat", "-n"]), (5, ["fsck.vfat", "-n"]), (2, ["e2fsck", "-fn"]), (6, ["e2fsck", "-fn"])):
        part = take(image, number, case.path("part"))
        run(*check, part)
        os.remove(part)
    folder = case.path("fat")
    os.makedirs(folder)
    run("mcopy", "-s", "-i", f"{image}@@{places[1][0]}", "::*", folder)
    for name in ("boot.scr", "paraph/paraphd.conf", "paraph/paraph-handoff.conf", "paraph/network", "paraph/README.txt"):
        expect(os.path.exists(os.path.join(folder, name)), f"the FAT partition has no {name}")
    return folder


def check_materials(case, board, image):
    """The bill of materials names each package of the root, which has its licence there."""
    bill = json.loads(read(os.path.join(CARD, f"paraph-{board}.spdx.json")))
    named = {package["name"] for package in bill["packages"]}
    # perl-base has its licence in the folder of its source.
    named |= {package.get("sourceInfo", "").removeprefix("Debian's source package ").split(" ")[0] for package in bill["packages"]}
    root = take(image, 2, case.path("root"))
    told = run("debugfs", "-R", "ls -p /usr/share/doc", root).stdout
    os.remove(root)
    there = {line.split("/")[5] for line in told.splitlines() if line.count("/") > 5} - {".", ".."}
    expect(len(there) > 100 and there <= named, f"the bill of materials lacks {sorted(there - named)} of {len(there)}")


def check_numbers(case, image):
    """The product's users and groups have fixed numbers, which no other one has."""
    root = take(image, 2, case.path("root"))
    for name, fixed in (("passwd", USERS), ("group", GROUPS)):
        lines = [line.split(":") for line in run("debugfs", "-R", f"cat /etc/{name}", root).stdout.splitlines()]
        there = {words[0]: words[2] for words in lines if words[0] in fixed or words[2] in fixed.values()}
        expect(there == fixed, f"/etc/{name} has the numbers {there}")
    os.remove(root)


def check_initramfs(case, board):
    """It has all drivers of its list that the kernel has not itself, and none of USB: partitions of another card in a reader
    have the same names."""
    first, packed = listed(boot_file(case, board, "initrd.img"))
    unpacked = subprocess.run(["zstd", "-dcq"], input=packed, check=True, capture_output=True).stdout
    rest, after = listed(unpacked)
    expect(not after, f"{len(after)} bytes follow the archives of the initramfs")
    drivers = [name for name in first + rest if ".ko" in name]
    modules = read(source("config", "card", "tree", "etc", "initramfs-tools", "modules")).decode().splitlines()
    wanted = {module_name(line) for line in modules if line and not line.startswith("#")}
    there = {module_name(path) for path in drivers + builtin(case, board)}
    expect(wanted <= there, f"the initramfs lacks {sorted(wanted - there)}, and has the drivers {drivers}")
    expect(not any("/usb/" in name for name in drivers), f"the initramfs has drivers of USB: {drivers}")


def module_name(path):
    """Of a module's file, as modprobe(8) knows it."""
    return os.path.basename(path).split(".ko")[0].replace("-", "_")


def builtin(case, board):
    """The files that would be modules if they were not parts of the kernel."""
    root = take(built(board), 2, case.path("root"))
    (version,) = re.findall(r"vmlinuz-([^/\s]+)", run("debugfs", "-R", "ls -p /boot", root).stdout)
    told = run("debugfs", "-R", f"cat /usr/lib/modules/{version}/modules.builtin", root).stdout
    os.remove(root)
    return told.splitlines()


def boot_file(case, board, name):
    """The bytes of the kernel or the initramfs in a board's root, whose version follows the name."""
    root, path = take(built(board), 2, case.path("root")), case.path("boot")
    (found,) = re.findall(rf"{name}-[^/\s]+", run("debugfs", "-R", "ls -p /boot", root).stdout)
    run("debugfs", "-R", f"dump /boot/{found} {path}", root)
    os.remove(root)
    return read(path)


def listing(case, board):
    """{path: mode, owner, group and content} of a root; debugfs(8) keeps owners if root runs it."""
    root, folder = take(built(board), 2, case.path("root")), case.path("tree")
    os.makedirs(folder)
    run("debugfs", "-R", f"rdump / {folder}", root)
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(place, name)
            about = os.lstat(path)
            content = os.readlink(path) if os.path.islink(path) else read(path) if os.path.isfile(path) else None
            found[path.removeprefix(folder)] = (about.st_mode, about.st_uid, about.st_gid, hash(content))
    return found


def run(*command):
    """A tool that finds nothing wrong."""
    done = subprocess.run(command, env=TOOLS, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    expect(done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done
