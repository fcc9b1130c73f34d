"""Power cuts of a card, at hundreds of places of one run."""
import os
import random
import subprocess
import tempfile
import time

from machine import volatile
from machine.card import ROOT, Card, chosen_slot, partitions, settings, take
from machine.pad import OUTBOX, SPOOL, Item
from machine.places import TOOLS, read
from machine.recorded import SECRET, last_recorded
from machine.sentences import NAMED, expect, test, until

CUTS, BOOTS = 200, int(os.environ.get("BOOTS", 20))


@test("after a power cut while people sign and an update is installed, a card is sound, boots, and has every signature", NAMED)
def card_cuts(case):
    run, fresh = last_recorded(case), case.path("img")
    subprocess.run(["cp", "--sparse=always", run.fresh, fresh], check=True)
    entries, promises = volatile.entries(run.record), run.promises
    chance = random.Random(seed := random.randrange(1 << 32))
    check_untouched(fresh, entries)
    places = chosen(fresh, entries, chance)
    drive = f"{fresh}@@{partitions(fresh)[1][0]}"
    files = {file: subprocess.run(["mtype", "-i", drive, "::" + file], capture_output=True, check=True).stdout
             for file in ("boot.scr", "paraph/README.txt")}
    booted = {number * CUTS // BOOTS for number in range(BOOTS)}
    slots, dropped, count, begun = {"A": 0, "B": 0}, 0, 0, time.monotonic()
    for number, cut in enumerate(volatile.cuts(fresh, entries, places, chance)):
        name = f"cut {number} of seed {seed}, at byte {cut.time} of the record"
        slot = check_roots(fresh, name)
        promised = {sequence for sequence, when in promises.items() if when <= cut.time}
        with tempfile.TemporaryDirectory(dir=os.path.dirname(fresh)) as folder:
            check_order(fresh, folder, name)
            check_settings(fresh, files, folder, name)
            there, has_secret = kept(fresh, folder, name)
        expect(promised <= there, f"{name}: the signatures {promised - there} are lost")
        expect(has_secret or settings(fresh, "secrets/broker") == SECRET, f"{name}: the secret is lost")
        slots[slot], dropped, count = slots[slot] + 1, dropped + cut.dropped, count + len(promised)
        if number in booted:
            check_boot(case, fresh, slot, there, name)
            print(f"  {name}: root {slot} has booted ({time.monotonic() - begun:.0f} s)", flush=True)
    print(f"  {len(places)} power cuts of {len(entries)} writes and flushes with {dropped} pages lost in the cache, {BOOTS} of "
          f"them booted: {slots['A']} chose root A, {slots['B']} root B; all of {count} acknowledged signatures are there "
          f"(seed {seed})")
    expect(slots["A"] and slots["B"] and dropped and count, "nothing was at stake")


def chosen(path, entries, chance):
    """The indices of writes at which power is cut: half of them in the data and the boot order, which are few."""
    offset, size = partitions(path)[3]
    root, other = [], []
    for index, entry in enumerate(entries):
        if entry.data:
            (root if offset <= entry.place < offset + size else other).append(index)
    expect(min(len(root), len(other)) >= CUTS // 2, f"only {len(root)} and {len(other)} writes were recorded")
    return sorted(chance.sample(root, CUTS // 2) + chance.sample(other, CUTS // 2))


def check_untouched(path, entries):
    """Nothing is written to root A, which is as the image has it."""
    offset, size = partitions(path)[2]
    count = sum(bool(entry.data) and offset <= entry.place < offset + size for entry in entries)
    expect(not count, f"there are {count} writes to root A")


def check_roots(path, name):
    """The slot that is started next, whose root is whole."""
    slot = chosen_slot(path)
    if slot == "B":
        offset, size = partitions(path)[3]
        same = subprocess.run(["cmp", "-s", f"--ignore-initial={offset}:0", f"--bytes={size}", path, ROOT]).returncode == 0
        expect(same, f"{name}: root B is started and is not whole")
    return slot


# The byte of a FAT16 filesystem with the mark that it was not unmounted.
MARK = 0x25


def check_order(path, folder, name):
    """The filesystem of the boot order, which nothing repairs, is sound but for that mark."""
    part = take(path, 5, os.path.join(folder, "order"))
    with open(part, "r+b") as file:
        file.seek(MARK)
        value = file.read(1)[0]
        file.seek(MARK)
        file.write(bytes([value & ~1]))
    left = subprocess.run(["fsck.vfat", "-n", part], env=TOOLS, capture_output=True, text=True)
    expect(left.returncode == 0, f"{name}: the boot order's filesystem is damaged: {left.stdout}")


def check_settings(path, files, folder, name):
    """The filesystem of the settings, from which a secret is removed, can be repaired without a question, and what the
    board starts from is unchanged."""
    part = take(path, 1, os.path.join(folder, "settings"))
    for file, content in files.items():
        data = subprocess.run(["mtype", "-i", part, "::" + file], capture_output=True).stdout
        expect(data == content, f"{name}: {file} has changed")
    repaired = subprocess.run(["fsck.vfat", "-a", part], env=TOOLS, capture_output=True, text=True)
    expect(repaired.returncode < 2, f"{name}: the settings' filesystem cannot be repaired: {repaired.stdout}")


def kept(path, folder, name):
    """(numbers of the signatures, whether the secret is there) on the data partition, after the repair that the initramfs
    makes. Each signature is whole."""
    data = take(path, 6, os.path.join(folder, "data"))
    repaired = subprocess.run(["e2fsck", "-p", data], env=TOOLS, capture_output=True, text=True)
    expect(repaired.returncode < 4, f"{name}: e2fsck cannot repair the data partition: {repaired.stdout}")
    left = subprocess.run(["e2fsck", "-fn", data], env=TOOLS, capture_output=True, text=True)
    expect(left.returncode == 0, f"{name}: the data partition is damaged: {left.stdout}")
    found = set()
    for place in (SPOOL + "/new", OUTBOX):
        copy = os.path.join(folder, os.path.basename(place))
        os.makedirs(copy)
        command = ["debugfs", "-R", f"rdump {place.removeprefix('/var')} {copy}", data]
        subprocess.run(command, env=TOOLS, capture_output=True, check=True)
        for root, _, files in os.walk(copy):
            if "signature.json" in files and not os.path.basename(root).startswith("."):
                item = Item(os.path.basename(root), {file: read(os.path.join(root, file)) for file in files})
                found.add(item.sequence)
    command = ["debugfs", "-R", "cat /lib/paraph-card/secrets/broker", data]
    secret = subprocess.run(command, env=TOOLS, capture_output=True).stdout
    return found, secret == SECRET


def check_boot(case, path, slot, there, name):
    """It boots from that slot, delivers all signatures that are there, and the pad runs."""
    copy = case.path("img")
    subprocess.run(["cp", "--sparse=always", path, copy], check=True)
    pad = Card(case, path=copy)
    # The machine waits by itself: each login costs it seconds.
    count = f"$(cat {OUTBOX}/*/signature.json 2>/dev/null | grep -c '\"sequence\"')"
    holds = f"systemctl --quiet is-active paraphd && systemctl --quiet is-active paraph-handoff && [ {count} -ge {len(there)} ]"
    wait = f"for _ in $(seq 20); do ! {{ {holds} && [ -z \"$(ls {SPOOL}/new)\" ]; }} || exit 0; sleep 3; done; exit 1"
    until(lambda: pad.ssh(wait).returncode == 0, f"{name}: the pad runs, and all is delivered", 300)
    expect(pad.runs(slot), f"{name}: another slot than {slot} is started")
    until(lambda: pad.shows(), f"{name}: the pad is on the screen", 60)
    pad.vm.kill()
    case.machines.remove(pad.vm)
    os.remove(copy)
