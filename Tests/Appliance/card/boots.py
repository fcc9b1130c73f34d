"""A card from its first boot on: the pad, its settings, and where it writes."""
import json
import re

from machine.card import DISK, PAD_CONFIGURATION, Card, built, put, settings, take, take_away
from machine.hand import check_samples, written
from machine.pad import SPOOL
from machine.picture import Picture
from machine.places import read
from machine.sentences import expect, test, until


@test("a fresh card boots to the pad with a black screen before; what is signed is delivered; the root is read-only, the data partition fills the card")
def first_boot(case):
    card = Card(case)
    other = card.film()
    if other:
        case.evidence.picture("not-the-pad", other)
    expect(not other, "a picture before the pad is not black")
    card.up().plug()
    hand = written(401)
    card.send(hand)
    (item,) = card.delivered(1)
    check_samples(item, hand, card)
    text = card.control.text
    status, _ = card.control.status("touch /etc/changed /usr/changed")
    expect(status != 0 and " ro," in text("grep ' / ext4 ' /proc/mounts"), "the root can be written")
    until(lambda: card.control.status("test -e /var/lib/paraph-card/grown")[0] == 0, "the data partition is grown", 60)
    size = int(text("df --output=size -B1 /var | tail -1"))
    expect(size > 1 << 30, f"the data partition has {size} bytes of a card of 4 GiB")
    said = text("journalctl -b -o cat _PID=1")
    expect("Using hardware watchdog" in said, "systemd does not drive the watchdog")
    logins = text("grep -s -l -x -e agetty -e login /proc/[0-9]*/comm || true")
    expect(not logins, f"there is a login on the console: {logins}")
    identity = text("cat /etc/machine-id")
    until(lambda: card.control.status("test -s /var/lib/paraph-card/confirmed")[0] == 0, "the root is confirmed", 60)
    card.off()
    again = Card(case, path=card.path).up()
    expect(again.control.text("cat /etc/machine-id") == identity, "the machine is another one after a restart")
    boots = again.control.text("journalctl --list-boots -o json")
    expect(len(json.loads(boots)) == 2, f"systemd's journal has not both boots: {boots}")


@test("a setting with an error takes its default and is shown with its line; deliveries with an error wait, and go on when it is gone")
def wrong_setting(case):
    wrong = PAD_CONFIGURATION + "[pad]\ninvite = sometimes\ndevice-name = locker 7\n"
    files = {"paraphd.conf": wrong.encode(), "hostname": b"not a name\n", "logo.png": b"no picture",
             "paraph-handoff.conf": b"[sink outbox]\ntype = directory\npaht = /var/lib/paraph/outbox\n"}
    card = Card(case, files.items()).up().plug()
    notes = card.control.text("cat /run/paraph-card/notes").splitlines()
    line = wrong.split("\n").index("invite = sometimes") + 1
    for start in (f"paraphd.conf line {line}: [pad] invite", "hostname line 1:", "logo.png:", "paraph-handoff.conf line 3: [sink outbox]"):
        expect(any(note.startswith(start) for note in notes), f"the pad does not show {start}, but {notes}")
    card.sign(written(402))
    card.done()
    card.published()
    card.control.run("test -e /run/paraph-card/held && ! systemctl is-active --quiet paraph-handoff")
    expect(len(card.names(SPOOL + "/new")) == 1, "a signature was delivered to a destination with an error")
    shown = card.settled()
    card.off()
    put(card.path, "paraphd.conf", (PAD_CONFIGURATION + "[pad]\ndevice-name = locker 7\n").encode())
    put(card.path, "hostname", b"locker-7\n")
    put(card.path, "paraph-handoff.conf", b"\xef\xbb\xbf[sink outbox]\r\ntype = directory\r\npath = /var/lib/paraph/outbox\r\n")
    take_away(card.path, "logo.png")
    again = Card(case, path=card.path).up().plug()
    (item,) = again.delivered(1)
    expect(item.manifest["device"] == "locker 7", f"the pad was called {item.manifest['device']}")
    expect(again.control.text("hostname") == "locker-7", "the machine has not its name")
    problems = again.control.text("cat /run/paraph-card/problems")
    expect(not problems, f"the pad still shows {problems}")
    expect(again.settled() != shown, "the pad still shows the errors")


