"""What a test works with: machines that end with it, and comparisons that leave their pictures behind."""
import os
import subprocess
import tempfile

from machine.difference import Difference
from machine.initramfs import pack
from machine.places import TOOLS
from machine.sentences import Broken, until
from machine.snapshot import boot


class Case:
    def __init__(self, evidence, kernel, programs):
        self.evidence, self.kernel, self.programs = evidence, kernel, programs
        self.machines, self.disks = [], None

    def boot(self, files=(), kernel=None, programs=(), **options):
        """A machine with the product's and other programs in /usr/bin, and files: (path, bytes); kernel: another than the
        stock one."""
        kernel = kernel or self.kernel
        vm = boot(kernel, pack(kernel, [*self.programs, *programs], files), **options)
        self.machines.append(vm)
        return vm

    def program(self, name):
        """The path of another program of this machine's build than those that every guest has."""
        return os.path.join(os.path.dirname(self.programs[0]), name)

    def path(self, kind):
        """The path of a new file that ends with the test."""
        self.disks = self.disks or tempfile.TemporaryDirectory(prefix="appliance-disks-", dir="/var/tmp")
        return os.path.join(self.disks.name, f"{len(os.listdir(self.disks.name))}.{kind}")

    def disk(self, megabytes=64):
        """The path of an empty ext4 filesystem that outlives its machines and ends with the test."""
        path = self.path("img")
        subprocess.run(["mke2fs", "-q", "-t", "ext4", path, f"{megabytes}M"], env=TOOLS, check=True, stdout=subprocess.DEVNULL)
        return path

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

    def soon(self, vm, picture, sentence, timeout=30):
        """The screen becomes this picture. The monitor may be a moment behind the guest."""
        try:
            until(lambda: vm.screen() == picture, sentence, timeout)
        except Broken:
            self.same(vm.screen(), picture, sentence)

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
        if self.disks:
            self.disks.cleanup()
