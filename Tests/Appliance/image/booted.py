"""The product on a Debian that systemd boots, installed by dpkg."""
import io
import os
import re
import shutil
import subprocess
import tarfile
import time

from machine.board import CONFIGURATION, FUZZ, TOUCH, Board, newer
from machine.hand import check_samples, written
from machine.pad import HANDOFF_CONFIGURATION, OUTBOX, SPOOL, WHITE
from machine.places import read, source
from machine.sentences import expect, test, until

# A panel that is there long before the pad, as where its driver is part of the kernel: the console can draw on it.
EARLY = "modules_load=virtio_gpu"
# The product's packages; one that depends on another comes before it.
PACKAGES = "paraph-web paraph-handoff paraph"
# Units that are installed, and for an administrator to enable.
SOCKETS = "paraph-web.socket paraph-seal.socket"


@test("dpkg leaves a pad on the screen and both services running, and systemd finds nothing wrong with the units")
def installed(case):
    facts = Board(case).product.facts
    expect(facts["active"] == ["active", "active"], f"the services are {facts['active']}: {facts['said']}")
    expect(facts["verify"] == "", f"systemd-analyze verify says {facts['verify']}")


@test("from power-on the screen shows black and then the pad, and no text before it")
def film(case):
    board = Board(case, boot=True, watched=True, append=EARLY)
    begun = time.monotonic()
    pictures, looks = watch(board)
    every = (time.monotonic() - begun) / looks
    kinds = [kind(picture, pictures) for picture in pictures]
    print(f"  the film: {' '.join(kinds)}; one look every {every * 1e3:.0f} ms")
    for number, (picture, what) in enumerate(zip(pictures, kinds)):
        if what == "other":
            case.evidence.picture(f"film-{number}", picture)
    expect("other" not in kinds, f"the screen shows something else: {kinds}")
    expect(set(kinds[kinds.index("pad"):]) == {"pad"}, f"the screen shows something else after the pad: {kinds}")
    board.up()
    stands = int(board.vm.log.wait(r"first frame shown \(monotonic (\d+)\)")[1]) / 1e9
    begun = int(board.unit("paraphd", "ExecMainStartTimestampMonotonic")[0]) / 1e6
    print(f"  kernel start to the first picture {stands:.2f} s, of it exec to the first picture {(stands - begun) * 1e3:.0f} ms")
    expect(board.control.text("systemctl get-default") == "paraph-kiosk.target", "the kiosk is not what is booted")
    until(lambda: board.is_active("paraph-kiosk.target"), "the kiosk is there", 60)
    expect(board.is_active("multi-user.target"), "the kiosk has not what an ordinary boot has")
    logins = board.control.text("grep -s -l -x -e agetty -e login /proc/[0-9]*/comm || true")
    expect(not logins, f"there is a login behind the pad: {logins}")


@test("a boot that is not told to be quiet shows its text, and the film of it has that text")
def loud_film(case):
    board = Board(case, boot=True, watched=True, append=f"{EARLY} ignore_loglevel systemd.show_status=yes")
    pictures, _ = watch(board)
    kinds = [kind(picture, pictures) for picture in pictures]
    print(f"  the film: {' '.join(kinds)}")
    expect("other" in kinds and kinds[-1] == "pad", f"the text of the boot is not seen: {kinds}")


def watch(board):
    """Every picture from power-on to a pad that stands, without repetitions; how often was looked."""
    pictures, looks = [], 0

    def stands():
        nonlocal looks
        picture, looks = board.vm.screen(), looks + 1
        if not pictures or pictures[-1] != picture:
            pictures.append(picture)
            return False
        return shows_pad(picture)

    until(stands, "the pad is on the screen", 120)
    return pictures, looks


def shows_pad(picture):
    return (picture.width, picture.height) == Board.PIXELS and picture.pixel(0, 0) == WHITE


