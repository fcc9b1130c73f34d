"""The shell scripts of the card, with a folder in place of the card. No machine is booted: `make card-test` does that."""
import glob
import os
import re
import shutil
import signal
import stat
import subprocess

from machine.places import PROGRAMS, read
from machine.sentences import expect, test
from machine.tree import TREE, card_script

# What the scripts name outside the card's folder.
PLACES = re.compile(r"(?<![\w/}.])/(?=(?:boot|dev/disk|etc|proc|run|usr/lib/paraph-card|var)/)")
SECRET = b"hunter2 and more\n"


class Scripts:
    """The scripts below a folder that stands for the root of the filesystem; filesystem: what stat(1) calls its type."""

    def __init__(self, case, filesystem="ext2/ext3"):
        self.root = case.path("root")
        for folder in ("boot/firmware/paraph/secrets", "dev/disk/by-partuuid", "etc", "proc/sys/kernel", "run/paraph-card", "var/lib", "tools"):
            os.makedirs(os.path.join(self.root, folder))
        self.folder = os.path.join(self.root, "usr/lib/paraph-card")
        os.makedirs(self.folder)
        for name in os.listdir(TREE):
            self.script(name)
        for name in ("systemctl", "mount", "sleep"):
            self.tool(name, f'echo "$@" >>{self.root}/{name}.calls')
        self.tool("stat", f'[ "$1" != -f ] || exec echo {filesystem}; exec {shutil.which("stat")} "$@"')
        self.put("etc/paraph-card", b"virt 0.2.0\n")
        self.put("dev/disk/by-partuuid/50617261-05", b"")

    def path(self, name):
        return os.path.join(self.root, name)

    def put(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def text(self, name):
        """None where the file is missing."""
        path = self.path(name)
        return read(path).decode() if os.path.exists(path) else None

    def program(self, name, text):
        self.put(name, text.encode())
        os.chmod(self.path(name), 0o755)

    def script(self, name, replacements=None):
        """A script of the card, which finds its files below the folder."""
        self.program(f"usr/lib/paraph-card/{name}", PLACES.sub(self.root + "/", card_script(name, replacements).decode()))

    def tool(self, name, script):
        """A program that the scripts find in place of the machine's."""
        self.program(f"tools/{name}", f"#!/bin/sh\n{script}\n")

    def run(self, name, limit=60, words=()):
        """The exit status of a script, and what it says."""
        path = ":".join([self.path("tools"), PROGRAMS, os.environ["PATH"], "/usr/sbin", "/sbin"])
        done = subprocess.run(
            [os.path.join(self.folder, name), *words], env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=limit
        )
        return done.returncode, done.stdout + done.stderr

    def settings(self):
        status, said = self.run("settings")
        expect(status == 0, f"settings ends with {status}: {said}")
        return self.text("run/paraph-card/problems")


FAT, KEPT = "boot/firmware/paraph", "var/lib/paraph-card"


def is_hash(text, password="rosebud"):
    """Whether it is the hash of a password, as /etc/shadow has it."""
    salt = (text or "").split("$")[2:3]
    command = ["openssl", "passwd", "-6", "-salt", *salt, password]
    return bool(salt) and subprocess.run(command, check=True, capture_output=True, text=True).stdout == text


@test("secrets move from the FAT partition to the data partition, and zeros that a power cut left in their place do not")
def card_secrets(case):
    card = Scripts(case)
    card.put(f"{FAT}/secrets/token", SECRET)
    card.put(f"{FAT}/console-password", b"rosebud\r\n")
    card.put("etc/shadow", b"root:*:1::::::\n")
    problems = card.settings()
    expect(card.text(f"{KEPT}/secrets/token") == SECRET.decode(), f"the secret was not moved: {problems}")
    expect(is_hash(kept := card.text(f"{KEPT}/private/console-password")), f"the password is kept as {kept}: {problems}")
    expect("root:" + kept.strip() + ":1:" in (card.text("run/paraph-card/shadow") or ""), "the password is not root's")
    mode = os.stat(card.path(f"{KEPT}/secrets/token")).st_mode
    expect(stat.S_IMODE(mode) == 0o600, f"the secret has the mode {mode:o}")
    left = os.listdir(card.path(f"{FAT}/secrets")) + [name for name in ("moved", "console-password") if card.text(f"{FAT}/{name}")]
    expect(left == [], f"the FAT partition still has {left}")
    for name in ("secrets/token", "console-password"):
        card.put(f"{FAT}/{name}", bytes(40))
    card.settings()
    expect(card.text(f"{KEPT}/secrets/token") == SECRET.decode(), "zeros have replaced the secret")
    expect(card.text(f"{KEPT}/private/console-password") == kept, "zeros have replaced the password")
    expect(card.text(f"{FAT}/secrets/token") is None, "the zeros are still there")
    card.put(f"{FAT}/console-password", b"")
    card.settings()
    expect(card.text(f"{KEPT}/private/console-password") is None, "an empty file does not remove the password")
    os.remove(card.path(f"{FAT}/console-password"))
    card.put(f"{KEPT}/private/console-password", b"rosebud")
    problems = card.settings()
    expect(is_hash(kept := card.text(f"{KEPT}/private/console-password")), f"an earlier version's password is kept as {kept}: {problems}")
    expect("root:" + kept.strip() + ":1:" in card.text("run/paraph-card/shadow"), "an earlier version's password is not root's")
    card.put(f"{FAT}/secrets/marked", b"\xef\xbb\xbf" + SECRET)
    card.settings()
    expect(card.text(f"{KEPT}/secrets/marked") == SECRET.decode(), "the secret after a byte order mark was not moved")
    found = subprocess.run(["grep", "-rlE", "hunter2|rosebud", card.path("run"), card.path(FAT)], capture_output=True, text=True).stdout
    expect(not found, f"a secret can be read in {found}")


@test("secrets stay on the FAT partition where the data partition is missing and nothing would keep them")
def card_memory(case):
    card = Scripts(case, "tmpfs")
    network = b"wifi-name = Home\nwifi-password = Secret123\n"
    for name, data in (("secrets/token", SECRET), ("console-password", b"rosebud\n"), ("network", network)):
        card.put(f"{FAT}/{name}", data)
    problems = card.settings()
    expect(card.text(f"{FAT}/secrets/token") == SECRET.decode(), "the secret is gone")
    expect(card.text(f"{FAT}/console-password") == "rosebud\n", "the password is gone")
    expect(card.text(f"{FAT}/network") == network.decode(), "the password of the Wi-Fi is gone")
    for line in ("secrets/token: cannot be moved", "console-password: cannot be moved", "network: the password of the Wi-Fi cannot"):
        expect(line in problems, f"{line} is not among the problems: {problems}")


@test("a password of the Wi-Fi is kept whatever characters it has, and hidden whole after a power cut that left half of it")
def card_wifi(case):
    card = Scripts(case)
    kept = lambda: card.text(f"{KEPT}/private/wifi-password")
    for password in ("Secret123", "Secret12*", "*abcdefgh", "a\\b$c'd\"e f"):
        card.put(f"{FAT}/network", f"wifi-name = Home\nwifi-password = {password} \t\r\n".encode())
        problems = card.settings()
        expect(kept() == password, f"{password}: {kept()} is kept: {problems}")
        hidden = f"wifi-name = Home\nwifi-password = {'*' * len(password)} \t\r\n"
        there = card.text(f"{FAT}/network")
        expect(there == hidden, f"{password}: the FAT partition has {there!r}")
        expect(card.text(f"{KEPT}/private/hiding") is None, f"{password}: the mark of its hiding is left")
    # Sectors are written one after the other.
    for half in ("***********", "a\\b$c'*****", "*****'d\"e f"):
        card.put(f"{FAT}/network", f"wifi-password = {half}\n".encode())
        card.put(f"{KEPT}/private/hiding", b"")
        card.settings()
        expect(kept() == password, f"{half}: {kept()} is kept")
        expect(card.text(f"{FAT}/network") == f"wifi-password = {'*' * len(password)}\n", f"{half}: is not hidden")
    card.put(f"{FAT}/network", b"wifi-password = Other456\n")
    # A mark that cannot be written, as on a full data partition.
    mark = card.path(f"{KEPT}/private/hiding")
    os.symlink("nowhere/hiding", mark)
    problems = card.settings()
    expect("network: the password of the Wi-Fi cannot" in problems, f"a mark that fails is not among the problems: {problems}")
    expect(card.text(f"{FAT}/network") == "wifi-password = Other456\n", "the password is hidden without a mark")
    os.remove(mark)
    card.tool("dd", f'head -c 20 "${{1#if=}}" | {shutil.which("dd")} "$2" conv=notrunc status=none; exit 1')
    problems = card.settings()
    expect("network: the password of the Wi-Fi cannot" in problems, f"half a hiding is not among the problems: {problems}")
    there = card.text(f"{FAT}/network")
    expect(there == "wifi-password = ****r456\n" and kept() == "Other456", f"half hidden: {there!r}; {kept()} is kept")
    os.remove(card.path("tools/dd"))
    problems = card.settings()
    there = card.text(f"{FAT}/network")
    expect(there == "wifi-password = ********\n" and kept() == "Other456", f"hidden again: {there!r}; {kept()} is kept: {problems}")


@test("settings that cannot be read, or are no text, are left out and told, and take nothing with them that was kept")
def card_unreadable(case):
    card = Scripts(case)
    card.put(f"{FAT}/console-password", b"rosebud\n")
    card.put(f"{FAT}/network", b"wifi-name = Home\nwifi-password = Secret123\n")
    card.settings()
    names = ("paraphd.conf", "network", "console-password", "hostname", "update")
    for why, spoil in (("cannot be read", False), ("is not plain text", True)):
        for name in names:
            card.put(f"{FAT}/{name}", "wifi-password = Other456\n".encode("utf-16" if spoil else "ascii"))
        if not spoil:
            refused = "|".join(f"*/{name}" for name in names)
            card.tool("cat", f'case "$*" in {refused}) exit 1 ;; esac; exec {shutil.which("cat")} "$@"')
        problems = card.settings()
        for name in names:
            expect(f"{name}: not used: it {why}" in problems, f"{name} that {why} is not among the problems: {problems}")
            expect(card.text(f"{FAT}/{name}") if not spoil else os.path.exists(card.path(f"{FAT}/{name}")), f"{name} that {why} is gone")
        for name, is_same in (("console-password", is_hash), ("wifi-password", "Secret123".__eq__)):
            expect(is_same(card.text(f"{KEPT}/private/{name}")), f"{name} that {why} has replaced the kept one")
        if not spoil:
            os.remove(card.path("tools/cat"))


@test("a line with an error is left out, and one with a warning stays")
def card_warnings(case):
    card = Scripts(case)
    card.put(f"{FAT}/paraphd.conf", b"[touch]\ndevice = /dev/input/by-id/none\n[pad]\ninvite = sometimes\n")
    check = f'for file do :; done; [ "$1" = --check-config ] && [ "$#" = 3 ] || exit 0; echo "$file:2: warning: [touch] device: is not there"'
    card.tool("paraphd", f'{check}; if grep -q sometimes "$file"; then echo "$file:4: [pad] invite: must be one of always, request"; exit 78; fi')
    problems = card.settings()
    expect("line 4: [pad] invite" in problems and "warning" not in problems, f"the problems are {problems}")
    expect(card.text("run/paraph-card/paraphd.conf.d/card.conf") == "[touch]\ndevice = /dev/input/by-id/none\n[pad]\n\n", "another line is gone")


CONTRADICTING = "# Contradicts another file.\n"


@test("nobody signs where settings of sealing or signing were left out, or were there before and cannot be read")
def card_protection(case):
    seal = "[seal]\nrecipients = /etc/paraph/a.pem\n"
    sign = "[sign]\ncertificate = /etc/paraph/pad.pem\n"
    wrong = "[pad]\ninvite = sometimes\n"
    held = lambda card: card.text("run/paraph-card/paraphd.conf.d/seal.conf")
    missing = "paraphd.conf: missing; it had keys of [seal] or [sign]"
    # The files of one start after the other, None for no folder, {} for no file, else what is there in its place; whether
    # somebody can sign.
    lines = [
        ([wrong], True), ([seal], True), ([seal + sign], True), ([seal + wrong], True), (["[seall]\n" + seal[7:]], False), ([wrong * 12 + seal], False),
        ([seal, None], False), ([seal, wrong * 12], False), ([sign, None], False), ([seal, "", None], True), ([seal, None, seal], True),
        ([seal, sign + wrong], False), ([None], True), ([seal + "picture = ja\n"], False), ([seal + seal.replace("recipients", "#recipients") + "picture = yes\n"], False),
        (["[seal]\nRecipients = /etc/paraph/a.pem\n"], False), (["[seal]\nrecipients /etc/paraph/a.pem\n"], False), (["[sign]\ncertificates = a\n"], False),
        # Nothing of a file is used that contradicts another one.
        ([CONTRADICTING + seal], False), ([seal, CONTRADICTING + wrong], False), ([CONTRADICTING], True),
        # The file is lost, or has another name that cannot be changed.
        ([seal, {}], False), ([seal, {"paraphd.conf.txt": seal}], False), ([sign, {}, {}], False), ([seal, {}, seal], True),
        ([{}], True), ([wrong, {}], True), ([seal, "", {}], True),
    ]
    for files, signs in lines:
        card = Scripts(case)
        # There is no configuration of a pad here that drop-ins could contradict.
        given = card.path(f"{FAT}/paraphd.conf")
        card.tool("paraphd", f'[ $# -eq 1 ] || exec {PROGRAMS}/paraphd "$@"; ! grep -qs "{CONTRADICTING.strip()}" {given} || exit 78')
        card.tool("mv", f'case $1 in *.txt) exit 1 ;; esac; exec {shutil.which("mv")} "$@"')
        for text in files:
            folder = card.path(FAT)
            if text is None:
                shutil.move(folder, card.path("away"))
            else:
                if os.path.exists(card.path("away")):
                    shutil.move(card.path("away"), folder)
                for path in glob.glob(given + "*"):
                    os.remove(path)
                for name, content in ({"paraphd.conf": text} if isinstance(text, str) else text).items():
                    card.put(f"{FAT}/{name}", content.encode())
            shutil.rmtree(card.path("run/paraph-card"))
            problems = card.settings()
        expect((held(card) is None) == signs, f"{files}: {held(card)}; {problems}")
        expect(("nobody can sign" in problems) != signs, f"{files}: the problems are {problems}")
        expect((missing in problems) == (isinstance(text, dict) and not signs), f"{files}: the problems are {problems}")
        if not signs:
            # As the pad finds it.
            said = subprocess.run(
                [f"{PROGRAMS}/paraphd", "--check-config", "-c", card.path("run/paraph-card/paraphd.conf.d/seal.conf")], capture_output=True, text=True
            )
            expect("out of service" in said.stdout + said.stderr, f"the pad is in service: {said}")


@test("an update is installed when the pad has a panel; one that was left waits for the next day or a stick, and one that was given up is not installed again")
def card_update(case):
    def update(card, *words, version="0.3", info="", install="true", panel="the pad is on DSI-1", primary="A", written=None, status="", writes="true"):
        answers = f"get-current) echo A ;; get-primary) echo {primary} ;; get-tries) echo 255 ;; set-state) echo $* >>{card.root}/calls; {writes} ;;"
        card.program("usr/lib/paraph-card/boot-order", f"#!/bin/sh\ncase $1 in {answers} esac\n")
        card.program("usr/lib/paraph-card/restart", f"#!/bin/sh\necho restart >>{card.root}/calls\n")
        slots = ((1, "B", written or version), (2, "A", "0.2.0"))
        lines = "RAUC_SLOT_BOOTNAME_{0}='{1}'\nRAUC_SLOT_STATUS_BUNDLE_VERSION_{0}='{2}'\n"
        card.put("slots", "".join(lines.format(*slot) for slot in slots).encode())
        answers = f"info) {info or ':'}; echo RAUC_MF_VERSION=\\'{version}\\' ;; install) echo install {version} >>{card.root}/calls; {install} ;;"
        card.tool("rauc", f'case $* in "status --detailed --output-format=shell") {status or ":"}; exec cat {card.root}/slots ;; esac; case $1 in {answers} esac')
        card.tool("systemctl", f'case $1 in show) echo "{panel}" ;; *) echo $* >>{card.root}/calls ;; esac')
        card.tool("modprobe", "true")
        card.put("calls", b"")
        status, said = card.run("update", words=words)
        return status, card.text("calls").splitlines(), said

    card = Scripts(case)
    os.makedirs(card.path(KEPT))
    expect(update(card)[:2] == (0, []), "there is an address without settings")
    card.put(f"{FAT}/update", b"\xef\xbb\xbf# Ours.\n\n \thttps://example.org/update.raucb \r\nhttps://example.org/another.raucb\n")
    expect("update" not in card.settings(), "an address is a problem")
    expect(card.text("run/paraph-card/update") == "https://example.org/update.raucb\n", f"the address is {card.text('run/paraph-card/update')}")
    done = lambda *words, **options: update(card, *words, **options)[:2]
    expect(done(panel="waiting for a panel") == (1, []), "an update is installed without a panel")
    status, calls, said = update(card, info="exit 124")
    expect((status, calls) == (1, []) and "refused (no answer in ten minutes)" in said, f"a server that says nothing: {status}, {calls}, {said}")
    os.mkdir(card.path("var/lib/paraph-card/installed.new"))
    expect(done() == (1, []), "an update that cannot be recorded is installed")
    os.rmdir(card.path("var/lib/paraph-card/installed.new"))
    expect(done(install="exit 1") == (2, ["install 0.3"]), "an update that cannot be written is tried again at once")
    expect(done(install="exit 124") == (2, ["install 0.3", "restart rauc.service"]), "one that takes too long goes on")
    # The server has another update by then, or RAUC does not say what it wrote.
    for options, why in (({"written": "0.1"}, "0.1"), ({"written": "0.3.1"}, "0.3.1"), ({"status": "exit 1"}, "unknown")):
        status, calls, said = update(card, **options)
        expect((status, calls) == (2, ["install 0.3", "set-state B bad", "set-state A good"]), f"{options}: {status}, {calls}, {said}")
        expect(f"refused (version {why} was written in place of 0.3)" in said, f"{options}: {said}")
        expect(card.text(f"{KEPT}/installed") is None, "it is recorded")
    status, calls, said = update(card, written="0.1", writes="false")
    expect(status == 2 and "the boot order cannot be written" in said, f"the boot order cannot be written: {status}, {said}")
    expect(done(version="0.1") == (0, []), "an earlier version is installed")
    expect(done("a.raucb", panel="waiting for a panel") == (0, ["install 0.3", "restart"]), "one of a stick waits for a panel")
    expect(done(primary="B") == (0, ["restart"]), "what is installed is not started")
    expect(done(version="0.4") == (0, ["install 0.4", "restart"]), "a later one is not installed")
    # Neither the script confirm nor a start has been heard of: the machine may have been switched off three times.
    log, again = card.path(f"{KEPT}/installed"), (0, ["install 0.4", "restart"])
    status, calls, said = update(card, version="0.4")
    expect((status, calls) == (0, []) and "less than a day ago" in said, f"it is installed again on the same day: {calls}, {said}")
    os.utime(log, (0, 0))
    expect(done(version="0.4") == again, "it is not installed again the next day")
    expect(done("a.raucb", version="0.4") == again, "one of a stick waits for the next day")
    os.utime(log, (0, 0))
    for words in ((), ("a.raucb",)):
        status, calls, said = update(card, *words, version="0.4")
        expect((status, calls) == (0, []) and "installed three times" in said, f"it is installed without end: {calls}, {said}")
    expect(done("a.raucb", version="0.5") == (0, ["install 0.5", "restart"]), "a later one is not installed")
    card.put(f"{KEPT}/failed", b"0.1\n0.5\n")
    os.utime(log, (0, 0))
    for words in ((), ("a.raucb",)):
        status, calls, said = update(card, *words, version="0.5")
        expect((status, calls) == (0, []) and "without a pad" in said, f"one that was given up is installed again: {calls}, {said}")
    card.put(f"{KEPT}/failed", b"0.6\n")
    expect(done("a.raucb", version="0.6") == (0, []), "one that was given up after it was installed by hand is installed again")
    # An address that is none.
    card.put(f"{FAT}/update", b"\n# Ours.\nexample.org/update.raucb\n")
    expect("update line 3: must be an address" in card.settings(), "a wrong address is no problem")
    expect(done(version="0.7") == (0, []), "the former address is used in its place")


@test("all updates on a stick are tried, the highest number in a name first")
def card_stick(case):
    card = Scripts(case)
    card.program("usr/lib/paraph-card/update", f'#!/bin/sh\necho "${{1##*/}}" >>{card.root}/calls; case $1 in *bad*) exit 1 ;; esac\n')
    for tool in ("umount", "rmdir"):
        card.tool(tool, "true")
    os.makedirs(card.path("run/paraph-card/stick-sda1"))
    # In the order in which they are tried, and what is no update for this board.
    for names, status in (
        (["paraph-virt-0.10.raucb", "paraph-virt-0.9.raucb", "paraph-rpi-0.11.raucb", "x.txt"], 0),
        (["paraph-virt-0.10-bad.raucb", "paraph-virt-0.2.raucb"], 1), ([], 0),
    ):
        folder = card.path("run/paraph-card/stick-sda1")
        shutil.rmtree(folder)
        os.makedirs(folder)
        for name in names:
            open(os.path.join(folder, name), "w").close()
        card.put("calls", b"")
        ended, said = card.run("stick", words=["sda1"])
        wanted = [name for name in names if name.startswith("paraph-virt")]
        expect(ended == status and card.text("calls").splitlines() == wanted, f"{names}: {ended}, {card.text('calls')}: {said}")


@test("the machine restarts under a message when nobody signs and nothing is unsaved; what waits for somebody delays that by an hour")
def card_restart(case):
    # Few questions, because each takes several processes; not equally many, so that no limit can stand for the other.
    hour, minute = 8, 3
    limits = {b"hour=600\n": b"hour=%d\n" % hour, b"minute=12\n": b"minute=%d\n" % minute}
    unsaved = "out_of_service|unsaved: a finished signature is on the glass until it can be saved"
    # What the pad is doing whenever it is asked, "" without an answer; how `paraph show` ends, "" for a message that stays;
    # what the script does; how `paraph cancel` ends, if it fails.
    held = "status show status"
    ink = ["1"] * (minute + 2)
    lines = [
        (["signing", "confirming", "idle", "message"], [""], f"status*2 {held}"),
        (["invited", "message"], [""], held),
        ([unsaved] * (hour + 5) + ["signing"], [], f"status*{hour + 6 + minute}"),
        # There is no pad.
        (["signing"], [], f"status*{minute + 1}"),
        # A pad that ended is back with its ink.
        (["signing"] + [""] * (minute - 1) + ["signing", "", "idle", "message"], [""], f"status*{minute + 2} {held}"),
        # The panel is gone under ink, which is given up after an hour without one; a finished signature is not.
        (["signing|panel: none"] * 99, ["3"], f"status*{hour + 1} cancel-all show", ["1"]),
        # So is ink beside a document. The process may have ended meanwhile.
        (["reading|panel: none", "", "signing|panel: none"] + ["reading|panel: none"] * 99, ["75"] * (hour - 1) + ["3"],
         "status show status*2 " + "status show " * (hour - 3) + "status cancel show status cancel-all show", ["1"]),
        (["signing"] * 2 + ["signing|panel: none"] * 99, ["3"], f"status*{hour + 3} cancel-all show"),
        (["signing|panel: none"] * hour + ["signing", "signing|panel: none", "idle", "message"], [""],
         f"status*{hour + 3} cancel show status"),
        (["confirming|panel: none"] * (hour + 2) + ["idle", "message"], [""], f"status*{hour + 2} status cancel show status"),
        # There is no panel.
        (["out_of_service"], ["3"], "status show"),
        # Somebody was faster.
        (["invited", "signing", "saved", "message"], ["75", ""], f"status show status {held}"),
        # The pad ends under the message, or a client cancels that.
        (["idle", "invited", "message"], ["4", ""], f"status show {held}"),
        (["idle", "invited", "message"], ["0", ""], f"status show {held}"),
        (["idle", "signing", "idle", "message"], ["1", ""], f"status show status {held}"),
        (["idle", "", "message"], [""], "status show status*2"),
        # What waits for somebody is cancelled after an hour.
        (["reading", "question", "idle", "message"], ["75", "75", ""], f"status show status show {held}"),
        (["invited"] * (hour + 1) + ["cancelled", "message"], ["75"] * hour + [""], "status show " * hour + "status cancel show status*2"),
        # Its client asks again, and is always faster.
        (["invited"] * 99, ["75"] * 99, "status show " * hour + "status cancel show " * minute + "status cancel"),
        (["message"] * 99, ["75"] * 99, "status show " * hour + "status cancel show " * minute + "status"),
        # A document is read again, and there is ink.
        (["reading"] * (hour + minute + 2) + ["idle", "message"], ["75"] * (hour + minute + 2) + [""],
         "status show " * hour + "status cancel show " * (minute + 2) + "status cancel show status", ink),
        # After the hour, somebody signs before each message.
        ([unsaved] * hour + ["invited", "signing"] * (minute + 1) + ["idle", "message"], ["75"] * (minute + 1) + [""],
         f"status*{hour} " + "status cancel show status " * (minute + 1) + "status cancel show status"),
    ]
    sleep = shutil.which("sleep")
    for states, shows, wanted, *cancels in lines:
        card = Scripts(case)
        card.script("restart", limits)
        card.put("status.answers", "".join(f"state: {state}\n" if state else "\n" for state in states).encode())
        card.put("show.answers", "".join(f"{answer}\n" for answer in shows).encode())
        card.put("cancel.answers", "".join(f"{answer}\n" for answer in sum(cancels, [])).encode())
        for name in ("calls", "messages", "begun", "seen"):
            card.put(name, b"")
        answer = f'sed -n "$(grep -c "^$1" calls)p" $1.answers'
        message = f"echo $2 $3 >>messages; code=$({answer}); echo $$ >>begun; [ -z $code ] || exit $code; echo $$ >shown; exec {sleep} 60"
        card.tool("paraph", f"cd {card.root}; case $* in cancel) echo cancel-all ;; *) echo $1 ;; esac >>calls; case $1 in status) {answer} | tr '|' '\\n' ;; show) {message} ;; cancel) code=$({answer}); exit ${{code:-0}} ;; esac")
        # The first pause of a message lasts until its program has ended, or is known to stay. One whose end the script has not
        # noticed yet is still a process, in the state Z; the script notices it before the end of this pause.
        begins = f'until [ -s shown ] || [ "$(wc -l <begun)" != "$(wc -l <seen)" ]; do {sleep} 0.02; done; cat begun >seen'
        runs = "{ read -r process </proc/$(tail -n 1 seen)/stat; } 2>/dev/null && case ${process##*) } in Z*) false ;; esac"
        card.tool("sleep", f'cd {card.root}; [ "$1" != 1 ] || {{ {begins}; while [ ! -s shown ] && {runs}; do {sleep} 0.02; done; }}')
        card.run("restart")
        if message := card.text("shown"):
            os.kill(int(message), signal.SIGKILL)
        wanted = " ".join(" ".join([name] * int(count or 1)) for name, _, count in (word.partition("*") for word in wanted.split()))
        calls = " ".join(card.text("calls").split())
        expect(calls == wanted, f"{states[0]} and on: {calls} instead of {wanted}")
        expect(set(card.text("messages").splitlines()) <= {"--timeout 120"}, f"the messages are {card.text('messages')}")
        ended = card.text("systemctl.calls")
        expect(ended == "stop paraphd.service\nreboot\n", f"{states[0]} and on: {ended}")


@test("a root that runs is confirmed or left alone, and only one without a pad is restarted, if there is another one")
def card_confirm(case):
    def confirm(tries="2", other="good", writes=True, pad="echo the pad is on DSI-1", held=(False, False), settings=True, full=False):
        card = Scripts(case)
        os.makedirs(card.path(KEPT))
        for present, name in zip(held, ("run/paraph-card/held", f"{KEPT}/held")):
            if present:
                card.put(name, b"")
        if full:
            os.symlink("nowhere/held", card.path(f"{KEPT}/held"))
        if tries == "255":
            card.put(f"{KEPT}/confirmed.new", b"cut sh")
        answers = f'get-current) echo A ;; get-tries) printf "%s" "{tries}" ;; get-state) printf "%s" "{other}" ;; set-state) echo $* >>{card.root}/set; {"true" if writes else "false"} ;;'
        card.program("usr/lib/paraph-card/boot-order", f"#!/bin/sh\ncase $1 in {answers} esac\n")
        card.program("usr/lib/paraph-card/restart", f"#!/bin/sh\necho >{card.root}/restarted\n")
        card.put("asked", b"")
        pad = pad.replace("{root}", card.root)
        card.tool("systemctl", f"""case $* in *owners*) exit ;; esac; echo >>{card.root}/asked; case $* in
          *is-active*settings*) exit {0 if settings else 3} ;;
          *StatusText*) {pad} ;;
          *MainPID*) echo 42 ;;
        esac""")
        status, _ = card.run("confirm")
        return card, status, card.text("restarted") is not None

    card, status, restarted = confirm()
    expect((status, restarted) == (0, False) and card.text(f"{KEPT}/confirmed") == "A virt 0.2.0\n", "a good root is not confirmed")
    # Also one whose pad dies after the boot order could not be written.
    for pad, writes in (("true", True), ("[ $(wc -l <{root}/asked) -gt 9 ] || echo the pad is on DSI-1", False)):
        card, status, restarted = confirm(pad=pad, writes=writes)
        expect(restarted and card.text(f"{KEPT}/confirmed") is None, "a root without a pad is not given up")
    for why, options in (
        ("there is no other one", {"pad": "true", "other": "bad"}),
        ("the boot order cannot be read", {"tries": "", "other": "", "writes": False}),
        ("neither that nor the pad is there", {"tries": "", "other": "", "writes": False, "pad": "true"}),
        ("the boot order cannot be written", {"writes": False}),
        ("that, and the pad is away at the end", {"writes": False, "pad": "[ $(wc -l <{root}/asked) -gt 228 ] || echo the pad is on DSI-1"}),
    ):
        card, status, restarted = confirm(**options)
        expect((status, restarted) == (1, False), f"{why}: it ends with {status}, restarted: {restarted}")
    for tries in ("2", "255"):
        card, status, restarted = confirm(tries=tries, held=(True, False), full=True)
        expect(card.text(f"{KEPT}/confirmed") == "A virt 0.2.0\n", "what cannot be kept ends the script before its record")
    # What a later update is held against.
    for held in (True, False):
        card, status, restarted = confirm(tries="255", held=(held, not held))
        expect((status, restarted) == (0, False), f"a confirmed root ends with {status}")
        expect((card.text(f"{KEPT}/held") is not None) == held, f"held: {held} is not kept")
        expect(card.text(f"{KEPT}/confirmed") == "A virt 0.2.0\n", "a power cut in the confirmation is not made up for")
        # U-Boot would start an update that has failed when it cannot read this root twice.
        expect(card.text("set") == "set-state A good\n", "a confirmed root is not the first one of the order again")
    card, status, restarted = confirm(tries="255", settings=False, held=(False, True))
    expect((status, restarted) == (0, False) and card.text(f"{KEPT}/held") == "", "a start without settings changes what is kept")
