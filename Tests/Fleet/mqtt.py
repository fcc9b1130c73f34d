"""As much of MQTT 5 as it takes to play many pads, and to read what a broker retains."""
import asyncio
import socket
import time


def text(content):
    return len(content).to_bytes(2, "big") + content


def packet(kind, content):
    size, length = len(content), b""
    while True:
        size, rest = divmod(size, 128)
        length += bytes([rest | (0x80 if size else 0)])
        if not size:
            return bytes([kind]) + length + content


def split(data):
    """The whole packets in these bytes, as (type and flags, content), and the rest."""
    packets = []
    while len(data) > 1:
        size, place = 0, 1
        while place < len(data):
            size |= (data[place] & 0x7F) << 7 * (place - 1)
            place += 1
            if data[place - 1] < 0x80:
                break
        else:
            break
        if len(data) < place + size:
            break
        packets.append((data[0], data[place:place + size]))
        data = data[place + size:]
    return packets, data


def connect(client, user, will=None, keep_alive=600, password=None):
    """Without a will, flags say so. `will`: its topic and its text, retained, of QoS 1. `password`: else the user's name."""
    flags = 0xC2 | (0x2C if will else 0)
    content = text(b"MQTT") + b"\x05" + bytes([flags]) + keep_alive.to_bytes(2, "big") + b"\0" + text(client)
    if will:
        content += b"\0" + text(will[0]) + text(will[1])
    return packet(0x10, content + text(user) + text(user if password is None else password))


class Pad(asyncio.Protocol):
    """A client that connects, publishes a retained status, and stays. `done`: when the broker acknowledged it."""

    def __init__(self, name, status, offline):
        self.name, self.status, self.offline = name, status, offline
        self.rest, self.began, self.accepted, self.done, self.ended = b"", time.monotonic(), None, None, None

    def connection_made(self, transport):
        self.transport = transport
        self.topic = b"paraph/" + self.name + b"/status"
        transport.write(connect(b"paraph-" + self.name, b"pads", (self.topic, self.offline)))

    def data_received(self, data):
        packets, self.rest = split(self.rest + data)
        for kind, content in packets:
            if kind == 0x20:
                if content[1]:
                    raise ConnectionError(f"{self.name}: CONNACK {content[1]:#x}")
                self.accepted = time.monotonic()
                # QoS 1, retained.
                self.transport.write(packet(0x33, text(self.topic) + b"\0\1\0" + self.status))
            elif kind == 0x40:
                self.done = time.monotonic()

    def connection_lost(self, _):
        self.ended = time.monotonic()


def retained(port, user, topics, seconds=5):
    """The retained messages that a node sends for these topics: texts by topic."""
    found = {}
    with socket.create_connection(("127.0.0.1", port), seconds) as client:
        client.sendall(connect(b"reader", user))
        filters = b"".join(text(topic) + b"\0" for topic in topics)
        client.sendall(packet(0x82, b"\0\1\0" + filters))
        rest = b""
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end and len(found) < len(topics):
                client.settimeout(max(0.1, end - time.monotonic()))
                data = client.recv(65536)
                if not data:
                    break
                packets, rest = split(rest + data)
                for kind, content in packets:
                    if kind >> 4 == 3 and kind & 1:
                        size = int.from_bytes(content[:2], "big")
                        # Without a packet's id, of QoS 0; its properties are shorter than 128 bytes.
                        found[content[2:2 + size]] = content[3 + size + content[2 + size]:]
        except TimeoutError:
            pass
    return found
