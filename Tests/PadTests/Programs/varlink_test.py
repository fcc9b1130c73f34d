"""The pad as programs meet it, by the varlink package: usage: varlink_test.py PARAPHD [unittest's arguments]."""
import base64
import faulthandler
import glob
import hashlib
import json
import os
import random
import re
import select
import socket
import struct
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import varlink

import parallel
from pad import Pad, until

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "..", "Appliance"))

from machine import png  # noqa: E402

PARAPHD = sys.argv.pop(1)
TOOL = os.path.join(os.path.dirname(PARAPHD), "paraph")
INTERFACE = "org.paraph.Pad"
# A sanitizer has memory of its own.
SANITIZED = "PARAPH_SANITIZER" in os.environ


class Program:
    """A client with a connection of its own."""

    def __init__(self, pad):
        self.client = varlink.Client.new_with_address("unix:" + pad.socket)
        self.pad = self.client.open(INTERFACE)

    def __enter__(self):
        return self.pad

    def __exit__(self, *_):
        self.pad.close()
        self.client.cleanup()


class Watcher(threading.Thread):
    """All that a pad says of its states, from when it is made."""

    def __init__(self, pad, **wishes):
        super().__init__(daemon=True)
        self.replies, self.program = [], Program(pad)
        self.stream = self.program.pad.Watch(_more=True, **wishes)
        self.replies.append(next(self.stream))
        self.start()

    def run(self):
        try:
            for reply in self.stream:
                self.replies.append(reply)
        except (varlink.ConnectionError, OSError, ValueError):
            pass

    @property
    def states(self):
        return [reply["state"] for reply in self.replies if not reply.get("ink")]

    def wait(self, *states):
        """Until these states have followed one another."""
        def followed():
            told = self.states
            return any(tuple(told[i:i + len(states)]) == states for i in range(len(told)))

        until(followed, f"{states}")


class Test(unittest.TestCase):
    def pad(self, **wishes):
        pad = Pad(PARAPHD, **wishes)
        self.addCleanup(pad.close)
        return pad

    def refused(self, name, call, **wishes):
        with self.assertRaises(varlink.VarlinkError) as caught:
            call(**wishes)
        self.assertEqual(caught.exception.error(), name)
        return caught.exception.parameters() or {}

    def asking(self, pad, **wishes):
        """A request that is open: its program and its replies."""
        program = Program(pad)
        replies = program.pad.Sign(_more=True, **wishes)
        self.assertEqual(next(replies)["state"], "invited")
        return program, replies


