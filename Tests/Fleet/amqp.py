"""As much of AMQP 0-9-1 as it takes to receive from a queue."""
import socket
import struct


def short(text):
    return bytes([len(text)]) + text.encode()


def long(content):
    return struct.pack(">I", len(content)) + content


class Channel:
    """A connection of a user, with one channel. Raises ConnectionError if the broker refuses it."""

    def __init__(self, port, user, password, timeout):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.file = self.socket.makefile("rb")
        self.socket.sendall(b"AMQP\0\0\x09\x01")
        self._expect(10, 10)
        self._call(0, 10, 11, long(b"") + short("PLAIN") + long(f"\0{user}\0{password}".encode()) + short("en_US"))
        tuned = self._expect(10, 30)
        channels, frame = struct.unpack_from(">HI", tuned)
        self._call(0, 10, 31, struct.pack(">HIH", channels, frame, 0))
        self._call(0, 10, 40, short("/") + short("") + b"\0")
        self._expect(10, 41)
        self._call(1, 20, 10, short(""))
        self._expect(20, 11)

    def declare(self, queue):
        """A durable queue. Raises ConnectionError if the user may not."""
        self._call(1, 50, 10, b"\0\0" + short(queue) + b"\2" + long(b""))
        self._expect(50, 11)

    def _call(self, channel, group, method, arguments):
        content = struct.pack(">HH", group, method) + arguments
        self.socket.sendall(struct.pack(">BHI", 1, channel, len(content)) + content + b"\xce")

    def _frame(self):
        while True:
            head = self.file.read(7)
            if len(head) < 7:
                raise ConnectionError("the broker closed the connection")
            kind, _, size = struct.unpack(">BHI", head)
            content = self.file.read(size + 1)[:-1]
            if kind != 8:
                return kind, content

    def _expect(self, group, method):
        kind, content = self._frame()
        if kind != 1 or struct.unpack_from(">HH", content) != (group, method):
            raise ConnectionError(f"not the method {group}.{method}: {content[:200]}")
        return content[4:]

    def end(self):
        """Without waiting for the broker."""
        self.file.close()
        self.socket.close()


class Consumer(Channel):
    """Messages of a queue, acknowledged in groups."""

    def __init__(self, port, queue, user, password, timeout):
        super().__init__(port, user, password, timeout)
        self._call(1, 60, 10, struct.pack(">IHB", 0, 500, 0))
        self._expect(60, 11)
        self._call(1, 60, 20, b"\0\0" + short(queue) + short("") + b"\0" + long(b""))
        self._expect(60, 21)
        self.tag = self.unacknowledged = 0

    def receive(self):
        """The next message: its routing key and its body. Raises TimeoutError if none comes."""
        try:
            content = self._expect(60, 60)
        except TimeoutError:
            self.acknowledge()
            raise
        place = 1 + content[0]
        self.tag = struct.unpack_from(">Q", content, place)[0]
        place += 9
        place += 1 + content[place]
        key = content[place + 1:place + 1 + content[place]].decode()
        size = struct.unpack_from(">Q", self._frame()[1], 4)[0]
        body = b""
        while len(body) < size:
            body += self._frame()[1]
        self.unacknowledged += 1
        if self.unacknowledged >= 200:
            self.acknowledge()
        return key, body

    def acknowledge(self):
        if self.unacknowledged:
            self._call(1, 60, 80, struct.pack(">QB", self.tag, 1))
            self.unacknowledged = 0

    def close(self):
        self.acknowledge()
        self._call(0, 10, 50, struct.pack(">H", 200) + short("") + struct.pack(">HH", 0, 0))
        try:
            while self._frame()[1][:4] != struct.pack(">HH", 10, 51):
                pass
        except OSError:
            pass
        self.socket.close()