@test("secrets on the FAT partition move to the data partition at the first boot, and deliveries read them there")
def secrets(case):
    network = b"wifi-name = Counter 4\r\nwifi-password = open sesame\r\n"
    picture = Picture(64, 32, bytes([200]) * 64 * 32 * 3).png()
    files = {"secrets/broker": b"hunter2", "network": network, "console-password": b"let me in\r\n", "logo.png": picture,
             "picture.png": picture}
    card = Card(case, files.items()).up()
    text = card.control.text
    kept = text("cat /var/lib/paraph-card/secrets/broker; stat -c ' %a %U' /var/lib/paraph-card/secrets/broker")
    expect(kept == "hunter2 600 root", f"the data partition has {kept}")
    seen = text("ls /run/credentials/paraph-handoff.service")
    expect("broker" in seen.split(), f"the hand-off is given {seen}")
    card.vm.log.wait("login: ", 120)
    psk = text("cat '/var/lib/iwd/Counter 4.psk'")
    expect(psk == "[Security]\nPassphrase=open sesame", f"the Wi-Fi is joined with {psk}")
    # A logo and a picture are for the pad's own user too.
    problems = text("cat /run/paraph-card/problems")
    expect(not problems and card.is_active("paraphd"), f"the pad does not run with a logo and a picture: {problems}")
    until(lambda: text("/usr/lib/paraph-card/boot-order get-tries A") == "255", "the root is confirmed", 120)
    shadow = text("stat -c '%a %U' /etc/shadow; sed -n '/^root:/s/^root:\\(...\\).*/\\1/p' /etc/shadow")
    expect(shadow.split("\n") == ["600 root", "$6$"], f"the passwords are in a file that is {shadow}")
    card.off()
    expect(settings(card.path, "secrets/broker") is None, "the FAT partition still has the secret")
    raw = read(take(card.path, 1, case.path("fat")))
    for secret in (b"hunter2", b"let me in", b"open sesame"):
        expect(secret not in raw, f"{secret} can still be read on the FAT partition")
    expect(settings(card.path, "console-password") is None, "the FAT partition still has the console's password")
    expect(settings(card.path, "network") == network.replace(b"open sesame", b"*" * 11), "the rest of the file has changed")


@test("for the first minute the pad shows its address; at rest nothing is written to the card for a minute")
def rest(case):
    card = Card(case).up().plug()
    text = card.control.text
    until(lambda: re.search(r"^paraph: 10\.0\.2\.", text("cat /run/paraph-card/notes"), re.M), "the address is a note", 60)
    with_address = card.settled()
    until(lambda: not text("cat /run/paraph-card/notes"), "the address goes after a minute", 120)
    until(lambda: card.vm.screen() != with_address, "the pad does not show it any more")
    for name, sentence in (("grown", "the card is grown"), ("confirmed", "the root is confirmed")):
        until(lambda: card.control.status(f"test -e /var/lib/paraph-card/{name}")[0] == 0, sentence, 120)
    # The kernel writes the last lines of systemd's journal after 30 s (vm.dirty_expire_centisecs), and its inode, which
    # that changes, after 30 s more; each is up to 10 s late.
    text("sleep 90", timeout=150)
    sectors = "awk '$3 == \"vda\" { print $10 }' /proc/diskstats"
    # For the message of a failure.
    traced = "/sys/kernel/tracing/events/block/block_rq_issue/enable"
    text(f"[ -e {traced} ] || mount -t tracefs tracefs /sys/kernel/tracing; echo 1 >{traced}")
    before = int(text(sectors))
    text("sleep 60", timeout=120)
    after = int(text(sectors))
    writes = text("sed '/^#/d' /sys/kernel/tracing/trace")
    expect(after == before, f"{after - before} sectors are written in a minute in which nobody does anything: {writes}")


@test("another card in a USB reader, with partitions of the same names, leaves the pad its own")
def other_card(case):
    card = Card(case, stick=built("virt")).up()
    named = lambda: card.ssh(f"for number in 1 2 3 5 6; do readlink -f /dev/disk/by-partuuid/{DISK}-0$number; done").stdout.split()
    own = named()
    expect(len(set(own)) == 5 and all(name.startswith(b"/dev/vda") for name in own), f"the pad's partitions are {own}")
    card.vm.plug_stick()
    claims = lambda: card.ssh("udevadm info -q symlink /dev/sda6 && udevadm settle").stdout
    until(lambda: f"{DISK}-06".encode() in claims(), "the other card's partitions claim their names", 60)
    expect(named() == own, f"the names are those of {named()}")
