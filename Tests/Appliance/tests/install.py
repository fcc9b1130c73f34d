"""make, as a recipe for a board calls it. No machine is booted."""
import os
import re
import shlex
import shutil
import subprocess

from machine.architecture import ARM64, ARMHF
from machine.places import PROGRAMS as BUILT, read, source
from machine.sentences import Skipped, expect, test

DAEMONS = ("paraphd", "paraph-handoff", "paraph-web")
UNITS = ["paraph-seal.socket", "paraph-seal@.service", "paraph-devices.target", "paraph-kiosk.target", "paraph-web.socket", *(f"{name}.service" for name in DAEMONS)]
PAGES = ["man1/paraph.1", *(f"man5/{name}.conf.5" for name in DAEMONS), *(f"man8/{name}.8" for name in ("paraph-seal", *DAEMONS))]
PROGRAMS = ("paraph", "paraph-seal", *DAEMONS)
COMPLETIONS = ["bash-completion/completions/{}", "fish/vendor_completions.d/{}.fish", "zsh/site-functions/_{}"]
INSTALLED = {
    *(f"usr/bin/{name}" for name in PROGRAMS),
    *(f"etc/paraph/{name}.conf" for name in DAEMONS),
    *(f"lib/systemd/system/{name}" for name in UNITS),
    *("lib/udev/rules.d/70-paraph.rules", "lib/udev/hwdb.d/60-paraph-touch.hwdb"),
    *(f"usr/lib/{name}/paraph.conf" for name in ("sysusers.d", "tmpfiles.d")),
    *(f"usr/share/man/{name}" for name in PAGES),
    *(f"usr/share/{place.format(name)}" for place in COMPLETIONS for name in PROGRAMS),
    "usr/share/paraph/org.paraph.Pad.varlink",
    *(f"usr/share/paraph/web/{name}" for name in ("index.html", "paraph.js", "words.js", "ink.wasm")),
}
# Of these there is one for each language, purpose, page and module.
MORE = ("usr/share/locale/", "usr/share/doc/paraph/", "usr/share/paraph/web/")


