"""Where things lie. All that is fetched or made is below .build/appliance, so that `rm -r .build` forgets it."""
import contextlib
import fcntl
import os

APPLIANCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.dirname(os.path.dirname(APPLIANCE))
# The host's release of Debian: what is built here is linked with its libraries.
with open("/etc/os-release") as file:
    RELEASE = dict(line.rstrip().split("=", 1) for line in file if "=" in line).get("VERSION_CODENAME", "bookworm")

# The environment of mke2fs and its like, which are in sbin: not everybody has that in PATH.
TOOLS = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}

# Where the programs of this machine are: the release build, or those of the unit tests.
PROGRAMS = os.environ.get("PARAPH_PROGRAMS") or os.path.join(PACKAGE, ".build", "release")

# How many times longer than a test says something may take: a board's processor is emulated by this one's.
PATIENCE = 1 if os.environ.get("ARCHITECTURE") in (None, "", "amd64") else 5

# make soak: as many rounds as the promises name, instead of a few.
IS_SOAK = bool(os.environ.get("PARAPH_SOAK"))


def build(*names):
    """A path below .build/appliance, its folder made."""
    path = os.path.join(PACKAGE, ".build", "appliance", *names)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def source(*names):
    """A file of the project."""
    return os.path.join(PACKAGE, *names)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    """Whole or not at all: a run that is interrupted leaves no half file in the cache."""
    part = f"{path}.{os.getpid()}.part"
    with open(part, "wb") as file:
        file.write(data)
    os.replace(part, path)


@contextlib.contextmanager
def alone(name):
    """Tests run side by side: what fills the cache does it alone."""
    with open(build(name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
