"""More of the card's scripts, with a folder in place of the card: settings, owners, confirmation and sticks."""
import os
import shutil
import socket

from machine.places import PROGRAMS
from machine.sentences import Skipped, expect, test
from tests.card_scripts import FAT, KEPT, Scripts, is_hash


@test("the files of users whose numbers a former root had otherwise go to the present numbers, also over power cuts")
def card_owners(case):
    if os.geteuid() != 0:
        raise Skipped("only root can give files away")
    card = Scripts(case)
    card.tool("id", "case $2 in paraph) echo 601 ;; paraph-handoff) echo 602 ;; esac")
    card.tool("getent", "echo paraph-spool:x:600:paraph,paraph-handoff")
    # The users are not this machine's, so chown(1) is given their numbers.
    numbers = "sed 's/paraph-spool/600/; s/paraph-handoff/602/; s/paraph/601/'"
    change = f'echo call >>{card.root}/chown.calls; exec {shutil.which("chown")} "$1" "$2" "$(echo "$3" | {numbers})" "$4"'
    # (owner, group) that each file has before and afterwards.
    files = {
        "var/lib/paraph/spool": (997, 999, 601, 600), "var/lib/paraph/spool/new": (997, 999, 601, 600),
        "var/lib/paraph/spool/new/state": (996, 999, 602, 600), "var/lib/paraph/outbox": (996, 999, 602, 600),
        "var/lib/pad-key": (0, 997, 0, 601), "var/lib/pad-key/key": (997, 997, 601, 601), "var/lib/another": (998, 998, 998, 998),
    }
    calls = lambda: len((card.text("chown.calls") or "").splitlines())
    owners = lambda path: (os.lstat(card.path(path)).st_uid, os.lstat(card.path(path)).st_gid)

    def fresh():
        for path in ("var/lib/paraph", "var/lib/pad-key", "var/lib/another"):
            shutil.rmtree(card.path(path), ignore_errors=True)
        for path, (user, group, *_) in files.items():
            os.makedirs(card.path(path))
            os.chown(card.path(path), user, group)
        os.chmod(card.path("var/lib/paraph/spool"), 0o2770)
        card.put("chown.calls", b"")

    for cut in range(6):
        fresh()
        # A power cut comes before one of the changes; the last time there is none.
        card.tool("chown", f'[ "$(wc -l <{card.root}/chown.calls)" -ne {cut} ] || exit 1; {change}')
        status, said = card.run("owners")
        expect((status == 0) == (cut == 5), f"cut {cut}: {status}: {said}")
        if cut < 5:
            card.tool("chown", change)
            # What is known by the two folders is gone.
            for path in ("var/lib/paraph/spool", "var/lib/paraph/outbox"):
                os.chown(card.path(path), *files[path][2:])
            status, said = card.run("owners")
            expect(status == 0, f"after the cut {cut}: {status}: {said}")
        for path, (*_, user, group) in files.items():
            expect(owners(path) == (user, group), f"cut {cut}: {path} has {owners(path)}")
        mode = os.stat(card.path("var/lib/paraph/spool")).st_mode & 0o7777
        expect(mode == 0o2770, f"the spool has the mode {mode:o}")
        expect(card.text(f"{KEPT}/former-owners") is None, "the former numbers are still there")
    before = calls()
    expect(card.run("owners")[0] == 0 and calls() == before, "files that have the present owners are changed")
    # A filesystem of its own that is new.
    os.chown(card.path("var/lib/paraph/spool"), 0, 0)
    expect(card.run("owners")[0] == 0 and calls() == before, "root's files are given away")
    shutil.rmtree(card.path("var/lib/paraph"))
    expect(card.run("owners")[0] == 0 and calls() == before, "a first start fails")


def right(case):
    """A card whose settings have no error, and whose daemons have a configuration."""
    card = Scripts(case)
    card.put(f"{FAT}/paraph-handoff.conf", b"[sink outbox]\ntype = directory\npath = /var/lib/paraph/outbox\n")
    card.put("etc/shadow", b"root:*:1::::::\n")
    card.tool("paraphd", f'[ $# -ne 1 ] || exit 0; exec {PROGRAMS}/paraphd "$@"')
    return card