def kind(picture, pictures):
    """What one of these is: QEMU's own of a card without a driver, which is the first; the pad, on a slow machine first
    without its words; black."""
    if picture == pictures[0] and picture.width != Board.PIXELS[0]:
        return "machine"
    if shows_pad(picture):
        return "pad"
    return "black" if not any(picture.pixels) else "other"


# Ends STA_UNSYNC by adjtimex(2), whose number is the argument: modes (ADJ_MAXERROR and ADJ_STATUS), offset, frequency,
# largest and estimated error, status.
SYNCHRONISE = 'syscall(shift, my $state = pack("I x![l!] l! l! l! l! i x256", 0x14, 0, 0, 0, 0, 1)) >= 0 or die $!'
CALL = {"amd64": 159, "arm64": 171, "armhf": 124}


@test("what is signed is delivered by the other service; the doctor finds nothing wrong; udev has named the touchscreen")
def signed(case):
    board, hand = Board(case), written(91)
    board.send(hand)
    (item,) = board.delivered(1)
    check_samples(item, hand, board)
    # Nobody has set the clock; then it is synchronised, as the services can read in their sandbox.
    expect(not item.manifest["clock_synchronized"], "a clock that nobody set counts as set")
    board.control.run(f"perl -e '{SYNCHRONISE}' {CALL[case.kernel.architecture.name]}")
    board.send(written(92))
    expect(board.delivered(2)[1].manifest["clock_synchronized"], "a clock that is set does not count as set")
    users = board.control.text("for name in paraphd paraph-handoff; do stat -c %U /proc/$(pidof $name); done").split()
    expect(users == ["paraph", "paraph-handoff"], f"they run as {users}")
    status, findings = board.doctor()
    expect(status == 0, f"the doctor ends with {status}: {[found for found in findings if found['verdict'] == 'wrong']}")
    right = {found["area"] for found in findings if found["verdict"] == "ok"}
    for area in ("configuration", "panel", "touchscreen", "service", "permissions", "spool", "delivery"):
        expect(area in right, f"the doctor finds nothing right about {area}: {findings}")
    node = board.control.text("readlink -f /dev/input/touchscreen")
    name = board.control.text(f"cat /sys/class/input/{node.rsplit('/', 1)[1]}/device/name")
    expect(name == TOUCH, f"/dev/input/touchscreen is {name}")


@test("the units are as closed as they say, and what is left open is explained in them")
def closed(case):
    board = Board(case)
    row = re.search(r"systemd-analyze security` \| ([0-9.]+) \| ([0-9.]+) \|", read(source("config", "security.md")).decode())
    promised = [float(number) for number in row.groups()]
    for unit, most, said in zip(("paraphd.service", "paraph-handoff.service"), (2.0, 1.6), promised):
        lines = board.control.text(f"systemd-analyze security --no-pager {unit}").splitlines()
        exposure = float(lines[-1].split(":")[1].split()[0])
        print(f"  {unit}: {exposure}")
        expect(exposure <= most, f"{unit} has an exposure of {exposure}")
        expect(exposure == said, f"security.md says {said} of {unit}, which has {exposure}")
        text = board.control.text(f"cat /lib/systemd/system/{unit}")
        for line in lines:
            if line.startswith("✗"):
                name = line.split()[1].split("=")[0]
                expect(name in text, f"{unit} does not say why {line}")


@test("a pad that is killed, or hangs, is back by itself with the ink that was on it, which can be sent")
def killed(case):
    board, hand = Board(case), written(92)
    inked = board.sign(hand)
    for signal, patience in (("KILL", 30), ("STOP", 60)):
        begun = board.vm.log.length()
        before = board.unit("paraphd", "MainPID")
        board.kill("paraphd", signal)
        until(lambda: board.unit("paraphd", "MainPID", "ActiveState") != [*before, "active"], "the end is noticed", patience)
        until(lambda: board.is_active("paraphd"), f"it is back after SIG{signal}", patience)
        board.reads(after=begun)
        case.soon(board.vm, inked, f"the ink after SIG{signal}")
    expect(board.unit("paraphd", "NRestarts") == ["2"], "systemd counts other restarts")
    board.done()
    (item,) = board.delivered(1)
    check_samples(item, hand, board)


