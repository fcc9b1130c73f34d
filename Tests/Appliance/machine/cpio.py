"""The "newc" archive that the kernel unpacks as its first root (Documentation/driver-api/early-userspace)."""
import os
import stat

MAGIC = b"070701"
# What ends an archive; others may follow.
END = "TRAILER!!!"


class Archive:
    """Folders, files, links and device nodes, all owned by root; parents are made as needed."""

    def __init__(self):
        self.parts, self.names = [], set()

    def folder(self, path):
        self.add(path, stat.S_IFDIR | 0o755)

    def file(self, path, data, mode=0o644):
        self.add(path, stat.S_IFREG | mode, data)

    def link(self, path, target):
        self.add(path, stat.S_IFLNK | 0o777, target.encode())

    def device(self, path, major, minor):
        self.add(path, stat.S_IFCHR | 0o600, device=(major, minor))

    def add(self, path, mode, data=b"", device=(0, 0)):
        path = path.strip("/")
        if path in self.names:
            return
        if parent := os.path.dirname(path):
            self.folder(parent)
        self.names.add(path)
        self.record(path, mode, data, device)

    def record(self, path, mode, data=b"", device=(0, 0)):
        name = path.encode() + b"\0"
        inode, owner, group, links, time, check = len(self.names), 0, 0, 1, 0, 0
        fields = (inode, mode, owner, group, links, time, len(data), 0, 0, *device, len(name), check)
        head = MAGIC + b"".join(b"%08X" % field for field in fields) + name
        self.parts += [head, padding(head), data, padding(data)]

    def packed(self):
        """The archive's bytes; nothing can be added afterwards."""
        self.record(END, 0)
        return b"".join(self.parts)


def padding(part):
    return bytes(-len(part) % 4)


def listed(archive):
    """(the names in an archive, what follows it without zeros)."""
    names, at = [], 0
    while not names or names[-1] != END:
        head = archive[at : at + 110]
        if not head.startswith(MAGIC):
            raise ValueError(f"byte {at} of the archive begins with {head[:6]}, after {len(names)} names")
        size, length = (int(head[6 + 8 * field : 14 + 8 * field], 16) for field in (6, 11))
        names.append(archive[at + 110 : at + 109 + length].decode())
        for part in (110 + length, size):
            at += part
            at += -at % 4
    return names[:-1], archive[at:].lstrip(b"\0")
