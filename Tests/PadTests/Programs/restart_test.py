"""A pad that ends, in order or not, and the one that is started after it.
usage: restart_test.py PARAPHD [unittest's arguments]"""
import faulthandler
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import varlink

import parallel
from pad import Pad, until
from varlink_test import PARAPHD, Program, Test, Watcher

STRACE = "/usr/bin/strace"


def read(path):
    return Pad.text(path) if os.path.exists(path) else ""


class Faults(Test):
    def fault(self, *paths, inject):
        """A command that runs a program with a fault in calls on these paths."""
        filters = [word for path in paths for word in ("-P", path)]
        calls = [word for one in inject for word in ("-e", "inject=" + one)]
        names = ",".join(one.split(":")[0] for one in inject)
        return [STRACE, "-f", "-qq", "-o", "/dev/null", *filters, "-e", "trace=" + names, *calls]

    def attach(self, pid, log, *words):
        """Lets calls of a running program fail until the result is called."""
        tracer = subprocess.Popen([STRACE, "-qq", "-o", log, *words, "-p", str(pid)])
        self.addCleanup(lambda: tracer.poll() is None and tracer.kill())
        # The program may have ended by its fault before this looks.
        until(
            lambda: tracer.poll() is not None or f"TracerPid:\t{tracer.pid}" in read(f"/proc/{pid}/status"),
            "the program is traced")

        def detach():
            tracer.send_signal(signal.SIGINT)
            tracer.wait(30)

        return detach

    def thread(self, pad, name):
        tasks = f"/proc/{pad.pid}/task"
        (thread,) = [t for t in os.listdir(tasks) if read(f"{tasks}/{t}/comm").strip() == name]
        return thread

    def ink(self, pad):
        """A request that is being signed, with ink on the glass that is noted."""
        program, replies = self.asking(pad, reference="4711", title="Parcel")
        self.assertEqual(next(replies)["state"], "signing")
        until(lambda: pad.journal().steps > 60, "ink is noted")
        return program, replies

    def resume(self, pad):
        """The request goes on, and is signed once."""
        with Program(pad) as program:
            replies = list(program.Sign(_more=True, reference="4711", formats=["strokes"]))
        first, last = replies[0]["state"], replies[-1]
        self.assertEqual(last["state"], "saved")
        ((manifest, _), *more) = pad.items()
        self.assertEqual((manifest["id"], manifest["reference"]), (last["signature"]["id"], "4711"))
        self.assertEqual([m["reference"] for m, _ in more if m["reference"]], [])
        return first, manifest["strokes"]

    def journal(self, pad):
        """Leaves a journal with ink and a request."""
        program, _ = self.ink(pad)
        pad.end("KILL")
        program.__exit__()

    def crash(self, pad, wrap, *signals):
        pad.launch(wrap)
        end = pad.process.wait(60)
        self.assertIn(end, [-number for number in signals], Pad.text(pad.log))

    def strikes(self, pad, wrap, *signals):
        """Three starts that the journal ends, and the fourth that goes on without it."""
        for _ in range(3):
            self.assertNotIn("set aside", Pad.text(pad.log))
            self.crash(pad, wrap, *signals)
        pad.start(wrap)
        self.assertEqual(Pad.text(pad.log).count("journal: set aside in"), 1)
        aside = os.path.join(pad.runtime, "set-aside")
        self.assertTrue(os.listdir(aside))
        with Program(pad) as program:
            self.assertEqual(list(program.Sign(_more=True, reference="next"))[-1]["state"], "saved")
        pad.end()
        self.assertEqual(Pad.text(pad.log).count("journal: set aside in"), 1)


