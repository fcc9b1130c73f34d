"""PNG by zlib alone: enough to keep a picture of the screen, and to read a page back without the library that wrote it."""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPE = {1: 0, 3: 2}  # channels: grey, truecolour


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode(width, height, channels, samples, level=1):
    """A PNG of 8-bit samples, rows from the top, without filters."""
    step = width * channels
    rows = b"".join(b"\0" + samples[at : at + step] for at in range(0, height * step, step))
    header = struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPE[channels], 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, level)) + chunk(b"IEND", b"")


def chunks(data):
    """(kind, content) of each chunk; a wrong check sum or a missing end is an error."""
    if not data.startswith(SIGNATURE):
        raise ValueError("no PNG")
    at, kind = len(SIGNATURE), b""
    while kind != b"IEND":
        if len(data) < at + 12:
            raise ValueError("the PNG ends before its IEND")
        length, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + length]
        if chunk(kind, content) != data[at : at + 12 + length]:
            raise ValueError(f"the PNG's {kind.decode()} is damaged")
        yield kind, content
        at += 12 + length


def decode(data):
    """(width, height, channels, samples) of a PNG with 8-bit grey or RGB samples that is not interlaced."""
    parts = list(chunks(data))
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", dict(parts)[b"IHDR"])
    channels = {kind: count for count, kind in COLOUR_TYPE.items()}.get(colour)
    if depth != 8 or channels is None or interlaced:
        raise ValueError(f"a PNG of depth {depth}, colour type {colour}, interlace {interlaced} is not read here")
    packed = b"".join(content for kind, content in parts if kind == b"IDAT")
    return width, height, channels, unfiltered(zlib.decompress(packed), width * channels, channels)


def unfiltered(rows, step, distance):
    """The samples of rows that each begin with their filter (PNG specification, section 9)."""
    above, samples = bytearray(step), bytearray()
    for at in range(0, len(rows), step + 1):
        row = bytearray(rows[at + 1 : at + 1 + step])
        if filter := rows[at]:
            undo(filter, row, above, distance)
        samples += row
        above = row
    return samples


def undo(filter, row, above, distance):
    """Each filter by itself: a picture of the screen is a million of these steps."""
    if filter == 1:
        for at in range(distance, len(row)):
            row[at] = row[at] + row[at - distance] & 0xFF
    elif filter == 2:
        row[:] = bytes([value + upper & 0xFF for value, upper in zip(row, above)])
    elif filter == 3:
        for at, upper in enumerate(above):
            left = row[at - distance] if at >= distance else 0
            row[at] = row[at] + (left + upper) // 2 & 0xFF
    else:
        undo_paeth(row, above, distance)


def undo_paeth(row, above, distance):
    for at, upper in enumerate(above):
        left, corner = (row[at - distance], above[at - distance]) if at >= distance else (0, 0)
        # How far each of the three is from left + upper - corner.
        from_left, from_upper = abs(upper - corner), abs(left - corner)
        from_corner = abs(left + upper - 2 * corner)
        if from_left <= from_upper and from_left <= from_corner:
            nearest = left
        else:
            nearest = upper if from_upper <= from_corner else corner
        row[at] = row[at] + nearest & 0xFF
