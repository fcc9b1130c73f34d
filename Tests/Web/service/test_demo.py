"""make demo WEB=1: a pad for a browser, until Ctrl-C; and SEAL=1: a sealed and signed item. usage: test_demo.py [unittest's arguments]"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from web import JSON, PARAPHD, PROGRAMS, ROOT, until


class Demo:
    """The demo in a folder of its own, with the programs of the tests; paraphd: a script in place of the pad."""

    def __init__(self, kind="WEB", paraphd=None):
        self.folder = tempfile.TemporaryDirectory(prefix="paraph-demo-")
        for name in (".build/web", "Tests/Fixtures"):
            os.makedirs(os.path.dirname(self.path(name)))
            os.symlink(os.path.join(ROOT, name), self.path(name))
        os.mkdir(self.path(".ci"))
        shutil.copy(os.path.join(ROOT, ".ci", "demo"), self.path(".ci"))
        os.mkdir(self.path("bin"))
        for name in ("paraph", "paraph-handoff", "paraph-web", "paraphd"):
            os.symlink(os.path.join(PROGRAMS, name), self.path(f"bin/{name}"))
        if paraphd:
            os.remove(self.path("bin/paraphd"))
            with open(self.path("bin/paraphd"), "w") as file:
                file.write(paraphd)
            os.chmod(self.path("bin/paraphd"), 0o755)
        environment = {**os.environ, kind: "1", "PARAPH_PROGRAMS": self.path("bin")}
        self.process = subprocess.Popen(
            [self.path(".ci/demo")], env=environment, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)

    def path(self, name=""):
        return os.path.join(self.folder.name, name)

    def address(self):
        """The page's address, which is printed first."""
        line = self.process.stdout.readline()
        found = re.fullmatch(r"page +(http://127\.0\.0\.1:\d+)\n", line)
        assert found, line + self.process.stdout.read()
        return found.group(1)

    def programs(self):
        """The names of its processes that run, by their numbers."""
        found = {}
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(path) as file:
                    number, _, rest = file.read().partition(" (")
            except OSError:
                continue
            name, _, rest = rest.rpartition(") ")
            if rest.split()[2] == str(self.process.pid):
                found[int(number)] = name
        return found

    def interrupt(self):
        """Presses Ctrl-C; the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(30)

    def close(self):
        for number in self.programs():
            os.kill(number, signal.SIGKILL)
        self.process.wait(30)
        self.process.stdout.close()
        self.folder.cleanup()


class Demos(unittest.TestCase):
    def demo(self, kind="WEB", paraphd=None):
        demo = Demo(kind, paraphd)
        self.addCleanup(demo.close)
        return demo

    def test_the_commands_that_open_and_verify_can_be_pasted(self):
        demo = self.demo("SEAL")
        printed, _ = demo.process.communicate(timeout=60)
        self.assertEqual(demo.process.returncode, 0, printed)
        commands = [line.strip() for line in printed.splitlines() if line.startswith("  ")]
        self.assertEqual(len(commands), 6, printed)
        for command in commands:
            subprocess.run(["sh", "-c", command], check=True, capture_output=True, timeout=60)
        opened = demo.path(".build/demo/opened")
        self.assertEqual(sorted(os.listdir(opened)), ["signature.inkml", "signature.svg", "strokes.json"])
        (manifest,) = glob.glob(demo.path(".build/demo/outbox/*/signature.json"))
        with open(manifest, "a") as file:
            file.write(" ")
        for command in commands[-2:]:
            self.assertNotEqual(subprocess.run(["sh", "-c", command], capture_output=True, timeout=60).returncode, 0)

    def test_a_page_gets_the_recorded_signature_and_control_c_ends_everything(self):
        demo = self.demo()
        address = demo.address()
        with urllib.request.urlopen(address) as page:
            self.assertIn(b"paraph-mirror", page.read())
        request = json.dumps({"reference": "4711", "formats": ["strokes"]}).encode()
        with urllib.request.urlopen(urllib.request.Request(address + "/v1/sign", request, JSON), timeout=60) as response:
            result = json.load(response)
        self.assertEqual(result["state"], "saved")
        # All of the recording, wherever in it the hand was when the request came.
        self.assertEqual(len(result["signature"]["strokes"]), 3)
        until(lambda: os.listdir(demo.path(".build/demo/outbox")), "the signature is delivered", 30)
        self.assertEqual(demo.interrupt(), 130)
        self.assertEqual(demo.programs(), {})

    def test_a_second_demo_takes_another_port(self):
        first, second = self.demo(), self.demo()
        addresses = {first.address(), second.address()}
        self.assertEqual(len(addresses), 2)
        for address in addresses:
            with urllib.request.urlopen(address + "/v1/info") as response:
                self.assertEqual(json.load(response)["state"], "idle")

    def test_the_page_is_printed_when_the_pad_answers(self):
        # The pad's socket exists before it listens there: here for a second.
        bound = "import os, socket; socket.socket(socket.AF_UNIX).bind(os.environ['SOCKET'])"
        script = f'#!/bin/sh\nexport SOCKET=$(dirname "$2")/pad\n{sys.executable} -c "{bound}"\nsleep 1\nexec {PARAPHD} "$@"\n'
        address = self.demo(paraphd=script).address()
        with urllib.request.urlopen(address + "/v1/info") as response:
            self.assertEqual(json.load(response)["state"], "idle")

    def test_the_demo_ends_with_a_daemon_and_prints_its_log(self):
        demo = self.demo()
        demo.address()
        (pad,) = (number for number, name in demo.programs().items() if name == "paraphd")
        os.kill(pad, signal.SIGTERM)
        self.assertEqual(demo.process.wait(30), 70)
        self.assertIn("paraph: paraphd ended early:", demo.process.stdout.read())
        self.assertEqual(demo.programs(), {})


if __name__ == "__main__":
    unittest.main()
