"""Power cuts on a disk with a volatile cache, at hundreds of places of one recorded run, with sealing and signing."""
import os
import random
import re
import shutil
import time

from machine import volatile
from machine.pad import RUNTIME, items
from machine.places import IS_SOAK, read, source
from machine.seal import Keys
from machine.sentences import Broken, expect, test

CUTS, SIGNATURES = (500, 40) if IS_SOAK else (12, 5)
# Disks that one machine looks at.
BATCH = 50
MEGABYTES = 16

PAD = """
[touch]
recording = /etc/paraph/hand.evemu
loop = yes
[display]
card = memory
pixels = 400x240
size = 154x86
[signature]
formats = png svg inkml json
[seal]
recipients = /etc/paraph/recipient.pem
[sign]
certificate = /etc/paraph/pad.pem
key = /etc/paraph/pad.key
[spool]
path = /mnt/spool
minimum-free = 64K
"""
SINKS = ("one", "two")
HANDOFF = "[spool]\npath = /mnt/spool\n" + "".join(f"[sink {sink}]\ntype = directory\npath = /mnt/{sink}\n" for sink in SINKS)
# What has nothing to lose is written as most programs write: without fsync.
CONTROL = """
while n=$((n + 1)); do
    head -c 700 /dev/urandom >/mnt/control/$n.new && mv /mnt/control/$n.new /mnt/control/$n && echo "control $n"
    sleep 0.2
done
"""


class Promises:
    """What was told, and how long the record of the disk was when it had been told."""

    def __init__(self):
        self.published, self.control, self.delivered = {}, {}, {sink: {} for sink in SINKS}

    def hear(self, line, time):
        if match := re.match(r"paraph: published signature (\d+) ", line):
            self.published[int(match[1])] = time
        elif match := re.match(r"paraph: delivered (\S+) to (\S+) ", line):
            self.delivered[match[2]].setdefault(match[1], time)
        elif match := re.match(r"control (\d+)", line):
            self.control[match[1]] = time

    @staticmethod
    def before(told, time):
        return {what for what, when in told.items() if when <= time}