@test("a file of settings that an editor has named NAME.txt is taken as NAME, and every other unknown name is reported")
def card_names(case):
    card = right(case)
    card.put(f"{FAT}/README.txt", b"Settings of the pad.\n")
    card.put(f"{FAT}/Console-Password.TXT", b"rosebud\r\n")
    card.put(f"{FAT}/secrets/token.txt", b"hunter2")
    card.put(f"{FAT}/update.txt", b"https://example.org/update.raucb\n")
    expect(not (problems := card.settings()), f"the problems are {problems}")
    expect(is_hash(card.text(f"{KEPT}/private/console-password")), "the password was not moved")
    expect(card.text(f"{KEPT}/secrets/token") == "hunter2", "the secret was not moved")
    expect(card.text("run/paraph-card/update") == "https://example.org/update.raucb\n", "there is no address of updates")
    expect(sorted(os.listdir(card.path(FAT))) == ["README.txt", "paraph-handoff.conf", "secrets", "update"], f"there are {os.listdir(card.path(FAT))}")
    expect(os.listdir(card.path(f"{FAT}/secrets")) == [], "the secret is still there")
    for name in ("update.txt", "network~", "console_password", "Thumbs.db"):
        card.put(f"{FAT}/{name}", b"x\n")
    os.mkdir(card.path(f"{FAT}/certificates"))
    problems = card.settings().splitlines()
    wanted = [f"{name}: not used: unknown name; README.txt has the known ones" for name in ("certificates", "console_password", "network~")]
    expect(sorted(problems) == [*wanted, "update.txt: not used: update is there too"], f"the problems are {problems}")
    # A FAT partition that cannot be written.
    card.put(f"{FAT}/hostname.txt", b"locker-7\n")
    card.tool("mv", f'case $1 in *hostname*) exit 1 ;; esac; exec {shutil.which("mv")} "$@"')
    problems = card.settings()
    expect("hostname.txt: not used: it cannot be renamed to hostname" in problems, f"the problems are {problems}")


@test("what an editor of Windows saves as a secret is the secret, without a byte order mark, and UTF-16 is reported and left where it is")
def card_encodings(case):
    card = right(case)
    binary = bytes(range(256)) + b"\n\xef\xbb\xbf\0"
    for name, data in (("marked", b"\xef\xbb\xbfhunter2\r\n"), ("binary", binary), ("wide", "hunter2\r\n".encode("utf-16"))):
        card.put(f"{FAT}/secrets/{name}", data)
    problems = card.settings()
    kept = lambda name: open(card.path(f"{KEPT}/secrets/{name}"), "rb").read()
    expect(problems == "secrets/wide: not used: it is UTF-16; save it as UTF-8\n", f"the problems are {problems}")
    expect(kept("marked") == b"hunter2\r\n" and kept("binary") == binary, f"{kept('marked')} and {kept('binary')} are kept")
    expect(os.listdir(card.path(f"{FAT}/secrets")) == ["wide"], f"the FAT partition has {os.listdir(card.path(FAT + '/secrets'))}")
    expect(not os.path.exists(card.path(f"{KEPT}/secrets/wide")), "UTF-16 is kept")
    card.put(f"{FAT}/console-password", b"rosebud\n")
    card.settings()
    os.remove(card.path(f"{FAT}/secrets/wide"))
    # What has no secret leaves the kept one.
    empty = {"secrets/marked": b"\xef\xbb\xbf", "secrets/binary": b"\xef\xbb\xbf\r\n", "console-password": b"\xef\xbb\xbf\r\nother\r\n"}
    for name, data in empty.items():
        card.put(f"{FAT}/{name}", data)
    problems = card.settings()
    wanted = ["secrets/binary: not used: it is empty", "secrets/marked: not used: it is empty",
              "console-password: not used: its first line is empty; an empty file removes the password"]
    expect(problems.splitlines() == wanted, f"the problems are {problems}")
    expect(kept("marked") == b"hunter2\r\n" and kept("binary") == binary, f"{kept('marked')} and {kept('binary')} are kept")
    expect(is_hash(card.text(f"{KEPT}/private/console-password")), "the password is gone")
    expect(all(os.path.getsize(card.path(f"{FAT}/{name}")) == len(data) for name, data in empty.items()), "a file has been moved")


