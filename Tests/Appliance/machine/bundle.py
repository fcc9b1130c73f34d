"""Updates for a card, and the USB stick that they are on."""
import os
import shutil
import subprocess

from machine.card import CARD, ROOT, built
from machine.places import TOOLS, alone, write


def stick(case, bundles):
    """The image of a USB stick with these files: (name, path)."""
    path = case.path("stick")
    size = sum(os.path.getsize(bundle) for _, bundle in bundles) + (64 << 20)
    subprocess.run(["mkfs.vfat", "-F", "32", "-C", path, str(size >> 10)], env=TOOLS, check=True, stdout=subprocess.DEVNULL)
    for name, bundle in bundles:
        subprocess.run(["mcopy", "-i", path, bundle, f"::{name}"], check=True)
    return path


def bundle(folder, root, board="virt", version="9.9", keys=os.path.join(CARD, "test-key")):
    """The path of an update, made in a new folder; keys: a folder with the key and the certificate that sign it."""
    os.makedirs(folder)
    content, path = os.path.join(folder, "content"), os.path.join(folder, f"paraph-{board}-{version}.raucb")
    os.makedirs(content)
    os.link(root, os.path.join(content, "root.ext4"))
    manifest = f"[update]\ncompatible=paraph-{board}\nversion={version}\n\n[bundle]\nformat=verity\n\n"
    write(os.path.join(content, "manifest.raucm"), (manifest + "[image.rootfs]\nfilename=root.ext4\n").encode())
    command = ["rauc", "bundle", f"--cert={keys}/certificate", f"--key={keys}/key", "--mksquashfs-args=-comp zstd", content, path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path


def next_update():
    """The path of an update to a later version with the card's own root, made once."""
    built("virt")
    folder = os.path.join(CARD, f"next-{os.stat(ROOT).st_mtime_ns}")
    path = os.path.join(folder, "paraph-virt-9.9.raucb")
    with alone("card-next"):
        if not os.path.exists(path):
            for name in os.listdir(CARD):
                if name.startswith("next-"):
                    shutil.rmtree(os.path.join(CARD, name))
            bundle(folder, ROOT)
    return path