@test("the command that config/operating.md has for certificates reads them again, and leaves the pad its terminal and ink")
def reread(case):
    board, hand = Board(case), written(99)
    inked = board.sign(hand)
    before = board.unit("paraphd", "MainPID")
    page = read(source("config", "operating.md")).decode()
    (check, command) = re.search(r"`sudo (runuser [^`]* --check-config) && sudo (systemctl kill [^`]*)`", page).groups()
    board.control.run(f"{check} && {command}")
    said = "journalctl -b -o cat -u paraphd | grep -c 'config: .*: no changes' || true"
    until(lambda: board.control.text(said) == "1", "the pad has read its configuration again", 60)
    # systemd would reset the terminal for it.
    expect(board.control.status("systemctl reload paraphd")[0] != 0, "the unit has a reload")
    case.soon(board.vm, inked, "the ink afterwards")
    expect(board.unit("paraphd", "MainPID") == before, "the pad was restarted")
    board.done()
    (item,) = board.delivered(1)
    check_samples(item, hand, board)


@test("a touchscreen that is unplugged and plugged in again signs, without the smoothing of its driver")
def replugged(case):
    board, hand = Board(case), written(93, strokes=1)
    board.touch.unplug()
    until(lambda: board.control.status("test -e /dev/input/touchscreen")[0], "its name is gone")
    begun = board.vm.log.length()
    # tests/doctor.py sees the fuzz where there is no udev.
    board.touch.fuzz = FUZZ
    board.touch.plug("uinput")
    board.reads(after=begun)
    expect(not [found for found in board.doctor()[1] if "fuzz" in found], "the kernel still smooths the touchscreen")
    board.send(hand)
    (item,) = board.delivered(1)
    check_samples(item, hand, board)


@test("a machine that has no panel at boot waits without failing, and shows the pad when one comes")
def late_panel(case):
    board = Board(case, boot=True, append="modprobe.blacklist=virtio_gpu", watched=True)
    board.up()
    until(lambda: board.is_active("paraphd"), "the service waits", 60)
    (status,) = board.unit("paraphd", "StatusText")
    expect("waiting for a panel" in status, f"it says {status}")
    expect(board.doctor()[0] == 69, "the doctor sees no fault")
    board.control.run("modprobe virtio_gpu")
    until(board.shows, "the pad is on the late panel", 60)
    until(lambda: "the pad is on" in board.unit("paraphd", "StatusText")[0], "it says so")
    expect(board.unit("paraphd", "NRestarts") == ["0"], "it was restarted")


@test("a rescue shell has the screen to itself, and the pad comes when the shell ends")
def rescue(case):
    board = Board(case, boot=True, append="single")
    # The target is reached when what it wants has started, or has not.
    until(lambda: board.is_active("rescue.service"), "there is a rescue shell", 60)
    until(lambda: board.is_active("paraph-devices.target"), "udev has found the panel", 60)
    expect(board.unit("paraphd", "ActiveState") == ["inactive"], "the pad has started beside the rescue shell")
    expect(not board.shows(), "the pad is on the screen")
    # The shell waits for a password, or for a key where root has none; its end is that of a shell.
    until(lambda: board.control.status("kill -KILL $(pidof sulogin)")[0] == 0, "the shell ends", 60)
    until(board.shows, "the pad is on the screen", 120)
    expect(not board.is_active("rescue.service"), "there is still a rescue shell")