@test("settings of a Wi-Fi that cannot work are reported, and its password is hidden in comments too")
def card_radio(case):
    def network(text, **places):
        card = right(case)
        for name in ("lib/iwd", "lib/paraph-card/private"):
            os.makedirs(card.path(f"var/{name}"), exist_ok=True)
        for name, target in places.items():
            os.symlink(target, card.path(f"var/lib/iwd/{name}.psk.new"))
        card.script("settings")
        script = card.text("usr/lib/paraph-card/settings").replace(" /run/iwd", f" {card.root}/run/iwd").replace(">/run/", f">{card.root}/run/")
        card.program("usr/lib/paraph-card/settings", script)
        card.put(f"{FAT}/network", text)
        return card, card.settings()

    good = b"wifi-name = B\xc3\xbcro\nwifi-password = open sesame\n"
    card, problems = network(good)
    expect(not problems, f"a network that is right has the problems {problems}")
    expect(card.text("var/lib/iwd/=42c3bc726f.psk") == "[Security]\nPassphrase=open sesame\n", f"there are {os.listdir(card.path('var/lib/iwd'))}")
    key = "0123456789abcdefABCDEF" + "0" * 42
    card, problems = network(f"wifi-name = Home\nwifi-password = {key}\n".encode())
    expect(not problems and card.text("var/lib/iwd/Home.psk") == f"[Security]\nPreSharedKey={key}\n", f"a key has the problems {problems}")
    for text, wanted in (
        (good.replace(b"\xc3\xbc", b"\xfc"), "network line 1: wifi-name is not UTF-8"),
        (b"wifi-name = " + b"n" * 33, "network line 1: wifi-name is longer than 32 bytes"),
        (good.replace(b"sesame", b"s\xc3\xa9same"), "network line 2: wifi-password must have 8 to 63 characters of ASCII"),
        (good.replace(b"open ", b""), "network line 2: wifi-password must have 8 to 63 characters"),
        (good.replace(b"open sesame", b"g" * 64), "network line 2: wifi-password must have 8 to 63 characters"),
    ):
        card, problems = network(text)
        expect(problems.startswith(wanted), f"{text}: the problems are {problems}")
        expect("sesame" not in problems, f"the password is shown: {problems}")
        # A password that is refused is not kept.
        expect(wanted.startswith("network line 1") or not os.listdir(card.path("var/lib/iwd")), f"{text} is joined")
    card, problems = network(good.replace(b"B\xc3\xbcro", b"Home"), Home="nowhere/Home")
    expect(problems == 'network: the data partition cannot keep the Wi-Fi "Home"\n', f"the problems are {problems}")
    card, problems = network(b"# wifi-password = hunter22\n#wifi-password =\n# The wifi-password = none\n")
    there = card.text(f"{FAT}/network")
    expect(there == "# wifi-password = ********\n#wifi-password =\n# The wifi-password = none\n" and not problems, f"{there!r}: {problems}")
    expect(not os.listdir(card.path(f"{KEPT}/private")), "the password of a comment is kept")


@test("another socket than the default one is reported and not used: the card's scripts would not see who signs")
def card_socket(case):
    for socket, is_other in (("/run/pad", True), ("none", True), ("auto", False)):
        card = right(case)
        card.put(f"{FAT}/paraphd.conf", f"[spool]\n[control]\nmode = 0600\nsocket = {socket}\n[seal]\nservice = auto\n".encode())
        problems = card.settings()
        wanted = "paraphd.conf line 4: [control] socket: a card has the default one\n" if is_other else ""
        expect(problems == wanted, f"{socket}: the problems are {problems}")
        folder = card.path("run/paraph-card/paraphd.conf.d")
        names = sorted(os.listdir(folder))
        last = [name for name in names if "socket" in open(os.path.join(folder, name)).read()][-1]
        expect(open(os.path.join(folder, last)).read() == "[control]\nsocket = auto\n", f"{last} of {names} has the last word")


@test("a secret keeps a name that ends in .txt where that is its name, and no other file takes its place")
def card_names_of_secrets(case):
    for before, configuration, kept in (
        ({}, b"", "token"), ({"token.txt": b"old\n"}, b"", "token.txt"),
        ({}, b"[sink a]\ntype = http\nurl = https://h/\ntoken-file = credential:token.txt\n", "token.txt"),
    ):
        card = Scripts(case)
        os.makedirs(card.path(f"{KEPT}/secrets"))
        for name, value in before.items():
            card.put(f"{KEPT}/secrets/{name}", value)
        if configuration:
            card.put(f"{FAT}/paraph-handoff.conf", configuration)
        card.put(f"{FAT}/secrets/token.txt", b"new\n")
        card.run("settings")
        expect(card.text(f"{KEPT}/secrets/{kept}") == "new\n", f"beside {before}, {configuration}: {kept} is not the new one")
    card = Scripts(case)
    card.put(f"{FAT}/secrets/token", b"one\n")
    card.put(f"{FAT}/secrets/token.txt", b"two\n")
    card.run("settings")
    expect(card.text(f"{KEPT}/secrets/token") == "one\n", "a file of another name has taken the secret's place")
    expect("secrets/token.txt: not used: token is there too" in card.text("run/paraph-card/problems"), "that is not shown")