@test(
    "no power cut loses an acknowledged signature, leaves one half, unsealed or unsigned, or repeats more than one delivery of a "
    "sink; no ink is ever written to the disk"
)
def power_cuts(case):
    disk, record = case.disk(MEGABYTES), case.path("record")
    fresh = case.path("fresh")
    shutil.copy(disk, fresh)
    keys = Keys(case)
    promises = recorded_run(case, disk, record, keys)
    entries, chance = volatile.entries(record), random.Random(seed := random.randrange(1 << 32))
    first = next(i for i, entry in enumerate(entries) if entry.end >= min(promises.published.values()))
    # With a write in the cache: right after a flush there is nothing to lose.
    candidates = [i for i in range(first // 2, len(entries)) if entries[i].data]
    places = sorted(chance.sample(candidates, min(CUTS, len(candidates))))
    expect(len(places) == CUTS, f"only {len(candidates)} writes were recorded")
    tally = Tally(seed)
    cuts, batch = volatile.cuts(fresh, entries, places, chance), []
    for cut in cuts:
        batch.append((cut, read(fresh)))
        if len(batch) == BATCH or cut.time == entries[places[-1]].end:
            judge(case, batch, promises, tally, keys)
            batch = []
    keys.check_absence(record)
    print(f"  {len(entries)} writes and flushes recorded; {tally}; {len(keys.opened)} signatures opened and verified by openssl")
    expect(tally.control_lost > 0, "what was not synced has survived every cut: these are no power cuts")
    expect(tally.promised > 0 and tally.dropped > 0, "nothing was at stake")


def recorded_run(case, disk, record, keys):
    """Signs, publishes and delivers on a recorded disk, and pulls the plug."""
    open(record, "w").close()
    vm = case.boot(disks=[disk], record=record, ports=["told"], programs=[case.program("paraph-seal")])
    keys.push(vm.control)
    vm.control.push("/etc/paraph/paraphd.conf", PAD)
    vm.control.push("/etc/paraph/paraph-handoff.conf", HANDOFF)
    vm.control.push("/etc/paraph/hand.evemu", read(source("Tests", "Fixtures", "hurried.evemu")))
    vm.control.push("/etc/control.sh", CONTROL)
    vm.control.run("mount -t ext4 /dev/vda /mnt && mkdir /mnt/control " + " ".join(f"/mnt/{sink}" for sink in SINKS))
    vm.control.run("sync && mkfifo /run/told")
    vm.control.start("cat /run/told >/dev/virtio-ports/told")
    vm.control.run(f"mkdir -p {RUNTIME}")
    for program in ("paraph-handoff", f"RUNTIME_DIRECTORY={RUNTIME} paraphd", "sh /etc/control.sh"):
        vm.control.start(f"{program} >/run/told 2>&1")
    promises, end, said = Promises(), time.monotonic() + 30 + 12 * SIGNATURES, []
    while len(promises.published) < SIGNATURES or any(len(d) < SIGNATURES for d in promises.delivered.values()):
        if time.monotonic() > end:
            raise Broken(f"only {len(promises.published)} signatures were published: {said[-20:]}")
        line = vm.ports["told"].line(60)
        said.append(line)
        promises.hear(line, os.path.getsize(record))
    vm.kill()
    return promises


class Tally:
    """Sums over all cuts."""

    def __init__(self, seed):
        self.seed, self.cuts, self.promised, self.repeated, self.most, self.dropped = seed, 0, 0, 0, 0, 0
        self.control_promised = self.control_lost = 0

    def __str__(self):
        return (
            f"{self.cuts} power cuts with {self.dropped} pages lost in the cache: all of {self.promised} acknowledged "
            f"signatures there and whole, {self.repeated} deliveries repeated, {self.most} at most of one sink in one "
            f"cut; without fsync {self.control_lost} of {self.control_promised} files lost (seed {self.seed})"
        )


# Everything that is left to do is done, as after a start, and what came of it is told.
AFTER = """
losetup -o {offset} /dev/loop0 /dev/vda && mount -t ext4 /dev/loop0 /mnt || exit 1
paraph-handoff --once 2>&1
echo "once ended with $?"
for place in new failed delivered; do ls /mnt/spool/$place | sed "s/^/left in $place: /"; done
for file in /mnt/control/*; do echo "file ${{file##*/}} $(stat -c %s $file)"; done
"""


def judge(case, batch, promises, tally, keys):
    path = case.path("cuts")
    volatile.side_by_side(path, [image for _, image in batch])
    vm = case.boot(disks=[path])
    vm.control.push("/etc/paraph/paraph-handoff.conf", HANDOFF)
    for number, (cut, image) in enumerate(batch):
        name = f"the cut at byte {cut.time} of the record, seed {tally.seed}"
        said = vm.control.text(AFTER.format(offset=number * len(image)), timeout=120)
        expect("once ended with 0" in said, f"{name}: {said}")
        expect("left in" not in said, f"{name}: {said}")
        check_items(vm, cut, promises, tally, name, keys)
        count_repeats(said, cut, promises, tally, name)
        check_control(said, cut, promises, tally)
        tally.cuts, tally.dropped = tally.cuts + 1, tally.dropped + cut.dropped
        vm.control.run("umount /mnt && losetup -d /dev/loop0")
    vm.kill()
    os.remove(path)


def check_items(vm, cut, promises, tally, name, keys):
    """Every acknowledged signature is in both outboxes; what is there is whole, sealed and signed, with a number of its own."""
    promised = promises.before(promises.published, cut.time)
    tally.promised += len(promised)
    for sink in SINKS:
        found = items(vm.control, f"/mnt/{sink}")
        for item in found:
            keys.check(item, name)
        there = [item.sequence for item in found]
        expect(len(set(there)) == len(there), f"{name}: a number was given twice: {there}")
        expect(promised <= set(there), f"{name}: {promised - set(there)} lost on the way to {sink}")


def count_repeats(said, cut, promises, tally, name):
    again = Promises()
    for line in said.splitlines():
        again.hear(line, 0)
    for sink in SINKS:
        repeated = promises.before(promises.delivered[sink], cut.time) & set(again.delivered[sink])
        expect(len(repeated) <= 1, f"{name}: {sink} got {repeated} again")
        tally.repeated, tally.most = tally.repeated + len(repeated), max(tally.most, len(repeated))


def check_control(said, cut, promises, tally):
    whole = set(re.findall(r"^file (\d+) 700$", said, re.M))
    promised = promises.before(promises.control, cut.time)
    tally.control_promised += len(promised)
    tally.control_lost += len(promised - whole)
