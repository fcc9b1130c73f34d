"""The spool, state, journal and configuration that the packages of version 0.1.0 (8b2c2d4) left behind.
usage: upgrade_test.py PARAPHD [unittest's arguments]"""
import faulthandler
import json
import os
import re
import shutil
import subprocess
import unittest

from pad import Pad
from varlink_test import PARAPHD, Program, Test

HANDOFF = os.path.join(os.path.dirname(PARAPHD), "paraph-handoff")
OLD = os.path.join(os.path.dirname(__file__), "..", "..", "Fixtures", "version-0.1.0")


class Upgrade(Test):
    def taken_over(self, **folders):
        """A pad that is started on folders that the old one left: runtime, spool."""
        pad = self.pad(signs=True)
        pad.end()
        for name, old in folders.items():
            shutil.rmtree(getattr(pad, name))
            shutil.copytree(os.path.join(OLD, old), getattr(pad, name))
        pad.start()
        return pad

    def test_ink_and_request_of_the_old_pad_are_gone_on_with(self):
        pad = self.taken_over(runtime="signing")
        with Program(pad) as program:
            replies = list(program.Sign(_more=True, reference="4711"))
        self.assertEqual([replies[0]["state"], replies[-1]["state"]], ["signing", "saved"])
        ((manifest, _), *_) = pad.items()
        self.assertEqual((manifest["id"], manifest["reference"]), (replies[-1]["signature"]["id"], "4711"))
        # Strokes that the old pad noted, and three of the hand that goes on.
        self.assertGreater(manifest["strokes"], 3)

    def test_a_signature_that_the_old_pad_could_not_reply_is_replied_once(self):
        pad = self.taken_over(runtime="signed/run", spool="signed/spool")
        ((old, _),) = pad.items()
        with Program(pad) as program:
            (reply,) = program.Sign(_more=True, reference=old["reference"])
            self.assertEqual((reply["state"], reply["signature"]["id"]), ("saved", old["id"]))
            *_, new = program.Sign(_more=True, reference="next")
        self.assertEqual(new["state"], "saved")
        self.assertEqual(sorted(manifest["sequence"] for manifest, _ in pad.items()), [1, 2])

    def test_each_sink_goes_on_where_the_old_delivery_stopped(self):
        pad = self.taken_over(spool="spool")
        pad.end()
        waiting = {manifest["id"] for manifest, _ in pad.items()}
        self.assertEqual(len(waiting), 2)
        for sink in ("near", "far"):
            os.mkdir(pad.path(sink))
        with open(pad.path("paraph-handoff.conf"), "w") as configuration:
            configuration.write(f"[spool]\npath = {pad.spool}\n" + "".join(
                f"[sink {sink}]\ntype = directory\npath = {pad.path(sink)}\n" for sink in ("near", "far")))
        command = [HANDOFF, "-c", pad.path("paraph-handoff.conf"), "--once"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(os.listdir(pad.path("near")), [])
        self.assertEqual(set(os.listdir(pad.path("far"))), waiting)
        for name in waiting:
            with open(pad.path("far", name, "signature.json")) as manifest:
                self.assertEqual(json.load(manifest)["id"], name)

    def test_the_old_configuration_files_are_valid_with_each_key_at_its_default_and_set(self):
        folder = self.pad().folder.name
        for program, name in ((PARAPHD, "paraphd.conf"), (HANDOFF, "paraph-handoff.conf")):
            shipped = Pad.text(os.path.join(OLD, name))
            # A key with a value, as an administrator has it who removes the "#" of each line.
            every = re.sub(r"(?m)^#(\[sink [a-z]+\]$|[a-z][a-z0-9-]* = (?=\S))", r"\1", shipped)
            self.assertNotEqual(every, shipped)
            for text in (shipped, every):
                path = os.path.join(folder, name)
                with open(path, "w") as file:
                    file.write(text)
                ended = subprocess.run([program, "-c", path, "--check-config"], capture_output=True, text=True, timeout=60)
                # Warnings are about the machine: it may have no such folder.
                self.assertEqual(ended.returncode, 0, ended.stderr)


if __name__ == "__main__":
    # What never comes must not hold up everything else.
    faulthandler.dump_traceback_later(110, exit=True)
    unittest.main(verbosity=2, warnings="ignore")