@test("an upgrade while a signature is on the glass loses nothing: neither what was sent nor what is being written")
def upgraded(case):
    board, sent, hand = Board(case), written(94, strokes=1), written(95)
    # An emulated board may take minutes for the upgrade.
    patient = CONFIGURATION + "[pad]\nabandon-after = never\n"
    board.control.push("/etc/paraph/paraphd.conf", patient)
    begun = board.vm.log.length()
    board.control.run("systemctl stop paraph-handoff; systemctl restart paraphd")
    board.reads(after=begun)
    board.send(sent)
    board.cleaned()
    inked = board.sign(hand)
    board.control.run(f"systemctl enable --now {SOCKETS}")
    folder = os.path.dirname(case.path("deb"))
    for package in board.product.packages:
        board.control.push(f"/root/{package.rsplit('/', 1)[1]}", read(reconfigured(newer(package, "9.0", folder), folder)))
    begun, before = board.vm.log.length(), board.unit("paraphd", "MainPID")
    # dpkg would ask about the files that were edited, and fail without an answer.
    (option,) = re.findall(r"apt-get install -y -o Dpkg::Options::=(\S+)", read(source("config", "installing.md")).decode())
    said = board.control.text(f"dpkg {option} -i /root/*.deb </dev/null", timeout=300)
    versions = board.control.text("dpkg-query -W -f '${Version} ' paraph paraph-handoff")
    expect(versions == "9.0 9.0", f"{versions}: {said}")
    expect(board.unit("paraphd", "MainPID") != before, "the pad is still the old one")
    for socket in SOCKETS.split():
        expect(board.is_active(socket), f"{socket} does not listen after the upgrade: {said}")
    until(lambda: board.is_active("paraphd"), f"the pad is back: {said}")
    board.reads(after=begun)
    case.soon(board.vm, inked, "the ink after the upgrade")
    board.done()
    board.control.run("systemctl start paraph-handoff")
    for item, written_by in zip(board.delivered(2), (sent, hand)):
        check_samples(item, written_by, board)
    configuration = board.control.text("cat /etc/paraph/paraphd.conf")
    expect(configuration.strip() == patient.strip(), "the configuration is another one")
    board.control.run("test -e /etc/paraph/paraphd.conf.dpkg-dist -a -e /etc/paraph/paraph-handoff.conf.dpkg-dist")