class Quiet(Test):
    """Nobody is in front of the pad."""

    @classmethod
    def setUpClass(cls):
        cls.one = Pad(PARAPHD, control="mode = 0666\nwatch-strokes = no")

    @classmethod
    def tearDownClass(cls):
        cls.one.close()

    def test_the_shipped_interface_is_the_one_that_the_pad_describes(self):
        client = varlink.Client.new_with_address("unix:" + self.one.socket)
        described = client.get_interface(INTERFACE).get_description()
        shipped = os.path.join(os.path.dirname(__file__), "..", "..", "..", "config", "org.paraph.Pad.varlink")
        self.assertEqual(described.strip(), Pad.text(shipped).strip())
        self.assertIn(INTERFACE, client.get_interfaces())
        client.cleanup()

    def test_it_says_what_it_is(self):
        with Program(self.one) as pad:
            info = until(lambda: (told := pad.GetInfo())["state"] == "idle" and told, "the pad rests")
        self.assertEqual((info["panel"]["width"], info["panel"]["height"]), (512, 286))
        self.assertAlmostEqual(info["panel"]["width_mm"], 154, delta=0.5)

    def test_a_second_request_is_busy_and_either_program_can_cancel(self):
        program, replies = self.asking(self.one, reference="4711", cancellable=True)
        with Program(self.one) as other:
            self.refused(INTERFACE + ".Busy", other.Sign)
            self.refused(INTERFACE + ".Busy", other.Show, text="hello")
            self.refused(INTERFACE + ".NoRequest", other.Cancel, reference="4712")
            other.Cancel(reference="4711")
        last = list(replies)[-1]
        self.assertEqual((last["state"], last["cancelled_by"]), ("cancelled", "program"))
        with Program(self.one) as other:
            self.refused(INTERFACE + ".NoRequest", other.Cancel)
        program.__exit__()

    def test_nobody_signs_in_time(self):
        with Program(self.one) as pad:
            states = [reply["state"] for reply in pad.Sign(_more=True, time_limit=0.3)]
            self.assertEqual(states, ["invited", "timed_out"])
            # Without "more" there is one answer.
            self.assertEqual(pad.Sign(time_limit=0.1)["state"], "timed_out")

    def test_a_program_that_goes_away_cancels_its_request(self):
        watcher = Watcher(self.one)
        program, _ = self.asking(self.one)
        program.__exit__()
        watcher.wait("invited", "cancelled", "idle")

    def test_a_message_is_shown_for_its_time(self):
        watcher = Watcher(self.one)
        with Program(self.one) as pad:
            self.assertEqual(pad.Show(title="Fach 7", text="Bitte schließen", time_limit=0.2), {"acknowledged": False})
        watcher.wait("message", "idle")

    def test_a_question_ends_in_time_or_with_its_program(self):
        question = {"title": "Parcel 7", "text": "Which door?", "choices": ["Front", "Back"]}
        watcher = Watcher(self.one)
        with Program(self.one) as pad, Program(self.one) as other:
            self.assertEqual(pad.Ask(time_limit=0.2, **question), {"outcome": "timed_out"})
            watcher.wait("question", "timed_out")
            threading.Thread(target=lambda: (Watcher(self.one).wait("question"), other.Cancel())).start()
            self.assertEqual(pad.Ask(**question), {"outcome": "cancelled", "cancelled_by": "program"})

        def answer(choices):
            call = {"method": INTERFACE + ".Ask", "parameters": {"text": "x", "choices": choices}}
            return raw(self.one, json.dumps(call).encode() + b"\0")["parameters"]

        for choices in ([], ["a"], ["a", "b", "c", "d", "e"], ["a", " "], ["a", "\u200b"], ["a", "b" * 201]):
            self.assertEqual(answer(choices), {"parameter": "choices"})
        long = answer(["a", "word " * 40])
        self.assertEqual(long["parameter"], "choices")
        self.assertGreater(long["limit"], 20)

    def test_a_screenshot_is_what_the_glass_shows(self):
        def screenshot(pad):
            return base64.b64decode(pad.Screenshot()["png"])

        with Program(self.one) as pad, Program(self.one) as other:
            until(lambda: pad.GetInfo()["state"] == "idle", "the pad rests")
            idle = screenshot(pad)
            self.assertEqual((idle[:8], idle[16:24]), (b"\x89PNG\r\n\x1a\n", struct.pack(">II", 512, 286)))
            self.assertEqual(screenshot(other), idle)
            program, _ = self.asking(self.one, title="Parcel 7")
            asked = screenshot(pad)
            self.assertNotEqual(asked, idle)
            program.__exit__()
            until(lambda: pad.GetInfo()["state"] == "idle", "the pad rests")
            # The message has gone from the glass.
            until(lambda: screenshot(pad) == idle, "the first picture")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pad.png")
            subprocess.run([TOOL, "screenshot", "--socket", self.one.socket, "-o", path], check=True)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), idle)

    def test_a_page_that_cannot_be_compressed_leaves_the_pad_small(self):
        def held():
            status = Pad.text(f"/proc/{self.one.pid}/status")
            return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024

        width, height = 512, 4096
        page = png.encode(width, height, 3, random.Random(1).randbytes(3 * width * height))
        self.assertGreater(len(page), 6 << 20)
        with Program(self.one) as pad, Program(self.one) as other:
            until(lambda: other.GetInfo()["state"] == "idle", "the pad rests")
            before = held()
            for offset in range(0, len(page), 24000):
                data = base64.b64encode(page[offset:offset + 24000]).decode()
                pad.PutPage(document="noise", number=1, offset=offset, data=data)
            digest = hashlib.sha256(page).hexdigest()
            document = {"id": "noise", "name": "noise.png", "digest": digest, "pages": 1}
            replies = pad.Sign(_more=True, document=document)
            self.assertEqual(next(replies)["state"], "reading")
            until(lambda: len(base64.b64decode(other.Screenshot()["png"])) > 300_000, "the page is shown")
            if not SANITIZED:
                self.assertLess(held() - before, 4)

    def test_notes_of_a_file_are_on_the_waiting_pad_while_it_has_them(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "notes")
            pad = self.pad(pad=f"[text]\nnotes = {path}")
            with Program(pad) as program:
                def shows(picture):
                    return base64.b64decode(program.Screenshot()["png"]) == picture

                until(lambda: program.GetInfo()["state"] == "idle", "the pad rests")
                plain = base64.b64decode(program.Screenshot()["png"])
                with open(path, "w") as notes:
                    notes.write("locker-7: 192.168.1.20\n")
                until(lambda: not shows(plain), "the note is on the glass")
                os.remove(path)
                until(lambda: shows(plain), "the note is gone")

    def test_slides_are_shown_in_turn_while_nobody_asks(self):
        def picture(path, *colour):
            with open(path + ".new", "wb") as file:
                file.write(png.encode(16, 9, 3, bytes(colour) * (16 * 9)))
            os.rename(path + ".new", path)

        def colour_at_edge(program):
            width, _, channels, samples = png.decode(base64.b64decode(program.Screenshot()["png"]))
            # Near the upper edge, where a request has nothing but the ground.
            place = channels * (2 * width + 200)
            return tuple(samples[place:place + channels])

        with tempfile.TemporaryDirectory() as folder:
            picture(os.path.join(folder, "1.png"), 200, 0, 0)
            with open(os.path.join(folder, "2.png"), "w") as file:
                file.write("no picture")
            picture(os.path.join(folder, "3.png"), 0, 0, 200)
            pad = self.pad(pad=f"slides = {folder}\nslide-time = 1s")
            with Program(pad) as program, Program(pad) as other:
                until(lambda: colour_at_edge(program) == (200, 0, 0), "the first picture")
                until(lambda: colour_at_edge(program) == (0, 0, 200), "the second picture")
                until(lambda: colour_at_edge(program) == (200, 0, 0), "the first picture again")
                replies = other.Sign(_more=True, reference="4711")
                self.assertEqual(next(replies)["state"], "invited")
                self.assertEqual(colour_at_edge(program), (255, 255, 255))
                program.Cancel()
                picture(os.path.join(folder, "4.png"), 0, 200, 0)
                until(lambda: colour_at_edge(program) == (0, 200, 0), "the picture that came")
            log = Pad.text(pad.log)
            self.assertEqual(log.count("2.png"), 1, log)

    def test_wrong_calls_are_named_errors(self):
        service = "org.varlink.service."
        for wishes in ({"time_limit": -1}, {"formats": ["gif"]}, {"language": "x" * 100}, {"colour": "red"}):
            call = json.dumps({"method": INTERFACE + ".Sign", "parameters": wishes}).encode()
            reply = raw(self.one, call + b"\0")
            self.assertEqual(reply["error"], service + "InvalidParameter")
            self.assertEqual([reply["parameters"]["parameter"]], list(wishes))
        with Program(self.one) as pad:
            self.refused(INTERFACE + ".NoSuchSignature", pad.GetSignature, id="0190c8a4")
            self.refused(INTERFACE + ".StrokesNotAllowed", lambda: next(pad.Watch(_more=True, strokes=True)))
        for method, name in (("org.paraph.Pad.Nothing", "MethodNotFound"), ("org.nobody.X", "InterfaceNotFound")):
            self.assertEqual(raw(self.one, b'{"method":"%s"}\0' % method.encode())["error"], service + name)

    def test_hostile_programs_are_bounded_and_the_next_one_is_served(self):
        chance = random.Random(5)
        before = memory(self.one)
        connections = []
        for number in range(1000):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(self.one.socket)
            try:
                connection.send([chance.randbytes(300), b'{"method":', b"a" * 4096, b"\0" * 50][number % 4])
            except OSError:
                pass
            connections.append(connection)
        endless = socket.socket(socket.AF_UNIX)
        endless.connect(self.one.socket)
        with self.assertRaises(OSError):
            for _ in range(1000):
                endless.sendall(b"x" * 65536)
        with Program(self.one) as pad:
            self.assertEqual(pad.Sign(time_limit=0.1)["state"], "timed_out")
        # 128 connections of one message each, and what the allocator keeps of it.
        if not SANITIZED:
            self.assertLess(memory(self.one) - before, 32 << 20)
        self.assertLess(len(glob.glob(f"/proc/{self.one.process.pid}/fd/*")), 200)
        for connection in connections:
            connection.close()

    def test_SIGTERM_cancels_a_request_that_nothing_keeps(self):
        pad = self.pad(keeps=False)
        program, replies = self.asking(pad, reference="7")
        self.assertEqual(pad.end(), 0)
        last = list(replies)[-1]
        self.assertEqual((last["state"], last["cancelled_by"]), ("cancelled", "pad"))
        pad.start()
        self.assertEqual(Watcher(pad).states, ["idle"])
        program.__exit__()

    def test_a_request_is_open_again_after_a_crash_and_goes_with_its_program(self):
        pad = self.pad()
        program, _ = self.asking(pad, reference="7", title="Paket 7", time_limit=600)
        until(lambda: pad.journal().request, "the request is noted")
        pad.end("KILL")
        program.__exit__()
        pad.start()
        with Program(pad) as other:
            self.refused(INTERFACE + ".Busy", other.Sign, reference="8")
        watcher = Watcher(pad)
        program, replies = Program(pad), None
        replies = program.pad.Sign(_more=True, reference="7")
        taken = next(replies)
        self.assertEqual(taken["state"], "invited")
        self.assertTrue(590 < taken["seconds_left"] <= 600, taken)
        program.__exit__()
        watcher.wait("cancelled", "idle")

    def test_a_request_that_was_hardly_taken_before_a_crash_can_be_asked_again(self):
        pad = self.pad()
        for reference in "123":
            program, _ = self.asking(pad, reference=reference)
            pad.end("KILL")
            program.__exit__()
            pad.start()
            program, _ = self.asking(pad, reference=reference)
            program.__exit__()
            Watcher(pad).wait("idle")

    def test_who_asks_before_the_first_panel_is_lit_waits_for_it(self):
        pad = self.pad()
        for _ in range(5):
            pad.end()
            pad.start(wait=False)

            def connected():
                connection = socket.socket(socket.AF_UNIX)
                try:
                    connection.connect(pad.socket)
                    return connection
                except OSError:
                    connection.close()

            with until(connected, "the pad listens") as connection:
                connection.sendall(b'{"method":"org.paraph.Pad.Sign","parameters":{"time_limit":0.05}}\0')
                self.assertIn(b'"timed_out"', connection.recv(65536))

    def test_a_message_that_cannot_be_read_is_answered(self):
        for message, reason in (
                (b'{"method":"\\u0000"}', "invalid JSON: NUL character in a string"),
                (b'{"method":"' + b"x" * 300_000 + b'"}', "message exceeds 32768 bytes")):
            reply = raw(self.one, message + b"\0")
            self.assertEqual((reply["error"], reply["parameters"]), (INTERFACE + ".InvalidMessage", {"reason": reason}))

    def test_a_socket_that_the_service_manager_has_opened_is_taken_and_stays(self):
        pad = self.pad(activated=True, control="socket = none")
        with Program(pad) as program:
            self.assertEqual(program.Sign(time_limit=0.1)["state"], "timed_out")
        self.assertEqual(pad.end(), 0)
        self.assertTrue(os.path.exists(pad.socket))
        # Who connects meanwhile is answered by the next one.
        with socket.socket(socket.AF_UNIX) as waiting:
            waiting.connect(pad.socket)
            waiting.sendall(b'{"method":"org.paraph.Pad.Watch"}\0')
            pad.start()
            self.assertIn(b'"state"', waiting.recv(65536))

    def test_a_program_that_is_killed_cancels_its_request(self):
        watcher = Watcher(self.one)
        asking = subprocess.Popen([TOOL, "sign", "--socket", self.one.socket], stderr=subprocess.DEVNULL)
        watcher.wait("invited")
        asking.kill()
        asking.wait()
        watcher.wait("invited", "cancelled", "idle")


