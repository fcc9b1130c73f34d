"""What a test works with: machines that end with it, and comparisons that leave their pictures behind."""
from machine.difference import Difference
from machine.initramfs import pack
from machine.sentences import Broken
from machine.vm import VM


class Case:
    def __init__(self, evidence, kernel, programs):
        self.evidence, self.kernel, self.programs, self.machines = evidence, kernel, programs, []

    def boot(self, files=(), **options):
        """A machine with the programs in /usr/bin, and files: (path, bytes)."""
        vm = VM(self.kernel, pack(self.kernel, self.programs, files), **options)
        self.machines.append(vm)
        return vm

    def same(self, one, other, sentence, count=0, maximum=0):
        """The pictures agree, but for `count` pixels at most that differ by `maximum` at most."""
        difference = Difference(one, other)
        if difference.count == 0 or difference.count <= count and difference.maximum <= maximum:
            return
        self.evidence.picture("one", one)
        self.evidence.picture("other", other)
        if difference.same_size:
            self.evidence.picture("difference", difference.picture())
        raise Broken(f"{sentence}: {difference}")

    def testify(self):
        """Keep the log and the screen of each machine. What is broken already must not hide why the test failed."""
        for number, vm in enumerate(self.machines):
            prefix = f"{number}-" if len(self.machines) > 1 else ""
            self.evidence.text(prefix + "log", vm.log.text())
            self.evidence.text(prefix + "qemu", vm.said())
            try:
                self.evidence.picture(prefix + "screen", vm.screen())
            except (OSError, RuntimeError, ValueError) as error:
                self.evidence.text(prefix + "no-screen", f"{error}\n")

    def end(self):
        for vm in self.machines:
            vm.kill()
