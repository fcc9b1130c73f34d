"""A disk with a volatile cache: QEMU records every write and flush, and any power cut is made of the record.

The record is that of dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst), which QEMU's blklogwrites
writes: a superblock, then entries of one sector each with their data behind them.
"""
import itertools
import mmap
import os
import struct

FLUSH, DISCARD = 1, 4
ENTRY = struct.Struct("<QQQQ")
# What a disk writes at once or not at all, at the most.
PAGE = 4096


class Entry:
    """A write, or a flush: all that was written before it is on the disk when it has ended."""

    def __init__(self, place, data, flags, end):
        """place: in bytes on the disk; end: how long the record was with this entry."""
        self.place, self.data, self.end = place, data, end
        self.is_flush = bool(flags & FLUSH)


def entries(path):
    """What has been recorded, in order."""
    with open(path, "rb") as file:
        # A record can be larger than memory.
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    (sector,) = struct.unpack_from("<I", data, 24)
    found, offset = [], sector
    while offset + sector <= len(data):
        place, count, flags, _ = ENTRY.unpack_from(data, offset)
        if not (place or count or flags):
            break
        offset += sector
        length = 0 if flags & DISCARD else count * sector
        if offset + length > len(data):
            break
        content = data[offset : offset + length]
        offset += length
        found.append(Entry(place * sector, content, flags, offset))
    return found


class Cut:
    """A power cut: the disk's file is as the cut leaves it, until the generator goes on."""

    def __init__(self, time, dropped):
        """time: how long the record was; dropped: pages that were in the cache and are lost."""
        self.time, self.dropped = time, dropped


# How much of the cache reaches the disk, of one cut after the other.
SHARES = (0, 0.1, 0.5, 0.9)


def cuts(path, recorded, places, chance):
    """Power cuts after the entries of these indices, ascending, of a disk that is, as it began, in the file at path.

    Of what was written since the last flush each page is on the disk or is not, as chance has it; what is written twice
    is never the older in place of the newer one that had arrived. The first cut loses all of it.
    """
    done, cached = 0, []
    with open(path, "r+b", buffering=0) as file:
        disk = file.fileno()
        for place, share in zip(places, itertools.cycle(SHARES)):
            for entry in recorded[done : place + 1]:
                if entry.is_flush:
                    for write in cached:
                        os.pwrite(disk, write.data, write.place)
                    cached = []
                if entry.data:
                    cached.append(entry)
            done = place + 1
            former, dropped = [], 0
            for at, page in pages(cached):
                if chance.random() < share:
                    former.append((at, os.pread(disk, len(page), at)))
                    os.pwrite(disk, page, at)
                else:
                    dropped += 1
            yield Cut(recorded[place].end, dropped)
            for at, page in reversed(former):
                os.pwrite(disk, page, at)


def pages(cached):
    """(place, bytes) of all that is in the cache."""
    for entry in cached:
        for offset in range(0, len(entry.data), PAGE):
            yield entry.place + offset, entry.data[offset : offset + PAGE]


HOLE = 1 << 16


def side_by_side(path, images):
    """Writes disks of one size into one file, with holes where there is nothing."""
    nothing = bytes(HOLE)
    with open(path, "wb") as file:
        for number, image in enumerate(images):
            for offset in range(0, len(image), HOLE):
                part = image[offset : offset + HOLE]
                if part != nothing[: len(part)]:
                    file.seek(number * len(image) + offset)
                    file.write(part)
        file.truncate(max(os.path.getsize(path), len(images) * len(images[0])))