class Signed(Test):
    """A hand signs, lifts, and presses Done, again and again."""

    def test_a_request_is_signed_and_all_that_comes_of_it_agrees(self):
        pad = self.pad(signs=True, control="watch-strokes = yes", formats="png json")
        watcher = Watcher(pad, strokes=True)
        with Program(pad) as program:
            replies = list(program.Sign(
                _more=True, reference="Päckchen 4711", title="Parcel", prompt="For Ms Größe", language="de",
                formats=["png", "svg", "inkml", "strokes"]))
            self.assertEqual([reply["state"] for reply in replies], ["invited", "signing", "confirming", "saved"])
            signature = replies[-1]["signature"]
            png = base64.b64decode(signature["png"])
            self.assertEqual(hashlib.sha256(png).hexdigest(), signature["digest"])
            ((manifest, kept),) = pad.items()
            self.assertEqual((manifest["id"], manifest["reference"], kept), (signature["id"], "Päckchen 4711", png))
            self.assertEqual(manifest["strokes"], len(signature["strokes"]))
            self.assertTrue(base64.b64decode(signature["svg"]).startswith(b"<svg"))
            self.assertIn(b"<ink xmlns", base64.b64decode(signature["inkml"]))
            again = program.GetSignature(id=signature["id"], formats=["png"])["signature"]
            self.assertEqual((again["png"], again.get("strokes")), (signature["png"], None))
            again = program.GetSignature(id=signature["id"], formats=["svg", "inkml"])["signature"]
            self.assertEqual(
                (again["svg"], again["inkml"], again.get("png")), (signature["svg"], signature["inkml"], None))
        watcher.wait("signing", "confirming", "saved", "idle")
        steps = [ink for reply in watcher.replies for ink in reply.get("ink") or []]
        drawn = [step["sample"] for step in steps if "sample" in step and step["sample"]]
        told = [sample for stroke in signature["strokes"] for sample in stroke["samples"]]
        self.assertEqual([(s["x"], s["y"]) for s in drawn], [(s["x"], s["y"]) for s in told])

    def test_ink_is_in_a_screenshot_only_where_strokes_may_be_watched(self):
        for control, name in (("watch-strokes = yes", None), ("watch-strokes = no", INTERFACE + ".StrokesNotAllowed")):
            pad = self.pad(signs={"reports": 300}, control=control)
            program, replies = self.asking(pad)
            self.assertEqual(next(replies)["state"], "signing")
            with Program(pad) as other:
                if name:
                    self.refused(name, other.Screenshot)
                else:
                    self.assertTrue(base64.b64decode(other.Screenshot()["png"]).startswith(b"\x89PNG"))
            program.__exit__()

    def test_a_format_of_the_reply_is_the_file_that_the_spool_has(self):
        pad = self.pad(signs=True, formats="png svg inkml json")
        with Program(pad) as program:
            signature = program.Sign(formats=["svg", "inkml", "strokes"])["signature"]
        self.assertIsNone(signature.get("png"))
        for name in ("svg", "inkml"):
            self.assertEqual(base64.b64decode(signature[name]), pad.item(signature["id"], "signature." + name))
        kept = json.loads(pad.item(signature["id"], "strokes.json"))["strokes"]
        # Each writes as many digits as a Float needs, in its own way.
        self.assertEqual(
            [[(round(sample["x"], 4), round(sample["y"], 4)) for sample in stroke["samples"]]
             for stroke in signature["strokes"]],
            [[(round(x, 4), round(y, 4)) for _, x, y, *_ in stroke["samples"]] for stroke in kept])

    def test_without_a_request_everybody_may_sign_where_the_pad_invites_always(self):
        pad = self.pad(signs=True, invite="always")
        watcher = Watcher(pad)
        self.assertIn(watcher.states[0], ("invited", "signing"))
        # The recorded hand is in a hurry.
        watcher.wait("signing", "confirming", "saved", "invited", "signing", "confirming", "saved")
        (manifest, _), *_ = pad.items()
        self.assertIsNone(manifest["reference"])

    def test_the_ink_is_back_after_a_kill_and_who_asks_again_gets_the_signature(self):
        pad = self.pad(signs=True, formats="png json")
        program, replies = self.asking(pad, reference="4711")
        self.assertEqual(next(replies)["state"], "signing")
        until(lambda: pad.journal().steps > 60, "ink is noted")
        pad.end("KILL")
        program.__exit__()
        begun = time.monotonic()
        pad.start()
        with Program(pad) as program:
            replies = program.Sign(_more=True, reference="4711", formats=["strokes"])
            self.assertEqual(next(replies)["state"], "signing")
            print(f"  ink and request were back after {1000 * (time.monotonic() - begun):.0f} ms", file=sys.stderr)
            self.assertIn("paraph: restored ", Pad.text(pad.log))
            last = list(replies)[-1]
        self.assertEqual(last["state"], "saved")
        ((manifest, _),) = pad.items()
        self.assertEqual((manifest["id"], manifest["reference"]), (last["signature"]["id"], "4711"))
        self.assertGreater(manifest["strokes"], 3)

    def test_SIGTERM_after_Done_waits_for_the_answer(self):
        pad = self.pad(signs=True)
        program, replies = self.asking(pad, reference="7")
        next(reply for reply in replies if reply["state"] == "confirming")
        rest = []
        reader = threading.Thread(target=lambda: rest.extend(replies))
        reader.start()
        self.assertEqual(pad.end(), 0)
        reader.join()
        last = rest[-1]
        ((manifest, _),) = pad.items()
        self.assertEqual((last["state"], last["signature"]["id"]), ("saved", manifest["id"]))
        left = pad.journal()
        self.assertEqual((left.request, left.done, left.signed), (None, False, []))
        program.__exit__()

    def test_a_kill_after_Done_costs_no_signature_and_asks_nobody_twice(self):
        pad = self.pad(signs=True)
        references, told = [f"parcel {number}" for number in range(10)], 0
        for number, reference in enumerate(references):
            program = Program(pad)
            replies = program.pad.Sign(_more=True, reference=reference)
            last = next(reply for reply in replies if reply["state"] == "confirming")
            # From right after Done to after the reply was sent.
            time.sleep(number * 0.003)
            pad.end("KILL")
            try:
                last = list(replies)[-1]
                told += 1
            except (varlink.ConnectionError, OSError, IndexError):
                pass
            program.__exit__()
            pad.start()
            if last["state"] != "saved":
                with Program(pad) as program:
                    last = list(program.Sign(_more=True, reference=reference))[-1]
            self.assertEqual((last["state"], last["signature"]["reference"]), ("saved", reference))
            ids = [manifest["id"] for manifest, _ in pad.items() if manifest["reference"] == reference]
            self.assertEqual(ids, [last["signature"]["id"]])
        self.assertEqual([manifest["reference"] for manifest, _ in pad.items()], references)
        print(f"  of {len(references)} replies {told} came before the kill", file=sys.stderr)