@test("a secret that the hand-off names and the card does not have is shown with its line, and the hand-off runs")
def card_missing_secret(case):
    card = right(case)
    sink = "[sink {0}]\ntype = http\nurl = https://h/\n#token-file = credential:none\ntoken-file = credential:{0}\n"
    card.put(f"{FAT}/paraph-handoff.conf", "".join(sink.format(name) for name in ("there", "missing", "empty")).encode())
    card.put(f"{FAT}/secrets/there", b"hunter2\n")
    os.makedirs(card.path(f"{KEPT}/secrets"))
    card.put(f"{KEPT}/secrets/empty", b"")
    problems = card.settings().splitlines()
    wanted = [f"paraph-handoff.conf line {line}: [sink {name}] token-file: secrets/{name}: " for line, name in ((10, "missing"), (15, "empty"))]
    expect(len(problems) == 2 and all(map(str.startswith, problems, wanted)), f"the problems are {problems}")
    expect(card.text("run/paraph-card/held") is None, "all signatures wait")
    card.put(f"{FAT}/secrets/missing", b"hunter2\n")
    card.put(f"{FAT}/secrets/empty", b"hunter2\n")
    expect(not (problems := card.settings()), f"the problems are {problems}")


@test("an address that systemd-networkd would refuse is reported, and a star is no address")
def card_addresses(case):
    good = ["0.0.0.0", "10.0.2.100", "255.255.255.255", "::", "::1", "fe80::1", "2001:DB8::", "1:2:3:4:5:6:7:8", "1::3:4:5:6:7:8",
            "1:2:3:4:5:6:7::", "0001:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "1:2:3:4:5:6:192.0.2.1"]
    bad = ["01.2.3.4", "1.2.3.00", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1..2.3", ".1.2.3", "1.2.3.", "a.b.c.d", "dad", ":", ":1", "1:", ":::",
           "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "::g", "1:2", ":1::", "::1:", "::ffff:192.0.2.01",
           "::192.0.2.1:1", "1:2:3:4:5:6:7:192.0.2.1", "fe80::1%eth0", "*"]
    for texts in (good, bad):
        for text in texts:
            try:
                socket.inet_pton(socket.AF_INET6 if ":" in text else socket.AF_INET, text)
                expect(texts is good, f"inet_pton accepts {text}")
            except OSError:
                expect(texts is bad, f"inet_pton refuses {text}")
    bits = [("10.0.2.100/32", True), ("10.0.2.100/9", True), ("fe80::1/128", True), ("10.0.2.100/08", False), ("10.0.2.100/33", False),
            ("10.0.2.100/", False), ("fe80::1/064", False), ("fe80::1/129", False), ("fe80:1/64", False), ("010.0.2.100/8", False)]
    card = right(case)
    lines = [("dns", text, text in good) for text in good + bad] + [("address", *line) for line in bits]
    card.put(f"{FAT}/network", "".join(f"{key} = {text}\n" for key, text, _ in lines).encode())
    says = {"dns": "dns must be addresses", "address": "address must be dhcp or ADDRESS/BITS"}
    wanted = [f'network line {number}: {says[key]}, not "{text}"' for number, (key, text, is_good) in enumerate(lines, 1) if not is_good]
    problems = card.settings().splitlines()
    expect(problems == wanted, f"the problems that differ are {sorted(set(problems) ^ set(wanted))}")
    servers = [line.removeprefix("DNS=") for line in card.text("run/systemd/network/50-card.network").splitlines() if line.startswith("DNS=")]
    expect(servers == good, f"the servers are {servers}")


@test("a password that was refused stays as it was when one in a comment is hidden")
def card_commented_password(case):
    card = Scripts(case)
    card.put(f"{FAT}/network", b"wifi-name = Home\n# wifi-password = old password\nwifi-password = short\n")
    card.run("settings")
    left = card.text(f"{FAT}/network").splitlines()
    expect(left[2] == "wifi-password = short", f"the password is {left[2]}")
    expect("old" not in left[1] and left[1].startswith("# wifi-password = **"), f"the comment is {left[1]}")


@test("a root whose pad is out of service is confirmed unless that of the former root was in service; one that is given up with a panel is recorded")
def card_service(case):
    def confirm(state, files=("served",), panel="connected", pad="the pad is on DSI-1", tries=0, owners=0):
        card = Scripts(case)
        os.makedirs(card.path(KEPT))
        for name in files:
            card.put(f"{KEPT}/{name}", b"")
        os.makedirs(card.path("sys/class/drm/card0-DSI-1"))
        card.put("sys/class/drm/card0-DSI-1/status", f"{panel}\n".encode())
        script = card.text("usr/lib/paraph-card/confirm").replace(" /sys/", f" {card.root}/sys/")
        card.program("usr/lib/paraph-card/confirm", script)
        answers = f"get-current) echo B ;; get-tries) echo {tries} ;; get-state) echo good ;;"
        card.program("usr/lib/paraph-card/boot-order", f"#!/bin/sh\ncase $1 in {answers} esac\n")
        card.program("usr/lib/paraph-card/restart", f"#!/bin/sh\necho >{card.root}/restarted\n")
        card.tool("paraph", f'[ "$1" = status ] && exit {state}')
        # The pad begins when the owners are changed.
        card.put("asked", b"")
        owned = f"[ $(wc -l <{card.root}/asked) -ge {owners} ]"
        wait = f"{owned} || {{ echo >>{card.root}/asked; echo activating; }}"
        card.tool("systemctl", f'case $* in *owners*) {wait} ;; *StatusText*) {owned} && echo "{pad}" ;; *MainPID*) echo 42 ;; esac')
        card.run("confirm")
        return card.text("restarted") is None, card.text(f"{KEPT}/failed")

    # 69: no pad answers, as where it has no socket.
    for state, files, confirmed in (
        (0, ["served"], True), (69, ["served"], True), (3, ["served"], False), (3, ["confirmed"], True), (3, [], True),
    ):
        there, failed = confirm(state, files)
        expect(there == confirmed, f"paraph status ends with {state}, and there are {files}: confirmed: {there}")
        expect(failed == (None if confirmed else "0.2.0\n"), f"paraph status ends with {state}: {failed} is recorded")
    # Nothing says that the root is at fault.
    expect(confirm(0, panel="disconnected", pad="waiting for a panel") == (False, None), "a root without a panel is recorded")
    expect(confirm(0, pad="") == (False, "0.2.0\n"), "a root whose pad does not start is not recorded")
    expect(confirm(0, pad="", tries=1) == (False, None), "a root is recorded that U-Boot starts again")
    # The owners of many files are changed for longer than a root has time.
    expect(confirm(0, owners=100) == (True, None), "a root is given up while the owners of its files are changed")


@test("a restart keeps whether the pad of the confirmed root was in service, whatever hides that at last")
def card_before(case):
    for states, tries, kept in (
        (["idle"], 255, True), (["out_of_service"], 255, False), (["out_of_service", "idle"], 255, True), (["idle"], 2, None),
    ):
        card = Scripts(case)
        os.makedirs(card.path(KEPT))
        if kept is not True:
            card.put(f"{KEPT}/served", b"")
        answers = f"get-current) echo A ;; get-tries) echo {tries} ;;"
        card.program("usr/lib/paraph-card/boot-order", f"#!/bin/sh\ncase $1 in {answers} esac\n")
        card.put("states", "".join(f"{state}\n" for state in states).encode())
        # Somebody is faster than each message but the last one, and without a panel nobody can sign.
        status = f'echo "state: $(head -n 1 {card.root}/states)"'
        show = f"sed -i 1d {card.root}/states; [ -s {card.root}/states ] && exit 75; exit 3"
        card.tool("paraph", f"case $1 in status) {status} ;; show) {show} ;; esac")
        card.tool("timeout", "true")
        card.tool("sleep", f"[ $1 != infinity ]")
        card.run("restart")
        there = card.text(f"{KEPT}/served") is not None
        expect(there == (kept is not False), f"after {states} of a root with {tries} tries, it is kept: {there}")


@test("a stick that is in at the start waits until it is decided whether the root is confirmed")
def card_early_stick(case):
    card = Scripts(case)
    card.program("usr/lib/paraph-card/update", f"#!/bin/sh\necho update >>{card.root}/order\n")
    card.tool("systemctl", f'[ "$*" = "--quiet is-active paraph-confirm.service" ] && [ "$(wc -l <{card.root}/order)" -lt 5 ]')
    card.tool("sleep", f"echo wait >>{card.root}/order")
    for tool in ("umount", "rmdir"):
        card.tool(tool, "true")
    card.put("order", b"")
    os.makedirs(card.path("run/paraph-card/stick-sda1"))
    card.put("run/paraph-card/stick-sda1/paraph-virt-0.3.raucb", b"")
    status, said = card.run("stick", words=["sda1"])
    order = card.text("order").split()
    expect(status == 0 and order == ["wait"] * 5 + ["update"], f"it ends with {status} after {order}: {said}")
