"""A command in the guest, in the background."""
from machine.sentences import until


class Call:
    """Its output, errors and exit status are in the files `name`.out, .err and .status."""

    count = 0

    def __init__(self, control, command, name=None):
        Call.count += 1
        self.control, self.name = control, name or f"/run/call.{Call.count}"
        name = self.name
        control.start(f"{command} >{name}.out 2>{name}.err; echo $? >{name}.status")

    def ended(self, timeout=60):
        """The exit status, once there is one."""
        return int(until(lambda: self.control.so_far(f"{self.name}.status"), f"{self.name} ends", timeout))

    def error(self):
        return self.control.so_far(f"{self.name}.err")
