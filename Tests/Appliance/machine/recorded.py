"""One run of a card in which people sign and an update is installed, with all that is written to the card.

The run is kept for the card's image, so that its power cuts can be replayed again without it.
"""
import json
import os
import shutil
import subprocess

from machine.bundle import next_update, stick
from machine.card import PAD_CONFIGURATION, ROOT, Card, built, card
from machine.hand import written
from machine.pad import OUTBOX
from machine.places import alone, build, read, write
from machine.sentences import expect, until

SECRET = b"hunter2"
# Added to the image, for the data partition to grow into.
ROOM = 256 << 20


class Recorded:
    """fresh: the path of the card before the run; record: that of what was written, as volatile.py reads it; promises:
    {sequence of a signature: how long the record was when it had been acknowledged}."""

    def __init__(self, folder):
        self.folder, self.promises = folder, {}
        self.fresh, self.record = os.path.join(folder, "fresh.img"), os.path.join(folder, "record")


def recorded(case):
    """A new run, which replaces the one that is kept."""
    built("virt")
    with alone("card-run"):
        shutil.rmtree(build("card-run"), ignore_errors=True)
        run = Recorded(build("card-run"))
        os.makedirs(run.folder)
        patient = (PAD_CONFIGURATION + "[pad]\nabandon-after = never\n").encode()
        settings = [("secrets/broker", SECRET), ("paraphd.conf", patient)]
        used = card(case, settings, os.path.getsize(built("virt")) + ROOM)
        subprocess.run(["cp", "--sparse=always", used, run.fresh], check=True)
        play(case, used, run)
        kept = {"image": image(), "promises": list(run.promises.items())}
        write(os.path.join(run.folder, "run.json"), json.dumps(kept).encode())
    return run


def last_recorded(case):
    """The run that is kept, or a new one."""
    run = Recorded(build("card-run"))
    facts = os.path.join(run.folder, "run.json")
    kept = json.loads(read(facts)) if os.path.exists(facts) else {}
    if kept.get("image") != image():
        return recorded(case)
    run.promises = dict(kept["promises"])
    return run


def image():
    return os.stat(ROOT).st_mtime_ns


def play(case, path, run):
    """Two people sign, an update is plugged in, and a third one's ink is on the glass until it is installed. Then the card
    starts the update and confirms it, with all signatures."""
    open(run.record, "w").close()
    files = [("paraph-virt-9.9.raucb", next_update())]
    pad = Card(case, path=path, record=run.record, stick=stick(case, files)).up().plug()
    for seed in (421, 422):
        pad.sign(written(seed))
        acknowledged(pad, run)
        pad.cleaned()
    pad.confirmed("A")
    pad.sign(written(423))
    pad.vm.plug_stick()
    said = "journalctl -b -o cat -u 'paraph-stick@*' | grep -e 'is installed; restarting' -e refused"
    expect("is installed" in pad.control.text(f"until {said}; do sleep 5; done", timeout=600), "the update is refused")
    # Three times the interval at which the card asks for the pad's state.
    pad.control.run("sleep 15")
    expect("state: signing" in pad.control.text("paraph status"), "the ink is gone")
    limit = pad.control.text("systemctl show -P MemoryHigh rauc")
    expect(limit == str(64 << 20), f"the memory of the update is limited to {limit}")
    expect(pad.control.text("systemctl is-system-running || true") != "stopping", "the machine restarts under a signature")
    acknowledged(pad, run)
    until(lambda: pad.runs("B"), "slot B is started", 300)
    pad.confirmed("B")
    expect(pad.order("get-primary") == "B", "slot B is not the first")
    kept = lambda: len(pad.ssh(f"ls -d {OUTBOX}/*/signature.json").stdout.split())
    until(lambda: kept() == len(run.promises), "the signatures are in the outbox", 60)
    pad.vm.kill()


def acknowledged(pad, run):
    """Presses Done, and notes how long the record is when paraphd has said that the signature is saved."""
    pad.done()
    pad.published()
    run.promises[pad.count] = os.path.getsize(run.record)
