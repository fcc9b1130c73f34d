"""A disk with a volatile cache: QEMU records every write and flush, and any power cut is made of the record.

The record is that of dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst), which QEMU's blklogwrites
writes: a superblock, then entries of one sector each with their data behind them.
"""
import itertools
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
        data = file.read()
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
    """A power cut: what the disk holds then."""

    def __init__(self, image, time, dropped):
        """time: how long the record was; dropped: pages that were in the cache and are lost."""
        self.image, self.time, self.dropped = image, time, dropped


# How much of the cache reaches the disk, of one cut after the other.
SHARES = (0, 0.1, 0.5, 0.9)


def cuts(path, recorded, places, chance):
    """Power cuts after the entries of these indices, ascending, on a disk that began as the image at path.

    Of what was written since the last flush each page is on the disk or is not, as chance has it; what is written twice
    is never the older in place of the newer one that had arrived. The first cut loses all of it.
    """
    with open(path, "rb") as file:
        disk = bytearray(file.read())
    done, cached = 0, []
    for place, share in zip(places, itertools.cycle(SHARES)):
        for entry in recorded[done : place + 1]:
            if entry.is_flush:
                for write in cached:
                    apply(disk, write.place, write.data)
                cached = []
            if entry.data:
                cached.append(entry)
        done = place + 1
        yield cut(disk, cached, recorded[place].end, chance, share)


def cut(disk, cached, time, chance, share):
    image, dropped = bytearray(disk), 0
    for entry in cached:
        for offset in range(0, len(entry.data), PAGE):
            if chance.random() < share:
                apply(image, entry.place + offset, entry.data[offset : offset + PAGE])
            else:
                dropped += 1
    return Cut(image, time, dropped)


def apply(disk, place, data):
    disk[place : place + len(data)] = data


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
