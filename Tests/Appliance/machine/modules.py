"""Which modules the machine loads, and in what order they can be loaded."""
import lzma
import os
import re
import subprocess

from machine.places import read


def in_load_order(wanted, folder):
    """(name, path) of the modules wanted and of all that they need, what is needed first.

    Read from the modules themselves (`depends=` in .modinfo), as depmod does. A module that is not in the folder is
    built into the kernel, unless it was asked for by name.
    """
    files = dict(found(folder))
    order = {}

    def add(name):
        if name in order or name not in files:
            return
        for needed in depends(files[name]):
            add(needed)
        order[name] = files[name]

    for name in wanted:
        if name not in files and name not in builtin(folder):
            raise LookupError(f"this kernel has no module {name}")
        add(name)
    return list(order.items())


def found(folder):
    """(name, path) of every module below folder; names with _ as the kernel spells them."""
    for place, _, names in os.walk(folder):
        for name in names:
            if match := re.fullmatch(r"(.+)\.ko(\.xz|\.zst)?", name):
                yield match[1].replace("-", "_"), os.path.join(place, name)


def builtin(folder):
    """Names of what is compiled into the kernel."""
    for place, _, names in os.walk(folder):
        if "modules.builtin" in names:
            lines = read(os.path.join(place, "modules.builtin")).decode().split()
            return {os.path.basename(line).split(".ko")[0].replace("-", "_") for line in lines}
    return set()


def depends(path):
    """Names of the modules that this one needs."""
    field = re.search(rb"\0depends=([^\0]*)\0", content(path))
    return [name.replace("-", "_") for name in field[1].decode().split(",") if name] if field else []


def content(path):
    """A module without its compression: the guest's insmod knows none."""
    data = read(path)
    if path.endswith(".xz"):
        return lzma.decompress(data)
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-dcq"], input=data, check=True, capture_output=True).stdout
    return data
