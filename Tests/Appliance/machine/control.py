"""Commands in the guest, and files into it and out of it, through the port that control.sh listens on."""
import os
import shlex


class Failed(Exception):
    """A command in the guest that ended with another status than 0."""


class Control:
    def __init__(self, stream):
        self.stream, self.number = stream, 0

    def status(self, script, data=b"", timeout=60):
        """(exit status, output) of a shell script; data is its standard input."""
        self.number += 1
        script = script.rstrip("\n").encode() + b"\n"
        # Nothing that a script writes can be taken for the end of its answer.
        mark = os.urandom(8).hex()
        head = f"{self.number} {script.count(10)} {len(data)} {mark}\n"
        self.stream.send(head.encode() + script + data)
        output = self.stream.until(f" {mark}\n".encode(), timeout)
        output, _, end = output.rpartition(b"\n")
        number, status = end.split()
        if int(number) != self.number:
            raise ConnectionError(f"answer {int(number)} came for request {self.number}")
        return int(status), output

    def run(self, script, data=b"", timeout=60):
        """The output of a script that must succeed, as bytes."""
        status, output = self.status(script, data, timeout)
        if status:
            raise Failed(f"{script!r} ended with {status}: {output.decode(errors='replace').strip()}")
        return output

    def start(self, script):
        """Leaves a script running in the background, with no output but what it directs elsewhere: that of anything that
        runs on would be in a later answer."""
        self.run(f"({script}) </dev/null >/dev/null 2>&1 &")

    def text(self, script, timeout=60):
        return self.run(script, timeout=timeout).decode(errors="replace").strip()

    def so_far(self, path):
        """What a script in the background has written to a file, which may not be there yet."""
        return self.text(f"cat {shlex.quote(path)} 2>/dev/null || true")

    def push(self, path, data):
        """Write a file of the guest, its folder made."""
        if isinstance(data, str):
            data = data.encode()
        path = shlex.quote(path)
        self.run(f"mkdir -p $(dirname {path}) && cat >{path}", data)

    def pull(self, path):
        """The bytes of a file of the guest."""
        return self.run(f"cat {shlex.quote(path)}")

    def has_open(self, path):
        """Whether a process of the guest has the file or device open."""
        return self.status(f"ls -l /proc/[0-9]*/fd 2>/dev/null | grep -q -- '-> {path}$'")[0] == 0