class Restart(Faults):
    # Three strikes

    def test_a_journal_that_ends_three_starts_by_a_trap_is_set_aside(self):
        pad = self.pad(signs=True)
        self.journal(pad)
        self.strikes(pad, self.fault(pad.journal_path, inject=["read:signal=ILL"]), signal.SIGILL)

    def test_a_journal_that_ends_three_starts_by_the_watchdog_is_set_aside(self):
        pad = self.pad(signs=True)
        self.journal(pad)
        self.strikes(pad, self.fault(pad.journal_path, inject=["read:signal=ABRT"]), signal.SIGABRT)

    def test_a_signature_whose_drawing_ends_three_starts_is_set_aside(self):
        pad = self.pad(signs=True)
        program, _ = self.asking(pad, reference="4711")
        # Killed when the item has been moved, before the journal and its program are told.
        self.attach(
            pad.process.pid, "/dev/null", "-f", "-P", os.path.join(pad.spool, "new"), "-e", "trace=fsync",
            "-e", "inject=fsync:signal=KILL")
        self.assertEqual(pad.process.wait(60), -signal.SIGKILL)
        self.assertIsNotNone(pad.journal().publishing)
        program.__exit__()
        ((manifest, _),) = pad.items()
        name = "signed-" + manifest["id"]
        crashes = os.path.join(pad.runtime, "crashes-" + manifest["id"])
        for _ in range(3):
            self.assertNotIn("set aside", Pad.text(pad.log))
            pad.start(wrap=self.fault(crashes, inject=["ftruncate:signal=ILL"]))
            # Until its ink is back, a crash counts against the whole journal.
            started = os.path.join(pad.runtime, "crashes")
            until(lambda: not os.path.exists(started), "the start is over")
            program = Program(pad)
            with self.assertRaises((varlink.ConnectionError, OSError)):
                program.pad.Sign(reference="4711", formats=["svg"])
            self.assertEqual(pad.process.wait(60), -signal.SIGILL)
            program.__exit__()
        pad.start()
        self.assertEqual(Pad.text(pad.log).count("set aside in"), 1)
        self.assertEqual(os.listdir(os.path.join(pad.runtime, "set-aside")), [name])
        with Program(pad) as program:
            last = program.Sign(reference="4711", formats=["svg"])
        self.assertNotEqual("signed-" + last["signature"]["id"], name)

    def test_a_start_that_succeeds_or_is_ended_resets_the_count_of_the_journal(self):
        pad = self.pad(signs=True)
        self.journal(pad)
        fault = self.fault(pad.journal_path, inject=["read:signal=KILL"])
        for _ in range(2):
            self.crash(pad, fault, signal.SIGKILL)
        self.assertTrue(os.path.exists(os.path.join(pad.runtime, "crashes")))
        pad.start()
        until(lambda: not os.path.exists(os.path.join(pad.runtime, "crashes")), "the count is cleared")
        self.assertEqual(pad.end(), 0)
        for _ in range(2):
            self.crash(pad, fault, signal.SIGKILL)
        pad.start()
        self.assertNotIn("set aside", Pad.text(pad.log))

    # Ends in order

    def test_SIGTERM_with_ink_on_the_glass_keeps_what_a_kill_keeps(self):
        pad = self.pad(signs=True)
        program, replies = self.ink(pad)
        self.assertEqual(pad.end(), 0)
        # Not cancelled: the connection is closed, as after a crash.
        with self.assertRaises((varlink.ConnectionError, OSError)):
            for reply in replies:
                self.assertNotEqual(reply["state"], "cancelled")
        program.__exit__()
        pad.start()
        state, strokes = self.resume(pad)
        self.assertEqual(state, "signing")
        self.assertGreater(strokes, 3)
        # What was shown outlives the pad, too.
        manifest = pad.items()[0][0]
        self.assertEqual((manifest["title"], manifest["prompt"]), ("Parcel", "Please sign here"))

    def test_SIGTERM_with_a_request_behind_a_notice_cancels_it(self):
        pad = self.pad()
        with Program(pad) as first:
            self.assertEqual(first.Sign(time_limit=0.1)["state"], "timed_out")
        connection = socket.socket(socket.AF_UNIX)
        self.addCleanup(connection.close)
        connection.connect(pad.socket)
        connection.sendall(b'{"method":"org.paraph.Pad.Sign","parameters":{"reference":"4711"}}\0')
        with Program(pad) as other:
            until(lambda: self.is_busy(other), "the request waits")
        self.assertEqual(pad.end(), 0)
        with connection.makefile("rb") as replies:
            told = json.loads(replies.read().rstrip(b"\0"))["parameters"]
        self.assertEqual((told["state"], told["cancelled_by"]), ("cancelled", "pad"))

    def is_busy(self, program):
        try:
            program.Show(text="Box 7", time_limit=0.1)
            return False
        except varlink.VarlinkError:
            return True

    def test_SIGTERM_with_a_request_and_no_ink_keeps_the_request(self):
        pad = self.pad()
        program, _ = self.asking(pad, reference="4711", title="Parcel", time_limit=600)
        self.assertEqual(pad.end(), 0)
        program.__exit__()
        pad.start()
        program = Program(pad)
        resumed = next(program.pad.Sign(_more=True, reference="4711"))
        # The limit is that of before.
        self.assertEqual(resumed["state"], "invited")
        self.assertTrue(500 < resumed["seconds_left"] <= 600, resumed)
        program.__exit__()

    def test_exit_71_with_ink_on_the_glass_keeps_what_a_kill_keeps(self):
        pad = self.pad(signs=True)
        program, _ = self.ink(pad)
        self.attach(self.thread(pad, "paraph-input"), "/dev/null", "-e", "trace=poll", "-e", "inject=poll:error=EINVAL")
        self.assertEqual(pad.process.wait(30), 71)
        program.__exit__()
        pad.start()
        state, strokes = self.resume(pad)
        self.assertEqual(state, "signing")
        self.assertGreater(strokes, 3)

    # A disk that fails

    def test_ink_that_a_disk_does_not_save_stays_and_the_pad_says_so_until_it_does(self):
        self.check_unsaved("EIO")

    def test_ink_that_a_quota_does_not_save_stays_and_the_pad_says_so_until_it_does(self):
        self.check_unsaved("EDQUOT")

    def check_unsaved(self, error):
        pad = self.pad(signs=True)
        log = pad.path("faults")
        watcher = Watcher(pad)
        program, replies = self.asking(pad, reference="4711")
        detach = self.attach(
            pad.process.pid, log, "-f", "-e", "trace=fsync", "-e", f"inject=fsync:error={error}")
        watcher.wait("confirming", "out_of_service")
        # One of the signature, then those of trials.
        until(lambda: read(log).count("INJECTED") >= 3, "the disk is tried again")
        with Program(pad) as other:
            info = other.GetInfo()
        self.assertEqual(info["state"], "out_of_service")
        self.assertIn("fsync", info["reason"])
        after = watcher.states[watcher.states.index("out_of_service"):]
        self.assertEqual(set(after), {"out_of_service"})
        self.assertEqual(pad.items(), [])
        # The request can come in mid-hand.
        shown = pad.journal().strokes
        self.assertGreater(shown, 0)
        detach()
        watcher.wait("out_of_service", "signing", "confirming", "saved")
        self.assertEqual(list(replies)[-1]["state"], "saved")
        ((manifest, _),) = [item for item in pad.items() if item[0]["reference"]]
        self.assertGreaterEqual(manifest["strokes"], shown)
        program.__exit__()

    def test_a_kill_after_the_move_has_failed_loses_no_ink(self):
        pad = self.pad(signs=True)
        new = os.path.join(pad.spool, "new")
        program, _ = self.asking(pad, reference="4711")
        # Killed when the move has failed, before the program knows it.
        self.attach(
            pad.process.pid, "/dev/null", "-f", "-P", new, "-e", "trace=renameat2",
            "-e", "inject=renameat2:error=EIO:delay_exit=60000000")
        until(lambda: pad.journal().publishing, "the item is about to be moved")
        tracer = int(read(f"/proc/{pad.pid}/status").split("TracerPid:")[1].split()[0])
        os.kill(pad.pid, signal.SIGKILL)
        # It would keep the program for the rest of the delay.
        os.kill(tracer, signal.SIGKILL)
        self.assertEqual(pad.process.wait(60), -signal.SIGKILL)
        program.__exit__()
        self.assertIsNotNone(pad.journal().publishing)
        self.assertEqual(os.listdir(new), [])
        pad.start()
        self.resume(pad)
        # Saved before its words are set again: they are those that the person saw.
        self.assertEqual(pad.items()[0][0]["prompt"], "Please sign here")

    def test_a_save_that_hangs_ends_the_pad_and_the_next_one_saves(self):
        pad = self.pad(signs=True)
        pad.end()
        manager = Manager(pad.path("notify"))
        self.addCleanup(manager.close)
        pad.start(NOTIFY_SOCKET=manager.path, WATCHDOG_USEC="1000000")
        manager.watch(pad.process, 1.0)
        program, _ = self.asking(pad, reference="4711")
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(self.thread(pad, "paraph-save"))], stdout=subprocess.PIPE)
        self.addCleanup(holder.stdout.close)
        self.addCleanup(lambda: holder.poll() is None and holder.kill())
        self.assertEqual(holder.stdout.readline(), b"held\n")
        self.assertEqual(pad.process.wait(120), -signal.SIGABRT)
        holder.wait(30)
        program.__exit__()
        pad.start()
        self.resume(pad)