def reconfigured(package, folder):
    """The package with other configurations, not compressed."""
    tree = os.path.join(folder, "tree")
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    for name in os.listdir(os.path.join(tree, "etc", "paraph")):
        with open(os.path.join(tree, "etc", "paraph", name), "a") as file:
            file.write("# A line of the newer version.\n")
    subprocess.run(["dpkg-deb", "-Znone", "--root-owner-group", "-b", tree, package], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return package


@test("removing the packages keeps the signatures; purging asks nothing and leaves nothing")
def purged(case):
    board = Board(case)
    board.control.run("systemctl stop paraph-handoff")
    board.send(written(96, strokes=1))
    board.control.run(f"systemctl enable --now {SOCKETS}")
    listens = lambda: board.control.status("exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/8420'")[0] == 0
    expect(listens(), "nobody listens for browsers")
    until(lambda: board.is_active("paraph-web"), "the client has started paraph-web")
    board.control.text(f"dpkg -r {PACKAGES} </dev/null", timeout=120)
    expect(not listens(), "somebody still listens for browsers")
    expect(len(board.names(SPOOL + "/new")) == 1, "the signature is gone")
    until(lambda: not board.shows(), "the pad has left the screen")
    expect(board.control.status("pidof paraphd paraph-handoff paraph-web")[0], "a daemon still runs")
    # The kiosk was what the machine boots.
    boots = lambda: board.control.status('systemctl daemon-reload; systemctl cat "$(systemctl get-default)"')
    expect(boots()[0] == 0, f"there is no default target after removing: {boots()[1].decode()}")
    board.control.text(f"dpkg -P {PACKAGES} </dev/null", timeout=120)
    left = board.control.text("find / -xdev -iname '*paraph*' -not -path '/proc/*' -not -path '/root/*' -not -path '/run/*'")
    print(f"  left: {left.split()}")
    mine = [path for path in left.split() if not path.startswith(("/var/lib/dpkg", "/var/lib/systemd/deb-systemd"))]
    expect(not mine, f"purging leaves {mine}")
    dangling = board.control.text("find /etc/systemd -xtype l -printf '%p %l\\n' | grep paraph || true")
    expect(not dangling, f"purging leaves links to missing units: {dangling}")
    expect(boots()[0] == 0, f"there is no default target after purging: {boots()[1].decode()}")


@test("without packages, what make installs below /usr/local makes its users and folders, signs, delivers, is replaced and removed")
def made(case):
    board, hand, tree = Board(case), written(98, strokes=1), case.path("tree")
    board.control.text(f"dpkg -P {PACKAGES} </dev/null", timeout=120)
    board.control.run("userdel -f paraph; userdel -f paraph-handoff; userdel -f paraph-web; groupdel -f paraph-spool; rm -rf /etc/paraph")
    expect(board.control.status("getent passwd paraph paraph-handoff paraph-web | grep -q .")[0], "there are users before")
    folder = os.path.dirname(case.kernel.architecture.built()[0])
    # A board's programs are stripped, and this machine's strip may not know them.
    make("install-built", f"DESTDIR={tree}", f"release={folder}", *(["STRIP=true"] if case.kernel.architecture.boards else []))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(tree, ".")
    board.control.run("tar -C / --keep-directory-symlink -xzf -", packed.getvalue(), timeout=120)
    board.control.push("/etc/paraph/paraphd.conf", CONFIGURATION)
    # Without DESTDIR, install-built ends with the first.
    running, away = ("set -e\n" + make("-n", goal) for goal in ("install-running", "uninstall"))
    databases = lambda: board.control.text("ls /etc/udev/hwdb.bin /usr/lib/udev/hwdb.bin 2>/dev/null || true").split()
    known = lambda: board.control.text("systemd-hwdb query paraph:touchscreen:name:x: || true")
    had = databases()
    begun = board.vm.log.length()
    board.control.run(running, timeout=120)
    # One in /etc would take precedence over the distribution's, also when that is updated.
    expect(databases() == had, f"there were {had}, and there are {databases()}")
    expect("EVDEV_ABS" in known(), "the settings of touchscreens are not in effect")
    board.control.run("systemctl enable --now paraphd paraph-handoff paraph-web.socket")
    board.reads(after=begun)
    board.send(hand)
    (item,) = board.delivered(1)
    check_samples(item, hand, board)
    # As after an upgrade.
    begun, before = board.vm.log.length(), [board.unit(name, "MainPID") for name in ("paraphd", "paraph-handoff")]
    board.control.run(running, timeout=120)
    for name, pid in zip(("paraphd", "paraph-handoff"), before):
        expect(board.unit(name, "MainPID") not in (pid, ["0"]), f"{name} still runs as it was")
    board.reads(after=begun)
    # A daemon that does not start again is no failure of the installation.
    board.control.run("set -e\nsystemctl() { false; }\n" + running[running.index("systemctl try-restart"):])
    # The units are there the first time only.
    for _ in range(2):
        board.control.run(away, timeout=120)
    expect(databases() == had, f"there were {had}, and make uninstall leaves {databases()}")
    expect("EVDEV_ABS" not in known(), "the settings of touchscreens are still in effect")
    expect(board.control.status("pidof paraphd paraph-handoff")[0], "a daemon still runs")
    kept = " ".join(f"-not -path '{place}*'" for place in ("/proc/", "/run/", "/root/", "/etc/paraph", "/var/lib/"))
    left = board.control.text(f"find / -xdev -iname '*paraph*' {kept}")
    expect(not left, f"make uninstall leaves {left.split()}")
    expect(board.names(OUTBOX), "make uninstall removes signatures")


def make(*words):
    """What make prints for a goal."""
    return subprocess.run(["make", "-s", *words], cwd=source(), check=True, stdout=subprocess.PIPE, text=True).stdout


@test("as the examples say: a group's programs ask through a socket of their own, others may not; a folder is delivered to")
def integrated(case):
    board, hand, folder = Board(case), written(97, strokes=1), "/srv/signatures"
    board.control.run(f"groupadd locker; useradd -G locker till; useradd other; install -d -o paraph-handoff {folder}")
    board.control.push("/etc/paraph/paraph-handoff.conf", HANDOFF_CONFIGURATION.replace(OUTBOX, folder))
    # No sink delivers there.
    board.control.run(f"rm -r {OUTBOX}")
    wrong = lambda: [found["text"] for found in board.doctor()[1] if found["verdict"] == "wrong"]
    expect(any(folder in text for text in wrong()), f"the doctor does not say that {folder} is closed: {wrong()}")
    follow(board, "paraph-handoff-folder.conf", "paraph-handoff.service.d/folder.conf")
    expect(not wrong(), f"the doctor says {wrong()}")
    begun = board.vm.log.length()
    follow(board, "paraphd.socket", "paraphd.socket", ("GROUP", "locker"))
    board.reads(after=begun)
    statuses = [ask(board, user) for user in ("till", "other")]
    expect(statuses == [0, 77], f"of the group, and of others, paraph status ends with {statuses}")
    board.send(hand)
    until(lambda: board.names(folder) and not board.names(SPOOL + "/new"), "it is delivered")
    (name,) = board.names(folder)
    check_samples(board.item(folder, name), hand, board)


def follow(board, example, place, *replaced):
    """Does with an example what it says."""
    text = board.control.pull("/usr/share/doc/paraph/examples/" + example).decode()
    for old, new in replaced:
        text = re.sub(rf"={old}$", f"={new}", text, flags=re.M)
    board.control.push("/etc/systemd/system/" + place, text)
    commands = re.findall(r"^#   (systemctl.*)$", text, re.M)
    expect(commands, f"{example} has no commands")
    for command in commands:
        board.control.run(command)


def ask(board, user):
    """The exit status of `paraph status`, as a user."""
    return board.control.status(
        f"setpriv --reuid={user} --regid={user} --init-groups paraph status --socket /run/org.paraph.Pad"
    )[0]


@test("on a bench, a pad that cannot start gives the console back to a login")
def bench(case):
    board = Board(case)
    example = board.control.pull("/usr/share/doc/paraph/examples/paraphd-bench.conf")
    board.control.push("/etc/systemd/system/paraphd.service.d/bench.conf", example)
    board.control.push("/etc/paraph/paraphd.conf", "[display]\nmode = none\n")
    board.control.status("systemctl daemon-reload; systemctl restart paraphd")
    until(lambda: board.is_active("getty@tty1"), "a login is there", 60)
    status, findings = board.doctor()
    expect(status == 78, f"the doctor ends with {status}")
    board.control.push("/etc/paraph/paraphd.conf", CONFIGURATION)
    board.control.run("systemctl reset-failed paraphd; systemctl start paraphd")
    until(board.shows, "the pad is back")
    expect(not board.is_active("getty@tty1"), "the login is behind the pad")


@test("where there are no virtual terminals, the service starts with the drop-in for that")
def no_terminals(case):
    board = Board(case)
    # As on a kernel without CONFIG_VT, there is no node to open.
    board.control.run("systemctl stop paraphd; rm /dev/tty0 /dev/tty1")
    expect(board.control.status("systemctl start paraphd")[0] != 0, "the service starts without its terminal")
    board.control.run("mkdir -p /etc/systemd/system/paraphd.service.d")
    follow(board, "paraphd-no-vt.conf", "paraphd.service.d/no-vt.conf")
    until(board.shows, "the pad is on the screen")
