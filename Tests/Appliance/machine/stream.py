"""A socket to the guest or to QEMU, read by lines and up to a mark, against a deadline."""
import time

from machine.places import PATIENCE


class Stream:
    """Requests and answers over one socket. A peer that ends is an error, and so is one that is silent for `timeout`
    seconds, on a board PATIENCE times as long."""

    def __init__(self, name, socket):
        self.name, self.socket, self.pending = name, socket, b""

    def send(self, data):
        self.socket.settimeout(None)
        self.socket.sendall(data)

    def line(self, timeout):
        """The next line, without its end."""
        timeout *= PATIENCE
        end = time.monotonic() + timeout
        while b"\n" not in self.pending:
            self.receive(end, timeout)
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode(errors="replace").rstrip("\r")

    def until(self, mark, timeout):
        """What comes before a mark, which is the last that comes."""
        timeout *= PATIENCE
        end = time.monotonic() + timeout
        while not self.pending.endswith(mark):
            self.receive(end, timeout)
        data, self.pending = self.pending[: -len(mark)], b""
        return data

    def receive(self, end, timeout):
        remaining = end - time.monotonic()
        try:
            if remaining <= 0:
                raise TimeoutError
            self.socket.settimeout(remaining)
            data = self.socket.recv(1 << 20)
        except TimeoutError:
            raise TimeoutError(f"{self.name} did not answer within {timeout} s") from None
        if not data:
            raise ConnectionError(f"{self.name} has ended")
        self.pending += data