class Resumed(Test):
    """A hand signs, and who asked has not read the answer."""

    ALL = ["png", "svg", "inkml", "strokes"]

    def unread(self, pad, reference):
        """A program that has asked, and whose answer has come and is not read."""
        program = socket.socket(socket.AF_UNIX)
        program.connect(pad.socket)
        wishes = {"reference": reference, "formats": self.ALL}
        program.sendall(json.dumps({"method": INTERFACE + ".Sign", "parameters": wishes}).encode() + b"\0")
        self.assertTrue(select.select([program], [], [], 60)[0], "an answer")
        # All that the pad does by itself about that answer has been done.
        with Program(pad) as other:
            for _ in range(5):
                other.GetInfo()
        return program

    def resume(self, pad, reference):
        """The same request again gets the signature that there is, and nobody signs another one."""
        ((manifest, png),) = pad.items()
        self.assertEqual(pad.journal().signed, [manifest["id"]])
        with Program(pad) as program:
            last = program.Sign(reference=reference, formats=self.ALL)
            self.assertEqual((last["state"], last["signature"]["id"]), ("saved", manifest["id"]))
            self.assertEqual(base64.b64decode(last["signature"]["png"]), png)
            until(lambda: not pad.journal().signed, "the copy goes when it is read")
        self.assertEqual(len(pad.items()), 1)

    def test_a_large_reply_that_was_not_read_when_the_pad_was_killed_can_be_had_again(self):
        pad = self.pad(signs={"reports": 2000, "pause": 0.0005})
        program = self.unread(pad, "4711")
        pad.end("KILL")
        got = b""
        try:
            while part := program.recv(65536):
                got += part
        except ConnectionResetError:
            pass
        self.assertFalse(got.endswith(b"\0"), "the reply was too small for this test")
        program.close()
        pad.start()
        self.resume(pad, "4711")

    def test_a_reply_that_was_not_read_when_its_program_died_can_be_had_again(self):
        pad = self.pad(signs=True)
        self.unread(pad, "4711").close()
        self.resume(pad, "4711")

    def test_a_reply_that_was_not_read_when_the_pad_was_stopped_can_be_had_again(self):
        pad = self.pad(signs=True)
        program = self.unread(pad, "4711")
        self.assertEqual(pad.end(), 0)
        program.close()
        pad.start()
        self.resume(pad, "4711")


