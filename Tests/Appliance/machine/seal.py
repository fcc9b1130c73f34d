"""Keys of a recipient and of a pad, by openssl, which opens and verifies what a guest has sealed and signed."""
import hashlib
import mmap
import os
import subprocess

from machine.places import read, write
from machine.sentences import expect

INK = ("strokes.json", "signature.svg", "signature.inkml")
# Where paraphd.conf of the tests has them.
FOLDER = "/etc/paraph"
NAMES = ("recipient.pem", "pad.pem", "pad.key")


class Keys:
    """opened: the digests of all items that were opened and verified."""

    def __init__(self, case):
        self.folder = case.path("keys")
        os.mkdir(self.folder)
        self.opened, self.plain = set(), set()
        for name, kind in (("recipient", ["rsa:2048"]), ("pad", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])):
            self.openssl(
                "req", "-x509", "-newkey", *kind, "-nodes", "-days", "3650", "-subj", f"/CN={name}", "-keyout",
                self.path(f"{name}.key"), "-out", self.path(f"{name}.pem"),
            )

    def path(self, name):
        return os.path.join(self.folder, name)

    def openssl(self, *words):
        done = subprocess.run(["openssl", *words], capture_output=True)
        expect(done.returncode == 0, f"openssl {words[0]} {words[1]}: {done.stderr.decode()}")
        return done.stdout

    def push(self, control):
        """Gives the guest what a pad has: not the recipient's key."""
        for name in NAMES:
            control.push(f"{FOLDER}/{name}", read(self.path(name)))
        control.run(f"chmod 600 {FOLDER}/pad.key")

    def check(self, item, name):
        """The item is sealed and signed: all of its ink and no plain one, by the commands of config/sealing.md."""
        wanted = {"signature.json", "signature.json.p7s", "signature.png", *(f"{file}.cms" for file in INK)}
        expect(set(item.files) == wanted, f"{name}: {item.name} has {sorted(item.files)}")
        digest = hashlib.sha256(b"".join(hashlib.sha256(item.files[file]).digest() for file in sorted(wanted))).digest()
        if digest in self.opened:
            return
        for file, data in item.files.items():
            write(self.path(file), data)
        manifest, signature = self.path("signature.json"), self.path("signature.json.p7s")
        self.openssl(
            "cms", "-verify", "-inform", "DER", "-binary", "-in", signature, "-content", manifest, "-certfile",
            self.path("pad.pem"), "-nointern", "-noverify", "-out", "/dev/null",
        )
        for file in INK:
            content = self.decrypted(item, file)
            expect(len(content) > 200, f"{name}: {item.name} has {len(content)} bytes of {file}")
            # Its beginning, and a part with the hand's movement that no other signature has.
            self.plain |= {content[:24], content[len(content) // 2 :][:24]}
        self.opened.add(digest)

    def decrypted(self, item, file):
        path = self.path(f"{file}.cms")
        write(path, item.files[f"{file}.cms"])
        return self.openssl(
            "cms", "-decrypt", "-inform", "DER", "-binary", "-in", path, "-inkey", self.path("recipient.key"), "-recip",
            self.path("recipient.pem"),
        )

    def with_ink(self, item):
        """The item with its opened ink beside the sealed."""
        item.files |= {file: self.decrypted(item, file) for file in INK}
        return item

    def check_absence(self, path):
        """Nothing of the ink that was opened is anywhere in the file, where all that a disk got is recorded."""
        expect(len(self.plain) > 2 * len(INK), f"only {len(self.plain)} parts of ink are known")
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as record:
            # What is written plainly is found.
            expect(record.find(b'"sequence"') >= 0, "the record has no manifest")
            for part in self.plain:
                expect(record.find(part) < 0, f"unsealed ink was written to the disk: {part}")
