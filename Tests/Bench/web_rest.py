"""paraph-web at rest, as systemd starts it: after a page, a request and a mirror, all of them gone.

usage: web_rest.py SECONDS. Prints its private memory in MB, without and with the unchanged pages of files that the
kernel can drop at any time, and how often its threads were woken in so many seconds.
"""
import glob
import re
import sys
import time

from web_pad import PARAPHD, Live, Pad, Web, until


def wake_ups(pid):
    return sum(
        int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", Pad.text(path), re.M)[1])
        for path in glob.glob(f"/proc/{pid}/task/*/status"))


def private(pid):
    """Unchanged pages, which are those of files, and its own ones, in bytes."""
    rollup = Pad.text(f"/proc/{pid}/smaps_rollup")
    return [1024 * int(re.search(rf"^Private_{kind}:\s*(\d+)", rollup, re.M)[1]) for kind in ("Clean", "Dirty")]


pad = Pad(PARAPHD, control="mode = 0666\nwatch-strokes = yes")
web = Web(pad.socket, "mirror = yes", activated=True)
try:
    assert web.ask("GET", "/")[0] == web.ask("GET", "/ink.wasm")[0] == web.ask("GET", "/v1/info")[0] == 200
    mirror = Live(web)
    events = mirror.events()
    assert next(events)[1] == "state"
    assert web.ask("POST", "/v1/sign", {"time_limit": 0.2}) == (200, {"state": "timed_out"})
    assert "end" in (name for _, name, _ in events)
    mirror.close()
    pid = web.process.pid
    before = [wake_ups(pid)]

    def is_quiet():
        """Whether a second has passed without a wake-up."""
        time.sleep(1)
        before.append(wake_ups(pid))
        return before[-1] == before[-2]

    until(is_quiet, "paraph-web is at rest", 30)
    time.sleep(float(sys.argv[1]))
    woken = wake_ups(pid) - before[-1]
    clean, dirty = private(pid)
    print(dirty / 1e6, (clean + dirty) / 1e6, woken)
finally:
    web.close()
    pad.close()