class Shell(Test):
    """The tool, as scripts use it."""

    def tool(self, pad, *arguments):
        return subprocess.run(
            [TOOL, *arguments, "--socket", pad.socket], capture_output=True, text=True, timeout=120)

    def test_a_script_asks_and_gets_the_picture(self):
        pad = self.pad(signs=True)
        png = pad.path("sig.png")
        run = self.tool(pad, "sign", "--reference", "4711", "--prompt", "Parcel for …", "--timeout", "60", "-o", png)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        ((manifest, kept),) = pad.items()
        self.assertEqual((run.stdout.strip(), manifest["reference"]), (manifest["id"], "4711"))
        with open(png, "rb") as file:
            self.assertEqual(file.read(), kept)
        status = self.tool(pad, "status")
        self.assertEqual(status.returncode, 0)
        for line in ("state: ", "panel: ", "latency: p50 "):
            self.assertIn(line, status.stdout)

    def test_a_script_asks_a_question_and_prints_the_choice_that_was_pressed(self):
        # The finger goes to where Done would be: the last of the choices is there.
        pad = self.pad(signs={"strokes": 0})
        for choices in (["Front", "Back"], ["Front", "Back", "Side"]):
            run = self.tool(pad, "ask", "--timeout", "60", "Which door?", *choices)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, choices[-1] + "\n", ""))
        self.assertEqual(self.tool(pad, "ask", "Which door?", "Front").returncode, 64)
        self.assertEqual(pad.items(), [])

    def test_each_end_has_its_own_exit_status(self):
        pad = self.pad()
        self.assertEqual(self.tool(pad, "sign", "--timeout", "0.2").returncode, 2)
        self.assertEqual(self.tool(pad, "cancel").returncode != 0, True)
        asking = subprocess.Popen([TOOL, "sign", "--reference", "1", "--socket", pad.socket], stderr=subprocess.DEVNULL)
        Watcher(pad).wait("invited")
        self.assertEqual(self.tool(pad, "sign").returncode, 75)
        self.assertEqual(self.tool(pad, "cancel", "--reference", "1").returncode, 0)
        self.assertEqual(asking.wait(30), 1)
        asking = subprocess.Popen([TOOL, "sign", "--reference", "2", "--socket", pad.socket], stderr=subprocess.DEVNULL)
        Watcher(pad).wait("invited")
        pad.end()
        self.assertEqual(asking.wait(30), 4)
        # What was asked is kept for its program.
        pad.start()
        self.assertEqual(self.tool(pad, "show", "--timeout", "0.2", "Box 7 is open").returncode, 75)
        self.assertEqual(self.tool(pad, "cancel", "--reference", "2").returncode, 0)
        self.assertEqual(self.tool(pad, "show", "--timeout", "0.2", "Box 7 is open").returncode, 0)
        pad.end()
        self.assertEqual(self.tool(pad, "sign").returncode, 69)


