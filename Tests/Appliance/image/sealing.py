"""Sealing and signing where systemd starts paraph-seal."""
import re

from machine.board import CONFIGURATION, Board
from machine.hand import check_samples, written
from machine.pad import OUTBOX, SPOOL
from machine.places import read, source
from machine.seal import FOLDER, Keys
from machine.sentences import expect, test, until

SEALING = CONFIGURATION.replace("formats = png json", "formats = png svg inkml json") + f"""
[seal]
recipients = {FOLDER}/recipient.pem
[sign]
certificate = {FOLDER}/pad.pem
"""
CREDENTIAL = f"[Service]\nLoadCredential=paraph-key:{FOLDER}/pad.key\n"
SOCKET, INSTANCES = "paraph-seal.socket", "/etc/systemd/system/paraph-seal@.service.d"


def accepted(board):
    """How many instances systemd has started."""
    return int(board.unit(SOCKET, "NAccepted")[0])


def sealing(case):
    """A board that seals and signs by systemd's instances, and its keys."""
    board, keys = Board(case), Keys(case)
    keys.push(board.control)
    board.control.push("/etc/paraph/paraphd.conf", SEALING)
    board.control.run(f"mkdir -p {INSTANCES}")
    board.control.push(f"{INSTANCES}/key.conf", CREDENTIAL)
    board.control.run(f"systemctl daemon-reload; systemctl enable --now {SOCKET}")
    return board, keys


def instances(board):
    """Those that run."""
    return board.control.text("systemctl list-units --plain --no-legend 'paraph-seal@*.service'")


def tried(board, before):
    """The pad has tried sealing and signing since so many instances, with success: on a slow board, an attempt may end before
    its process has started, and the pad tries again."""
    serves = lambda: "state: invited" in board.control.text("paraph status || true")
    until(lambda: accepted(board) >= before + 2 and serves() and not instances(board), "the pad has tried both at its start", 120)


def restarted(board):
    begun = board.vm.log.length()
    board.control.run("systemctl restart paraphd")
    board.reads(after=begun)
    return begun


@test("systemd starts paraph-seal for each signature, with the pad's key as a credential that nobody else reads, and openssl opens all")
def sealed(case):
    board, keys = sealing(case)
    said = board.control.text("runuser -u paraph -- paraphd --check-config 2>&1")
    expect("out of service" not in said, f"the check of the configuration says {said}")
    hand, before = written(311), accepted(board)
    expect(before > 0, "the check did not use the socket")
    restarted(board)
    tried(board, before)
    tested = accepted(board)
    board.send(hand)
    (item,) = board.delivered(1)
    keys.check(item, "the item")
    check_samples(keys.with_ink(item), hand, board)
    started = accepted(board) - tested
    expect(started == 1, f"systemd has started {started} instances for a signature")
    expect(not instances(board), f"at rest, there is {instances(board)}")
    owner = board.control.text(f"stat -c '%U %a' {FOLDER}/pad.key")
    expect(owner == "root 600", f"the key is {owner}'s")
    failed = board.control.text("systemctl list-units --failed --plain --no-legend")
    expect("paraph-seal" not in failed, f"instances have failed: {failed}")


@test("without its key nothing is published, the log says why, and Done works again when the key is back")
def keyless(case):
    board, keys = sealing(case)
    before = accepted(board)
    restarted(board)
    tried(board, before)
    hand = written(312)
    # The first stroke starts the process, with the key.
    board.control.run(f"mv {FOLDER}/pad.key {FOLDER}/away.key")
    inked = board.sign(hand)
    begun = board.vm.log.length()
    board.done()
    board.vm.log.wait("paraph-seal: ended without a reply", timeout=60, after=begun)
    expect(not board.names(SPOOL + "/new"), "something was published")
    board.control.run(f"mv {FOLDER}/away.key {FOLDER}/pad.key")

    # The pad tries the key again every few seconds, and refuses Done until then.
    until(lambda: board.names(OUTBOX) or board.done(), "the signature is published", 60)
    (item,) = board.delivered(1)
    keys.check(item, "the item")
    check_samples(keys.with_ink(item), hand, board)


@test("systemd hands over a key that it keeps encrypted to the machine, as config/sealing.md says, and the plain key is gone")
def encrypted(case):
    board, keys = sealing(case)
    page = read(source("config", "sealing.md")).decode()
    command = re.search(r"^ {4}(systemd-creds encrypt .*)$", page, re.MULTILINE)
    line = re.search(r"`(LoadCredentialEncrypted=\S+)`", page)
    expect(command and line, "config/sealing.md has no command or no line for an encrypted key")
    board.control.run(command[1])
    expect("pad.key" not in board.names(FOLDER), "the plain key is still there")
    kept = board.control.text(f"cat {FOLDER}/pad.key.cred")
    expect("PRIVATE KEY" not in kept, f"the credential is {kept}")
    board.control.push(f"{INSTANCES}/key.conf", f"[Service]\n{line[1]}\n")
    board.control.run("systemctl daemon-reload")
    before = accepted(board)
    restarted(board)
    tried(board, before)
    board.send(written(314))
    (item,) = board.delivered(1)
    keys.check(item, "the item")


@test("MemorySwapMax=0 of the service exempts the pad from swap space, without which it is out of service")
def swap(case):
    board, keys = sealing(case)
    # Swapped to a file on the disk.
    board.control.run("dd if=/dev/zero of=/swap bs=1M count=16 && chmod 600 /swap && mkswap /swap && swapon /swap", timeout=60)
    expect("/swap" in board.control.text("cat /proc/swaps"), "there is no swap space")
    restarted(board)
    limit = board.control.text("cat /sys/fs/cgroup/system.slice/paraphd.service/memory.swap.max")
    expect(limit == "0", f"memory.swap.max is {limit}")
    expect(board.unit("paraph-seal@x", "MemorySwapMax") == ["0"], "an instance may be swapped")
    board.send(written(313, strokes=1))
    (item,) = board.delivered(1)
    keys.check(item, "the item")
    board.control.run("mkdir -p /etc/systemd/system/paraphd.service.d")
    board.control.push("/etc/systemd/system/paraphd.service.d/swap.conf", "[Service]\nMemorySwapMax=infinity\n")
    board.control.run("systemctl daemon-reload")
    begun = restarted(board)
    board.vm.log.wait("unsealed ink may be swapped to a disk", after=begun)


@test("paraph-seal@.service is as closed as it says, and what is left open is explained in it")
def closed_seal(case):
    board = Board(case)
    row = re.search(r"systemd-analyze security paraph-seal@x` \| ([0-9.]+) \|", read(source("config", "status.md")).decode())
    lines = board.control.text("systemd-analyze security --no-pager paraph-seal@x.service").splitlines()
    exposure = float(lines[-1].split(":")[1].split()[0])
    print(f"  paraph-seal@x.service: {exposure}")
    text = board.control.text("cat /lib/systemd/system/paraph-seal@.service")
    for line in lines:
        if line.startswith("✗"):
            name = line.split()[1].split("=")[0]
            expect(name in text, f"paraph-seal@.service does not say why {line}")
    expect(row and exposure == float(row[1]), f"status.md has {row and row[1]}, but it has {exposure}")
    expect(exposure <= 1.0, f"it has an exposure of {exposure}")
