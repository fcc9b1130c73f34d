"""apt: the host's, or one that knows another release or architecture and has its state below .build, so that the host's
stays untouched. What was taken once is recorded with the SHA-256 of apt's signed index, and taken again without asking."""
import functools
import hashlib
import os
import re
import subprocess
import tempfile

from machine.places import build, read, write

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


class Apt:
    """release, architecture, component: the only ones that it knows; None: the host's own apt."""

    def __init__(self, release=None, architecture=None, component="main"):
        self.release, self.architecture, self.component = release, architecture, component

    @functools.cached_property
    def environment(self):
        """Of its commands."""
        if not self.release:
            return None
        place = os.path.dirname(build("apt", f"{self.release}-{self.architecture}-{self.component}", "apt.conf"))
        parts = ("preferences.d", "sources.list.d", "apt.conf.d")
        for folder in ("state/lists/partial", "cache/archives/partial", *(f"etc/{part}" for part in parts)):
            os.makedirs(os.path.join(place, folder), exist_ok=True)
        source = f"deb [signed-by={KEYRING}] {mirror()} {self.release} {self.component}\n"
        write(os.path.join(place, "etc/sources.list"), source.encode())
        write(os.path.join(place, "status"), b"")
        folders = {"Dir::State": "state", "Dir::State::status": "status", "Dir::Cache": "cache", "Dir::Etc": "etc"}
        settings = {name: f"{place}/{value}" for name, value in folders.items()}
        settings |= {"APT::Architecture": self.architecture, "Acquire::Languages": "none", "APT::Sandbox::User": "root"}
        lines = [f'{name} "{value}";\n' for name, value in settings.items()]
        write(os.path.join(place, "apt.conf"), "".join([*lines, accepted()]).encode())
        return {**os.environ, "APT_CONFIG": os.path.join(place, "apt.conf")}

    def call(self, *command, **options):
        return subprocess.run(command, env=self.environment, text=True, **options)

    def update(self):
        """Fetches its lists; the host looks after its own."""
        if self.release and self.call("apt-get", "-qq", "update").returncode:
            raise RuntimeError(f"no package list of {self.release}, {self.architecture}: is there a network?")

    def depends(self, package, pattern):
        """Names of what the package depends on, those that match."""
        told = self.call("apt-cache", "depends", package, stdout=subprocess.PIPE).stdout
        return re.findall(rf"^  Depends: ({pattern})$", told, re.M)

    def describe(self, package, version=None):
        """The line "package version sha256" of what the archive has now, or has of this version."""
        wanted = f"{package}={version}" if version else package
        shown = self.call("apt-cache", "show", "--no-all-versions", wanted, stdout=subprocess.PIPE).stdout
        found = [re.search(rf"^{field}: (\S+)", shown, re.M) for field in ("Version", "SHA256")]
        if None in found:
            raise RuntimeError(f"apt knows no {wanted}: run apt-get update, and see that main is among the sources")
        return " ".join([package, *(match[1] for match in found)])

    def fetch(self, line):
        """The path of the package that such a line describes, downloaded unless it is there."""
        package, version, sha256 = line.split()
        kept = build("packages", f"{package}_{sha256[:16]}.deb")
        if not os.path.exists(kept):
            print(f"fetching {package} {version}", flush=True)
            # apt drops its rights to _apt for downloads and warns where that user may not write: the folder is ours alone.
            with tempfile.TemporaryDirectory(dir=os.path.dirname(kept)) as folder:
                command = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", f"{package}={version}"]
                if self.call(*command, cwd=folder).returncode:
                    advice = "where the archive has moved on, run with KERNEL=newest"
                    raise RuntimeError(f"could not fetch {package} {version}: {advice}")
                (name,) = os.listdir(folder)
                os.replace(os.path.join(folder, name), kept)
        if hashlib.sha256(read(kept)).hexdigest() != sha256:
            os.remove(kept)
            raise RuntimeError(f"{package} {version} is not the file with SHA-256 {sha256}: removed; run again")
        return kept


def accepted():
    """What the host takes from its mirror, as lines of a configuration: lists of one that stands still are out of date."""
    command = ["apt-config", "dump", "--format", '%F "%v";%n', "Acquire::Check-Valid-Until", "Acquire::Check-Date"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout


def mirror():
    """Where the host has Debian from."""
    told = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)"], stdout=subprocess.PIPE, text=True).stdout
    return next((uri for uri in told.split() if uri.rstrip("/").endswith("/debian")), "http://deb.debian.org/debian")


def pinned(name, newest):
    """The lines recorded under that name; newest() gives those of the archive the first time, and with KERNEL=newest."""
    path = build(name + ".pin")
    if not os.path.exists(path) or os.environ.get("KERNEL") == "newest":
        write(path, "\n".join(newest()).encode())
    return read(path).decode().splitlines()
