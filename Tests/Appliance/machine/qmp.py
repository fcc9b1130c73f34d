"""QEMU's own protocol (docs/interop/qmp-spec): pictures of the screen, and the end."""
import json


class QMP:
    def __init__(self, stream):
        self.stream = stream
        json.loads(stream.line(60))  # the greeting
        self.ask("qmp_capabilities")

    def ask(self, command, **arguments):
        """What QEMU returns for a command; events that come between are of no interest here."""
        self.stream.send(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = json.loads(self.stream.line(60))
            if "error" in answer:
                raise RuntimeError(f"QEMU refuses {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]
