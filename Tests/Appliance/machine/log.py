"""What the guest writes to its serial console, collected in the background."""
import re
import threading
import time

from machine.places import PATIENCE


class Log:
    """Lines as they come; wait() for one that matches."""

    def __init__(self, socket, said=b""):
        """said: what the log of this machine showed before."""
        self.socket, self.data, self.ended = socket, said, False
        self.changed = threading.Condition()
        threading.Thread(target=self.collect, daemon=True).start()

    def collect(self):
        while not self.ended:
            try:
                data = self.socket.recv(65536)
            except OSError:
                data = b""
            with self.changed:
                self.data += data
                self.ended = not data
                self.changed.notify_all()

    def text(self, after=0):
        return self.data[after:].decode(errors="replace").replace("\r", "")

    def length(self):
        """A place in the log, for wait(after=)."""
        return len(self.data)

    def wait(self, pattern, timeout=60, after=0):
        """The first match of pattern in the log from the place `after`; on a board, timeout is PATIENCE times as long."""
        timeout *= PATIENCE
        expression, end = re.compile(pattern.encode(), re.M), time.monotonic() + timeout
        with self.changed:
            while True:
                if match := expression.search(self.data, after):
                    return match
                if self.ended:
                    raise TimeoutError(f"the machine ended before its log showed {pattern!r}")
                if time.monotonic() > end:
                    raise TimeoutError(f"the log did not show {pattern!r} within {timeout} s")
                self.changed.wait(end - time.monotonic())
