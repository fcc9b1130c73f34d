"""make demo LIVE=1: the machine's own touchscreen and panel."""
import os

from machine.hand import written
from machine.pad import WHITE, Pad
from machine.places import read, source
from machine.sentences import expect, test, until

PLACE = "/paraph"


@test("make demo LIVE=1 has a finger sign on the machine's own glass, and says where the delivered PNG is")
def live_demo(case):
    pad = Pad(case)
    pad.control.push(f"{PLACE}/.ci/demo", read(source(".ci", "demo")))
    # The demo asks the compiler where the programs are; the guest has them, and no compiler.
    programs = os.path.dirname(pad.control.text("command -v paraphd").strip())
    pad.control.push("/bin/swift", f"#!/bin/sh\necho {programs}\n")
    pad.control.run(f"chmod +x /bin/swift {PLACE}/.ci/demo")
    begun = pad.vm.log.length()
    pad.control.start(f"LIVE=1 {PLACE}/.ci/demo >/dev/console 2>&1")
    pad.vm.log.wait("sign on the panel and press the check", after=begun)
    until(lambda: pad.vm.screen().pixel(0, 0) == WHITE, "the pad is on the screen")
    until(lambda: pad.control.has_open("/dev/input/event[0-9]*"), "the touchscreen is open")
    pad.sign(written(97))
    pad.done()
    found = pad.vm.log.wait(r"^signature +(/\S+/signature\.png)", after=begun).group(1).decode()
    expect(pad.control.pull(found)[:4] == b"\x89PNG", f"{found} is no PNG")
    pad.vm.log.wait(r"^latency from sample to commit: p50 .*", after=begun)
    pad.vm.log.wait(r"^published to delivered \d+", after=begun)