class Exhaustion(Faults):
    def test_a_journal_that_ends_three_starts_by_memory_exhaustion_is_set_aside(self):
        pad = self.pad(signs=True)
        pad.end()
        # A thread's heap of its own is 64 MB of address space.
        pad.environment["MALLOC_ARENA_MAX"] = "1"
        pad.start()
        status = read(f"/proc/{pad.process.pid}/status")
        peak = int(status.split("VmPeak:")[1].split()[0]) * 1024
        pad.end()
        size = 60 << 20
        # As an earlier program leaves it.
        open(os.path.join(pad.runtime, "strokes"), "x").close()
        with open(os.path.join(pad.runtime, "signed-a"), "wb") as file:
            file.write(
                b'{"id":"a","digest":"b","time":1,"width":3,"height":4,"dpi":300.5,"glass":[154.0,86.0],"png":%d}\n'
                % size + bytes(size))
        limit = ["prlimit", f"--as={peak + (30 << 20)}"]
        self.strikes(
            pad, limit, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGKILL)


# Stops one thread of a program until the program ends: as a call does that never returns.
HOLD = """
import ctypes, os, sys
libc, thread = ctypes.CDLL(None), int(sys.argv[1])
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
for request in (0x4206, 0x4207):  # PTRACE_SEIZE, PTRACE_INTERRUPT
    assert libc.ptrace(request, thread, None, None) == 0
print("held", flush=True)
while os.WIFSTOPPED(os.waitpid(thread, 0x40000000)[1]):  # __WALL
    pass
"""


class Manager(threading.Thread):
    """What a service manager does with a watchdog."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)

    def watch(self, process, period):
        self.process = process
        self.socket.settimeout(0.05)
        self.period = period
        self.start()

    def run(self):
        fed = time.monotonic()
        while self.process.poll() is None:
            try:
                if b"WATCHDOG=1" in self.socket.recv(4096):
                    fed = time.monotonic()
            except TimeoutError:
                pass
            if time.monotonic() > fed + self.period:
                self.process.send_signal(signal.SIGABRT)
                return

    def close(self):
        self.socket.close()


if __name__ == "__main__":
    # What never comes must not hold up everything else.
    faulthandler.dump_traceback_later(400, exit=True)
    parallel.main(PARAPHD)