class Root(Test):
    """Needs root: nobody else can be somebody else, or give a file away."""

    def test_only_those_users_may_ask_who_are_named(self):
        pad = self.pad(control="mode = 0666\nusers = 12345")
        call = b'{"method":"org.paraph.Pad.Watch"}\0'
        self.assertNotIn("error", raw(pad, call, user=12345))
        self.assertEqual(raw(pad, call, user=23456)["error"], "org.varlink.service.PermissionDenied")
        self.assertIn("user 23456 is not in [control] users", Pad.text(pad.log))

    def test_the_socket_belongs_to_whom_the_configuration_names(self):
        pad = self.pad(control="mode = 0600\nowner = 12345\ngroup = 23456")
        status = os.stat(pad.socket)
        self.assertEqual((status.st_mode & 0o777, status.st_uid, status.st_gid), (0o600, 12345, 23456))
        call = b'{"method":"org.paraph.Pad.Watch"}\0'
        self.assertNotIn("error", raw(pad, call, user=12345))
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            raw(pad, call, user=23456)
        self.assertIn(b"PermissionError", caught.exception.stderr)


NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


class Examples(Test):
    """What README.md and config/integrating.md show does what they say. It needs namespaces for users."""

    def example(self, word, *page):
        """The indented block of the page that has this word."""
        page = Pad.text(os.path.join(os.path.dirname(__file__), "..", "..", "..", *page or ("config", "integrating.md")))
        (found,) = [block for block in re.findall(r"(?:^(?:    .*)?\n)+", page, re.M) if "    " + word in block]
        return textwrap.dedent(found)

    def run_example(self, pad, *command):
        """Exactly as it is printed, in a mount namespace where the pad's socket is where a service has it."""
        place = (
            "mount -t tmpfs none /run && mkdir /run/paraph && "
            'ln -s "$0" /run/paraph/org.paraph.Pad && exec "$@"')
        run = subprocess.run(
            [*NAMESPACE, "sh", "-c", place, pad.socket, *command], cwd=pad.folder.name, capture_output=True,
            text=True, timeout=100, env={**os.environ, "PATH": os.path.dirname(TOOL) + ":" + os.environ["PATH"]})
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        return run.stdout.split("\n")

    def test_ten_lines_of_python(self):
        pad = self.pad(signs=True)
        script = self.example("import base64, varlink")
        self.assertLessEqual(len(script.strip().split("\n")), 10)
        self.assertEqual(
            self.run_example(pad, sys.executable, "-c", script), ["invited", "signing", "confirming", "saved", ""])
        self.check(pad)

    def test_five_lines_of_the_landing_page(self):
        pad = self.pad(signs=True)
        script = self.example("import base64, varlink", "README.md")
        self.assertEqual(len(script.strip().split("\n")), 5)
        self.run_example(pad, sys.executable, "-c", script)
        self.check(pad)

    def test_ten_lines_of_shell(self):
        pad = self.pad(signs=True)
        script = self.example("paraph sign")
        self.assertLessEqual(len(script.strip().split("\n")), 10)
        self.assertIn("signed", self.run_example(pad, "sh", "-c", script))
        self.check(pad)

    def test_the_messages_of_other_languages(self):
        pad = self.pad(signs=True)
        call, *shown = [json.loads(line[2:]) for line in self.example("→").strip().split("\n")]
        with socket.socket(socket.AF_UNIX) as client, client.makefile("rb") as replies:
            client.connect(pad.socket)
            client.sendall(json.dumps(call).encode() + b"\0")
            received = b""
            while received.count(b"\0") < len(shown):
                received += replies.read(1)
        for reply, expected in zip(received.split(b"\0"), shown):
            reply = json.loads(reply)
            self.assertEqual(reply.get("continues"), expected.get("continues"))
            self.assertEqual(reply["parameters"]["state"], expected["parameters"]["state"])
            self.assertEqual("signature" in reply["parameters"], "signature" in expected["parameters"])
        self.assertLessEqual(expected["parameters"]["signature"].keys(), reply["parameters"]["signature"].keys())

    def check(self, pad):
        ((manifest, png),) = pad.items()
        self.assertEqual(manifest["reference"], "4711")
        with open(pad.path("signature.png"), "rb") as file:
            self.assertEqual(file.read(), png)


def raw(pad, message, user=None):
    """One message by hand, as some user; the reply."""
    script = (
        "import json, os, socket, sys\n"
        "if sys.argv[2]: os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))\n"
        "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
        "s.sendall(sys.stdin.buffer.read()); reply = b''\n"
        "while not reply.endswith(b'\\0'):\n"
        "    part = s.recv(65536)\n"
        "    assert part, 'no reply'\n"
        "    reply += part\n"
        "sys.stdout.buffer.write(reply[:-1])\n")
    command = [sys.executable, "-c", script, pad.socket, str(user or "")]
    return json.loads(subprocess.run(command, input=message, capture_output=True, check=True).stdout)


def memory(pad):
    """Resident bytes."""
    with open(f"/proc/{pad.process.pid}/statm") as file:
        return int(file.read().split()[1]) * 4096


if __name__ == "__main__":
    # A reply that never comes must not hold up everything else.
    faulthandler.dump_traceback_later(400, exit=True)
    parallel.main(PARAPHD)