@test("the three lines that installing.md gives a recipe build with its tools and install below DESTDIR alone")
def recipe(case):
    if BUILT != source(".build", "release"):
        raise Skipped("the release build, which is installed, is not tested here: make appliance")
    work = os.path.dirname(case.path("tree"))
    target, tools = os.path.join(work, "target"), os.path.join(work, "tools")
    os.makedirs(tools)
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": work,
        "DESTDIR": target,
        "SWIFT": tool(tools, "swift"),
        "STRIP": tool(tools, "strip"),
        # It changes nothing, and so what is built already is not built again.
        "SWIFTFLAGS": "--disable-automatic-resolution",
    }
    page = read(source("config", "installing.md")).decode()
    lines = re.findall(r"^    (make build SWIFT.*|make install-built .*|systemctl --root.*)$", page, re.M)
    expect(len(lines) == 3, f"the page has {lines}")
    for line in lines:
        ended = subprocess.run(["sh", "-ec", line], cwd=source(), env=environment, capture_output=True, text=True)
        expect(ended.returncode == 0, f"{line} ends with {ended.returncode}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    calls = [read(os.path.join(tools, name + ".calls")).decode() for name in ("swift", "strip")]
    expect("--disable-automatic-resolution" in calls[0], f"the compiler was called with {calls[0]}")
    expect(len(calls[1].splitlines()) == len(PROGRAMS), f"strip was called with {calls[1]}")
    found = {os.path.relpath(os.path.join(place, name), target) for place, _, names in os.walk(target) for name in names}
    wants = {path for path in found if path.startswith("etc/systemd/system/")}
    expect({os.path.basename(path) for path in wants} == {"paraphd.service", "paraph-handoff.service"}, f"{wants} are enabled")
    expect(INSTALLED <= found, f"{INSTALLED - found} are missing")
    other = {path for path in found - INSTALLED - wants if not path.startswith(MORE)}
    expect(not other, f"{other} are installed too")
    for path in found:
        named = os.path.islink(os.path.join(target, path)) or target.encode() not in read(os.path.join(target, path))
        expect(named, f"{path} names the folder that it was installed in")


@test("below /usr/local the daemons are told where words and pages are, by a configuration that everybody can read, and is never told twice")
def elsewhere(case):
    target = case.path("elsewhere")
    install = ["sh", "-c", f"umask 077; make -s install-configuration DESTDIR={shlex.quote(target)} PREFIX=/usr/local"]
    subprocess.run(install, cwd=source(), check=True)
    path = os.path.join(target, "etc/paraph/paraphd.conf")
    for place, wanted in ((path, "catalogues = /usr/local/share/locale"),
                          (os.path.join(target, "etc/paraph/paraph-web.conf"), "pages = /usr/local/share/paraph/web")):
        (line,) = re.findall(rf"^.*{wanted.partition(' ')[0]} = .*$", read(place).decode(), re.M)
        expect(line == wanted, line)
    expect(os.stat(path).st_mode & 0o777 == 0o644, f"{path} has the mode {os.stat(path).st_mode:o}")
    with open(path, "w") as file:
        file.write("[pad]\n")
    subprocess.run(install, cwd=source(), check=True)
    expect(read(path) == b"[pad]\n", "the administrator's configuration is overwritten")


@test("the programs that make boards links are installed by the second of those lines, as the page says")
def embedded_recipe(case):
    target = case.path("target")
    (line,), (more,) = (
        re.findall(pattern, read(source("config", "installing.md")).decode(), re.M)
        for pattern in (r"^    (make install-built .*)$", r"`(release=\.build/boards/bin/armhf-bookworm)`")
    )
    for architecture in (ARM64, ARMHF):
        if not all(map(os.path.exists, architecture.built())):
            raise Skipped("the boards' programs are not built: make boards")
        command = f"{line} {more.replace('armhf', architecture.name)}"
        environment = {**os.environ, "DESTDIR": target, "STRIP": "true"}
        ended = subprocess.run(["sh", "-ec", command], cwd=source(), env=environment, capture_output=True, text=True)
        expect(ended.returncode == 0, f"{command} ends with {ended.returncode}: {ended.stderr[-2000:]}")
        expect(sorted(os.listdir(target + "/usr/bin")) == sorted(PROGRAMS), os.listdir(target + "/usr/bin"))
        for path in architecture.built()[1:]:
            expect(read(f"{target}/usr/bin/{os.path.basename(path)}") == read(path), f"{path} is not what was installed")


def tool(folder, name):
    """A recipe's own program: not in PATH, and it keeps how it was called."""
    real = shutil.which(name)
    if not real:
        raise Skipped(f"there is no {name}")
    path = os.path.join(folder, "recipe-" + name)
    kept = shlex.quote(os.path.join(folder, name + ".calls"))
    with open(path, "w") as file:
        file.write(f'#!/bin/sh\necho "$@" >>{kept}\nexec {shlex.quote(real)} "$@"\n')
    os.chmod(path, 0o755)
    return path


@test("purging empties a spool that is a filesystem of its own, and succeeds")
def purged_mount(case):
    ended = purge(case)
    expect(ended.returncode == 0 and not ended.stderr, f"purging ends with {ended.returncode}: {ended.stderr}")
    expect(ended.stdout.split() == ["/var/lib/paraph", "/var/lib/paraph/spool"], f"purging leaves {ended.stdout.split()}")


@test("purging fails with the reason where a signature cannot be removed")
def purged_in_vain(case):
    ended = purge(case, "mount -o remount,ro /var/lib/paraph/spool")
    expect(ended.returncode != 0, "purging succeeds")
    expect("Read-only file system" in ended.stderr, f"purging prints {ended.stderr}")


def purge(case, step="true"):
    """How the package's script ends that purges, in a mount namespace with a spool on a filesystem of its own."""
    script = case.path("postrm")
    with open(script, "wb") as file:
        file.write(read(source("config", "debian", "paraph.postrm")).replace(b"#DEBHELPER#", b""))
    namespace = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if subprocess.run([*namespace, "true"], capture_output=True).returncode:
        raise Skipped("needs a mount namespace: root, or unprivileged user namespaces")
    steps = f"""
        mount -t tmpfs tmpfs /var/lib
        mkdir -p /var/lib/paraph/outbox /var/lib/paraph/spool
        mount -t tmpfs tmpfs /var/lib/paraph/spool
        mkdir -p /var/lib/paraph/spool/new/item /var/lib/paraph/spool/lost+found
        touch /var/lib/paraph/spool/new/item/signature.png /var/lib/paraph/outbox/file
        {step}
        sh "$1" purge
        find /var/lib/paraph
    """
    return subprocess.run([*namespace, "sh", "-ec", steps, "sh", script], capture_output=True, text=True)


@test("each page has every option that the program's help has, of each command, and no other")
def pages(case):
    for name, page in (*((name, f"{name}.8") for name in DAEMONS), ("paraph", "paraph.1")):
        told = set()
        for path in paths(name):
            told |= options(helped(name, *path, "--help"))
        # Of the commands that it tells to call.
        written = options("\n".join(line for line in manual(page).splitlines() if not re.search("udevadm|systemctl", line)))
        expect(told == written, f"{page} and the help of {name} differ by {told ^ written}")


def paths(name, path=()):
    """The commands of a program, as the words behind its name."""
    below = commands(helped(name, *path, "--help"))
    return [path, *(found for command in below for found in paths(name, (*path, command)))]


def helped(name, *arguments):
    return subprocess.run([os.path.join(BUILT, name), *arguments], capture_output=True, text=True, check=True).stdout


def manual(page):
    return read(source("config", "man", page)).decode().replace("\\-", "-")


def options(text):
    return set(re.findall(r"--[a-z][a-z-]*", text))


def commands(text):
    """The subcommands that a help lists."""
    _, _, listed = text.partition("\nCommands:\n")
    return re.findall(r"^  ([a-z-]+) ", listed.partition("\n\n")[0], re.M)
